import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { type ApiServer, type Body, startApi } from './api-server.ts';

const attack = '%3Cscript%3Ealert(1)%3C/script%3E';

async function withBlocks(api: ApiServer): Promise<{ readonly secret: string }> {
  await api.setUp();
  const { secret } = await api.newKey();
  const headers = { 'x-forwarded-method': 'POST', 'x-forwarded-uri': '/save?token=abc' };
  const client = { 'x-forwarded-for': '2001:0DB8:0:0::0007' };
  assert.equal((await api.screen(secret, { bio: attack }, { ...headers, ...client })).status, 403);
  assert.equal((await api.screen(secret, { list: [{ q: "' OR 1=1 --" }] })).status, 403);
  assert.equal((await api.screen(secret, { password: "' OR 2=2 --" })).status, 403);
  await until('the blocks are stored', async () => (await list(api)).length === 3);
  return { secret };
}

async function list(api: ApiServer, query = ''): Promise<Body[]> {
  const reply = await api.call(`/api/events${query}`);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body.events;
}

test('a block can be found, read, exported and replayed', async (t) => {
  const api = await startApi(t);
  await withBlocks(api);
  const events = await list(api);
  assert.deepEqual(
    events.map(({ pointer }) => pointer),
    ['/password', '/list/0/q', '/bio'],
  );
  const [secretOne, listed, bio] = events;
  assert.equal(secretOne.evidence, '');
  assert.equal(bio.path, '/save?token=•••');
  assert.equal(bio.keyName, 'shop');
  assert.equal((await list(api, '?category=xss')).length, 1);
  assert.equal((await list(api, '?decision=would-block')).length, 0);
  assert.equal((await list(api, '?q=SCRIPT')).length, 1);
  assert.equal((await api.call('/api/events?limit=0')).status, 422);
  assert.equal((await api.call('/api/events?unknown=1')).status, 422);
  const page = await api.call('/api/events?limit=2');
  assert.equal(page.body.events.length, 2);
  assert.equal((await list(api, `?limit=2&cursor=${page.body.next}`)).length, 1);

  const { body } = await api.call(`/api/events/${listed.id}`);
  assert.deepEqual(body.suggestedExclusion, { pointer: '/list/*/q', rule: listed.rule });
  assert.equal(body.event.findings[0].steps[0].text, "' OR 1=1 --");
  assert.equal((await api.call('/api/events/nothing')).status, 404);

  const exported = await api.call('/api/events/export?category=xss');
  assert.equal(exported.headers.get('content-type'), 'application/x-ndjson');
  const lines = String(exported.body).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).id),
    [bio.id],
  );

  const table = await api.call('/api/events/export.csv');
  assert.match(table.headers.get('content-type') ?? '', /^text\/csv/);
  const cells = String(table.body)
    .split('\r\n')
    .map((line) => line.split(','));
  assert.deepEqual(cells[0]?.slice(0, 3), ['at', 'id', 'decision']);
  assert.deepEqual(
    cells.slice(1, -1).map(([, id]) => id),
    events.map(({ id }) => id),
  );

  const counted = await api.call('/api/events/counts?category=xss&top=3');
  assert.equal(counted.status, 200, JSON.stringify(counted.body));
  const { blocked, series, top, estimated } = counted.body;
  assert.deepEqual([blocked, estimated], [1, { counts: false, top: false }]);
  assert.equal(
    series.blocked.reduce((sum: number, n: number) => sum + n),
    1,
  );
  assert.deepEqual(top.path, [{ value: '/save', count: 1 }]);
  assert.deepEqual(top.category, [], 'what is filtered by is known');
  assert.equal((await api.call('/api/events/counts?top=51')).status, 422);
  const alone = await api.call(`/api/events/${bio.id}/neighbours?path=/save`);
  assert.deepEqual(alone.body, {});

  const replay = (id: string) =>
    api.call(`/api/events/${id}/replay`, { body: { policyId: 'default' } });
  const again = await replay(listed.id);
  assert.equal(again.body.before.decision, 'block');
  assert.equal(again.body.after.decision, 'block');
  assert.equal(again.body.after.findings[0].pointer, '/list/0/q');
  assert.equal((await replay(secretOne.id)).status, 409, 'nothing is stored of it');
});

