import type { ErrorCode } from '../../../contract/errors.ts';
import type { ExplainInput, ExplainOutcome } from '../../../contract/explanation.ts';
import type { Management } from '../../../contract/management.ts';
import type { Policy } from '../../../contract/policy.ts';
import { faultAdvice } from '../../validate.ts';
import { type ApiAnswer, problem } from '../api-route.ts';

/** A policy to screen with, or why there is none. */
export type ChosenPolicy =
  | { readonly kind: 'policy'; readonly policy: Policy }
  | { readonly kind: 'refused'; readonly answer: ApiAnswer };

/** The policy that a request names or brings along. A document goes before an id. */
export async function policyFor(
  wish: { readonly policyId?: string; readonly document?: unknown },
  parts: Management,
): Promise<ChosenPolicy> {
  if (wish.document !== undefined) {
    const checked = await parts.policies.check(wish.document);
    if (checked.kind === 'valid') return { kind: 'policy', policy: checked.document };
    return { kind: 'refused', answer: notValid(checked.problems) };
  }
  const found = await parts.policies.find(wish.policyId ?? '');
  if (found !== undefined) return { kind: 'policy', policy: found.document };
  const errors = [{ pointer: '/policyId', message: 'must be the id of a policy' }];
  return { kind: 'refused', answer: { kind: 'problem', code: 'request-not-valid', errors } };
}

/** The answer to a document with faults; their pointers count from the document. */
export function notValid(
  problems: readonly { readonly pointer: string; readonly message: string }[],
): ApiAnswer {
  const errors = problems.map(({ pointer, message }) => ({
    pointer: `/document${pointer}`,
    message,
  }));
  return { kind: 'problem', code: 'request-not-valid', errors };
}

/** Asks the threads for an explanation, or says why there is none. */
export async function judge(
  input: ExplainInput,
  parts: Management,
): Promise<
  | Extract<ExplainOutcome, { kind: 'explained' }>
  | { readonly kind: 'refused'; readonly answer: ApiAnswer }
> {
  const outcome = await parts.explainer.explain(input);
  switch (outcome.kind) {
    case 'explained':
      return outcome;
    case 'rejected':
      return {
        kind: 'refused',
        answer: problem(outcome.fault, faultAdvice(outcome.fault, input.policy).detail),
      };
    case 'refused':
      return { kind: 'refused', answer: problem(refusals[outcome.reason]) };
    case 'failed':
      throw new Error(outcome.detail);
  }
}

const refusals = {
  overloaded: 'overloaded',
  draining: 'draining',
  'worker-lost': 'worker-lost',
  'body-too-large': 'body-too-large',
} as const satisfies Record<string, ErrorCode>;
