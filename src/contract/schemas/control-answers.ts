import { closed, count, listOf, ref, type Schema, score, text } from './api/build.ts';

/** What `POST /control` answers. The members of a finding depend on the key's level of detail. */
export const controlAnswers: Readonly<Record<'Allowed' | 'Blocked' | 'ShownFinding', Schema>> = {
  ShownFinding: {
    ...closed(
      {
        category: text,
        rule: text,
        cwe: text,
        severity: text,
        pointer: text,
        where: text,
        decoded: listOf(text),
        score,
        message: text,
      },
      {
        span: { type: 'array', items: count, minItems: 2, maxItems: 2 },
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
    description: 'Carry on. `would` says what a key in monitor mode would have had.',
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
    description: 'Do not process the request. Minimal detail leaves out the optional members.',
  },
};
