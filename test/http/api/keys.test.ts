import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { startApi } from './api-server.ts';

test('the life of a key: made, used, renamed, rotated, revoked', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const made = await api.call('/api/keys', {
    body: { name: 'shop', expiresAt: '2999-01-01T00:00:00Z' },
  });
  assert.equal(made.status, 201);
  const { key, secret } = made.body;
  assert.equal(key.expiresAt, '2999-01-01T00:00:00.000Z');
  assert.equal(key.policyId, 'default');
  assert.equal((await api.screen(secret, { a: 'b' })).status, 200, 'good at once');
  assert.ok(!JSON.stringify((await api.call('/api/keys')).body).includes(secret.slice(20)));

  const path = `/api/keys/${key.id}`;
  const renamed = await api.call(path, { method: 'PATCH', body: { name: 'till' } });
  assert.equal(renamed.body.key.name, 'till');
  const ends = '2998-01-01T00:00:00.000Z';
  const moved = await api.call(path, { method: 'PATCH', body: { expiresAt: ends } });
  assert.equal(moved.body.key.expiresAt, ends);
  const endless = await api.call(path, { method: 'PATCH', body: { expiresAt: null } });
  assert.deepEqual([endless.status, endless.body.key.expiresAt], [200, undefined]);
  const rotated = await api.call(`${path}/rotate`, { body: { sunsetSeconds: 3_600 } });
  assert.equal(rotated.status, 200);
  assert.ok(Date.parse(rotated.body.key.rotation.sunsetAt) > Date.now());
  for (const one of [secret, rotated.body.secret]) {
    assert.equal((await api.screen(one, { a: 'b' })).status, 200);
  }
  const again = await api.call(`${path}/rotate`, { body: { sunsetSeconds: 0 } });
  assert.equal(again.status, 200, '0 ends the old ones at once');
  assert.equal((await api.screen(secret, { a: 'b' })).status, 401);

  const revoked = await api.call(`${path}/revoke`, { method: 'POST' });
  assert.equal(revoked.body.key.state, 'revoked');
  assert.equal((await api.screen(again.body.secret, { a: 'b' })).status, 401);
  assert.equal((await api.call(`${path}/rotate`, { body: { sunsetSeconds: 0 } })).status, 409);
});

test('a part of a path that is longer than any name is not found', async (t) => {
  const api = await startApi(t);
  const change = async (chars: number) => {
    const path = `/api/keys/${'a'.repeat(chars)}`;
    return (await api.call(path, { method: 'PATCH', body: { name: 'x' } })).status;
  };
  assert.deepEqual([await change(600), await change(601)], [401, 404]);
});

test('what cannot be done with a key is refused with a reason', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const bad: readonly (readonly [object, string])[] = [
    [{}, '/name'],
    [{ name: '   ' }, '/name'],
    [{ name: 'a\nb' }, '/name'],
    [{ name: 'x', kind: 'root' }, '/kind'],
    [{ name: 'x', expiresAt: 'tomorrow' }, '/expiresAt'],
    [{ name: 'x', expiresAt: '2001-01-01T00:00:00Z' }, '/expiresAt'],
    [{ name: 'x', policyId: 'none' }, '/policyId'],
    [{ name: 'x', admin: true }, '/admin'],
  ];
  for (const [body, pointer] of bad) {
    const reply = await api.call('/api/keys', { body });
    assert.equal(reply.status, 422, JSON.stringify(body));
    assert.equal(reply.body.errors[0].pointer, pointer);
  }
  assert.equal((await api.call('/api/keys/nothere1/revoke', { method: 'POST' })).status, 404);
  assert.equal((await api.call('/api/keys', { body: [] })).status, 422);
  const text = await fetch(`${api.origin}/api/keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: api.origin, cookie: api.cookie },
    body: '{',
  });
  assert.equal(text.status, 400);
});

test('figures of requests come to the overview and, each second, to who listens', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const { secret } = await api.newKey();
  const feed = await api.follow();
  assert.equal(feed.type, 'text/event-stream');

  await api.screen(secret, { q: 'harmless' });
  await api.screen(secret, { q: "' OR 1=1 --" });
  await api.screen('sp_live_nobody', { q: 'x' });
  const { body } = await api.call('/api/overview');
  const decisions = { allow: 1, block: 1, wouldBlock: 0, rejected: 1, refused: 0 };
  assert.deepEqual(body.decisions, decisions);
  assert.deepEqual(body.categories, { sqli: 1 });
  assert.equal(body.series.requests.length, 360);
  assert.equal(
    body.series.requests.reduce((sum: number, count: number) => sum + count, 0),
    3,
  );
  assert.ok(body.latency.p50Ms > 0 && body.latency.p99Ms >= body.latency.p50Ms);
  assert.equal(body.ready, true);
  await until('figures come', () => /event: stats\ndata: .*"sqli":1/.test(feed.heard()));
  await feed.stop();
});

test('a live feed ends with its session', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const live = await fetch(`${api.origin}/api/live`, { headers: { cookie: api.cookie } });
  const ended = live.text();
  assert.equal((await api.call('/api/session', { method: 'DELETE' })).status, 204);
  assert.match(await ended, /^retry: /);
});

test('a live feed ends when the server stops', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const live = await fetch(`${api.origin}/api/live`, { headers: { cookie: api.cookie } });
  const ended = live.text();
  await api.running.stop();
  assert.match(await ended, /^retry: /);
});
