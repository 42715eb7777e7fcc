import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { installed } from '../../bench/lib/installed.ts';
import type { Context } from '../../bench/redteam/contract.ts';
import { grammars } from '../../bench/redteam/grammar/index.ts';
import { campaign } from '../../bench/redteam/judge/campaign.ts';
import { Judged } from '../../bench/redteam/judge/judged.ts';
import { search } from '../../bench/redteam/judge/search.ts';
import { verdictOf } from '../../bench/redteam/judge/verdict.ts';
import { oracles } from '../../bench/redteam/oracle/index.ts';
import { rewriters } from '../../bench/redteam/rewrite/index.ts';
import { packageInfo } from '../../src/config/package-info.ts';
import { createScreener } from '../../src/screener.ts';
import { requireInstalled } from '../support/require-tool.ts';

const { root } = packageInfo();
const screener = createScreener();

test('the tables hold together: names are unique, each oracle has a grammar and rewriters', () => {
  assert.equal(new Set(oracles.map(({ name }) => name)).size, oracles.length);
  for (const { name, language, contexts } of oracles) {
    assert.ok(contexts.length > 0, name);
    assert.ok(
      grammars.some((one) => one.language === language),
      `${name}: no grammar`,
    );
    const own = rewriters.filter((one) => one.language === language);
    assert.ok(own.length > 0, `${name}: no rewriter`);
    assert.equal(new Set(own.map((one) => one.name)).size, own.length, language);
  }
});

test('a verdict is of the members as they are named', async () => {
  const plain = await verdictOf(screener, ['body.q', 'body.page'], ['shoes', '2']);
  assert.deepEqual([plain.isBlocked, plain.rule], [false, '']);
  const attack = await verdictOf(screener, ['body.q'], ["' OR 1=1 -- "]);
  assert.deepEqual([attack.isBlocked, attack.rule.split('.')[0]], [true, 'sqli']);
  // An own member, which an object literal could not have.
  const named = await verdictOf(screener, ['__proto__'], ['{"isAdmin":true}']);
  assert.ok(named.score > 0);
});

test('what one seed finds it finds again, and a search is no worse than the campaign', async (t) => {
  const oracle = oracles.find(({ name }) => name === 'sqlite');
  assert.ok(oracle !== undefined);
  if (!requireInstalled(t, oracle.tools.join(', '), installed(oracle))) return;
  const grammar = grammars.find(({ language }) => language === oracle.language);
  assert.ok(grammar !== undefined);
  const own = rewriters.filter(
    ({ language, name, dialects }) =>
      language === oracle.language &&
      !name.startsWith('sqlmap/') &&
      dialects?.includes(oracle.name),
  );
  const running = await oracle.start();
  try {
    const run = () =>
      campaign(oracle, grammar, new Judged(running, screener, own), { seed: 3, attacks: 55 });
    const [first, second] = [await run(), await run()];
    assert.deepEqual(first, second);
    assert.equal(
      first.depths[0]?.effective,
      first.contexts.reduce((all, one) => all + one.effective, 0),
    );
    assert.ok(first.judgements > first.tried);
    const judged = new Judged(running, screener, own);
    const found = await search(oracle, grammar, judged, { seed: 3, seconds: 2 });
    assert.ok(found.started > 0 && found.rewritings > 0);
    assert.equal(
      found.families.reduce((all, { count }) => all + count, 0),
      found.passed,
    );
    // What it calls past works, and passes.
    for (const { example } of found.families) {
      const context: Context | undefined = oracle.contexts.find(
        ({ name }) => name === example.context,
      );
      assert.ok(context !== undefined);
      assert.equal(await running.judge(context, example.values), 'effective');
      assert.equal((await verdictOf(screener, example.names, example.values)).isBlocked, false);
    }
  } finally {
    await running.close();
  }
});

test('the command names each oracle, refuses what is none, and prints rates', async () => {
  const { stdout: list } = await redteam('--list');
  for (const { name } of oracles) assert.ok(list.includes(`${name}\t`), name);
  await assert.rejects(redteam('--only', 'nothing'), /--only nothing: no oracle/);
  const { stdout } = await redteam('--only', 'jndi', '--attacks', '20', '--seed', '5');
  assert.match(stdout, /^Log4j lookups +20 work, passed/m);
  assert.match(stdout, /^\| jndi \| \d+ \|/m);
});

function redteam(...args: string[]): Promise<{ stdout: string }> {
  const command = ['--import', 'tsx', 'bench/redteam/run.ts', ...args];
  return promisify(execFile)(process.execPath, command, { cwd: root, timeout: 120_000 });
}
