import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { installed } from '../../bench/lib/installed.ts';
import type { RunningOracle } from '../../bench/redteam/contract.ts';
import { grammarFor } from '../../bench/redteam/grammar/index.ts';
import { campaign } from '../../bench/redteam/judge/campaign.ts';
import { Judged } from '../../bench/redteam/judge/judged.ts';
import { type JobReport, runJobs } from '../../bench/redteam/judge/run-jobs.ts';
import { attacksTried, search } from '../../bench/redteam/judge/search.ts';
import { verdictOf } from '../../bench/redteam/judge/verdict.ts';
import { oracles } from '../../bench/redteam/oracle/index.ts';
import { jndi } from '../../bench/redteam/oracle/jndi.ts';
import { sqlite } from '../../bench/redteam/oracle/sql/sqlite.ts';
import { rewriters, rewritersFor } from '../../bench/redteam/rewrite/index.ts';
import type { Screener } from '../../src/clients/outcome.ts';
import { packageInfo } from '../../src/config/package-info.ts';
import { createScreener } from '../../src/screener.ts';
import { requireInstalled } from '../support/require-tool.ts';

const { root } = packageInfo();
const screener = createScreener();

/** Blocks blanks, and the more of them the surer: a search has something to walk down. */
const blankScreener: Screener = {
  ...screener,
  screen: async (data) => {
    const blanks = String(data).split(' ').length - 1;
    const findings = blanks > 0 ? [{ rule: 'test.blanks' }] : [];
    const decision = blanks > 0 ? 'block' : 'allow';
    const answer = { id: '', decision, score: Math.min(blanks, 100), findings } as const;
    return { kind: blanks > 0 ? 'blocked' : 'allowed', answer };
  },
};

test('the tables hold together: names are unique, each oracle has a grammar and rewriters', () => {
  assert.equal(new Set(oracles.map(({ name }) => name)).size, oracles.length);
  for (const oracle of oracles) {
    assert.ok(oracle.contexts.length > 0, oracle.name);
    assert.equal(grammarFor(oracle).language, oracle.language);
    assert.ok(rewritersFor(oracle).length > 0, `${oracle.name}: no rewriter`);
  }
  const names = rewriters.map(({ language, name }) => `${language}: ${name}`);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  assert.deepEqual(twice, [], 'name these rewriters otherwise: the name is taken in the language');
});

test('a verdict is of the fields as they are named', async () => {
  const plain = await verdictOf(screener, ['body.q', 'body.page'], ['shoes', '2']);
  assert.deepEqual([plain.isBlocked, plain.rule], [false, '']);
  const attack = await verdictOf(screener, ['body.q'], ["' OR 1=1 -- "]);
  assert.deepEqual([attack.isBlocked, attack.rule.split('.')[0]], [true, 'sqli']);
  // An own member, which an object literal could not have.
  const named = await verdictOf(screener, ['__proto__'], ['{"isAdmin":true}']);
  assert.ok(named.score > 0);
});

async function withSqlite(t: TestContext, use: (running: RunningOracle) => Promise<void>) {
  if (!requireInstalled(t, sqlite.tools.join(', '), installed(sqlite))) return;
  const running = await sqlite.start();
  try {
    await use(running);
  } finally {
    await running.close();
  }
}

const grammar = grammarFor(sqlite);
// Those of sqlmap need its program.
const own = rewritersFor(sqlite).filter(({ name }) => !name.startsWith('sqlmap/'));

test('what one seed finds it finds again', async (t) => {
  await withSqlite(t, async (running) => {
    const run = (seed: number) =>
      campaign(sqlite, grammar, new Judged(running, screener, own), { seed, attacks: 55 });
    const [first, second, other] = [await run(3), await run(3), await run(4)];
    assert.deepEqual(first, second);
    assert.notDeepEqual(first, other);
    assert.equal(
      first.depths[0]?.effective,
      first.contexts.reduce((all, one) => all + one.effective, 0),
    );
    assert.ok(first.judgements > first.tried);
  });
});

test('a search brings attacks past that still work', async (t) => {
  await withSqlite(t, async (running) => {
    const judged = new Judged(running, blankScreener, own);
    const found = await search(sqlite, grammar, judged, { seed: 3, budget: { seconds: 2 } });
    assert.ok(found.passed > 0 && found.passed <= found.started);
    assert.ok(found.tries >= found.passed);
    assert.equal(
      found.families.reduce((all, { count }) => all + count, 0),
      found.passed,
    );
    for (const { example } of found.families) {
      const context = sqlite.contexts.find(({ name }) => name === example.context);
      assert.ok(context !== undefined);
      assert.equal(await running.judge(context, example.values), 'effective');
      const { isBlocked } = await verdictOf(blankScreener, example.names, example.values);
      assert.equal(isBlocked, false);
    }
  });
});

test('a search by tries does the same again, and gives each attack its tries', async (t) => {
  await withSqlite(t, async (running) => {
    const run = (from: Screener, tries: number) =>
      search(sqlite, grammar, new Judged(running, from, own), { seed: 3, budget: { tries } });
    const [first, second] = [await run(blankScreener, 30), await run(blankScreener, 30)];
    assert.deepEqual(first, second);
    assert.ok(first.passed > 0 && first.started === attacksTried);
    const screen: Screener['screen'] = async () => ({
      kind: 'blocked',
      answer: { id: '', decision: 'block', score: 90, findings: [] },
    });
    const none = await run({ ...screener, screen }, 3);
    assert.deepEqual([none.passed, none.tries], [0, 3 * attacksTried]);
  });
});

test('a job that fails is reported and ends no other', async () => {
  const options = { attacks: 5, seed: 1, jobs: 1 };
  const reported: (JobReport | Error)[] = [];
  const reports = await runJobs([{ ...jndi, name: 'missing' }, jndi], options, (one) => {
    reported.push(one);
  });
  assert.deepEqual(
    reports.map(({ oracle }) => oracle),
    [jndi.name],
  );
  const [failed, report] = reported;
  assert.ok(failed instanceof Error && failed.message.startsWith('missing: '));
  assert.equal(report, reports[0]);
});

test('the command names each oracle, refuses what is none, and prints rates', async () => {
  const { stdout: list } = await redteam('--list');
  for (const { name } of oracles) assert.ok(list.includes(`${name}\t`), name);
  await assert.rejects(redteam('--only', 'nothing'), /--only nothing: no oracle/);
  const options = ['--only', 'jndi', '--attacks', '20', '--seed', '5', '--search', '1'];
  const { stdout } = await redteam(...options);
  assert.match(stdout, /^Log4j lookups +20 work, passed .+, search brought \d+ of \d+ past/m);
  assert.match(stdout, /^\| jndi \| \d+ \|/m);
  assert.match(stdout, /^\| Log4j lookups \| 1 s \| \d+ \| \d+ \| \d+ \| \d+ \|$/m);
  const { stdout: tried } = await redteam('--only', 'jndi', '--attacks', '20', '--tries', '2');
  assert.match(tried, /past \(2 tries each\)/);
});

function redteam(...args: string[]): Promise<{ stdout: string }> {
  const command = ['bench/redteam/run.ts', ...args];
  return promisify(execFile)(process.execPath, command, { cwd: root, timeout: 120_000 });
}
