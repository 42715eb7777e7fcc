import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { type ApiReply, type ApiServer, type Body, startApi } from './api-server.ts';

const injection = { q: "' OR 1=1 --" };

test('an exclusion has a scope, is refused when malformed, and asks when far too wide', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const { secret } = await api.newKey();
  const at = (uri: string, method = 'POST') => ({
    'x-forwarded-uri': uri,
    'x-forwarded-method': method,
  });
  assert.equal((await api.screen(secret, injection, at('/articles/7'))).status, 403);
  const wish = { pointer: '/q', category: 'sqli', method: 'POST', path: '/articles/*' };
  const exclude = (body: object) =>
    api.call('/api/policies/default/exclusions', { body: { reason: 'they write SQL', ...body } });
  const preview = (exclusion: object) =>
    api.call('/api/exclusions/preview', { body: { policyId: 'default', exclusion } });

  await until('the event is stored', async () => {
    return (await api.call('/api/events')).body.events.length > 0;
  });
  const seen = (await preview(wish)).body;
  assert.deepEqual([seen.freed.count, seen.freed.unsure], [1, 0]);
  assert.equal(seen.isWide, false);
  assert.ok(seen.attacksLetPass.count > 0, 'attacks are tried where it counts');
  assert.equal((await preview({ ...wish, path: '/users/*' })).body.freed.count, 0);
  assert.equal((await exclude(wish)).status, 200);
  assert.ok((await preview(wish)).body.excludedBy, 'already excluded');

  assert.equal((await api.screen(secret, injection, at('/articles/7'))).status, 200);
  assert.equal((await api.screen(secret, injection, at('/articles/7', 'PUT'))).status, 403);
  assert.equal((await api.screen(secret, injection, at('/users/7'))).status, 403);
  assert.equal((await api.screen(secret, injection)).status, 403, 'an unknown path');

  const wrong = await exclude({ pointer: 'body.html', category: 'xss', method: 'post', path: 'x' });
  assert.equal(wrong.status, 422);
  assert.deepEqual(
    wrong.body.errors.map(({ pointer }: Body) => pointer),
    ['/pointer', '/method', '/path'],
  );
  assert.match(wrong.body.errors[0].message, /begins with a slash: write \/body\.html$/);
  assert.equal((await preview({ pointer: 'q', category: 'xss' })).status, 422);

  const wide = { pointer: '/**', category: 'xss' };
  assert.equal((await preview(wide)).body.isWide, true);
  const refused = await exclude(wide);
  assert.equal(refused.status, 422);
  assert.match(refused.body.errors[0].message, /every field of every request.*acceptWide/);
  assert.equal(
    (await exclude({ ...wide, path: '/admin/**' })).status,
    200,
    'one place is not wide',
  );
  assert.equal((await exclude({ ...wide, acceptWide: true })).status, 200);
  const { entries } = (await api.call('/api/audit')).body;
  assert.match(entries[2].summary, /excluded sqli at \/q for POST \/articles\/\* in the policy/);
  await askEverywhere(api);
});

