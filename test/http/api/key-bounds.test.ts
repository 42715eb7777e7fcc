import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { it, test } from 'node:test';
import { describeOnEachDatabase } from '../../support/databases.ts';
import { until } from '../../support/until.ts';
import { type ApiServer, startApi } from './api-server.ts';

const attack = { q: "' OR 1=1 --" };

async function make(api: ApiServer, wish: object): Promise<{ id: string; secret: string }> {
  const reply = await api.call('/api/keys', { body: { name: 'shop', ...wish } });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return { id: reply.body.key.id, secret: reply.body.secret };
}

/** What a proxy asks about. */
async function forward(api: ApiServer, key: string) {
  const headers = { 'x-api-key': key, 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/' };
  const answer = await fetch(`${api.origin}/forward`, { headers });
  return { status: answer.status, text: await answer.text() };
}

test('a key does what its scopes say, on each path', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const screens = await make(api, { scopes: ['screen'] });
  const forwards = await make(api, { scopes: ['forward'] });
  const plain = await make(api, {});
  const at = async ({ secret }: { secret: string }) => [
    (await api.screen(secret, { q: 'tea' })).status,
    (await api.call('/control', { headers: { 'x-api-key': secret, cookie: '' } })).status,
    (await forward(api, secret)).status,
  ];
  assert.deepEqual(await at(screens), [200, 200, 401]);
  assert.deepEqual(await at(forwards), [401, 401, 200]);
  assert.deepEqual(await at(plain), [200, 200, 200], 'as keys of before');
  const refused = await api.screen(forwards.secret, attack);
  assert.match(refused.body.detail, /no scope `screen`/);
  assert.match((await forward(api, screens.secret)).text, /no scope `forward`/);
});

test('from elsewhere a key is answered as an unknown one, whatever its scopes', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const unknown = 'sp_live_00000000_00000000000000000000000000000000000000';
  const networks = ['192.0.2.0/24', '2001:db8::/32'];
  const cut = (body: Record<string, unknown>) => ({ ...body, id: '' });
  const strange = cut((await api.screen(unknown, attack)).body);
  for (const scopes of [['screen', 'forward'], ['forward'], ['screen'], ['manage']]) {
    const key = await make(api, { scopes, networks });
    const reply = await api.screen(key.secret, attack);
    assert.equal(reply.status, 401);
    assert.deepEqual(cut(reply.body), strange);
    assert.doesNotMatch((await forward(api, key.secret)).text, /scope|network/);
    const managed = await api.call('/api/keys', {
      headers: { 'x-api-key': key.secret, cookie: '' },
    });
    assert.equal(managed.status, 401);
    assert.doesNotMatch(JSON.stringify(managed.body), /scope `|network/);
    // The word of a client on its address counts for nothing.
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    assert.equal((await api.screen(key.secret, attack, headers)).status, 401);
    const { key: stored } = (await api.call(`/api/keys/${key.id}`)).body;
    assert.deepEqual([stored.lastUsedAt, stored.lastClient], [undefined, undefined]);
  }
  const strays = api.log.told.filter(({ message }) => /outside of its/.test(String(message)));
  assert.equal(strays.length, 4, 'one line for each key, not for each request');
  assert.ok(!JSON.stringify(strays).includes('sp_live_'));
});

test('networks of IPv4 and IPv6 let their own connections pass', async (t) => {
  const api = await startApi(t, { host: '::' });
  const { port } = new URL(api.origin);
  const statusFrom = (host: string, key: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port: Number(port) });
      const body = '{"q":"tea"}';
      socket.on('error', reject);
      socket.once('data', (data) => {
        socket.destroy();
        resolve(Number(data.toString('latin1').split(' ')[1]));
      });
      socket.write(
        `POST /control HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n` +
          `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
    });
  Object.defineProperty(api, 'origin', { value: `http://127.0.0.1:${port}` });
  await api.setUp();
  const four = await make(api, { networks: ['127.0.0.0/8'] });
  const six = await make(api, { networks: ['::1'] });
  assert.deepEqual(
    [await statusFrom('127.0.0.1', four.secret), await statusFrom('127.0.0.1', six.secret)],
    [200, 401],
  );
  assert.deepEqual(
    [await statusFrom('::1', four.secret), await statusFrom('::1', six.secret)],
    [401, 200],
  );
});

test('bounds that cannot be are refused with their place', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const bad: readonly (readonly [object, string])[] = [
    [{ scopes: [] }, '/scopes'],
    [{ scopes: ['fly'] }, '/scopes/0'],
    [{ scopes: ['screen', 'screen'] }, '/scopes'],
    [{ kind: 'admin', scopes: ['screen'] }, '/scopes'],
    [{ networks: ['10.0.0.1/8'] }, '/networks/0'],
    [{ networks: ['10.0.0.0/8', 'x'] }, '/networks/1'],
    [{ networks: Array.from({ length: 51 }, (_, at) => `10.0.0.${at}`) }, '/networks'],
  ];
  for (const [wish, pointer] of bad) {
    const reply = await api.call('/api/keys', { body: { name: 'x', ...wish } });
    assert.equal(reply.status, 422, JSON.stringify(wish));
    assert.equal(reply.body.errors[0].pointer, pointer);
  }
  const { id } = await make(api, { kind: 'admin' });
  const change = { method: 'PATCH', body: { scopes: ['screen'] } };
  assert.equal((await api.call(`/api/keys/${id}`, change)).status, 422);
  assert.equal((await api.call('/api/keys/nothere1', change)).status, 404);
});

