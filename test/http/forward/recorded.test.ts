import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { scrape } from '../../telemetry/metrics/exposition.ts';
import { startApi } from '../api/api-server.ts';
import { connect } from '../raw-client.ts';
import { question, told } from './ask.ts';

test('a block of a proxy is logged, counted and an event; exclusions and monitor hold', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const { secret } = await api.newKey('edge');
  const ask = async (uri: string, headers: Readonly<Record<string, string>> = {}, body = '') => {
    const client = await connect(api.origin);
    const own = { ...told, 'x-api-key': secret, 'x-forwarded-uri': uri, ...headers };
    client.send(question({ headers: own, body }));
    const answer = await client.answer();
    client.end();
    return answer;
  };
  const attack = "/find?token=abc&q='%20OR%201=1%20--";
  const blocked = await ask(attack, { 'x-forwarded-for': '203.0.113.9, 10.0.0.1' });
  assert.equal(blocked.status, 403);
  const id = blocked.headers.get('x-decision-id') ?? '';
  await until('the block is stored', async () => {
    return (await api.call('/api/events')).body.events.length === 1;
  });
  const { event } = (await api.call(`/api/events/${id}`)).body;
  assert.equal(event.method, 'GET');
  assert.equal(event.path, '/find');
  assert.equal(event.client, '10.0.0.1', 'the last hop: those before it are its own word');
  assert.equal(event.keyName, 'edge');
  assert.equal(event.pointer, '/query.q');
  assert.ok(!JSON.stringify(event).includes('abc'), 'a secret of the query is kept');
  const large = `${'a paragraph of words '.repeat(4_000)}<script>alert(1)</script>`;
  const second = await ask('/articles?draft=1', { 'content-type': 'text/plain' }, large);
  assert.equal(second.status, 403);
  await until('the second is stored', async () => {
    const found = await api.call(`/api/events/${second.headers.get('x-decision-id')}`);
    if (found.status !== 200) return false;
    assert.equal(found.body.event.path, '/articles');
    assert.equal(found.body.event.pointer, '/body');
    assert.ok(found.body.event.findings[0].steps.length > 0, 'it is explained');
    return true;
  });
  assert.equal(api.log.lines.filter(({ message }) => message === 'blocked').length, 2);

  assert.equal((await ask('/', { 'x-original-uri': '/other' })).status, 403);
  const metrics = await scrape(api.origin);
  const value = (name: string, labels: string) => metrics.get(name)?.values.get(labels);
  assert.equal(value('sallyport_blocks_total', 'category="sqli",decision="block"'), 1);
  const unclear = 'problem="header-not-valid",status="400"';
  assert.equal(value('sallyport_problems_total', unclear), 1);

  const exclusion = { pointer: '/query.q', category: 'sqli', reason: 'a search for SQL' };
  const policy = '/api/policies/default';
  const made = await api.call(`${policy}/exclusions`, { body: exclusion });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  assert.equal((await ask(attack)).status, 200);
  const other = attack.replace('q=', 'name=');
  assert.equal((await ask(other)).status, 403);
  const { document, version } = made.body.policy;
  const body = {
    document: { ...document, mode: 'monitor' },
    baseVersion: version,
    comment: 'a trial',
  };
  const changed = await api.call(policy, { method: 'PUT', body });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.equal((await ask(other)).status, 200);
  await until('what would have been blocked is stored', async () => {
    const { events } = (await api.call('/api/events?decision=would-block')).body;
    return events.length === 1;
  });
});