test('an event has its neighbours, both or the one that is asked for', async (t) => {
  const api = await startApi(t);
  await withBlocks(api);
  const [newer, middle, older] = (await list(api)).map(({ id }) => id);
  const near = async (query: string) =>
    (await api.call(`/api/events/${middle}/neighbours${query}`)).body;
  assert.deepEqual(await near(''), { newer, older });
  assert.deepEqual(await near('?side=newer'), { newer });
  assert.deepEqual(await near('?side=older&category=xss'), { older });
});

test('a client is found by each way to write its address', async (t) => {
  const api = await startApi(t);
  await withBlocks(api);
  for (const form of ['2001:db8::7', '2001:0DB8:0000:0000:0000:0000:0000:0007']) {
    const [event] = await list(api, `?client=${form}`);
    assert.equal(event?.client, '2001:db8::7', 'RFC 5952');
  }
});

test('stored blocks come to who listens, and to the figures of the day', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const { secret } = await api.newKey();
  const feed = await api.follow();
  await api.screen(secret, { q: "' OR 1=1 --" });
  await until('the block comes', () => /event: block\ndata: \{"id":"[^\n]*\/q/.test(feed.heard()));
  await feed.stop();
  const told = JSON.parse(/event: block\ndata: (.*)/.exec(feed.heard())?.[1] ?? '');
  assert.deepEqual(told, (await list(api))[0], 'what the list says of it, and no more');
  const { body } = await api.call('/api/stats');
  assert.deepEqual(body.categories, { sqli: 1 });
  assert.deepEqual(body.members, [{ pointer: '/q', count: 1 }]);
  assert.equal(body.series.requests.length, body.series.blocked.length);
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  assert.equal(sum(body.series.blocked), 1, 'what is not written yet counts as well');
  assert.deepEqual(body.events.top.keyId.length, 1);
});

test('explain shows the way to a verdict, and counts nothing', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const body = { body: { bio: attack }, context: { method: 'POST' } };
  const reply = await api.call('/api/explain', { body });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  assert.equal(reply.body.verdict.decision, 'block');
  const bio = reply.body.fields.find(
    (field: Body) => field.pointer === '/bio' && field.where === 'value',
  );
  assert.ok(bio.views.length > 1, 'the raw text and what it decodes to');
  assert.equal((await api.call('/api/explain', { body: { body: 'text' } })).status, 422);
  assert.equal((await api.call('/api/overview')).body.decisions.block, 0);
  assert.deepEqual(await list(api), []);
});

test('a preview says what an exclusion frees and what it lets pass', async (t) => {
  const api = await startApi(t);
  await withBlocks(api);
  const [, listed] = await list(api);
  const exclusion = { pointer: '/list/*/q', rule: listed.rule };
  const preview = (wish: object) =>
    api.call('/api/exclusions/preview', { body: { policyId: 'default', exclusion: wish } });
  const { status, body } = await preview(exclusion);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    body.freed.events.map(({ id }: Body) => id),
    [listed.id],
  );
  assert.equal(body.freed.count, 1);
  assert.ok(body.attacksLetPass.of > 0);
  assert.ok(body.attacksLetPass.count > 0 && body.attacksLetPass.examples.length > 0);
  const elsewhere = await preview({ ...exclusion, pointer: '/other' });
  assert.equal(elsewhere.body.freed.count, 0);
  const both = await preview({ pointer: '/q', rule: 'x', category: 'sqli' });
  assert.equal(both.status, 422);
});

test('administrative acts are on record', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const { id } = await api.newKey('till');
  await api.call(`/api/keys/${id}/revoke`, { method: 'POST' });
  const { body } = await api.call('/api/audit');
  assert.deepEqual(
    body.entries.map(({ actor, action }: Body) => `${actor} ${action}`),
    ['ada key.revoke', 'ada key.create', 'ada administrator.set-up'],
  );
  assert.equal(body.entries[0].target, id);
  assert.equal(body.entries[0].address, '127.0.0.1');
  for (const limit of [0, 501]) {
    assert.equal((await api.call(`/api/audit?limit=${limit}`)).status, 422);
  }
  const first = await api.call('/api/audit?limit=2');
  assert.equal(first.body.entries.length, 2);
  const rest = await api.call(`/api/audit?limit=2&cursor=${first.body.next}`);
  assert.equal(rest.body.entries.length, 1);
});
