import { acts } from '../../../contract/acts.ts';
import type { LearntReport } from '../../../contract/learnt-shape.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { ref } from '../../../contract/schemas/api/build.ts';
import { type ApiAnswer, type ApiRoute, defineRoute, done, ok, problem } from '../api-route.ts';
import { refusal } from './policies.ts';
import { isoTime, note, present } from './shapes.ts';

const tag = 'policies';
const path = '/api/policies/:id/shape/learnt';

type Parts = Parameters<ApiRoute['handle']>[1];

/** The shape that the traffic of a policy has. */
export const learntShapeRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path,
    access: 'viewer',
    tag,
    summary: 'The shape that was learnt from traffic: a proposal with its evidence, and drift',
    status: 200,
    answer: ref('LearntShape'),
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const found = await reportOf(call.params['id'] ?? '', parts);
      if (found === undefined) return problem('no-such-resource');
      return ok(learntShape(found.report, found.policy.document.learnShape === true));
    },
  }),
  defineRoute<undefined, { readonly format?: 'openapi' | 'shape' }>({
    method: 'GET',
    path: `${path}/document`,
    access: 'viewer',
    tag,
    summary: 'The proposed shape as an OpenAPI 3.1 document, or as a shape',
    query: { format: { enum: ['openapi', 'shape'] } },
    status: 200,
    answer: { type: 'object' },
    headers: ['content-disposition'],
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const found = await reportOf(call.params['id'] ?? '', parts);
      const proposal = found?.report.proposal;
      if (proposal === undefined) return problem('no-such-resource', tooLittle);
      const format = call.query.format ?? 'openapi';
      const document = format === 'shape' ? proposal : parts.learnt.openApiOf(proposal);
      const name = format === 'shape' ? 'shape.json' : 'openapi.json';
      return ok(document, [['content-disposition', `attachment; filename="${name}"`]]);
    },
  }),
  defineRoute<{ readonly mode?: 'block' | 'monitor' }>({
    method: 'POST',
    path: `${path}/candidate`,
    access: 'editor',
    tag,
    summary: 'Try the proposed shape as a candidate beside the policy',
    body: bodies.adoptLearnt,
    status: 200,
    answer: ref('DeclaredShape'),
    problems: ['no-such-resource'],
    async handle(call, parts): Promise<ApiAnswer> {
      const found = await reportOf(call.params['id'] ?? '', parts);
      const shape = found?.report.proposal;
      if (found === undefined || shape === undefined) return problem('no-such-resource', tooLittle);
      const { policy } = found;
      const { mode } = call.body;
      const document = { ...policy.document, ...(mode === undefined ? {} : { mode }), shape };
      const outcome = await parts.policies.setCandidate({ id: policy.id, document });
      if (outcome.kind !== 'done') return refusal(outcome);
      const summary = `made the learnt shape the candidate of the policy ${policy.name}`;
      await note(call, parts, { action: 'candidate.set', target: policy.id, summary });
      return ok({ version: policy.version, shape, notes: [] });
    },
  }),
  defineRoute({
    method: 'DELETE',
    path,
    access: 'editor',
    tag,
    summary: 'Forget what was learnt from the traffic of a policy',
    status: 204,
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const policy = await parts.policies.find(call.params['id'] ?? '');
      if (policy === undefined) return problem('no-such-resource');
      await parts.learnt.reset(policy.id);
      await note(call, parts, acts.learntShapeForgotten(policy));
      return done;
    },
  }),
];

const tooLittle =
  'Too little was seen for a proposal: at least one route with 20 requests is needed. ' +
  'Set learnShape in the policy, and send traffic.';

async function reportOf(id: string, parts: Parts) {
  const policy = await parts.policies.find(id);
  if (policy === undefined) return undefined;
  return { policy, report: await parts.learnt.report(id, policy.document.shape) };
}

function learntShape(report: LearntReport, isLearning: boolean): object {
  const { first, last, proposal, evidence, drift, ...rest } = report;
  return {
    learning: isLearning,
    ...rest,
    ...present({
      first: first === undefined ? undefined : isoTime(first),
      last: last === undefined ? undefined : isoTime(last),
      proposal,
    }),
    evidence: evidence.slice(0, evidenceShownMax),
    drift: drift.map((one) => ({ ...one, first: isoTime(one.first), last: isoTime(one.last) })),
  };
}

const evidenceShownMax = 5_000;
