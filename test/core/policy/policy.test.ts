import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type CustomRule,
  defaultPolicy,
  type Exclusion,
  type Policy,
} from '../../../src/contract/policy.ts';
import { noContext } from '../../../src/contract/request.ts';
import type { Finding, Verdict } from '../../../src/contract/verdict.ts';
import { createEngine } from '../../../src/core/engine.ts';
import { pointerPattern } from '../../../src/core/policy/pointer-pattern.ts';

const engine = createEngine();
const attack = "' OR 1=1 --";

function policy(parts: Partial<Policy>): Policy {
  return { ...defaultPolicy, ...parts };
}

function verdictOn(body: unknown, by: Policy): Verdict {
  const result = engine.screen({ body: JSON.stringify(body), context: noContext }, by);
  assert.ok(result.kind === 'verdict', JSON.stringify(result));
  return result.verdict;
}

function exclusion(parts: Pick<Exclusion, 'pointer' | 'category' | 'rule'>): Exclusion {
  const createdAt = '2026-01-01T00:00:00Z';
  return { id: 'e1', reason: 'test', author: 'ada', createdAt, ...parts };
}

function rule(parts: Partial<CustomRule>): CustomRule {
  return {
    id: 'custom.forbidden-word',
    category: 'other',
    cwe: 'CWE-20',
    severity: 'high',
    score: 80,
    message: 'holds a word that this application never sends',
    examples: ['xyzzy'],
    lookalikes: ['plugh'],
    ...parts,
  };
}

describe('pointer patterns', () => {
  const rows: readonly (readonly [pattern: string, pointer: string, matches: boolean])[] = [
    ['/a/b', '/a/b', true],
    ['/a/b', '/a/b/c', false],
    ['/a/b', '/a', false],
    ['/a/*', '/a/b', true],
    ['/a/*', '/a/b/c', false],
    ['/a/*/c', '/a/0/c', true],
    ['/*/*', '/a/b', true],
    ['/a/**', '/a', true],
    ['/a/**', '/a/b/c/d', true],
    ['/a/**', '/ab', false],
    ['/**', '', true],
    ['/**', '/anything/at/all', true],
    ['', '', true],
    ['', '/a', false],
    ['/a~1b', '/a~1b', true],
    ['/a~1b', '/a/b', false],
    ['/a~01', '/a~01', true],
    ['/', '/', true],
    ['/a/**', '', false],
    ['/a.b', '/axb', false],
    ['/a*', '/ab', false],
  ];
  for (const [pattern, pointer, matches] of rows) {
    it(`${pattern} ${matches ? 'stands' : 'does not stand'} for ${pointer}`, () => {
      assert.equal(pointerPattern(pattern)(pointer), matches);
    });
  }
});

describe('exclusions', () => {
  it('switch a category off at a place and nowhere else', () => {
    const by = policy({ exclusions: [exclusion({ pointer: '/a/*', category: 'sqli' })] });
    assert.equal(verdictOn({ a: { b: attack } }, by).decision, 'allow');
    assert.equal(verdictOn({ a: { b: attack } }, by).findings.length, 0);
    assert.equal(verdictOn({ b: attack }, by).decision, 'block');
    assert.equal(verdictOn({ a: { b: '<script>alert(1)</script>' } }, by).decision, 'block');
  });

  it('switch one rule off and leave the others of its category', () => {
    const found = verdictOn({ q: attack }, defaultPolicy).findings[0];
    assert.ok(found !== undefined);
    const by = policy({ exclusions: [exclusion({ pointer: '/q', rule: found.rule })] });
    const findings = verdictOn({ q: attack }, by).findings;
    assert.ok(findings.every((one) => one.rule !== found.rule));
    assert.equal(verdictOn({ q: '1; drop table users; --' }, by).decision, 'block');
  });

  it('hold for member names and for what rules find in the request as a whole', () => {
    const context = { ...noContext, method: 'POST', host: 'a.example', secFetchSite: 'cross-site' };
    const screen = (by: Policy) => {
      const result = engine.screen({ body: '{"a":"b"}', context }, by);
      assert.ok(result.kind === 'verdict');
      return result.verdict;
    };
    assert.equal(screen(defaultPolicy).decision, 'block');
    const by = policy({ exclusions: [exclusion({ pointer: '/**', category: 'csrf' })] });
    assert.equal(screen(by).decision, 'allow');
    const name = policy({ exclusions: [exclusion({ pointer: '/*', category: 'sqli' })] });
    assert.equal(verdictOn({ [attack]: 1 }, defaultPolicy).decision, 'block');
    assert.equal(verdictOn({ [attack]: 1 }, name).decision, 'allow');
  });
});

