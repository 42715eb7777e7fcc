import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { categories } from '../../../src/contract/category.ts';
import { runCli } from '../../support/cli.ts';
import { requireTool } from '../../support/require-tool.ts';
import { type Served, startServing } from '../../support/serve.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { until } from '../../support/until.ts';
import { type Scraped, scrape } from './exposition.ts';

/** A server with a port for metrics, and a key that it knows. */
async function startWatched(t: TestContext, environment: Readonly<Record<string, string>> = {}) {
  const served = await startServing(t, tempDir(), ['serve', '--metrics-port', '0'], environment);
  const created = ['keys', 'create', '--name', 'a', '--data-dir', 'd'];
  const key = (await runCli(created, served)).out.trimEnd();
  await until('the key is known', async () => (await control(served, key, '{}')).status !== 401);
  const ready = served.out().match(/"metrics_address":"([^"]+)"/);
  return { served, key, metrics: ready?.[1] ?? '' };
}

function control({ address }: Served, key: string, body: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  return fetch(`${address}/control`, { method: 'POST', headers, body });
}

const attack = JSON.stringify({ q: '1 union select password from users' });

test('a scrape counts what was done since the one before, and holds nothing of a request', async (t) => {
  const { served, key, metrics } = await startWatched(t, {
    SALLYPORT_SYSLOG_URL: 'udp://127.0.0.1:9',
  });
  const before = await scrape(metrics);
  const bodies = ['{"q":"MARKER-hello"}', attack, attack, '[]', '{'];
  const statuses: number[] = [];
  for (const body of bodies) statuses.push((await control(served, key, body)).status);
  assert.deepEqual(statuses, [200, 403, 403, 422, 400]);
  await control(served, 'sp_live_MARKER', '{}');
  await until('the blocks are stored', async () => {
    const { values } = (await scrape(metrics)).get('sallyport_events_stored_total') ?? {};
    return values?.get('') === 2;
  });
  const after = await scrape(metrics);
  const grown = (name: string, labels = '') =>
    (after.get(name)?.values.get(labels) ?? 0) - (before.get(name)?.values.get(labels) ?? 0);

  assert.equal(grown('sallyport_requests_total', 'decision="allow"'), 1);
  assert.equal(grown('sallyport_requests_total', 'decision="block"'), 2);
  assert.equal(grown('sallyport_requests_total', 'decision="rejected"'), 3);
  const ofKey = (decision: string) => {
    const labels = `key="${key.slice(8, 16)}",key_name="a",policy="default"`;
    return grown('sallyport_key_requests_total', `${labels},decision="${decision}"`);
  };
  assert.deepEqual(['allow', 'block', 'rejected'].map(ofKey), [1, 2, 2]);
  assert.equal(after.get('sallyport_key_requests_total')?.values.size, 10, 'a key, and the rest');
  assert.equal(grown('sallyport_blocks_total', 'category="sqli",decision="block"'), 2);
  assert.equal(grown('sallyport_blocks_total', 'category="xss",decision="block"'), 0);
  for (const problem of [
    'problem="body-not-object",status="422"',
    'problem="body-not-json",status="400"',
  ]) {
    assert.equal(grown('sallyport_problems_total', problem), 1, problem);
  }
  assert.equal(grown('sallyport_request_duration_seconds', '_count{}'), 6);
  for (const name of ['sallyport_queue_duration_seconds', 'sallyport_engine_duration_seconds']) {
    // What is no JSON object goes to no thread, and a bad key neither.
    assert.equal(grown(name, '_count{}'), 3, name);
    assert.equal(grown(name, '_bucket{le="+Inf"}'), 3, name);
    assert.ok(grown(name, '_sum{}') > 0, name);
    assert.ok(grown(name, '_bucket{le="5"}') === 3, name);
  }
  assert.equal(grown('sallyport_batched_requests_total'), 3);
  assert.equal(after.get('sallyport_ready')?.values.get(''), 1);
  const [policy = ''] = after.get('sallyport_policy_info')?.values.keys() ?? [];
  assert.match(policy, /^policy="default",version="1",hash="[0-9a-f]{12}"$/);
  const text = await (await fetch(`${metrics}/metrics`)).text();
  for (const secret of ['MARKER', key.slice(8), 'union', '/q']) assert.ok(!text.includes(secret));
  checkGuide(after);
  await t.test('promtool finds nothing to complain of', (tool) => checkWithPromtool(tool, text));
});

test('monitor mode, parts that were not screened, and categories are told apart', async (t) => {
  const { served, key, metrics } = await startWatched(t, { SALLYPORT_MODE: 'monitor' });
  assert.equal((await control(served, key, attack)).status, 200);
  const reasons = async () => (await scrape(metrics)).get('sallyport_incomplete_total')?.values;
  const decided = await control(served, key, JSON.stringify({ a: "1' or 1=1 -- ", b: '%3Cb%3E' }));
  assert.match(await decided.text(), /"reasons":\["decided"\]/);
  assert.equal(
    [...((await reasons())?.values() ?? [])].reduce((sum, one) => sum + one, 0),
    0,
  );
  let nested = 'a';
  for (let depth = 0; depth < 12; depth += 1) nested = Buffer.from(nested).toString('base64');
  await control(served, key, JSON.stringify({ nested }));
  const found = await scrape(metrics);
  const blocks = found.get('sallyport_blocks_total')?.values;
  assert.equal(blocks?.get('category="sqli",decision="would_block"'), 2);
  assert.equal(blocks?.size, (categories.length + 1) * 2, 'bounded, and told at zero');
  assert.ok([...((await reasons())?.values() ?? [])].some((count) => count > 0));
});

/** The guide names every metric with its type and its labels. */
function checkGuide(scraped: ReadonlyMap<string, Scraped>): void {
  const guide = readFileSync(new URL('../../../src/telemetry/README.md', import.meta.url), 'utf8');
  const rows = [...guide.matchAll(/^\| (`\w+`) +\| (\w+) +\| ([`\w ]*?) +\|/gm)];
  assert.deepEqual(
    rows.map(([, name, type, labels]) => [name, type, labels]),
    [...scraped].map(([name, { type, labels }]) => [
      `\`${name}\``,
      type,
      [...labels].map((label) => `\`${label}\``).join(' '),
    ]),
  );
}

function checkWithPromtool(t: TestContext, input: string): void {
  if (!requireTool(t, 'promtool')) return;
  const checked = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
  assert.deepEqual([checked.status, checked.stdout + checked.stderr], [0, '']);
}
