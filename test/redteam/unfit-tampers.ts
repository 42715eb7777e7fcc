import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missingTools } from '../../bench/lib/installed.ts';
import { Random } from '../../bench/lib/random.ts';
import type { Grammar, Oracle } from '../../bench/redteam/contract.ts';
import { tamperRewriters, unfitTampers } from '../../bench/redteam/rewrite/sql/sqlmap.ts';
import { requireInstalled } from '../support/require-tool.ts';

/** The scripts that the table calls unfit are installed, and none of their variants works. */
export function testUnfitTampers(oracle: Oracle, grammar: Grammar): void {
  test(`${oracle.name}: tamper scripts that are said not to work do not`, async (t) => {
    const isInstalled = missingTools(oracle).length === 0 && tamperRewriters.length > 0;
    if (!requireInstalled(t, `sqlmap, ${oracle.name}`, isInstalled)) return;
    const running = await oracle.start();
    try {
      for (const script of Object.keys(unfitTampers)) {
        const rewriter = tamperRewriters.find(({ name }) => name === `sqlmap/${script}`);
        assert.ok(rewriter, `sqlmap has no ${script}`);
        const random = new Random(3);
        for (let i = 0; i < attacksEach; i += 1) {
          const context = random.pick(oracle.contexts);
          const { values } = grammar.attack(random, oracle, context);
          if ((await running.judge(context, values)) !== 'effective') continue;
          const written: string[] = [];
          for (const value of values)
            written.push((await rewriter.rewrite(value, random)) ?? value);
          if (written.every((value, at) => value === values[at])) continue;
          const effect = await running.judge(context, written);
          assert.notEqual(effect, 'effective', `${script} works: ${context.name}: ${written}`);
        }
      }
    } finally {
      await running.close();
    }
  });
}

const attacksEach = 10;
