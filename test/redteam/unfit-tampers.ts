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
        let tried = 0;
        for (let i = 0; i < drawsMax && tried < attacksEach; i += 1) {
          const context = random.pick(oracle.contexts);
          const { values } = grammar.attack(random, oracle, context);
          const written: string[] = [];
          for (const value of values)
            written.push((await rewriter.rewrite(value, random)) ?? value);
          if (written.every((value, at) => value === values[at])) continue;
          if ((await running.judge(context, values)) !== 'effective') continue;
          tried += 1;
          const effect = await running.judge(context, written);
          assert.notEqual(effect, 'effective', `${script} works: ${context.name}: ${written}`);
        }
        assert.equal(tried > 0, !idle.has(script), `${script}: ${tried} were rewritten`);
      }
    } finally {
      await running.close();
    }
  });
}

/** These leave all that works as it is: they change the request, or look for joins by `+`. */
const idle = new Set(['luanginx', 'plus2concat', 'plus2fnconcat', 'varnish', 'xforwardedfor']);
const attacksEach = 5;
/** Some scripts rewrite a few attacks only. */
const drawsMax = 1_000;
