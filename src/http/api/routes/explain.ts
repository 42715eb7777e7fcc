import { defaultPolicyId } from '../../../contract/policy.ts';
import {
  addClient,
  forwardedForMember,
  noContext,
  type RequestContext,
} from '../../../contract/request.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { ref } from '../../../contract/schemas/api/build.ts';
import { type ApiRoute, defineRoute, ok } from '../api-route.ts';
import { judge, policyFor } from './judge.ts';

interface ExplainBody {
  readonly body: object;
  readonly context?: Partial<RequestContext>;
  readonly policyId?: string;
  readonly document?: unknown;
}

/** Trying something out: nothing is counted and nothing stored. */
export const explainRoutes: readonly ApiRoute[] = [
  defineRoute<ExplainBody>({
    method: 'POST',
    path: '/api/explain',
    access: 'editor',
    tag: 'explain',
    summary: 'Screen a body and see each field, decoding and rule on the way to the verdict',
    body: bodies.explain,
    status: 200,
    answer: ref('Explanation'),
    problems: ['overloaded', 'worker-lost'],
    async handle(call, parts) {
      const { context, ...wish } = call.body;
      const chosen = await policyFor({ policyId: defaultPolicyId, ...wish }, parts);
      if (chosen.kind !== 'policy') return chosen.answer;
      const chain: unknown = context?.for ?? Reflect.get(call.body.body, forwardedForMember);
      const client = typeof chain === 'string' ? parts.clientOf(chain) : '';
      const judged = await judge(
        {
          body: new TextEncoder().encode(JSON.stringify(call.body.body)),
          context: addClient({ ...noContext, ...context }, client),
          policy: chosen.policy,
          depth: 'fields',
        },
        parts,
      );
      return judged.kind === 'explained' ? ok(judged.explanation) : judged.answer;
    },
  }),
];
