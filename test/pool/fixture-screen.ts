import type { Finding } from '../../src/contract/verdict.ts';
import type { Screen } from '../../src/pool/codec.ts';

/**
 * Stands in for the core where a test must know each answer beforehand. The verdict depends on the
 * whole request, so that an answer that went to the wrong request is seen.
 */
export const fixtureScreen: Screen = ({ body, context }, policy) => {
  if (body.includes('"not json')) return { kind: 'rejected', fault: 'body-not-json' };
  const score = (body.length * 7 + context.uri.length) % 101;
  const isAttack = body.includes('attack');
  return {
    kind: 'verdict',
    verdict: {
      decision: isAttack ? 'block' : 'allow',
      score,
      threshold: policy.sensitivity * 10,
      findings: isAttack ? [findingOf(body, score)] : [],
      coverage: { complete: true, bytes: Buffer.byteLength(body), reasons: [] },
    },
  };
};

function findingOf(body: string, score: number): Finding {
  return {
    category: 'other',
    rule: 'other.fixture',
    cwe: 'CWE-20',
    severity: 'low',
    pointer: '/a',
    where: 'value',
    decoded: [],
    span: [0, body.length],
    evidence: body.slice(0, 100),
    score,
    message: 'fixture',
  };
}
