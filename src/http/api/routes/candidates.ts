import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, ref } from '../../../contract/schemas/api/build.ts';
import { type ApiRoute, defineRoute, done, ok, problem } from '../api-route.ts';
import { refusal } from './policies.ts';
import { candidateShape, isoTime, note, notePolicy, policyShape } from './shapes.ts';

const tag = 'policies';
const path = '/api/policies/:id/candidate';

/** A document that is tried in the shadow of a policy before it takes its place. */
export const candidateRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path,
    access: 'viewer',
    tag,
    summary: 'What the candidate would newly block and newly allow, by field',
    status: 200,
    answer: closed({ candidate: ref('CandidateReport') }),
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const id = call.params['id'] ?? '';
      const report = parts.policies.shadow(id);
      if (report !== undefined) {
        return ok({ candidate: { ...report, since: isoTime(report.since) } });
      }
      const candidate = (await parts.policies.find(id))?.candidate;
      if (candidate === undefined) return problem('no-such-resource');
      // Stored a moment ago: nothing was screened with it yet.
      const counts = { screened: 0, dropped: 0, newlyBlocked: [], newlyFreed: [] };
      return ok({ candidate: { ...candidateShape(candidate), ...counts } });
    },
  }),
  defineRoute<{ readonly document: unknown; readonly acceptWide?: boolean }>({
    method: 'PUT',
    path,
    access: 'editor',
    tag,
    summary: 'Try a document as a candidate beside a policy',
    body: bodies.candidate,
    status: 200,
    answer: closed({ candidate: ref('Candidate') }),
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const id = call.params['id'] ?? '';
      const outcome = await parts.policies.setCandidate({ ...call.body, id });
      if (outcome.kind !== 'done') return refusal(outcome);
      const { candidate, name } = outcome.policy;
      if (candidate === undefined) return problem('no-such-resource');
      const summary = `set a candidate for the policy ${name}`;
      await note(call, parts, { action: 'candidate.set', target: id, summary });
      return ok({ candidate: candidateShape(candidate) });
    },
  }),
  defineRoute({
    method: 'DELETE',
    path,
    access: 'editor',
    tag,
    summary: 'Drop the candidate',
    status: 204,
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const id = call.params['id'] ?? '';
      const outcome = await parts.policies.dropCandidate(id);
      if (outcome.kind !== 'done') return refusal(outcome);
      const summary = `dropped the candidate of the policy ${outcome.policy.name}`;
      await note(call, parts, { action: 'candidate.drop', target: id, summary });
      return done;
    },
  }),
  defineRoute<{ readonly baseVersion: number; readonly comment: string }>({
    method: 'POST',
    path: `${path}/promote`,
    access: 'editor',
    tag,
    summary: 'Promote the candidate: it replaces the policy, as a new version',
    body: bodies.promote,
    status: 200,
    answer: closed({ policy: ref('Policy') }),
    problems: ['no-such-resource', 'conflict'],
    async handle(call, parts) {
      const id = call.params['id'] ?? '';
      const wish = { ...call.body, id, by: call.actor };
      const outcome = await parts.policies.promoteCandidate(wish);
      if (outcome.kind !== 'done') return refusal(outcome);
      const { policy } = outcome;
      const summary = `promoted the candidate of ${policy.name} to version ${policy.version}`;
      await notePolicy(call, parts, { action: 'candidate.promote', policy, summary });
      return ok({ policy: policyShape(policy) });
    },
  }),
];
