import { problemType } from '../errors.ts';
import {
  category,
  closed,
  count,
  listOf,
  ref,
  type Schema,
  score,
  severity,
  span,
  text,
  where,
} from './api/build.ts';

/** An id as decisions have it. */
export const idExample = '019ab3c2-5d1e-7c40-9a2f-3e8b6d0c4f71';

/** What `/control` answers. The members of a finding depend on the key's level of detail. */
export const controlAnswers: Readonly<
  Record<'Allowed' | 'Blocked' | 'KeyStatus' | 'ShownFinding', Schema>
> = {
  KeyStatus: {
    ...closed({
      policy: text,
      policyVersion: count,
      mode: { enum: ['block', 'monitor', 'off'] },
      version: text,
    }),
    description: 'The name of the policy of the key, what it does, and the version of the service.',
  },
  ShownFinding: {
    ...closed(
      {
        category,
        rule: text,
        cwe: text,
        severity,
        pointer: text,
        where,
        decoded: listOf(text),
        score,
        message: text,
      },
      {
        span,
        evidence: text,
      },
    ),
    description: 'Where and why something was found. `span` and `evidence` come with full detail.',
  },
  Allowed: {
    ...closed(
      {
        id: text,
        decision: { const: 'allow' },
        score,
        findings: listOf(ref('ShownFinding')),
        coverage: ref('Coverage'),
      },
      { would: { enum: ['allow', 'block'] } },
    ),
    description:
      'Proceed. `would` is the decision that a key in monitor mode would have got in block mode.',
  },
  Blocked: {
    ...closed(
      {
        type: text,
        title: text,
        status: { const: 403 },
        detail: text,
        id: text,
        decision: { const: 'block' },
        score,
      },
      { threshold: score, findings: listOf(ref('ShownFinding')), coverage: ref('Coverage') },
    ),
    description: 'Do not process the request. Minimal detail leaves out the optional fields.',
  },
};

const coverageExample = { complete: true, bytes: 68, reasons: [] };
export const allowedExample = {
  id: idExample,
  decision: 'allow',
  score: 0,
  findings: [],
  coverage: coverageExample,
} as const;

export const blockedExample = {
  type: problemType('threat-detected'),
  title: 'Threat detected',
  status: 403,
  detail: 'SQL injection in /username',
  id: idExample,
  decision: 'block',
  score: 95,
  threshold: 70,
  findings: [
    {
      category: 'sqli',
      rule: 'sqli.tautology',
      cwe: 'CWE-89',
      severity: 'critical',
      pointer: '/username',
      where: 'value',
      decoded: [],
      span: [0, 11],
      evidence: "' OR 1=1 --",
      score: 95,
      message: 'ends a literal or operand and adds a condition that is always true or false',
    },
  ],
  coverage: coverageExample,
} as const;