test('the use of a key is shown with its last client, and the audit has old and new', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const key = await make(api, {});
  for (const body of [{ q: 'tea' }, { q: 'milk' }, attack]) await api.screen(key.secret, body);
  await api.screen(key.secret, []);
  await forward(api, key.secret);
  const path = `/api/keys/${key.id}`;
  const { body } = await api.call(path);
  assert.equal(body.key.lastClient, '127.0.0.1', 'the key itself knows its use, asked first');
  assert.equal(body.key.prefix, `sp_live_${key.id}_`);
  const usage = await api.call(`${path}/usage`);
  assert.deepEqual(usage.body.totals, { requests: 5, blocks: 1, wouldBlocks: 0, errors: 1 });
  const steps = usage.body.series.requests;
  assert.equal(
    steps.reduce((sum: number, one: number) => sum + one, 0),
    5,
  );
  assert.ok(steps.length <= 97 && usage.body.stepSeconds % 3_600 === 0);
  const hoursOf = ({ from, to }: { from: string; to: string }) =>
    (Date.parse(to) - Date.parse(from)) / 3_600_000;
  assert.equal(hoursOf(usage.body), 7 * 24);
  const late = await api.call(`${path}/usage?from=2970-01-01T00:00:00Z`);
  assert.equal(hoursOf(late.body), 1, 'one hour at least');
  const long = await api.call(`${path}/usage?from=1971-01-01T00:00:00Z&stepSeconds=60`);
  assert.equal(long.body.totals.requests, 5);
  assert.ok(long.body.series.requests.length <= 97);
  assert.equal((await api.call('/api/keys/nothere1/usage')).status, 404);
  assert.equal((await api.call('/api/keys/nothere1')).status, 404);

  const wish = { scopes: ['manage', 'screen'], networks: ['192.0.2.0/24'] };
  const changed = await api.call(path, { method: 'PATCH', body: wish });
  assert.deepEqual(changed.body.key.scopes, ['screen', 'manage'], 'in one order');
  const { entries } = (await api.call('/api/audit')).body;
  assert.deepEqual(entries[0].changes, [
    { field: 'scopes', from: 'screen, forward', to: 'screen, manage' },
    { field: 'networks', from: 'everywhere', to: '192.0.2.0/24' },
  ]);
});

test('a key with the scope manage is an editor, and the audit has its name', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const { id, secret } = await make(api, { name: 'pipeline', scopes: ['manage'] });
  const plain = await make(api, {});
  const as = (key: string) => ({ authorization: `Bearer ${key}`, cookie: '' });
  const body = { name: 'till', document: { mode: 'monitor' } };
  const made = await api.call('/api/policies', { body, headers: as(secret) });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { entries } = (await api.call('/api/audit')).body;
  assert.equal(entries[0].actor, `key:${id} pipeline`);
  assert.equal((await api.call('/api/keys', { headers: as(secret) })).status, 200);
  for (const [path, given] of [
    ['/api/keys', { name: 'x' }],
    [`/api/keys/${id}/rotate`, { sunsetSeconds: 0 }],
    ['/api/administrators', { name: 'eve', password: 'correct horse battery' }],
  ] as const) {
    const reply = await api.call(path, { body: given, headers: as(secret) });
    assert.equal(reply.status, 403, path);
  }
  const widened = { method: 'PATCH', body: { networks: [] }, headers: as(secret) };
  assert.equal((await api.call(`/api/keys/${id}`, widened)).status, 403);
  assert.equal((await api.call('/api/policies', { headers: as(plain.secret) })).status, 401);
  assert.equal((await api.screen(secret, { q: 'tea' })).status, 401, 'it does not screen');
});

describeOnEachDatabase('bounds of keys', (makeDatabase) => {
  it('are in force on another node within a second', async (t) => {
    const fresh = await makeDatabase(t);
    if (fresh === undefined) return;
    const { dataDir, databaseUrl } = fresh.options;
    const settings = { dataDir, ...(databaseUrl && { databaseUrl }) };
    const one = await startApi(t, settings);
    await one.setUp();
    const other = await startApi(t, settings);
    const key = await make(one, {});
    const status = async () => (await other.screen(key.secret, { q: 'tea' })).status;
    assert.equal(await status(), 200);
    const change = (body: object) => one.call(`/api/keys/${key.id}`, { method: 'PATCH', body });
    await change({ networks: ['192.0.2.0/24'] });
    await until('the other node refuses it', async () => (await status()) === 401);
    await change({ networks: [], scopes: ['forward'] });
    await until('only its scope is missing', async () => {
      return /no scope/.test((await other.screen(key.secret, {})).body.detail);
    });
    await change({ scopes: ['screen'] });
    await until('it screens again', async () => (await status()) === 200);
  });
});
