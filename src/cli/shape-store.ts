import type { Kysely } from 'kysely';
import { acts } from '../contract/acts.ts';
import { actors } from '../contract/audit.ts';
import type { Policies, PolicyOutcome, PolicyRecord } from '../contract/policies.ts';
import { defaultPolicyId } from '../contract/policy.ts';
import type { Shape } from '../contract/shape.ts';
import { readRequest } from '../core/extract/read-request.ts';
import { scoreOf } from '../core/verdict/verdict.ts';
import { createSqlEventStore } from '../events/sql-event-store.ts';
import { createSqlLearntStore } from '../policies/learnt-store.ts';
import { recentEvents } from '../policies/recent-events.ts';
import { createSqlPolicyStore } from '../policies/sql-policy-store.ts';
import { reportOn } from '../shape/learn/report.ts';
import type { Tables } from '../storage/tables.ts';
import { CommandError, type CommandInput, UsageError } from './command.ts';
import { policyIdOf } from './key-ring.ts';
import { openPolicies } from './policy-file.ts';
import { type NoteAct, requireDatabase, withDatabase } from './stored.ts';

interface ShapeChange {
  /** Undefined: there is to be none. */
  readonly shape: Shape | undefined;
  readonly comment: string;
  readonly target: 'policy' | 'candidate';
}

/** The policy that `--policy` names. */
export async function findPolicy(input: CommandInput): Promise<PolicyRecord | undefined> {
  return withPolicy(input, async (_policies, found) => found);
}

/** Stores the shape of a policy; undefined when another user changed the policy meanwhile. */
export async function changeShape(
  input: CommandInput,
  wish: ShapeChange,
): Promise<PolicyRecord | undefined> {
  return withPolicy(input, async (policies, found, note) => {
    const outcome = await change(policies, found, wish);
    switch (outcome.kind) {
      case 'done': {
        const action = wish.shape === undefined ? 'shape.remove' : 'shape.declare';
        await note({ action, target: found.id, summary: `${wish.comment}: ${found.name}` });
        return outcome.policy;
      }
      case 'not-valid':
        throw new UsageError(
          outcome.problems.map(({ pointer, message }) => `${pointer} ${message}`).join('; '),
        );
      default:
        return undefined;
    }
  });
}

function change(
  policies: Policies,
  { id, version, document, candidate }: PolicyRecord,
  { shape, comment, target }: ShapeChange,
): Promise<PolicyOutcome> {
  const { shape: _, ...rest } =
    target === 'candidate' ? (candidate?.document ?? document) : document;
  const changed = shape === undefined ? rest : { ...rest, shape };
  if (target === 'candidate') return policies.setCandidate({ id, document: changed });
  return policies.change({
    id,
    document: changed,
    baseVersion: version,
    comment,
    by: actors.commandLine,
  });
}

function withPolicy<T>(
  input: CommandInput,
  work: (
    policies: Policies,
    found: PolicyRecord,
    note: NoteAct,
    database: Kysely<Tables>,
  ) => Promise<T>,
): Promise<T> {
  requireDatabase(input.config);
  return withDatabase(input.config, async ({ database }, note) => {
    const wanted = input.text('policy') ?? defaultPolicyId;
    const id = await policyIdOf(createSqlPolicyStore(database), wanted);
    const policies = openPolicies(database);
    const found = await policies.find(id);
    if (found === undefined) {
      throw new CommandError(
        'No policy is stored yet: the first start of the service stores the default one.',
      );
    }
    return work(policies, found, note, database);
  });
}

/** Turns learning on or off; undefined when another user changed the policy meanwhile. */
export function setLearning(input: CommandInput, isOn: boolean): Promise<PolicyRecord | undefined> {
  return withPolicy(input, async (policies, found, note) => {
    const { id, version, name } = found;
    const { learnShape: _, ...rest } = found.document;
    const document = isOn ? { ...rest, learnShape: true } : rest;
    const comment = isOn ? 'Learn the shape of the traffic' : 'Stop learning the shape';
    const outcome = await policies.change({
      id,
      document,
      baseVersion: version,
      comment,
      by: actors.commandLine,
    });
    if (outcome.kind !== 'done') return undefined;
    await note({ action: 'policy.change', target: id, summary: `${comment}: ${name}` });
    return outcome.policy;
  });
}

/** What was learnt with a policy, as far as it is saved. */
export function learntOf(input: CommandInput) {
  return withPolicy(input, async (_policies, policy, _note, database) => {
    const stored = await createSqlLearntStore(database).find(policy.id);
    const recent = await recentEvents(createSqlEventStore(database), policy.id);
    const how = { recent, core: { readRequest, scoreOf } };
    return { policy, report: reportOn(stored?.document, policy.document.shape, how) };
  });
}

/** Forgets what was learnt with a policy. */
export function forgetLearnt(input: CommandInput): Promise<PolicyRecord> {
  return withPolicy(input, async (_policies, policy, note, database) => {
    await createSqlLearntStore(database).remove(policy.id);
    await note(acts.learntShapeForgotten(policy));
    return policy;
  });
}
