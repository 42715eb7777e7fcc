import type { Policies, PolicyOutcome, PolicyRecord } from '../contract/policies.ts';
import { defaultPolicyId } from '../contract/policy.ts';
import type { Shape } from '../contract/shape.ts';
import { createSqlPolicyStore } from '../policies/sql-policy-store.ts';
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
  return policies.change({ id, document: changed, baseVersion: version, comment, by: 'cli' });
}

function withPolicy<T>(
  input: CommandInput,
  work: (policies: Policies, found: PolicyRecord, note: NoteAct) => Promise<T>,
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
    return work(policies, found, note);
  });
}