test('an exclusion for clients counts where the client is known for certain', async (t) => {
  const api = await startApi(t, { trustedProxies: ['10.0.0.0/8'] });
  await api.setUp();
  const { secret } = await api.newKey();
  const from = async (client: string, headers: object = {}, body: object = injection) => {
    const told = client === '' ? {} : { 'x-forwarded-for': client };
    return (await api.screen(secret, body, { ...told, ...headers })).status;
  };
  const wish = { pointer: '/q', category: 'sqli', clients: ['203.0.113.7'] };
  const exclude = (body: object) =>
    api.call('/api/policies/default/exclusions', { body: { reason: 'our scanner', ...body } });
  const preview = async (exclusion: object) => {
    const body = { policyId: 'default', exclusion };
    return (await api.call('/api/exclusions/preview', { body })).body;
  };
  assert.equal(await from('203.0.113.7'), 403);
  assert.equal(await from('198.51.100.7'), 403);
  await until('the events are stored', async () => {
    return (await api.call('/api/events')).body.events.length === 2;
  });
  const seen = await preview(wish);
  assert.equal(seen.freed.count, 1, 'that of the client');
  assert.ok(seen.attacksLetPass.count > 0, 'attacks are tried from there');
  assert.equal((await preview({ ...wish, clients: ['192.0.2.0/24'] })).freed.count, 0);
  assert.equal((await preview({ ...wish, pointer: '/**' })).isWide, false, 'it names a client');

  const given = ['203.0.113.7', '::ffff:203.0.113.7', '2001:DB8:0::/32', '2001:db8:1::/64'];
  const stored = await exclude({ ...wish, clients: given });
  assert.equal(stored.status, 200);
  const [exclusion] = stored.body.policy.document.exclusions;
  const written = ['203.0.113.7', '2001:db8::/32', '2001:db8:1::/64'];
  assert.deepEqual(exclusion.clients, written, 'in one written form');
  assert.ok((await preview(wish)).excludedBy, 'already excluded');
  assert.ok((await preview({ ...wish, clients: ['2001:db8:1::/48'] })).excludedBy);
  assert.equal((await preview({ ...wish, clients: ['2001:db0::/28'] })).excludedBy, undefined);
  assert.equal((await preview({ pointer: '/q', category: 'sqli' })).excludedBy, undefined);

  assert.equal(await from('203.0.113.7'), 200);
  assert.equal(await from('::ffff:203.0.113.7'), 200);
  assert.equal(await from('[2001:db8::9]:443'), 200);
  assert.equal(await from('203.0.113.7, 10.0.0.1'), 200, 'behind a proxy that is trusted');
  assert.equal(await from('203.0.113.7, 198.51.100.7'), 403, 'the word of a client on itself');
  assert.equal(await from('198.51.100.7'), 403);
  assert.equal(await from(''), 403, 'not known');
  const inBody = { ...injection, 'header.x-forwarded-for': '203.0.113.7' };
  assert.equal(await from('', {}, inBody), 403, 'a body may be the text of a client');
  assert.equal(await from('', { 'x-context-in': 'body' }, inBody), 200);
  assert.equal(await from('198.51.100.7', { 'x-context-in': 'body' }, inBody), 403);
  await forwarded(api, secret);

  const explain = async (context: object) => {
    const { verdict } = (await api.call('/api/explain', { body: { body: injection, context } }))
      .body;
    return verdict.decision;
  };
  assert.equal(await explain({ for: '203.0.113.7' }), 'allow');
  assert.equal(await explain({ for: '198.51.100.7' }), 'block');
  await refusesClients(exclude);
  const { entries } = (await api.call('/api/audit')).body;
  assert.match(
    entries[1].summary,
    /excluded sqli at \/q from 203\.0\.113\.7, 2001:db8::\/32, 2001:db8:1::\/64 in/,
  );
  await asCandidate(api, from);
});

/** A proxy names the client in its header. */
async function forwarded(api: ApiServer, secret: string): Promise<void> {
  const path = '/api/policies/default/exclusions';
  const wish = { pointer: '/query.q', category: 'sqli', clients: ['203.0.113.7'], reason: 'ours' };
  assert.equal((await api.call(path, { body: wish })).status, 200);
  const ask = async (client: string) => {
    const told = { 'x-forwarded-method': 'GET', 'x-forwarded-uri': "/?q='%20OR%201=1%20--" };
    const headers = { 'x-api-key': secret, cookie: '', 'x-forwarded-for': client, ...told };
    return (await api.call('/forward', { headers })).status;
  };
  assert.equal(await ask('203.0.113.7'), 200);
  assert.equal(await ask('198.51.100.7'), 403);
}

