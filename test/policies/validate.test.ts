import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '../../src/contract/limits.ts';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { diffDocuments } from '../../src/policies/diff.ts';
import { validateDocument } from '../../src/policies/validate.ts';

const exclusion = {
  id: 'e1',
  pointer: '/html/**',
  category: 'xss',
  reason: 'an editor',
  author: 'ada',
  createdAt: '2026-01-01T00:00:00Z',
};
const rule = {
  id: 'custom.word',
  category: 'other',
  cwe: 'CWE-20',
  severity: 'high',
  score: 80,
  message: 'holds a word',
  literals: ['xyzzy'],
  examples: ['xyzzy'],
  lookalikes: ['plugh'],
};

describe('a policy document', () => {
  it('is filled with defaults, and what was given stays as it is', () => {
    const given = { mode: 'monitor' };
    const check = validateDocument(given);
    assert.deepEqual(check, { kind: 'valid', document: { ...defaultPolicy, mode: 'monitor' } });
    assert.deepEqual(given, { mode: 'monitor' });
  });

  it('may use every member', () => {
    const document = {
      ...defaultPolicy,
      categoriesOff: ['xss'],
      trustedOrigins: ['https://a.example'],
      exclusions: [exclusion, { ...exclusion, id: 'e2', expiresAt: '2030-01-01T00:00:00Z' }],
      customRules: [rule],
      limits: { bodyBytes: 1_000, depth: 3, members: 10 },
      rateLimit: { requests: 10, perSeconds: 60, burst: 5 },
    };
    assert.deepEqual(validateDocument(document), { kind: 'valid', document });
  });

  const bad: readonly (readonly [document: unknown, pointer: string, message: RegExp])[] = [
    [null, '', /must be object/],
    [undefined, '', /must be object/],
    [{ mode: 'blok' }, '/mode', /one of block, monitor, off/],
    [{ sensitivity: 5 }, '/sensitivity', /one of 1, 2, 3, 4/],
    [{ modus: 'block' }, '/modus', /not a known field/],
    [{ categoriesOff: ['sql'] }, '/categoriesOff/0', /one of sqli/],
    [{ trustedOrigins: ['a.example'] }, '/trustedOrigins/0', /an origin such as/],
    [{ limits: { depth: 65 } }, '/limits/depth', /<= 64/],
    [{ limits: { bodyBytes: 2_000_000 } }, '/limits/bodyBytes', /<= 1048576/],
    [{ rateLimit: { requests: 1 } }, '/rateLimit/perSeconds', /is missing/],
    [{ exclusions: [{ ...exclusion, pointer: 'html' }] }, '/exclusions/0/pointer', /RFC 6901/],
    [{ exclusions: [{ ...exclusion, rule: 'xss.a' }] }, '/exclusions/0', /category and rule/],
    [{ exclusions: [{ ...exclusion, clients: [] }] }, '/exclusions/0/clients', /fewer than 1/],
    [
      { exclusions: [{ ...exclusion, clients: ['10.0.0.1', '10.0.0.1/8'] }] },
      '/exclusions/0/clients/1',
      /write 10\.0\.0\.0\/8/,
    ],
    [{ exclusions: [{ ...exclusion, clients: ['::/64'] }] }, '/exclusions/0/clients/0', /so wide/],
    [{ exclusions: [{ ...exclusion, category: undefined }] }, '/exclusions/0', /one of category/],
    [
      { exclusions: [{ ...exclusion, expiresAt: 'tomorrow' }] },
      '/exclusions/0/expiresAt',
      /a moment such as/,
    ],
    [{ customRules: [{ ...rule, id: 'sqli.word' }] }, '/customRules/0/id', /pattern/],
    [{ customRules: [{ ...rule, pattern: 'a' }] }, '/customRules/0', /pattern and literals/],
    [{ customRules: [{ ...rule, examples: [] }] }, '/customRules/0/examples', /fewer than 1/],
    [{ trustedOrigins: ['x'.repeat(300_000)] }, '', /at most 262144 bytes/],
    [{ limits: { 'a/b~c': 1 } }, '/limits/a~1b~0c', /not a known field/],
  ];
  for (const [document, pointer, message] of bad) {
    it(`is refused at ${pointer === '' ? 'its top' : pointer}: ${message.source}`, () => {
      const check = validateDocument(document);
      assert.ok(check.kind === 'not-valid');
      const problem = check.problems.find((one) => one.pointer === pointer);
      assert.match(problem?.message ?? JSON.stringify(check.problems), message);
    });
  }
});

it('a policy document may be as long as the bound', () => {
  const ofLength = (length: number) => {
    const given = { note: '' };
    return { note: 'x'.repeat(length - JSON.stringify(given).length) };
  };
  const told = (length: number) => {
    const check = validateDocument(ofLength(length));
    return check.kind === 'valid' ? [] : check.problems.map(({ pointer }) => pointer);
  };
  assert.deepEqual(told(limits.policyBytesMax), ['/note']);
  assert.deepEqual(told(limits.policyBytesMax + 1), ['']);
});

describe('the difference of documents', () => {
  it('names what was added, removed and replaced, entries by their id', () => {
    const from = {
      mode: 'block',
      limits: { depth: 3 },
      exclusions: [{ id: 'a' }, { id: 'b', n: 1 }],
    };
    const to = { mode: 'monitor', limits: {}, exclusions: [{ id: 'b', n: 2 }, { id: 'c' }] };
    assert.deepEqual(diffDocuments(from, to), [
      { op: 'replace', pointer: '/mode', from: 'block', to: 'monitor' },
      { op: 'remove', pointer: '/limits/depth', from: 3 },
      { op: 'remove', pointer: '/exclusions/0', from: { id: 'a' } },
      { op: 'replace', pointer: '/exclusions/0/n', from: 1, to: 2 },
      { op: 'add', pointer: '/exclusions/1', to: { id: 'c' } },
    ]);
  });

  it('of lists of words is that of sets, and of the same document is none', () => {
    const changes = diffDocuments({ off: ['a', 'b'] }, { off: ['b', 'c'] });
    assert.deepEqual(changes, [
      { op: 'remove', pointer: '/off/0', from: 'a' },
      { op: 'add', pointer: '/off/1', to: 'c' },
    ]);
    assert.deepEqual(diffDocuments({ a: 1, b: [1] }, { b: [1], a: 1 }), []);
  });
});
