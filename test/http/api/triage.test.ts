import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { type ApiServer, type Body, startApi } from './api-server.ts';

async function idsOf(api: ApiServer, query = ''): Promise<string[]> {
  const { status, body } = await api.call(`/api/events${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.events.map(({ id }: Body) => id);
}

test('blocks are marked, filtered and counted by it, exported with it, and audited', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const { secret } = await api.newKey();
  for (const number of [1, 2, 3]) await api.screen(secret, { q: `${number}' OR 1=1 --` });
  await until('the blocks are stored', async () => (await idsOf(api)).length === 3);
  const [a = '', b = '', c = ''] = await idsOf(api);
  const mark = (body: object) => api.call('/api/events/triage', { method: 'POST', body });

  assert.equal((await mark({ ids: [], verdict: 'open' })).status, 422);
  assert.equal((await mark({ ids: [a], verdict: 'maybe' })).status, 422);
  assert.deepEqual((await mark({ ids: ['unknown'], verdict: 'open' })).body, { changed: 0 });
  const both = { ids: [a, b, 'unknown'], verdict: 'false-positive', note: '=1+1', owner: 'grace' };
  assert.deepEqual((await mark(both)).body, { changed: 2 });
  assert.equal((await mark({ ids: [b], verdict: 'true-positive' })).status, 200);

  assert.deepEqual(await idsOf(api, '?triage=false-positive'), [a]);
  assert.deepEqual(await idsOf(api, '?triage=true-positive'), [b]);
  assert.deepEqual(await idsOf(api, '?triage=open'), [c]);
  for (const triage of ['false-positive', 'true-positive', 'open']) {
    const { body } = await api.call(`/api/events/counts?triage=${triage}`);
    assert.equal(body.blocked, 1, triage);
    assert.deepEqual(body.top.category, [{ value: 'sqli', count: 1 }]);
  }
  const { triage } = (await api.call(`/api/events/${b}`)).body.event;
  assert.equal(triage.verdict, 'true-positive');
  assert.equal(triage.note, '=1+1', 'what a change leaves out stays');
  assert.equal(triage.owner, 'grace');
  assert.notEqual(triage.by, '');
  const { body: table } = await api.call('/api/events/export.csv?triage=false-positive');
  assert.match(String(table), /,false-positive,grace,'=1\+1\r\n$/);
  const { entries } = (await api.call('/api/audit')).body;
  const acts = entries.filter(({ action }: Body) => action === 'event.triage');
  assert.deepEqual(
    acts.map(({ summary }: Body) => summary),
    ['marked an event as true positive', 'marked 2 events as false positive'],
  );
});

test('filters are saved for all, by a name of their own', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const save = (body: object) => api.call('/api/filters', { method: 'POST', body });
  const wish = { name: 'shop', query: { host: 'shop.example', range: '7d' } };
  assert.equal((await save({ ...wish, query: { admin: 'yes' } })).status, 422);
  const { status, body } = await save(wish);
  assert.equal(status, 201, JSON.stringify(body));
  assert.equal((await save(wish)).status, 409);
  const { filters } = (await api.call('/api/filters')).body;
  assert.deepEqual(filters, [body.filter]);
  assert.deepEqual(filters[0].query, wish.query);
  const path = `/api/filters/${body.filter.id}`;
  assert.equal((await api.call(path, { method: 'DELETE' })).status, 204);
  assert.equal((await api.call(path, { method: 'DELETE' })).status, 404);
  const read = await api.call('/api/events/triage');
  assert.equal(read.status, 405, 'its path is no event');
});
