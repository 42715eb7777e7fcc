import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunningOracle } from '../../bench/redteam/contract.ts';
import { vmOracle } from '../../bench/redteam/oracle/code/code.ts';
import { templateOracles } from '../../bench/redteam/oracle/code/templates.ts';

const traces = [
  "Object.prototype.kept = 'canary'",
  "Array.prototype.join = () => '4711123'",
  'globalThis.kept = 4711123',
  "String.prototype.replace = () => 'kept'",
  // What runs later, as if the next value had called it.
  "setInterval(() => { try { process.kill(0, 0); } catch {} }, 1) && ''",
  "Promise.reject(new Error('late')) && ''",
  "process.stdout.write('effective\\n') && ''",
];

/** Judges a value, then what tells whether it left something. */
async function judgeTraces(
  running: RunningOracle,
  context: Parameters<RunningOracle['judge']>[0],
  attackOf: (script: string) => string,
): Promise<void> {
  for (const script of traces) {
    await running.judge(context, [attackOf(script)]);
    for (let i = 0; i < 3; i += 1) {
      const effect = await running.judge(context, context.benign);
      assert.equal(effect, 'inert', `${context.name}: ${script}`);
    }
    const look = attackOf("typeof kept === 'undefined' && !('kept' in {}) ? '' : process.exit()");
    assert.notEqual(await running.judge(context, [look]), 'effective', `kept: ${script}`);
  }
}

test('what a template changes in Node is gone when the next is judged', async () => {
  for (const name of ['nunjucks', 'ejs', 'pug']) {
    const oracle = templateOracles.find((one) => one.name === name);
    const context = oracle?.contexts.find((one) => one.name === 'expression');
    assert.ok(oracle && context, name);
    const running = await oracle.start();
    try {
      const attackOf = (script: string): string =>
        name === 'nunjucks'
          ? `range.constructor(${JSON.stringify(`return (${script})`)})()`
          : `(${script})`;
      const control = attackOf("process.mainModule.require('child_process').execSync('id')");
      assert.equal(await running.judge(context, [control]), 'effective', name);
      await judgeTraces(running, context, attackOf);
    } finally {
      await running.close();
    }
  }
});

test('what leaves a context of node:vm is gone when the next value is judged', async () => {
  const running = await vmOracle.start();
  try {
    const context = vmOracle.contexts.find(({ name }) => name === 'expression');
    assert.ok(context);
    const attackOf = (script: string): string =>
      `discount.constructor(${JSON.stringify(`return (${script})`)})()`;
    assert.equal(await running.judge(context, [attackOf('process.exit()')]), 'effective');
    await judgeTraces(running, context, attackOf);
  } finally {
    await running.close();
  }
});