async function refusesClients(exclude: (body: object) => Promise<ApiReply>): Promise<void> {
  const clients = ['here', '203.0.113.7/24', '0.0.0.0/4', '::/12', '::/64', '10.0.0.0/8'];
  const wrong = await exclude({ pointer: '/b', category: 'xss', clients });
  assert.equal(wrong.status, 422);
  assert.deepEqual(
    wrong.body.errors.map(({ pointer }: Body) => pointer),
    [0, 1, 2, 3, 4].map((index) => `/clients/${index}`),
  );
  const messages = wrong.body.errors.map(({ message }: Body) => message);
  assert.match(messages[1], /write 203\.0\.113\.0\/24/);
  assert.match(messages[2], /so wide .* \/8 or longer/);
  assert.match(messages[3], /so wide .* \/16 or longer/);
  assert.match(messages[4], /so wide .* \/97 or longer/);
  assert.equal((await exclude({ pointer: '/b', category: 'xss', clients: [] })).status, 422);
}

/** A candidate is asked with the same client, also where the policy in force asks for none. */
async function asCandidate(
  api: ApiServer,
  from: (client: string) => Promise<number>,
): Promise<void> {
  const { policy } = (await api.call('/api/policies/default')).body;
  const [exclusion] = policy.document.exclusions;
  const without = { ...policy.document, exclusions: [] };
  const change = { baseVersion: policy.version, comment: 'none', document: without };
  assert.equal(
    (await api.call('/api/policies/default', { method: 'PUT', body: change })).status,
    200,
  );
  const path = '/api/policies/default/candidate';
  const body = { document: { ...without, exclusions: [exclusion] } };
  assert.equal((await api.call(path, { method: 'PUT', body })).status, 200);
  assert.equal(await from('203.0.113.7'), 403);
  assert.equal(await from('198.51.100.7'), 403);
  await until('both were tried', async () => {
    return (await api.call(path)).body.candidate.screened === 2;
  });
  const { newlyFreed } = (await api.call(path)).body.candidate;
  assert.deepEqual(
    newlyFreed.map(({ count }: Body) => count),
    [1],
  );
}

/** The same holds for a whole document, wherever it is stored; what is in force already is not asked about. */
async function askEverywhere(api: ApiServer): Promise<void> {
  const { policy } = (await api.call('/api/policies/default')).body;
  const why = { reason: 'a trial', author: 'ada', createdAt: '2030-01-01T00:00:00Z' };
  const wide = { id: 'w', pointer: '/*', path: '/**', rule: 'sqli.tautology', ...why };
  const exclusions = [...policy.document.exclusions, wide];
  const document = { ...policy.document, exclusions };
  const place = `/document/exclusions/${exclusions.length - 1}/pointer`;
  const change = { baseVersion: policy.version, comment: 'wide' };
  const ways: readonly [string, string, object][] = [
    ['POST', '/api/policies', { name: 'Wide' }],
    ['PUT', '/api/policies/default/candidate', {}],
    ['PUT', '/api/policies/default', change],
  ];
  const diff = { body: { document } };
  assert.equal((await api.call('/api/policies/default/diff', diff)).body.isWide, true);
  for (const [method, path, more] of ways) {
    const refused = await api.call(path, { method, body: { ...more, document } });
    assert.equal(refused.status, 422, path);
    assert.deepEqual(
      refused.body.errors.map(({ pointer }: Body) => pointer),
      [place],
      path,
    );
  }
  const accepted = { ...change, document, acceptWide: true };
  const stored = await api.call('/api/policies/default', { method: 'PUT', body: accepted });
  assert.equal(stored.status, 200);
  assert.equal((await api.call('/api/policies/default/diff', diff)).body.isWide, false);
  const again = { document: { ...document, mode: 'monitor' } };
  const path = '/api/policies/default/candidate';
  assert.equal((await api.call(path, { method: 'PUT', body: again })).status, 200);
  const copy = { name: 'Copy', document };
  assert.equal((await api.call('/api/policies', { body: copy })).status, 201);
}
