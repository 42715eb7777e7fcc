/** One value before and after; absent where there was or is none. */
export interface AuditChange {
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Actors that are no people. */
export const actors = {
  commandLine: 'cli',
  /** On public routes. */
  unknown: 'nobody',
  identityProvider: 'single sign-on',
} as const;

const keyPrefix = 'key:';

/** The actor of an administrator key. */
export function keyActor({ keyId, name }: { readonly keyId: string; readonly name: string }) {
  return `${keyPrefix}${keyId} ${name}`;
}

/** Whether an administrator of that name could pass for an actor that is no person. */
export function isActorName(name: string): boolean {
  const plain = name.toLowerCase();
  return plain.startsWith(keyPrefix) || Object.values<string>(actors).includes(plain);
}

/** What an administrator did. */
export interface AuditAct {
  /** The name of an administrator, that of `keyActor`, or one of `actors`. */
  readonly actor: string;
  /** `<thing>.<verb>`, such as `key.revoke`. */
  readonly action: string;
  /** The id of what it was done to; empty where there is none. */
  readonly target: string;
  /** One sentence without secrets. */
  readonly summary: string;
  /** The network address that it came from. */
  readonly address?: string;
  /** What changed its value, without secrets. */
  readonly changes?: readonly AuditChange[];
}

export interface AuditEntry extends AuditAct {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** Which entries are wanted. Times are milliseconds since 1970, UTC. */
export interface AuditFilter {
  readonly actor?: string;
  /** A whole action, or a thing for all that was done to its kind. */
  readonly action?: string;
  /** Inclusive. */
  readonly from?: number;
  /** Exclusive. */
  readonly to?: number;
}

/** The record of administrative acts. The database itself refuses to change or remove an entry. */
export interface AuditStore {
  append(act: AuditAct, at: number): Promise<void>;
  /** The newest first. */
  list(
    page: AuditFilter & { readonly cursor?: string; readonly limit: number },
  ): Promise<{ readonly entries: readonly AuditEntry[]; readonly next?: string }>;
  /** All of them, the newest first, in pieces. */
  stream(filter: AuditFilter): AsyncIterable<AuditEntry>;
}

/** The members whose values differ. */
export function changesBetween(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): AuditChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => ({
      field: name,
      ...(before[name] === undefined ? {} : { from: before[name] }),
      ...(after[name] === undefined ? {} : { to: after[name] }),
    }));
}
