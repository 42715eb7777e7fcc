import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPolicy } from '../../../src/contract/policy.ts';
import { noContext } from '../../../src/contract/request.ts';
import type { Verdict } from '../../../src/contract/verdict.ts';
import { createEngine } from '../../../src/core/engine.ts';
import { confidence } from '../../../src/core/placement/confidence.ts';
import { detectors } from '../../../src/core/rules/registry.ts';
import type { Example } from '../../../src/core/rules/rule.ts';
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
        assert.match(rule.id, new RegExp(`^${detector.category}\\.[a-z0-9-]+$`));
        assert.match(rule.cwe, /^CWE-\d+$/);
        assert.ok(rule.examples.length > 0, 'a rule needs an example that it finds');
        assert.ok(rule.lookalikes.length > 0, 'a rule needs an honest look-alike that passes');
        for (const example of rule.examples) {
          const verdict = screen(example);
          const rules = verdict.findings.map((finding) => finding.rule);
          assert.ok(rules.includes(rule.id), `misses ${JSON.stringify(example)}, found ${rules}`);
          assert.equal(verdict.decision, 'block', `lets ${JSON.stringify(example)} pass`);
        }
        for (const lookalike of rule.lookalikes) {
          const verdict = screen(lookalike);
          const why = verdict.findings.map((finding) => `${finding.rule}: ${finding.evidence}`);
          assert.equal(verdict.decision, 'allow', `blocks ${JSON.stringify(lookalike)}: ${why}`);
        }
      });
    }
  });
}
