import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingTools } from '../../bench/lib/installed.ts';
import { openRange } from '../../bench/redteam/range/engines.ts';
import { measure } from '../../bench/redteam/range/measure.ts';
import { replay } from '../../bench/redteam/range/replay.ts';
import type { Route } from '../../bench/redteam/range/route.ts';
import { routes } from '../../bench/redteam/range/routes.ts';
import { openSite, type SentRequest } from '../../bench/redteam/range/site.ts';
import { sqlmapAttack } from '../../bench/redteam/range/sqlmap.ts';
import { realSallyport } from '../clients/real-sallyport.ts';
import { requireInstalled, requireTool } from '../support/require-tool.ts';

/** What works on each route. */
const exploits: Readonly<Record<string, readonly string[]>> = {
  '/sqlite/number': ['0 UNION SELECT id, password, 1 FROM users'],
  '/sqlite/like': ["x%' UNION SELECT id, password, 1 FROM users -- "],
  '/sqlite/log-in': ["admin' -- ", 'x'],
  '/sqlite/string-base-': [
    Buffer.from("x' UNION SELECT id, password, 1 FROM users -- ").toString('base64'),
  ],
  '/postgres/number-condition-behind-it': ['0 UNION SELECT id, password, 1 FROM users -- '],
  '/postgres/string-in-parentheses': ["x') UNION SELECT id, password, 1 FROM users -- "],
  '/postgres/order-by': [
    '(SELECT 1 / (CASE WHEN pin > 5000 THEN 1 ELSE 0 END) FROM users LIMIT 1)',
  ],
  '/postgres/log-in': ["admin' -- ", 'x'],
  '/postgres/several-statements-string': ["x'; DELETE FROM cards; -- "],
  '/mariadb/string-single-quotes': ["x' UNION SELECT id, password, 1 FROM users -- "],
  '/mariadb/number-in-parentheses': ['0) UNION SELECT id, password, 1 FROM users -- '],
  '/mariadb/string-condition-behind-it': ["x' UNION SELECT id, password, 1 FROM users -- x"],
  '/mariadb/like-twice-in-parentheses': ["x%') UNION SELECT id, password, 1 FROM users -- "],
  '/mariadb/insert-last-string': ["a'), (7, 1, (SELECT password FROM users u LIMIT 1)) -- "],
  '/chromium/text': ['<script>alert(1)</script>'],
  '/chromium/attribute-double-quotes': ['"><img src=x onerror=alert(1)>'],
  '/chromium/script-string-single-quotes': ["';alert(1);'"],
  '/chromium/before-a-script': ['<svg onload=alert(1)>'],
  '/nunjucks/text': ['{{ 7919 * 7907 }}'],
  '/ejs/expression-string': ['" + process.mainModule.require("child_process").execSync("id") + "'],
  '/jinja/text': ['{{ 7919 * 7907 }}'],
  '/dash/argument-unquoted': ['example.com; cat /etc/passwd'],
  '/dash/argument-double-quotes': ['$(cat /etc/passwd)'],
  '/node-files/path-join': ['../.env'],
  '/node-files/folder-in-the-middle': ['../private'],
  '/node-fetch/whole': ['http://127.0.0.1:8500/v1/kv'],
  '/node-fetch/host': ['127.0.0.1:8500'],
  '/redirects/path-of-the-shop': ['//evil.example'],
};

/** Its benign requests look the same: only the application knows which hosts are its own. */
const looksBenign = ['/node-fetch/host'];

const installedRoutes = routes.filter(({ engine }) => missingTools(engine).length === 0);

/** A request that carries values to a route. */
function requestTo({ path, at, fields }: Route, values: readonly string[]): SentRequest {
  const members = Object.fromEntries(fields.map((field, i) => [field, values[i] ?? '']));
  const form = new URLSearchParams(members).toString();
  const first = values[0] ?? '';
  const get = { method: 'GET', target: path, headers: {}, body: '' };
  const post = (type: string, body: string): SentRequest => ({
    ...{ method: 'POST', target: path, body },
    headers: { 'content-type': type, 'content-length': String(Buffer.byteLength(body)) },
  });
  const requests: Readonly<Record<Route['at'], SentRequest>> = {
    query: { ...get, target: `${path}?${form}` },
    form: post('application/x-www-form-urlencoded', form),
    json: post('application/json', JSON.stringify(members)),
    path: { ...get, target: `${path}/${encodeURIComponent(first)}` },
    cookie: { ...get, headers: { cookie: `${fields[0]}=${encodeURIComponent(first)}` } },
    header: { ...get, headers: { referer: first } },
  };
  return requests[at];
}

test('each route is vulnerable, and what works on it is refused behind Sallyport', async (t) => {
  assert.deepEqual(Object.keys(exploits), [...new Set(routes.map(({ path }) => path))]);
  const missing = routes.flatMap(({ engine }) => missingTools(engine));
  requireInstalled(t, missing.join(', '), missing.length === 0);
  const range = await openRange(installedRoutes, () => undefined);
  t.after(() => range.close());
  const { url, key } = await realSallyport(t);
  const bare = await openSite(range.routes);
  t.after(() => bare.close());
  const guarded = await openSite(range.routes, { url, key });
  t.after(() => guarded.close());

  const benign = installedRoutes.map((route) => requestTo(route, route.context.benign));
  await replay(bare.url, benign);
  await replay(guarded.url, benign);
  for (const { log } of [bare, guarded]) {
    assert.equal(log.arrived, installedRoutes.length, 'benign requests pass');
    assert.deepEqual(log.hits, [], 'and reach no canary');
  }
  for (const route of installedRoutes) {
    const attack = requestTo(route, exploits[route.path] ?? []);
    await replay(bare.url, [attack]);
    assert.equal(bare.log.hits.at(-1)?.route.path, route.path, `${route.path}: no effect`);
    const before = guarded.log.blocked;
    await replay(guarded.url, [bare.log.hits.at(-1)?.request ?? attack]);
    const isBlocked = guarded.log.blocked > before;
    assert.equal(isBlocked, !looksBenign.includes(route.path), `${route.path} behind Sallyport`);
  }
  assert.deepEqual(guarded.log.outages, []);
});

test('sqlmap reads a password from a bare route, and none behind Sallyport', async (t) => {
  if (!requireTool(t, 'sqlmap')) return;
  const route = routes.find(({ path }) => path === '/sqlite/number');
  assert.ok(route);
  const range = await openRange([route], () => undefined);
  t.after(() => range.close());
  const { url, key } = await realSallyport(t);
  const attack = sqlmapAttack(route, { technique: 'U' });
  const bounds = { guard: { url, key }, seconds: 60 };
  const { bare, behind, replayed, families } = await measure(attack, range.routes, bounds);
  assert.match(bare.findings.join(), /UNION/);
  assert.ok(bare.effective > 0 && bare.blocked === 0);
  assert.deepEqual(behind.findings, []);
  assert.ok(behind.blocked > 10);
  assert.ok(replayed.requests > 0);
  const passed = families.reduce((all, { count }) => all + count, 0);
  assert.equal(passed, behind.effective + replayed.effective);
});
