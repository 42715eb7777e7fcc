import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyStrings, raw, read } from './reading.ts';

test('a body of one byte is screened, an empty one has no text', async () => {
  assert.deepEqual(bodyStrings(await read(raw('x'))), ['x']);
  assert.deepEqual(bodyStrings(await read(raw(''))), []);
});
