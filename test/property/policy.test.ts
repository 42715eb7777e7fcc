import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { categories } from '../../src/contract/category.ts';
import { type CustomRule, defaultPolicy, type Policy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine } from '../../src/core/engine.ts';
import { validateDocument } from '../../src/policies/validate.ts';

const engine = createEngine();

const pointer = fc
  .array(fc.constantFrom('a', 'b', '*', 'q~1r', '0', 'name'), { maxLength: 3 })
  .chain((segments) => fc.constantFrom(segments, [...segments, '**']))
  .map((segments) => segments.map((segment) => `/${segment}`).join(''));

const exclusion = fc.record({
  id: fc.uuid(),
  pointer,
  category: fc.constantFrom(...categories),
  reason: fc.constant('property'),
  author: fc.constant('ada'),
  createdAt: fc.constant('2026-01-01T00:00:00Z'),
});

const customRule: fc.Arbitrary<CustomRule> = fc
  .record({
    pattern: fc.constantFrom('(?i)select', "'\\s*or\\b", '[^a-z]{2,}', 'a+b+$', '\\u65e5'),
    literals: fc.array(fc.constantFrom('or', 'SCRIPT', 'é', '日本', '<'), { minLength: 1 }),
    byPattern: fc.boolean(),
    score: fc.integer({ min: 1, max: 100 }),
    pointer,
    anywhere: fc.boolean(),
    number: fc.nat(),
  })
  .map((one) => ({
    id: `custom.rule-${one.number}`,
    category: 'other',
    cwe: 'CWE-20',
    severity: 'low',
    score: one.score,
    message: 'is one of a property',
    ...(one.anywhere ? {} : { pointer: one.pointer }),
    ...(one.byPattern ? { pattern: one.pattern } : { literals: one.literals }),
    examples: ['x'],
    lookalikes: ['y'],
  }));

const policy: fc.Arbitrary<Policy> = fc
  .record({
    sensitivity: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const),
    categoriesOff: fc.uniqueArray(fc.constantFrom(...categories), { maxLength: 3 }),
    exclusions: fc.array(exclusion, { maxLength: 4 }),
    customRules: fc.array(customRule, { maxLength: 3 }),
  })
  .map((parts) => ({ ...defaultPolicy, ...parts }));

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom("' OR 1=1 --", '<script>alert(1)</script>', '%27%20or%201=1--', '日本 SELECT'),
  fc.constantFrom(
    '../../etc/passwd',
    '{"a":"\' or 1=1--"}',
    'PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  ),
);
const name = fc.constantFrom('a', 'b', 'q/r', 'name', 'İ', "' OR 1=1 --");
const body = fc
  .dictionary(name, fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.dictionary(name, text)))
  .map((value) => JSON.stringify(value));

describe('any policy', () => {
  it('is valid, screens any body, and its explanation is of the same verdict', () => {
    fc.assert(
      fc.property(policy, body, (by, json) => {
        assert.equal(validateDocument(by).kind, 'valid');
        const request = { body: json, context: noContext };
        const screened = engine.screen(request, by);
        const explained = engine.explain(request, by, 'fields');
        assert.ok(screened.kind === 'verdict' && explained.kind === 'explained');
        const { verdict } = explained.explanation;
        const findings = verdict.findings.map(({ steps, ...finding }) => {
          assert.equal(steps.length, finding.decoded.length + 1, JSON.stringify(finding));
          return finding;
        });
        assert.deepEqual({ ...verdict, findings }, screened.verdict);
      }),
      { numRuns: 400 },
    );
  });

  it('finds nothing that its exclusions and categories take out, and all the rest', () => {
    fc.assert(
      fc.property(policy, body, (by, json) => {
        const request = { body: json, context: noContext };
        const open = { ...by, exclusions: [], customRules: [] };
        const closed = { ...by, customRules: [] };
        const before = engine.screen(request, open);
        const after = engine.screen(request, closed);
        assert.ok(before.kind === 'verdict' && after.kind === 'verdict');
        // The list of findings is bounded: where it was full, others may have moved up.
        if (before.verdict.findings.length >= 16) return;
        const left = before.verdict.findings.filter(
          (found) =>
            !by.exclusions.some(
              (one) => one.category === found.category && matches(one.pointer, found.pointer),
            ),
        );
        if (!before.verdict.coverage.reasons.includes('decided')) {
          assert.deepEqual(after.verdict.findings, left);
          return;
        }
        // What an exclusion takes out no longer ends the decoding, so that more may be found.
        for (const { rule, pointer, where, score } of left) {
          const isKept = after.verdict.findings.some(
            (one) =>
              one.rule === rule &&
              one.pointer === pointer &&
              one.where === where &&
              one.score >= score,
          );
          assert.ok(isKept, `${rule} at ${pointer} of ${json}`);
        }
      }),
      { numRuns: 400 },
    );
  });
});

/** What a pointer pattern means, said in another way than the core does. */
function matches(pattern: string, pointer: string): boolean {
  const source = pattern
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\/\*\*$/, '(?:/.*)?')
    .replaceAll(/\/\*(?=\/|$|\()/g, '/[^/]*');
  return new RegExp(`^${source}$`, 's').test(pointer);
}
