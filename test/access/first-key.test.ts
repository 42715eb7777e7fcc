import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstKey } from '../../src/access/first-key.ts';
import { issueKey, rotateKey } from '../../src/access/issue-key.ts';
import { openKeys, startCache } from './key-fixture.ts';

test('the first key is the same at each start, until it is rotated, revoked or over', async (t) => {
  const keys = await openKeys(t);
  await issueKey(keys, { name: 'first', now: 0, expiresAt: undefined });
  await issueKey(keys, { name: 'first', now: 0, expiresAt: undefined, kind: 'admin' });
  const made: (string | undefined)[] = [];
  const start = async (now: number) => {
    const { key, id } = await firstKey(keys, { name: 'first', now, expiresAt: now + 10 });
    made.push(id);
    return key;
  };
  const key = await start(1_000);
  const others = (await keys.store.list()).length;
  assert.equal(others, 3);
  const idOf = (key: string) => key.split('_')[2] ?? '';
  assert.equal(await start(1_005), key);
  assert.equal((await keys.store.find(idOf(key)))?.expiresAt, 1_015, 'good for as long again');
  assert.deepEqual(made, [idOf(key), undefined], 'made once');
  assert.ok((await startCache(t, { ...keys, clock: () => 1_014 })).verify(key));

  const afterwards = await start(1_015);
  assert.notEqual(afterwards, key, 'over');
  await rotateKey(keys, { id: idOf(afterwards), now: 1_016, sunsetAt: 1_020 });
  const rotated = await start(1_017);
  assert.notEqual(rotated, afterwards);
  await keys.store.revoke(idOf(rotated), 1_018);
  assert.notEqual(await start(1_019), rotated);
  assert.equal((await keys.store.list()).length, 6);
});
