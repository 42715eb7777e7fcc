/**
 * What people and keys may do, from least to most; each may do what those before it may.
 *
 * - `viewer` reads everything but who may sign in.
 * - `editor` also changes policies, exclusions, address lists, shapes and triage, and tries requests out.
 * - `administrator` also manages keys, administrators and notifications, and exports the audit.
 */
export const roles = ['viewer', 'editor', 'administrator'] as const;

/** One of the roles. */
export type Role = (typeof roles)[number];

/** Who acts: a person in a session, or a key that manages. */
export interface Actor {
  /** The name of an administrator, or `key:<id> <name>`. */
  readonly actor: string;
  readonly role: Role;
}

/** Whether an actor may do what needs a role. The one place that compares roles. */
export function mayAct({ role }: Pick<Actor, 'role'>, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}
