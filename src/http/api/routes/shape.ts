import type { PolicyRecord } from '../../../contract/policies.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, ref } from '../../../contract/schemas/api/build.ts';
import type { ShapeOptions } from '../../../contract/shape-reader.ts';
import {
  type ApiAnswer,
  type ApiCall,
  type ApiRoute,
  defineRoute,
  done,
  ok,
  problem,
} from '../api-route.ts';
import { notValid } from './judge.ts';
import { refusal } from './policies.ts';
import { note } from './shapes.ts';

const tag = 'policies';
const path = '/api/policies/:id/shape';

interface ShapeBody extends ShapeOptions {
  readonly document: unknown;
  /** Where the shape goes: into the policy, its candidate, or nowhere. */
  readonly target?: 'policy' | 'candidate' | 'none';
  readonly comment?: string;
}

type Parts = Parameters<ApiRoute['handle']>[1];

/** What may come in, as a policy declares it. */
export const shapeRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path,
    access: 'viewer',
    tag,
    summary: 'The declared shape of a policy',
    status: 200,
    answer: closed({ shape: ref('Shape') }),
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const policy = await parts.policies.find(call.params['id'] ?? '');
      const shape = policy?.document.shape;
      return shape === undefined ? problem('no-such-resource') : ok({ shape });
    },
  }),
  defineRoute<ShapeBody>({
    method: 'PUT',
    path,
    access: 'editor',
    tag,
    summary: 'Declare the shape of a policy, from an OpenAPI document, a JSON Schema or a shape',
    body: bodies.declareShape,
    status: 200,
    answer: ref('DeclaredShape'),
    problems: ['no-such-resource', 'conflict'],
    handle: declareShape,
  }),
  defineRoute({
    method: 'DELETE',
    path,
    access: 'editor',
    tag,
    summary: 'Remove the declared shape: requests are screened by the detectors alone',
    status: 204,
    problems: ['no-such-resource', 'conflict'],
    async handle(call, parts) {
      const policy = await parts.policies.find(call.params['id'] ?? '');
      if (policy?.document.shape === undefined) return problem('no-such-resource');
      const { shape: _, ...document } = policy.document;
      const comment = 'Removed the declared shape';
      const outcome = await parts.policies.change(changeOf(policy, document, comment, call.actor));
      if (outcome.kind !== 'done') return refusal(outcome);
      const summary = `removed the shape of the policy ${policy.name}`;
      await note(call, parts, { action: 'shape.remove', target: policy.id, summary });
      return done;
    },
  }),
];

async function declareShape(call: ApiCall<ShapeBody>, parts: Parts): Promise<ApiAnswer> {
  const policy = await parts.policies.find(call.params['id'] ?? '');
  if (policy === undefined) return problem('no-such-resource');
  const { document: given, target = 'policy', comment, ...options } = call.body;
  const read = await parts.policies.readShape(given, options);
  if (read.kind === 'not-valid') return notValid(read.problems);
  const { shape, notes } = read;
  const answer = (version: number) => ok({ version, shape, notes });
  if (target === 'none') return answer(policy.version);
  if (target === 'candidate') {
    const document = { ...(policy.candidate?.document ?? policy.document), shape };
    const outcome = await parts.policies.setCandidate({ id: policy.id, document });
    if (outcome.kind !== 'done') return refusal(outcome);
    const summary = `declared a shape for the candidate of the policy ${policy.name}`;
    await note(call, parts, { action: 'candidate.set', target: policy.id, summary });
    return answer(outcome.policy.version);
  }
  const words = comment ?? `Declared the shape of ${shape.title ?? 'requests'}`;
  const document = { ...policy.document, shape };
  const outcome = await parts.policies.change(changeOf(policy, document, words, call.actor));
  if (outcome.kind !== 'done') return refusal(outcome);
  const summary = `declared the shape of the policy ${policy.name}`;
  await note(call, parts, { action: 'shape.declare', target: policy.id, summary });
  return answer(outcome.policy.version);
}

function changeOf({ id, version }: PolicyRecord, document: object, comment: string, by: string) {
  return { id, document, baseVersion: version, comment, by };
}
