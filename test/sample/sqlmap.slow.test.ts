import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireTool } from '../support/require-tool.ts';
import { honestForms, honestPaths, injections } from './injections.ts';
import { runSqlmap } from './sqlmap.ts';
import { shapeOf } from './statement-shape.ts';
import { type OpenShop, openGuardedShop, openShop } from './two-shops.ts';

test('sqlmap finds every injection of the shop without Sallyport', async (t) => {
  if (!requireTool(t, 'sqlmap')) return;
  const shop = await openShop(t);
  for (const { name, args, finds } of injections) {
    const { found, log } = await runSqlmap(args(shop.url));
    assert.match(found.join('\n'), finds, `${name}: ${log}`);
  }
});

test('sqlmap finds none with it, and no statement but those of the shop is run', async (t) => {
  if (!requireTool(t, 'sqlmap')) return;
  const meant = await honestShapes(await openShop(t));
  const shop = await openGuardedShop(t);
  for (const { name, args, tamper } of injections) {
    for (const disguise of tamper === undefined ? [[]] : [[], ['--tamper', tamper]]) {
      const said = `${name} ${disguise.join(' ')}`;
      const { found, log } = await runSqlmap([...args(shop.url), ...disguise]);
      assert.deepEqual(found, [], `${said}: ${log}`);
      assert.match(log, /403 \(Forbidden\) - \d{2,} times/, `${said}: attacks were refused`);
    }
  }
  const foreign = shop.statements.filter((text) => !meant.has(shapeOf(text)));
  assert.deepEqual(foreign, [], 'what got through is part of no statement');
  assert.ok(shop.statements.length >= injections.length, 'honest values got through');
  assert.deepEqual(shop.outages, [], 'every request was screened');
});

/** The shapes of the statements that honest requests lead to. */
async function honestShapes(shop: OpenShop): Promise<ReadonlySet<string>> {
  for (const path of honestPaths) await fetch(`${shop.url}${path}`);
  for (const [path, body] of honestForms) {
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    await fetch(`${shop.url}${path}`, { method: 'POST', headers: type, body });
  }
  const shapes = new Set(shop.statements.map(shapeOf));
  assert.equal(shapes.size, honestPaths.length + honestForms.length + 1, 'each has its own');
  return shapes;
}

test('the shape of a statement tells values from syntax', () => {
  const shape = shapeOf("SELECT a FROM t WHERE b = 'x' AND c = 5");
  assert.equal(shapeOf("select a\n from t where b = 'it''s -- /* 1' and c = -7.5"), shape);
  const injected = [
    "SELECT a FROM t WHERE b = 'x' OR '1' AND c = 5",
    "SELECT a FROM t WHERE b = 'x' AND c = 5 -- '",
    "SELECT a FROM t WHERE b = 'x' AND c = 5-0",
    "SELECT a FROM t WHERE b = 'x' AND c = (5)",
    "SELECT a FROM t WHERE b = 'x' AND c = d",
    'SELECT a FROM t WHERE b = "x" AND c = 5',
  ];
  for (const text of injected) assert.notEqual(shapeOf(text), shape, text);
});
