import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { keyIdOf, makeKey, makeKeyId } from '../../src/access/key-format.ts';
import type { KeyStore } from '../../src/access/key-store.ts';
import { limits } from '../../src/contract/limits.ts';
import type { DatabaseOptions } from '../../src/storage/database.ts';
import { type ApiServer, startApi } from '../http/api/api-server.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { addKey, openKeys, startCache } from './key-fixture.ts';

/** Another process that makes keys; gives its answer to a line. */
async function startMaker(t: TestContext, { dataDir, databaseUrl }: DatabaseOptions) {
  const program = fileURLToPath(new URL('key-maker.ts', import.meta.url));
  const args = [program, dataDir];
  if (databaseUrl !== undefined) args.push(databaseUrl);
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  t.after(async () => {
    const ended = once(child, 'exit');
    child.stdin.end();
    await ended;
  });
  const answer = async (): Promise<string> => {
    const { value, done } = await lines.next();
    assert.notEqual(done, true, 'the process that makes keys ended');
    return String(value);
  };
  assert.equal(await answer(), 'ready');
  return async (line: string): Promise<string> => {
    child.stdin.write(`${line}\n`);
    return answer();
  };
}

function statusOf(api: ApiServer, key: string): Promise<number> {
  return api.screen(key, { q: 'tea' }).then(({ status }) => status);
}

/** What a proxy asks about at `/forward`. */
async function forwardStatus(api: ApiServer, key: string): Promise<number> {
  const headers = { 'x-api-key': key, 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/' };
  return (await fetch(`${api.origin}/forward`, { headers })).status;
}

describeOnEachDatabase('keys of another process', (make) => {
  test('work in the same moment, 20 of 20 times, on each path', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { dataDir, databaseUrl } = fresh.options;
    const api = await startApi(t, { dataDir, ...(databaseUrl && { databaseUrl }) });
    const ask = await startMaker(t, fresh.options);
    const statuses: number[] = [];
    for (let i = 0; i < 20; i += 1) {
      // Each asks for more than one look-up; a second has a bounded number of them.
      const use = [statusOf, forwardStatus][i % 2] ?? statusOf;
      statuses.push(await use(api, await ask('live')));
    }
    assert.deepEqual(statuses, new Array(20).fill(200));

    const admin = await ask('admin');
    const list = await api.call('/api/keys', { headers: { 'x-api-key': admin, cookie: '' } });
    assert.equal(list.status, 200);
    assert.equal(list.body.keys.length, 21);

    const key = await ask('live');
    assert.equal(await statusOf(api, key), 200);
    const rotated = await ask(`rotate ${keyIdOf(key)}`);
    assert.equal(await statusOf(api, rotated), 200, 'a new secret of a known key');

    const ended = await ask('live');
    assert.equal(await ask(`revoke ${keyIdOf(ended)}`), 'done');
    assert.equal(await ask(`revoke ${keyIdOf(key)}`), 'done');
    // Asking for others reads the revocations, too, and nothing brings the keys back.
    assert.equal(await statusOf(api, makeKey(makeKeyId())), 401);
    for (const one of [ended, key, rotated, ended, key]) {
      assert.equal(await statusOf(api, one), 401);
    }
  });
});

/** A store that counts how often it is read, and can be made to hang. */
function counted(store: KeyStore) {
  const reads = { count: 0, hang: undefined as Promise<never> | undefined };
  const counting: KeyStore = {
    ...store,
    revision() {
      reads.count += 1;
      return reads.hang ?? store.revision();
    },
  };
  return { reads, store: counting };
}

test('a flood of made-up keys reads the store a bounded number of times', async (t) => {
  const keys = await openKeys(t);
  const { reads, store } = counted(keys.store);
  // No polls: the time of `performance` stands still until the test moves it.
  // A whole number: a second more is exactly a second more.
  let now = Math.ceil(performance.now());
  t.mock.method(performance, 'now', () => now);
  const cache = await startCache(t, { ...keys, store });
  const before = reads.count;
  const waits = Array.from({ length: 10_000 }, () => cache.lookUp(makeKey(makeKeyId())));
  await Promise.all(waits);
  const asked = waits.filter((wait) => wait !== undefined).length;
  assert.equal(asked, limits.keyLookUpsPerSecondMax);
  assert.ok(reads.count - before <= asked, `${reads.count - before} reads`);

  // One key that is bad is asked for once in a second, however often it comes.
  now += 1_000;
  const bad = makeKey(makeKeyId());
  const again = reads.count;
  for (let i = 0; i < 100; i += 1) await cache.lookUp(bad);
  assert.equal(reads.count - again, 1);
  now += 1_000;
  const together = Array.from({ length: 100 }, () => cache.lookUp(bad));
  assert.equal(new Set(together).size, 1, 'all wait for the same read');
  await Promise.all(together);
  assert.equal(reads.count - again, 2);
});

test('what cannot be a key, or is revoked, is not looked up', async (t) => {
  const keys = await openKeys(t);
  const { id, key } = await addKey(keys);
  await keys.store.revoke(id, 1);
  const cache = await startCache(t, keys);
  const { key: other } = await addKey(keys);
  for (const bad of [
    '',
    'x',
    key,
    other.slice(0, -1),
    `${other}0`,
    other.replace('live', 'test'),
  ]) {
    assert.equal(cache.lookUp(bad), undefined, bad);
  }
  assert.equal(cache.verify(other), undefined);
  await cache.lookUp(other);
  assert.ok(cache.verify(other));
});

test('a database that hangs keeps nobody waiting, one that fails is asked no more', async (t) => {
  const keys = await openKeys(t);
  const { reads, store } = counted(keys.store);
  const cache = await startCache(t, { ...keys, store });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let fail: (reason: Error) => void = () => undefined;
  reads.hang = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const { key } = await addKey(keys);
  const waiting = cache.lookUp(key);
  assert.ok(waiting);
  t.mock.timers.tick(limits.keyLookUpMsMax);
  await waiting;
  assert.equal(cache.verify(key), undefined);
  fail(new Error('gone'));
  const stale = performance.now() + 60_000;
  t.mock.method(performance, 'now', () => stale);
  assert.equal(cache.isReady(), false);
  assert.equal(cache.lookUp(makeKey(makeKeyId())), undefined);
});