describe('custom rules', () => {
  const findingsOf = (body: unknown, rules: readonly CustomRule[]): readonly Finding[] =>
    verdictOn(body, policy({ customRules: rules })).findings;

  it('find a literal whatever its case, and say where', () => {
    const verdict = verdictOn(
      { text: 'say XyZzY now' },
      policy({ customRules: [rule({ literals: ['xyzzy'] })] }),
    );
    assert.equal(verdict.decision, 'block');
    assert.deepEqual(verdict.findings, [
      {
        category: 'other',
        rule: 'custom.forbidden-word',
        cwe: 'CWE-20',
        severity: 'high',
        pointer: '/text',
        where: 'value',
        decoded: [],
        span: [4, 9],
        evidence: 'XyZzY',
        score: 80,
        message: 'holds a word that this application never sends',
      },
    ]);
  });

  it('find literals that are not ASCII', () => {
    const rules = [rule({ literals: ['verboten Ärger', '禁止'] })];
    assert.equal(findingsOf({ a: 'İ VERBOTEN ÄRGER' }, rules)[0]?.evidence, 'VERBOTEN ÄRGER');
    assert.equal(findingsOf({ a: 'これは禁止です' }, rules)[0]?.evidence, '禁止');
    assert.equal(findingsOf({ a: 'verboten' }, rules).length, 0);
  });

  it('find a pattern behind decodings, in plain words too', () => {
    const rules = [rule({ pattern: '(?i)\\bproject (?:blue|red) \\d{4}\\b' })];
    assert.equal(
      findingsOf({ a: 'see Project Blue 1234' }, rules)[0]?.evidence,
      'Project Blue 1234',
    );
    const encoded = findingsOf({ a: 'project%20red%204321' }, rules)[0];
    assert.deepEqual(encoded?.decoded, ['percent']);
    assert.equal(findingsOf({ a: 'projectblue 1234' }, rules).length, 0);
  });

  it('look only where their pointer says', () => {
    const rules = [rule({ literals: ['xyzzy'], pointer: '/user/*' })];
    assert.equal(findingsOf({ user: { name: 'xyzzy' } }, rules).length, 1);
    assert.equal(findingsOf({ name: 'xyzzy' }, rules).length, 0);
  });

  it('obey categories that are off, and exclusions', () => {
    const customRules = [rule({ literals: ['xyzzy'] })];
    const off = policy({ customRules, categoriesOff: ['other'] });
    assert.equal(verdictOn({ a: 'xyzzy' }, off).findings.length, 0);
    const exclusions = [exclusion({ pointer: '/a', rule: 'custom.forbidden-word' })];
    assert.equal(verdictOn({ a: 'xyzzy' }, policy({ customRules, exclusions })).findings.length, 0);
  });

  it('leave the built-in rules alone', () => {
    const by = policy({ customRules: [rule({ literals: ['xyzzy'] })] });
    assert.deepEqual(verdictOn({ q: attack }, by), verdictOn({ q: attack }, defaultPolicy));
  });

  it('stop at their bound and say so', () => {
    // The end holds what the rule waits for, so that it is asked.
    const long = `${'abcd'.repeat(100_000)} x`;
    const by = policy({ customRules: [rule({ pattern: '[a-d]{1,300}x' })] });
    const verdict = verdictOn({ a: long }, by);
    assert.deepEqual(verdict.coverage.reasons, ['patterns']);
    assert.equal(verdict.decision, 'block');
    const lenient = verdictOn({ a: long }, { ...by, onIncomplete: 'allow' });
    assert.equal(lenient.decision, 'allow');
  });
});

describe('limits of a policy', () => {
  const faultOf = (body: unknown, by: Policy) => {
    const result = engine.screen({ body: JSON.stringify(body), context: noContext }, by);
    return result.kind === 'rejected' ? result.fault : undefined;
  };

  it('are tighter than those of the service', () => {
    const by = policy({ limits: { depth: 2, members: 3 } });
    assert.equal(faultOf({ a: { b: 1 } }, by), undefined);
    assert.equal(faultOf({ a: { b: {} } }, by), 'body-too-deep');
    assert.equal(faultOf({ a: 1, b: 2, c: 3 }, by), undefined);
    assert.equal(faultOf({ a: 1, b: 2, c: 3, d: 4 }, by), 'body-too-many-members');
    assert.equal(faultOf({ a: { b: {} } }, defaultPolicy), undefined);
  });
});

describe('the check of a policy', () => {
  const problemsOf = (parts: Partial<Policy>) => engine.checkPolicy(policy(parts));

  it('passes a policy whose rules keep what their examples promise', () => {
    const customRules = [
      rule({ literals: ['xyzzy'], pointer: '/a/*/**' }),
      rule({ id: 'custom.other', pattern: 'xyz{2}y' }),
    ];
    const exclusions = [
      exclusion({ pointer: '/a', rule: 'custom.other' }),
      { ...exclusion({ pointer: '/a', rule: 'sqli.tautology' }), id: 'e2' },
    ];
    assert.deepEqual(problemsOf({ customRules, exclusions }), []);
  });

  it('names each thing that is wrong', () => {
    const customRules = [
      rule({ pattern: '(a' }),
      rule({ literals: ['xyzzy'], examples: ['xyzzy', 'nothing'], lookalikes: ['a xyzzy b'] }),
    ];
    const exclusions = [exclusion({ pointer: '/a', rule: 'sqli.no-such-rule' })];
    const problems = problemsOf({ customRules, exclusions });
    assert.deepEqual(
      problems.map(({ pointer }) => pointer),
      [
        '/customRules/1/id',
        '/exclusions/0/rule',
        '/customRules/0/pattern',
        '/customRules/1/examples/1',
        '/customRules/1/lookalikes/0',
      ],
    );
  });
});
