import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rotateKey } from '../../src/access/issue-key.ts';
import { digestOf } from '../../src/access/key-digest.ts';
import { makeKey, makeKeyId } from '../../src/access/key-format.ts';
import type { KeyStore } from '../../src/access/key-store.ts';
import { defaultScopes } from '../../src/contract/key-bounds.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { pollMs } from '../../src/storage/follower.ts';
import { runCli } from '../support/cli.ts';
import { until } from '../support/until.ts';
import { addKey, keepLog, openKeys, startCache } from './key-fixture.ts';

test('a live key is granted with its id and the policy, time after time', async (t) => {
  const keys = await openKeys(t);
  const { id, key } = await addKey(keys);
  const cache = await startCache(t, keys);
  for (let i = 0; i < 3; i += 1) {
    const { tally: _tally, ...grant } = cache.verify(key) ?? assert.fail();
    assert.deepEqual(grant, {
      keyId: id,
      policyId: 'default',
      policyVersion: 1,
      policy: defaultPolicy,
      hasCandidate: false,
      asksClient: false,
      bounds: { screen: true, forward: true, manage: false, networks: undefined },
    });
  }
});

test('every other key is refused, before and after the right one was seen', async (t) => {
  const keys = await openKeys(t);
  const { id, key } = await addKey(keys);
  const wrong = [
    '',
    key.slice(0, -1),
    `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
    key.replace('sp_live_', 'sp_test_'),
    makeKey(id),
    makeKey(makeKeyId()),
    `${key.slice(0, -1)}\u{141}`,
  ];
  const cache = await startCache(t, keys);
  for (const one of wrong) assert.equal(cache.verify(one), undefined, one);
  assert.ok(cache.verify(key));
  for (const one of wrong) assert.equal(cache.verify(one), undefined, one);
});

test('a malformed key is refused although its digest is stored', async (t) => {
  const keys = await openKeys(t);
  const id = makeKeyId();
  const key = `sp_live_${id}_${'A'.repeat(38)}`;
  const digest = digestOf(key, keys.pepper).toString('hex');
  const key0 = { kind: 'live', policyId: undefined, createdAt: 0, expiresAt: undefined } as const;
  const bounds = { scopes: defaultScopes, networks: [] };
  await keys.store.insert({ id, name: 'odd', digest, ...bounds, ...key0 });
  const cache = await startCache(t, keys);
  assert.equal(cache.verify(key), undefined);
});

test('another pepper grants nothing', async (t) => {
  const keys = await openKeys(t);
  const { key } = await addKey(keys);
  const cache = await startCache(t, { ...keys, pepper: Buffer.alloc(64, 'x') });
  assert.equal(cache.verify(key), undefined);
});

test('a key is refused from the moment of its expiry on', async (t) => {
  const keys = await openKeys(t);
  const { key } = await addKey(keys, 1_000);
  let now = 999;
  const cache = await startCache(t, { ...keys, clock: () => now });
  assert.ok(cache.verify(key));
  now = 1_000;
  assert.equal(cache.verify(key), undefined);
});

test('after a rotation both secrets are good until the sunset of the old one', async (t) => {
  const keys = await openKeys(t);
  const { id, key: old } = await addKey(keys);
  let now = 10;
  const cache = await startCache(t, { ...keys, clock: () => now });
  assert.ok(cache.verify(old));
  const rotated = await rotateKey(keys, { id, now, sunsetAt: 100 });
  assert.equal(rotated.kind, 'rotated');
  await cache.refresh();
  assert.ok(cache.verify(old));
  assert.equal(cache.verify(rotated.key)?.keyId, id);
  now = 100;
  assert.equal(cache.verify(old), undefined);
  assert.ok(cache.verify(rotated.key));
});

test('a third secret needs the sunset of the first, or the end of both', async (t) => {
  const keys = await openKeys(t);
  const { id, key: first } = await addKey(keys);
  const now = 200;
  const cache = await startCache(t, { ...keys, clock: () => now });
  const second = await rotateKey(keys, { id, now: 10, sunsetAt: 300 });
  const refused = await rotateKey(keys, { id, now: 20, sunsetAt: 400 });
  assert.deepEqual(
    { kind: refused.kind, sunsetAt: 'sunsetAt' in refused && refused.sunsetAt },
    { kind: 'under-way', sunsetAt: 300 },
  );
  const third = await rotateKey(keys, { id, now: 20, sunsetAt: 20 });
  assert.equal(third.kind, 'rotated');
  await cache.refresh();
  assert.equal(cache.verify(first), undefined);
  assert.equal(cache.verify(second.key), undefined);
  assert.equal(cache.verify(refused.key), undefined);
  assert.ok(cache.verify(third.key));

  const fourth = await rotateKey(keys, { id, now: 30, sunsetAt: 40 });
  const fifth = await rotateKey(keys, { id, now: 40, sunsetAt: 500 });
  assert.equal(fifth.kind, 'rotated');
  await cache.refresh();
  assert.equal(cache.verify(third.key), undefined);
  assert.ok(cache.verify(fourth.key));
  assert.ok(cache.verify(fifth.key));
  assert.equal((await keys.store.find(id))?.secrets.length, 2);
});

test('revoked and unknown keys cannot be rotated or revoked', async (t) => {
  const keys = await openKeys(t);
  const { id } = await addKey(keys);
  assert.equal(await keys.store.revoke(id, 5), true);
  assert.equal(await keys.store.revoke(id, 6), false);
  assert.equal(await keys.store.revoke('unknown0', 6), false);
  assert.equal((await keys.store.find(id))?.revokedAt, 5);
  assert.equal((await rotateKey(keys, { id, now: 7, sunsetAt: 8 })).kind, 'revoked');
  assert.equal((await rotateKey(keys, { id: 'unknown0', now: 7, sunsetAt: 8 })).kind, 'unknown');
});

test('a revocation by another process reaches a running cache by itself', async (t) => {
  const keys = await openKeys(t);
  const { id, key } = await addKey(keys);
  const { key: other } = await addKey(keys);
  const cache = await startCache(t, keys);
  assert.ok(cache.verify(key));
  // Two polls and the read between them fit into the promised second.
  assert.ok(pollMs <= 400);
  const done = await runCli(['keys', 'revoke', id, '--data-dir', keys.dataDir], {
    cwd: keys.dataDir,
  });
  assert.equal(done.code, 0, done.err);
  await until('the revocation is seen', () => cache.verify(key) === undefined);
  assert.ok(cache.verify(other));
});

test('a key that another process makes is granted by itself', async (t) => {
  const keys = await openKeys(t);
  const cache = await startCache(t, keys);
  const made = await runCli(['keys', 'create', '--name', 'new', '--data-dir', keys.dataDir], {
    cwd: keys.dataDir,
  });
  assert.equal(made.code, 0, made.err);
  await until('the key is seen', () => cache.verify(made.out.trimEnd()) !== undefined);
});

test('while the store fails the cache keeps its keys, warns once and catches up', async (t) => {
  const keys = await openKeys(t);
  const { id, key } = await addKey(keys);
  let isBroken = false;
  const store: KeyStore = {
    ...keys.store,
    revision: () => (isBroken ? Promise.reject(new Error('disk')) : keys.store.revision()),
  };
  const log = keepLog();
  const cache = await startCache(t, { ...keys, store, log });
  assert.equal(cache.isReady(), true);
  isBroken = true;
  await cache.refresh();
  await cache.refresh();
  assert.ok(cache.verify(key));
  assert.deepEqual(
    log.lines.map((line) => line.level),
    ['warn'],
  );
  assert.equal(cache.isReady(), true);
  const now = performance.now();
  const later = t.mock.method(performance, 'now', () => now + 60_000);
  assert.equal(cache.isReady(), false);
  await keys.store.revoke(id, 1);
  assert.ok(cache.verify(key));
  isBroken = false;
  await cache.refresh();
  assert.equal(cache.isReady(), true);
  assert.equal(cache.verify(key), undefined);
  assert.deepEqual(
    log.lines.map((line) => line.level),
    ['warn', 'info'],
  );
  later.mock.restore();
});

test('a cache does not start on a database that cannot be read', async (t) => {
  const keys = await openKeys(t);
  await keys.close();
  await assert.rejects(startCache(t, keys));
});

test('an older database that is put back replaces what is held', async (t) => {
  const now = await openKeys(t);
  const { key: lost } = await addKey(now);
  const before = { ...(await openKeys(t)), pepper: now.pepper };
  const { key: old } = await addKey(before);
  await addKey(now);
  let store = now.store;
  const cache = await startCache(t, {
    pepper: now.pepper,
    store: {
      ...store,
      revision: () => store.revision(),
      changedSince: (revision) => store.changedSince(revision),
    },
  });
  assert.ok(cache.verify(lost));
  assert.equal(cache.verify(old), undefined);
  store = before.store;
  await cache.refresh();
  assert.equal(cache.verify(lost), undefined);
  assert.ok(cache.verify(old));
});

test('the last use is written at most once a minute', async (t) => {
  const keys = await openKeys(t);
  const { id, key } = await addKey(keys);
  const unused = await addKey(keys);
  let now = 1_000_000;
  const written: number[] = [];
  const store: KeyStore = {
    ...keys.store,
    recordUse(uses) {
      written.push(...uses.values());
      return keys.store.recordUse(uses);
    },
  };
  const cache = await startCache(t, { ...keys, store, clock: () => now });
  const useAndFlush = async (at: number) => {
    now = at;
    cache.verify(key)?.tally.admitted();
    await cache.flushUses();
  };
  assert.equal(cache.verify(makeKey(id)), undefined);
  assert.ok(cache.verify(key));
  await cache.flushUses();
  assert.deepEqual(written, [], 'a key that was refused, or not let in, is not used');
  await useAndFlush(1_000_000);
  for (let at = 1_001_000; at < 1_060_000; at += 1_000) await useAndFlush(at);
  assert.deepEqual(written, [1_000_000]);
  now = 1_060_000;
  await cache.flushUses();
  assert.deepEqual(written, [1_000_000, 1_059_000], 'the last use of a quiet minute is not lost');
  now = 1_200_000;
  await cache.flushUses();
  await cache.close();
  assert.deepEqual(written, [1_000_000, 1_059_000]);
  assert.equal((await keys.store.find(id))?.lastUsedAt, 1_059_000);
  assert.equal((await keys.store.find(unused.id))?.lastUsedAt, undefined);
});

test('a use that could not be written is written later, and an older one never wins', async (t) => {
  const keys = await openKeys(t);
  const { id, key } = await addKey(keys);
  let isBroken = true;
  const log = keepLog();
  const cache = await startCache(t, {
    ...keys,
    log,
    clock: () => 1_000_000,
    store: {
      ...keys.store,
      recordUse: (uses) =>
        isBroken ? Promise.reject(new Error('busy')) : keys.store.recordUse(uses),
    },
  });
  cache.verify(key)?.tally.admitted();
  await cache.flushUses();
  await cache.flushUses();
  assert.equal(log.lines.length, 1);
  isBroken = false;
  await cache.close();
  assert.equal((await keys.store.find(id))?.lastUsedAt, 1_000_000);
  await keys.store.recordUse(new Map([[id, 5]]));
  assert.equal((await keys.store.find(id))?.lastUsedAt, 1_000_000);
});
