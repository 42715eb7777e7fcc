import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readShape } from '../../../src/shape/read-shape.ts';
import { shopTraffic, textOfRequest } from '../../shape/learn/traffic.ts';
import { freshPostgres } from '../../support/postgres.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { until } from '../../support/until.ts';
import { type ApiServer, startApi } from './api-server.ts';

const path = '/api/policies/default/shape/learnt';

test('a shape is learnt, tried and enforced, on SQLite', (t) => learnAndEnforce(t, {}));

test('a shape is learnt, tried and enforced, on PostgreSQL', async (t) => {
  const databaseUrl = await freshPostgres(t);
  if (databaseUrl !== undefined) await learnAndEnforce(t, { databaseUrl });
});

async function learnAndEnforce(t: TestContext, settings: { readonly databaseUrl?: string }) {
  const dataDir = tempDir();
  const api = await startApi(t, { ...settings, dataDir });
  await api.setUp();
  const { secret } = await api.newKey();
  const none = await api.call(path);
  assert.deepEqual([none.status, none.body.learning, none.body.requests], [200, false, 0]);
  assert.equal((await api.call(`${path}/document`)).status, 404);
  assert.equal((await api.call(`${path}/candidate`, { body: {} })).status, 404);

  await learnMore(api, secret);
  const first = (await api.call(path)).body;
  assert.equal(first.learning, true);
  assert.ok(first.requests > 0);

  // What was saved is there after a restart, and a second node learns beside the first.
  const other = await startApi(t, { ...settings, dataDir });
  other.cookie = api.cookie;
  await sendUntil(other, secret, 220);
  await sendUntil(api, secret, 400);
  const learnt = (await other.call(path)).body;
  const text = JSON.stringify(learnt);
  assert.ok(!/hunter\d/.test(text) && !text.includes('union select'), 'no secret, no attack');
  assert.deepEqual(
    learnt.proposal.routes.map(
      (one: { method: string; path: string }) => `${one.method} ${one.path}`,
    ),
    [
      'GET /v1/orders',
      'POST /v1/orders',
      'GET /v1/orders/{orderId}',
      'DELETE /v1/users/{userId}/sessions',
    ],
  );
  const uuid = learnt.evidence.find((one: { field: string }) => one.field === 'body.id');
  assert.match(uuid.evidence, /^seen \d+ times, always a uuid$/);

  const { events } = learnt.effect;
  assert.ok(events.seen > 0 && events.isComplete, 'blocks of the attacks were read');
  assert.deepEqual([events.spared, events.falsePositives], [0, 0], 'and none of them is spared');

  const openapi = await api.call(`${path}/document`);
  assert.match(openapi.headers.get('content-disposition') ?? '', /openapi\.json/);
  assert.equal(openapi.body.openapi, '3.1.0');
  const shape = (await api.call(`${path}/document?format=shape`)).body;
  const outcome = readShape(JSON.stringify(openapi.body), {});
  assert.deepEqual(outcome.kind === 'shape' && outcome.shape, shape);

  await enforce(api, secret);
  assert.equal((await api.call(path, { method: 'DELETE' })).status, 204);
  assert.equal((await other.call(path)).body.requests, 0);
}

/** Tries what was learnt, puts it in force, and sees what is new after that. */
async function enforce(api: ApiServer, secret: string): Promise<void> {
  const tried = await api.call(`${path}/candidate`, { body: { mode: 'block' } });
  assert.equal(tried.status, 200, JSON.stringify(tried.body));
  const bad = { method: 'GET', path: '/v1/orders/none' };
  assert.equal((await api.screen(secret, bad)).status, 200, 'a candidate refuses nothing');
  await until('the candidate reports it', async () => {
    await api.screen(secret, bad);
    const { candidate } = (await api.call('/api/policies/default/candidate')).body;
    return candidate.newlyBlocked.some((one: { rule: string }) => one.rule === 'shape.format');
  });
  const promotion = { baseVersion: tried.body.version, comment: 'nothing else is blocked' };
  const promoted = await api.call('/api/policies/default/candidate/promote', { body: promotion });
  assert.equal(promoted.status, 200, JSON.stringify(promoted.body));
  await until('it is in force', async () => (await api.screen(secret, bad)).status === 403);
  for (const one of shopTraffic(4)) {
    const given = JSON.parse(await textOfRequest(one));
    assert.equal((await api.screen(secret, given)).status, 200);
  }

  const changed = { method: 'GET', path: '/v1/orders', 'query.page': '1', 'query.sort': 'name' };
  await until('drift is seen', async () => {
    await api.screen(secret, { ...changed, 'query.lang': 'en' });
    const { drift } = (await api.call(path)).body;
    const found = drift.find((one: { kind: string }) => one.kind === 'new-parameter');
    return found?.field === 'query.lang' && Date.parse(found.first) <= Date.now();
  });
}

/** Turns learning on, and sends traffic and attacks. */
async function learnMore(api: ApiServer, secret: string): Promise<void> {
  const document = { learnShape: true, mode: 'block' };
  const body = { document, baseVersion: 1, comment: 'learn' };
  const changed = await api.call('/api/policies/default', { method: 'PUT', body });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const attack = {
    method: 'GET',
    path: '/v1/orders',
    'query.union': "1' union select password from users --",
  };
  await until('the policy is in force', async () => {
    assert.equal((await api.screen(secret, attack)).status, 403);
    await sendAll(api, secret, 40);
    return (await api.call(path)).body.requests > 0;
  });
  await sendUntil(api, secret, 120);
}

/** Sends until so many requests were learnt from: a bounded number of a second are. */
async function sendUntil(api: ApiServer, secret: string, count: number): Promise<void> {
  await until(`${count} requests were learnt from`, async () => {
    await sendAll(api, secret, 120);
    return (await api.call(path)).body.requests >= count;
  });
}

let sent = 0;

async function sendAll(api: ApiServer, secret: string, count: number): Promise<void> {
  const from = sent;
  sent += count;
  const texts = await Promise.all(shopTraffic(count, from).map(textOfRequest));
  const replies = await Promise.all(texts.map((text) => api.screen(secret, JSON.parse(text))));
  for (const { status } of replies) assert.equal(status, 200);
}
