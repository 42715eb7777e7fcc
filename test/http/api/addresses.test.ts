import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { type ApiServer, type Body, startApi } from './api-server.ts';

const attack = { q: "' OR 1=1 --" };
const benign = { q: 'shoes' };
const from = (address: string) => ({ 'x-forwarded-for': address });

test('clients are denied or let pass before anything is screened', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const { secret } = await api.newKey();
  const list = (body: object) => api.call('/api/addresses', { body: { reason: 'scans', ...body } });
  const asked = (body: unknown, headers = {}) => api.screen(secret, body, headers);
  assert.equal((await asked(benign, from('203.0.113.9'))).status, 200);

  const made = await list({ networks: ['203.0.113.0/24', '2001:db8::/32'], action: 'deny' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const [entry] = made.body.entries;
  const denied = await asked(benign, from('198.51.100.1, 203.0.113.9'));
  assert.equal(denied.status, 403);
  assert.equal(denied.body.type, 'urn:sallyport:problem:threat-detected');
  assert.equal(denied.body.findings[0].rule, 'list.denied-address');
  assert.match(denied.body.findings[0].message, new RegExp(entry.id));
  const inBody = { 'header.x-forwarded-for': '2001:DB8::7', ...benign };
  assert.equal((await asked(inBody)).status, 403, 'as our own clients say it');
  const large = { ...inBody, text: 'word '.repeat(60_000) };
  assert.equal((await asked(large)).status, 403, 'also in a large body');
  const nested = { body: { 'header.x-forwarded-for': '203.0.113.9' }, ...benign };
  assert.equal((await asked(nested)).status, 200, 'a name inside of a value is none');
  assert.equal(
    (await asked(benign, from('203.0.113.9, 198.51.100.1'))).status,
    200,
    'the last hop',
  );
  assert.equal((await asked(benign)).status, 200, 'no client is named');

  const ask = (address: string, uri?: string) => proxyAsks(api, secret, address, uri);
  assert.equal(await ask('203.0.113.9'), 403);
  assert.equal(await ask('198.51.100.1'), 200);

  let events: Body[] = [];
  await until('the events are stored', async () => {
    events = (await api.call('/api/events?rule=list.denied-address')).body.events;
    return events.length === 4;
  });
  assert.ok(events.every(({ category, decision }) => category === 'other' && decision === 'block'));

  const allowed = await list({ networks: ['203.0.113.7'], action: 'allow', reason: 'our scanner' });
  const passed = await asked(attack, from('203.0.113.7'));
  assert.equal(passed.status, 200);
  assert.deepEqual(passed.body.coverage, { complete: false, bytes: 0, reasons: [] });
  assert.equal(await ask('203.0.113.7', '/search?q=%27%20OR%201=1%20--'), 200);
  const claims = { 'header.x-forwarded-for': '203.0.113.7', ...attack };
  assert.equal((await asked(claims)).status, 403, 'a body does not let itself pass');
  const told = await asked(claims, { 'x-context-in': 'body' });
  assert.equal(told.status, 200, 'a caller that wrote the body may say so');
  assert.equal((await asked(attack, from('198.51.100.1'))).status, 403, 'others are screened');
  const { body: metrics } = await api.call('/metrics');
  assert.match(metrics, /sallyport_listed_total\{list="deny"\} 4\n/);
  assert.match(metrics, /sallyport_listed_total\{list="allow"\} 3\n/);
  assert.match(metrics, /sallyport_address_entries 3\n/);

  const id = allowed.body.entries[0].id;
  assert.equal((await api.call(`/api/addresses/${id}`, { method: 'DELETE' })).status, 204);
  assert.equal((await api.call(`/api/addresses/${id}`, { method: 'DELETE' })).status, 404);
  assert.equal((await asked(attack, from('203.0.113.7'))).status, 403);
  const { entries } = (await api.call('/api/audit')).body;
  assert.deepEqual(
    entries.slice(0, 3).map(({ action }: Body) => action),
    ['address.remove', 'address.allow', 'address.deny'],
  );
});

test('a list can be of one policy, ends in time, and monitor mode refuses no client', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const wish = { name: 'watch', document: { mode: 'monitor' } };
  const { policy } = (await api.call('/api/policies', { body: wish })).body;
  const watching = (await api.call('/api/keys', { body: { name: 'w', policyId: policy.id } })).body;
  const { secret } = await api.newKey();
  const list = (body: object) => api.call('/api/addresses', { body: { reason: 'x', ...body } });
  const own = { networks: ['192.0.2.0/24'], action: 'deny', policyId: policy.id };
  assert.equal((await list(own)).status, 201);
  const reply = await api.screen(watching.secret, benign, from('192.0.2.1'));
  assert.deepEqual([reply.status, reply.body.would], [200, 'block']);
  assert.equal((await api.screen(secret, benign, from('192.0.2.1'))).status, 200);

  const soon = new Date(Date.now() + 1_500).toISOString();
  assert.equal(
    (await list({ networks: ['192.0.2.9'], action: 'deny', expiresAt: soon })).status,
    201,
  );
  assert.equal((await api.screen(secret, benign, from('192.0.2.9'))).status, 403);
  await until('it is over', async () => {
    return (await api.screen(secret, benign, from('192.0.2.9'))).status === 200;
  });
  const { entries } = (await api.call('/api/addresses')).body;
  assert.deepEqual(
    entries.map(({ isInForce }: Body) => isInForce),
    [false, true],
  );

  const wrong = await list({ networks: ['192.0.2.1/24', '::/0'], action: 'deny' });
  assert.equal(wrong.status, 422);
  assert.deepEqual(
    wrong.body.errors.map(({ pointer }: Body) => pointer),
    ['/networks/0', '/networks/1'],
  );
  assert.equal((await list({ ...own, policyId: 'gone' })).status, 404);
});

/** The status that a proxy gets for a request of a client. */
async function proxyAsks(
  api: ApiServer,
  key: string,
  address: string,
  uri = '/search?q=shoes',
): Promise<number> {
  const told = { 'x-forwarded-uri': uri, 'x-forwarded-method': 'GET', ...from(address) };
  return (await api.call('/forward', { headers: { 'x-api-key': key, cookie: '', ...told } }))
    .status;
}
