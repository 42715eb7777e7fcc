import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyStrings, raw, read } from './reading.ts';

test('a body of one byte is screened, an empty one has no text', async () => {
  assert.deepEqual(bodyStrings(await read(raw('x'))), ['x']);
  assert.deepEqual(bodyStrings(await read(raw(''))), []);
});

test('a cut body is left out unless it is a file whose content is noise', async () => {
  const cut = async (bytes: string | Buffer, contentType: string) =>
    (await read(raw(bytes, false), { 'content-type': contentType })).omission;
  const noise = Buffer.alloc(4_096, 0xfe);
  assert.deepEqual(await cut(noise, 'application/octet-stream'), undefined);
  assert.deepEqual(await cut(noise, 'text/plain'), 'too-large');
  const latin1 = Buffer.from(`caf\xe9 ${'crème '.repeat(20)}`, 'latin1');
  assert.deepEqual(await cut(latin1, 'application/octet-stream'), 'too-large');
  assert.deepEqual(await cut('plain text', 'application/octet-stream'), 'too-large');
});
