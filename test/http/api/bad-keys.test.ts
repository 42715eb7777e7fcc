import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from './api-server.ts';

test('requests with a bad key are counted, with the latest time and address', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const badKeys = async () => (await api.call('/api/overview')).body.badKeys;
  assert.deepEqual(await badKeys(), { total: 0 });
  const { id, secret } = await api.newKey();
  const before = Date.now();
  assert.equal((await api.screen(secret, { q: 'tea' })).status, 200);
  assert.equal((await api.screen('', { q: 'tea' })).status, 401);
  assert.equal((await api.screen(`${secret}0`, { q: 'tea' })).status, 401);
  const revoked = await api.call(`/api/keys/${id}/revoke`, { method: 'POST' });
  assert.equal(revoked.status, 200);
  assert.equal((await api.screen(secret, { q: 'tea' })).status, 401);
  const forward = { 'x-api-key': secret, 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/' };
  assert.equal((await fetch(`${api.origin}/forward`, { headers: forward })).status, 401);
  const { total, lastAt, lastAddress } = await badKeys();
  assert.deepEqual([total, lastAddress], [4, '127.0.0.1']);
  assert.ok(Date.parse(lastAt) >= before && Date.parse(lastAt) <= Date.now(), lastAt);
  const metrics = await (await fetch(`${api.origin}/metrics`)).text();
  assert.match(metrics, /^sallyport_problems_total\{problem="key-not-valid",status="401"\} 4$/m);
});
