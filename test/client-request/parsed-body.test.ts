import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersOf } from '../../src/client-request/request-members.ts';

test('turns are left to others while a body that was parsed is walked over', async () => {
  const items = Array.from({ length: 60_000 }, (_, index) => ({ [`name${index}`]: index }));
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const request = { method: 'POST', url: '/', headers: {}, address: '' };
  await membersOf(request, { kind: 'parsed', value: { items }, files: undefined });
  isDone = true;
  assert.ok(turns > 0);
});
