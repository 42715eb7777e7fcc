import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type RateLimiting, startRateLimits } from '../../src/access/rate-limits.ts';
import type { RateLimit } from '../../src/contract/policy.ts';
import { keepLog } from '../access/key-fixture.ts';
import { freshRedis } from '../support/redis.ts';
import { startRelay } from '../support/relay.ts';
import { until } from '../support/until.ts';

async function start(t: TestContext, redisUrl?: string, log = keepLog()): Promise<RateLimiting> {
  const limits = await startRateLimits({ redisUrl, log });
  t.after(() => limits.close());
  return limits;
}

async function takeMany(limits: RateLimiting, count: number, limit: RateLimit, key = 'a') {
  const allowed: boolean[] = [];
  for (let i = 0; i < count; i += 1) allowed.push((await limits.take(key, limit)).isAllowed);
  return allowed;
}

test('a key may send as many requests as its limit says, each key for itself', async (t) => {
  const limits = await start(t);
  const limit = { requests: 3, perSeconds: 3_600 };
  assert.deepEqual(await takeMany(limits, 5, limit), [true, true, true, false, false]);
  assert.deepEqual(await takeMany(limits, 1, limit, 'b'), [true]);
  const { remaining, resetSeconds, isAllowed } = await limits.take('b', limit);
  assert.deepEqual([remaining, isAllowed], [1, true]);
  assert.ok(resetSeconds > 3_590 && resetSeconds <= 3_600);
});

test('a burst comes on top once', async (t) => {
  const limits = await start(t);
  const limit = { requests: 2, perSeconds: 3_600, burst: 2 };
  assert.deepEqual(await takeMany(limits, 6, limit), [true, true, true, true, false, false]);
});

test('the span ends, and the count begins anew', async (t) => {
  const limits = await start(t);
  const limit = { requests: 1, perSeconds: 1 };
  assert.deepEqual(await takeMany(limits, 2, limit), [true, false]);
  await until('the span is over', async () => (await limits.take('a', limit)).isAllowed);
});

test('nodes count together in Redis, and each for itself while it is away', async (t) => {
  const redis = await freshRedis(t);
  if (redis === undefined) return;
  const log = keepLog();
  const [here, there] = [await start(t, redis.url, log), await start(t, redis.url)];
  await until('both are connected', () => here.isShared() && there.isShared());
  const limit = { requests: 4, perSeconds: 3_600 };
  assert.deepEqual(await takeMany(here, 3, limit), [true, true, true]);
  assert.deepEqual(await takeMany(there, 2, limit), [true, false]);
  assert.deepEqual(await takeMany(here, 1, limit), [false]);
  const burst = { requests: 1, perSeconds: 3_600, burst: 1 };
  assert.deepEqual(await takeMany(here, 1, burst), [true]);
  assert.deepEqual(await takeMany(there, 2, burst), [true, false]);

  await redis.stop();
  await until('the loss is seen', () => !here.isShared());
  assert.deepEqual(await takeMany(here, 5, limit, 'c'), [true, true, true, true, false]);
  await until('the loss is said', () => log.lines.some(({ level }) => level === 'warn'));

  await redis.start();
  await until('Redis is used again', () => here.isShared() && there.isShared());
  assert.deepEqual(await takeMany(here, 2, limit, 'd'), [true, true]);
  assert.deepEqual(await takeMany(there, 3, limit, 'd'), [true, true, false]);
});

test('a connection to Redis on which nothing comes any more is replaced', async (t) => {
  const redis = await freshRedis(t);
  if (redis === undefined) return;
  const relay = await startRelay(t, redis.url);
  const log = keepLog();
  const [here, there] = [await start(t, relay.url, log), await start(t, redis.url)];
  await until('both are connected', () => here.isShared() && there.isShared());
  const limit = { requests: 2, perSeconds: 3_600 };
  relay.silence();
  assert.deepEqual(await takeMany(here, 2, limit), [true, true]);
  await until('the loss is said', () => log.lines.some(({ level }) => level === 'warn'));
  await until('the count is shared again', () => here.isShared());
  assert.deepEqual(await takeMany(there, 2, limit, 'b'), [true, true]);
  assert.deepEqual(await takeMany(here, 1, limit, 'b'), [false]);
});

test('a Redis that never answers holds nobody up', async (t) => {
  const limits = await start(t, 'redis://127.0.0.1:1');
  assert.equal(limits.isShared(), false);
  const limit = { requests: 1, perSeconds: 3_600 };
  assert.deepEqual(await takeMany(limits, 2, limit), [true, false]);
});
