import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { limits } from '../../src/contract/limits.ts';
import { defaultPolicy, type Policy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine } from '../../src/core/engine.ts';
import { createShadow } from '../../src/policies/shadow.ts';
import { inlineExplainer } from '../events/writer-fixture.ts';

const engine = createEngine();
const attack = '<script>alert(1)</script>';

function verdictOf(body: string, policy = defaultPolicy) {
  const result = engine.screen({ body, context: noContext }, policy);
  return result.kind === 'verdict' ? result.verdict : assert.fail(result.kind);
}

/** A shadow of a candidate, by default one that lets XSS pass, screened at once by the core. */
function open(document: Policy = { ...defaultPolicy, categoriesOff: ['xss'] }) {
  const inForce = { id: 'default', version: 1, policy: defaultPolicy };
  const shadow = createShadow({
    explainer: {
      explain: async ({ body, policy }) => {
        const verdict = verdictOf(Buffer.from(body).toString(), policy);
        const findings = verdict.findings.map((finding) => ({ ...finding, steps: [] }));
        const explained = { ...verdict, findings };
        const explanation = { verdict: explained, fields: [], steps: 0, truncated: false };
        return { kind: 'explained', explanation };
      },
      describe: inlineExplainer.describe,
    },
    policies: {
      inForce: () => ({ ...inForce, candidate: { document, since: 1 } }),
      onChange: () => undefined,
    },
  });
  const screened = (name: string, value: string, others: object = {}, context = noContext) => {
    const body = JSON.stringify({ [name]: value, ...others });
    const verdict = verdictOf(body);
    const request = { policyId: 'default', decisionId: 'd', context, verdict };
    shadow.screened({ ...request, body: Buffer.from(body) });
  };
  const report = () => shadow.report('default') ?? assert.fail('no report');
  return { screened, report };
}

test('requests that come one after the other are all screened again', async () => {
  const { screened, report } = open();
  for (let i = 0; i < 100; i += 1) {
    screened('q', 'hello');
    await nextTurn();
  }
  assert.deepEqual([report().screened, report().dropped], [100, 0]);
});

test('of many at once as many as may wait are screened, and the rest is counted', async () => {
  const { screened, report } = open();
  for (let i = 0; i < 40; i += 1) screened('q', 'hello');
  await nextTurn();
  assert.deepEqual([report().screened, report().dropped], [32, 8]);
  screened('q', 'hello');
  await nextTurn();
  assert.deepEqual([report().screened, report().dropped], [33, 8]);
});

test('what is too long for the main thread is left out, and counted', async () => {
  const { screened, report } = open();
  const frame = '{"q":""}'.length;
  screened('q', 'a'.repeat(limits.bodyInlineBytesMax - frame));
  screened('q', 'a'.repeat(limits.bodyInlineBytesMax - frame + 1));
  await nextTurn();
  assert.deepEqual([report().screened, report().dropped], [1, 1]);
});

test('differences are listed by their place, up to 500 of them', async () => {
  const { screened, report } = open();
  for (let i = 0; i < 502; i += 1) {
    screened(`f${i}`, attack);
    await nextTurn();
  }
  screened('f7', attack);
  await nextTurn();
  const { newlyFreed, newlyBlocked } = report();
  assert.deepEqual([newlyFreed.length, newlyBlocked.length], [500, 0]);
  const [first, second] = newlyFreed;
  assert.deepEqual([first?.pointer, first?.count, first?.lastEventId], ['/f7', 2, 'd']);
  assert.equal(second?.count, 1);
});

test('what freed a request is the finding that the candidate has not, at its place', async () => {
  const exclusion = { id: 'e1', pointer: '/a', category: 'traversal' as const, reason: '' };
  const made = { author: 'ada', createdAt: '2026-01-01T00:00:00Z' };
  const { screened, report } = open({
    ...defaultPolicy,
    exclusions: [{ ...exclusion, ...made }],
  });
  // The rule finds something in both, of which only the first is blocked.
  screened('a', '../../../srv/data/report', { b: '../guide' });
  await nextTurn();
  const places = report().newlyFreed.map(({ pointer, rule }) => [pointer, rule]);
  assert.deepEqual(places, [['/a', 'traversal.climb']]);
});

test('of what would newly be blocked, the first three of a place are kept, without secrets', async () => {
  const strict: Policy = { ...defaultPolicy, sensitivity: 4 };
  const { screened, report } = open(strict);
  const context = {
    ...noContext,
    method: 'POST',
    uri: '/save?token=abcdef',
    for: '203.0.113.9, 10.0.0.1',
  };
  const doubtful = (number: number) => `see ../guide-${number}`;
  for (let number = 1; number <= 5; number += 1) {
    screened('q', doubtful(number), {}, context);
    await nextTurn();
  }
  screened('password', doubtful(6));
  await nextTurn();
  const { newlyBlocked } = report();
  const [place, secret] = newlyBlocked;
  assert.deepEqual([place?.pointer, place?.count, place?.examples.length], ['/q', 5, 3]);
  const [example = assert.fail()] = place?.examples ?? [];
  assert.deepEqual(
    [example.method, example.path, example.client],
    ['POST', '/save?token=••••••', '203.0.113.9'],
  );
  assert.match(example.evidence, /\.\.\//);
  assert.match(example.at, /^\d{4}-/);
  assert.deepEqual([secret?.pointer, secret?.examples[0]?.evidence], ['/password', '']);
});
