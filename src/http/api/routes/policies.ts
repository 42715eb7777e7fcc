import { acts } from '../../../contract/acts.ts';
import type { Category } from '../../../contract/category.ts';
import { withWrittenClients } from '../../../contract/exclusion-clients.ts';
import type { PolicyOutcome } from '../../../contract/policies.ts';
import { bodies } from '../../../contract/schemas/api/bodies.ts';
import { closed, listOf, ref } from '../../../contract/schemas/api/build.ts';
import { isWide, wideMessage } from '../../../contract/wide-exclusion.ts';
import {
  type ApiAnswer,
  type ApiRoute,
  created,
  defineRoute,
  done,
  ok,
  problem,
} from '../api-route.ts';
import { exclusionFaults, scopeText } from './exclusion-faults.ts';
import { notValid } from './judge.ts';
import { isoTime, note, notePolicy, policyShape } from './shapes.ts';

const tag = 'policies';
const policyAnswer = closed({ policy: ref('Policy') });

interface NewExclusionBody {
  readonly pointer: string;
  readonly category?: Category;
  readonly rule?: string;
  readonly reason: string;
  readonly method?: string;
  readonly path?: string;
  readonly clients?: readonly string[];
  readonly expiresAt?: string;
  /** Said of an exclusion that counts in every field of every request. */
  readonly acceptWide?: boolean;
}

/** Policies and exclusions; versions and candidates have files of their own. */
export const policyRoutes: readonly ApiRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/api/policies',
    access: 'viewer',
    tag,
    summary: 'All policies; the one with the id `default` is always there',
    status: 200,
    answer: closed({ policies: listOf(ref('PolicyRow')) }),
    async handle(_call, parts) {
      const policies = await parts.policies.list();
      return ok({
        policies: policies.map(({ id, name, version, hash, updatedBy, ...policy }) => ({
          id,
          name,
          version,
          hash,
          updatedAt: isoTime(policy.updatedAt),
          updatedBy,
          keys: policy.keys.length,
          hasCandidate: policy.candidate !== undefined,
          mode: policy.document.mode,
          sensitivity: policy.document.sensitivity,
        })),
      });
    },
  }),
  defineRoute<{
    readonly name: string;
    readonly document: unknown;
    readonly comment?: string;
    readonly acceptWide?: boolean;
  }>({
    method: 'POST',
    path: '/api/policies',
    access: 'editor',
    tag,
    summary: 'Create a policy',
    body: bodies.createPolicy,
    status: 201,
    answer: policyAnswer,
    async handle(call, parts) {
      const wish = { comment: '', ...call.body, by: call.actor };
      const outcome = await parts.policies.create(wish);
      if (outcome.kind !== 'done') return refusal(outcome);
      const { policy } = outcome;
      await note(call, parts, acts.policyCreated(policy));
      return created({ policy: policyShape(policy) });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/policies/:id',
    access: 'viewer',
    tag,
    summary: 'A policy with its document',
    status: 200,
    answer: policyAnswer,
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const policy = await parts.policies.find(call.params['id'] ?? '');
      return policy === undefined
        ? problem('no-such-resource')
        : ok({ policy: policyShape(policy) });
    },
  }),
  defineRoute<{
    readonly name?: string;
    readonly document: unknown;
    readonly baseVersion: number;
    readonly comment: string;
    readonly acceptWide?: boolean;
  }>({
    method: 'PUT',
    path: '/api/policies/:id',
    access: 'editor',
    tag,
    summary: 'Store a new version of a policy; all workers have it within a second',
    body: bodies.changePolicy,
    status: 200,
    answer: policyAnswer,
    problems: ['no-such-resource', 'conflict'],
    async handle(call, parts) {
      const id = call.params['id'] ?? '';
      const outcome = await parts.policies.change({ ...call.body, id, by: call.actor });
      if (outcome.kind !== 'done') return refusal(outcome);
      const { policy } = outcome;
      await notePolicy(call, parts, { ...acts.policyStored(policy), policy });
      return ok({ policy: policyShape(policy) });
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/policies/:id',
    access: 'editor',
    tag,
    summary: 'Remove a policy that no key uses',
    status: 204,
    problems: ['no-such-resource', 'conflict'],
    async handle(call, parts) {
      const id = call.params['id'] ?? '';
      switch (await parts.policies.remove(id)) {
        case 'unknown':
          return problem('no-such-resource');
        case 'in-use':
          return problem('conflict', 'Keys use this policy. Give them another one first.');
        case 'is-default':
          return problem(
            'conflict',
            'The default policy cannot be deleted: keys that name no policy use it.',
          );
        case 'removed':
          await parts.learnt.reset(id);
          await note(call, parts, {
            action: 'policy.remove',
            target: id,
            summary: `removed the policy ${id}`,
          });
          return done;
      }
    },
  }),
  defineRoute<NewExclusionBody>({
    method: 'POST',
    path: '/api/policies/:id/exclusions',
    access: 'editor',
    tag,
    summary: 'Add one exclusion to a policy, as a new version',
    body: bodies.exclude,
    status: 200,
    answer: policyAnswer,
    problems: ['no-such-resource'],
    async handle(call, parts) {
      const id = call.params['id'] ?? '';
      const { acceptWide = false, ...exclusion } = call.body;
      const faults = exclusionFaults(exclusion, '');
      if (isWide(exclusion) && !acceptWide) {
        faults.push({ pointer: '/pointer', message: wideMessage });
      }
      if (faults.length > 0) return { kind: 'problem', code: 'request-not-valid', errors: faults };
      const outcome = await parts.policies.exclude({ id, exclusion, by: call.actor });
      if (outcome.kind !== 'done') return refusal(outcome);
      const { policy } = outcome;
      const what = exclusion.rule ?? exclusion.category;
      const summary = `excluded ${what} at ${exclusion.pointer}${scopeText(withWrittenClients(exclusion))} in the policy ${policy.name}`;
      await notePolicy(call, parts, { action: 'policy.exclude', policy, summary });
      return ok({ policy: policyShape(policy) });
    },
  }),
];

/** Why a change was not made. */
export function refusal(outcome: Exclude<PolicyOutcome, { kind: 'done' }>): ApiAnswer {
  switch (outcome.kind) {
    case 'unknown':
      return problem('no-such-resource');
    case 'stale':
      return problem(
        'conflict',
        `Version ${outcome.version} is the newest: read it, and make your change to that one.`,
      );
    case 'not-valid':
      return notValid(outcome.problems);
  }
}
