import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopDocument } from '../../shape/shop.ts';
import { until } from '../../support/until.ts';
import { type ApiServer, startApi } from './api-server.ts';

const path = '/api/policies/default/shape';
const order = {
  method: 'POST',
  path: '/v1/orders',
  'header.content-type': 'application/json',
  'body.id': '123e4567-e89b-12d3-a456-426614174000',
  'body.items[0].sku': 'ABC-1',
};

async function decides(api: ApiServer, secret: string, expected: number, more: object = {}) {
  let reply = await api.screen(secret, { ...order, ...more });
  await until(`the answer is ${expected}`, async () => {
    reply = await api.screen(secret, { ...order, ...more });
    return reply.status === expected;
  });
  return reply.body;
}

test('what is not as declared is a finding like any other', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const { secret } = await api.newKey();
  const none = await api.call(path);
  assert.equal(none.status, 404);
  const body = { document: shopDocument, closed: true };
  const put = await api.call(path, { method: 'PUT', body });
  assert.equal(put.status, 200, JSON.stringify(put.body));
  assert.equal(put.body.version, 2);
  assert.equal((await api.call(path)).body.shape.title, 'Shop');

  await decides(api, secret, 200);
  const block = await decides(api, secret, 403, { 'body.isAdmin': true });
  assert.equal(block.detail, 'Shape violation in the field name of /body.isAdmin');
  const [found] = block.findings;
  assert.equal(found.rule, 'shape.unknown-member');
  assert.equal(found.message, 'is no declared member');
  await decides(api, secret, 403, { path: '/admin' });
  const sqli = await decides(api, secret, 403, { 'body.note': "' OR 1=1 --" });
  assert.equal(sqli.findings[0].category, 'sqli', 'free text is screened as before');

  await until('the block is stored', async () => {
    const { events } = (await api.call('/api/events?category=shape')).body;
    return events.length > 0;
  });
  const place = { pointer: '/body.isAdmin', rule: 'shape.unknown-member' };
  const exclusion = { ...place, reason: 'sent by the old application' };
  const made = await api.call('/api/policies/default/exclusions', { body: exclusion });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  await decides(api, secret, 200, { 'body.isAdmin': true });
  await decides(api, secret, 403, { 'body.isRoot': true });

  const monitor = { document: { mode: 'monitor' }, baseVersion: 3, comment: 'look first' };
  assert.equal(
    (await api.call('/api/policies/default', { method: 'PUT', body: monitor })).status,
    200,
  );
  assert.equal((await api.call(path)).status, 404, 'the new version has no shape');
  const again = await api.call(path, { method: 'PUT', body });
  assert.equal(again.status, 200);
  let reply = await api.screen(secret, { ...order, path: '/admin' });
  await until('it would be blocked', async () => {
    reply = await api.screen(secret, { ...order, path: '/admin' });
    return reply.body.would === 'block';
  });
  assert.equal(reply.status, 200);
  assert.equal((await api.call(path, { method: 'DELETE' })).status, 204);
  assert.equal((await api.call(path)).status, 404);
});

test('a document with faults stores nothing and says where they are', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const put = (body: object) => api.call(path, { method: 'PUT', body });
  const bad = { openapi: '3.1.0', paths: { '/a': { get: { parameters: [{ in: 'query' }] } } } };
  const refused = await put({ document: bad });
  assert.equal(refused.status, 422, JSON.stringify(refused.body));
  assert.equal(refused.body.errors[0].pointer, '/document/paths/~1a/get/parameters/0');
  assert.equal((await put({ document: 'a: [' })).status, 422);
  const shape = { routes: [{ method: 'GET', path: 'a' }] };
  const change = { document: { shape }, baseVersion: 1, comment: 'by hand' };
  const policy = await api.call('/api/policies/default', { method: 'PUT', body: change });
  assert.equal(policy.body.errors[0].pointer, '/document/shape/routes/0/path');
  const tried = await put({ document: shopDocument, target: 'candidate' });
  assert.equal(tried.status, 200);
  const { candidate } = (await api.call('/api/policies/default/candidate')).body;
  assert.equal(candidate.document.shape.title, 'Shop');
  assert.equal((await api.call(path)).status, 404);
});
