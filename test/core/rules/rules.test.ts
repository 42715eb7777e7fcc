import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { defaultPolicy } from '../../../src/contract/policy.ts';
import { noContext } from '../../../src/contract/request.ts';
import type { Verdict } from '../../../src/contract/verdict.ts';
import { createEngine } from '../../../src/core/engine.ts';
import { confidence } from '../../../src/core/placement/confidence.ts';
import { detectors } from '../../../src/core/rules/registry.ts';
import { type Example, inCategory, type Rule } from '../../../src/core/rules/rule.ts';
import { compileShape } from '../../../src/shape/compile.ts';

const engine = createEngine(detectors, compileShape);

function screen(example: Example): Verdict {
  const body = JSON.stringify(typeof example === 'string' ? { value: example } : example.body);
  const declared = typeof example === 'string' ? undefined : example.shape;
  const policy = declared === undefined ? defaultPolicy : { ...defaultPolicy, shape: declared };
  const result = engine.screen({ body, context: noContext }, policy);
  assert.equal(result.kind, 'verdict');
  for (const { rule, score } of result.verdict.findings) {
    assert.ok(levels.has(score), `${rule} scores ${score}, which is none of the five levels`);
  }
  return result.verdict;
}

const levels: ReadonlySet<number> = new Set(Object.values(confidence));

for (const detector of detectors) {
  describe(`rules of ${detector.category}`, () => {
    for (const rule of detector.rules) {
      it(rule.id, () => {
        const form = new RegExp(`^${detector.category}\\.[a-z0-9-]+$`);
        assert.match(rule.id, form, `${rule.id}: write ${detector.category}.<lower case, dashes>`);
        const { cwe } = inCategory(rule);
        assert.match(cwe, /^CWE-\d+$/, `${cwe}: write CWE-<number>`);
        assert.ok(rule.examples.length > 0, 'add an attack that the rule finds to examples');
        assert.ok(rule.lookalikes.length > 0, 'add a benign near miss to lookalikes');
        assert.deepEqual(
          rule.examples.flatMap((one) => complaintOf(rule, one)),
          [],
        );
        for (const lookalike of rule.lookalikes) {
          const verdict = screen(lookalike);
          const why = verdict.findings.map((finding) => `${finding.rule}: ${finding.evidence}`);
          assert.equal(
            verdict.decision,
            'allow',
            `blocks the near miss ${JSON.stringify(lookalike)}: narrow the reading behind it: ${why}`,
          );
        }
      });
    }

    it('are all in the list of index.ts', async () => {
      const folder = new URL(`../../../src/core/rules/${detector.category}/`, import.meta.url);
      for (const name of readdirSync(folder)) {
        for (const one of Object.values(await import(new URL(name, folder).href))) {
          const isRule = one instanceof Object && 'examples' in one && 'id' in one;
          if (!isRule || detector.rules.includes(one as Rule)) continue;
          assert.fail(`${one.id} of ${name} is never asked: add it to the rules of index.ts`);
        }
      }
    });
  });
}

/** What is wrong with the verdict on an example. */
function complaintOf(rule: Rule, example: Example): string[] {
  const verdict = screen(example);
  const text = JSON.stringify(example);
  const found = verdict.findings.map((finding) => `${finding.rule} ${finding.score}`).join(', ');
  if (!verdict.findings.some((finding) => finding.rule === rule.id)) {
    const others = found === '' ? 'nothing was found' : `found: ${found}`;
    return [`misses ${text} (${others}): its trigger withholds it, or its judge finds nothing`];
  }
  return verdict.decision === 'block' ? [] : [`lets ${text} pass, which is no example: ${found}`];
}
