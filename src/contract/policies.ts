import type { PolicyProblem } from './explanation.ts';
import type { Exclusion, Policy } from './policy.ts';
import type { ShapeOptions, ShapeOutcome } from './shape-reader.ts';

/** A policy as it is stored. Times are milliseconds since 1970, UTC. */
export interface PolicyRecord {
  readonly id: string;
  readonly name: string;
  /** From 1, one more with each change of the document. */
  readonly version: number;
  /** SHA-256 of the document, hexadecimal; the same document has the same hash. */
  readonly hash: string;
  readonly document: Policy;
  readonly updatedAt: number;
  readonly updatedBy: string;
  readonly comment: string;
  /** The keys that name it. */
  readonly keys: readonly { readonly id: string; readonly name: string }[];
  readonly candidate: CandidateRecord | undefined;
}

/** A document that runs in the shadow of a policy. */
export interface CandidateRecord {
  readonly document: Policy;
  readonly since: number;
}

export interface PolicyVersion {
  readonly version: number;
  readonly hash: string;
  readonly at: number;
  readonly by: string;
  readonly comment: string;
  readonly document: Policy;
}

/** What came of a wish to change something. */
export type PolicyOutcome =
  | { readonly kind: 'done'; readonly policy: PolicyRecord }
  | { readonly kind: 'unknown' }
  /** `baseVersion` is not the newest: another user changed the policy meanwhile. */
  | { readonly kind: 'stale'; readonly version: number }
  | { readonly kind: 'not-valid'; readonly problems: readonly PolicyProblem[] };

export type RemoveOutcome = 'removed' | 'unknown' | 'in-use' | 'is-default';

/** A place where the candidate decides otherwise than the policy. */
export interface ShadowDifference {
  readonly pointer: string;
  readonly category: string;
  readonly rule: string;
  readonly count: number;
  /** The decision id of the last such request. */
  readonly lastEventId?: string;
  /** The first such requests that no event tells of: a few, without secrets. */
  readonly examples: readonly ShadowExample[];
}

/** A request that a candidate would newly block. */
export interface ShadowExample {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Empty where it stood in a member that looks secret. */
  readonly evidence: string;
  /** Where the application server said so. */
  readonly method?: string;
  readonly path?: string;
  readonly client?: string;
}

/** What a candidate would change, counted in this process since it took the candidate up. */
export interface ShadowReport {
  readonly document: Policy;
  readonly since: number;
  readonly screened: number;
  /** Requests that were left out because screening had no time to spare. */
  readonly dropped: number;
  readonly newlyBlocked: readonly ShadowDifference[];
  readonly newlyFreed: readonly ShadowDifference[];
}

/** One difference between two documents, in the manner of RFC 6902. */
export interface PolicyChange {
  readonly op: 'add' | 'remove' | 'replace';
  readonly pointer: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

export type NewExclusion = Pick<
  Exclusion,
  'pointer' | 'category' | 'rule' | 'method' | 'path' | 'clients' | 'reason' | 'expiresAt'
>;

/**
 * The policies as the management API uses them. Documents come from outside (`unknown`): each is
 * filled with defaults and validated as a whole before it is stored. An exclusion that is new and
 * counts in every field of every request needs `acceptWide`. Reads and writes reject when the
 * database cannot be used.
 */
export interface Policies {
  list(): Promise<readonly PolicyRecord[]>;
  find(id: string): Promise<PolicyRecord | undefined>;
  /** Newest first; undefined if there is no such policy. */
  versions(id: string): Promise<readonly PolicyVersion[] | undefined>;
  /** A document filled with defaults, or what is wrong with it. */
  check(
    document: unknown,
  ): Promise<
    | { readonly kind: 'valid'; readonly document: Policy }
    | { readonly kind: 'not-valid'; readonly problems: readonly PolicyProblem[] }
  >;
  /** The shape that a document declares: see `ShapeReader`. */
  readShape(document: unknown, options: ShapeOptions): Promise<ShapeOutcome>;
  create(wish: {
    readonly name: string;
    readonly document: unknown;
    readonly comment: string;
    readonly by: string;
    readonly acceptWide?: boolean;
  }): Promise<PolicyOutcome>;
  change(wish: {
    readonly id: string;
    readonly name?: string;
    readonly document: unknown;
    readonly baseVersion: number;
    readonly comment: string;
    readonly by: string;
    readonly acceptWide?: boolean;
  }): Promise<PolicyOutcome>;
  remove(id: string): Promise<RemoveOutcome>;
  rollBack(wish: {
    readonly id: string;
    readonly version: number;
    readonly comment: string;
    readonly by: string;
  }): Promise<PolicyOutcome>;
  /** Adds one exclusion to the newest document. */
  exclude(wish: {
    readonly id: string;
    readonly exclusion: NewExclusion;
    readonly by: string;
  }): Promise<PolicyOutcome>;
  setCandidate(wish: {
    readonly id: string;
    readonly document: unknown;
    readonly acceptWide?: boolean;
  }): Promise<PolicyOutcome>;
  dropCandidate(id: string): Promise<PolicyOutcome>;
  promoteCandidate(wish: {
    readonly id: string;
    readonly baseVersion: number;
    readonly comment: string;
    readonly by: string;
  }): Promise<PolicyOutcome>;
  /** The differences that lead from one document to another. */
  diff(from: Policy, to: Policy): readonly PolicyChange[];
  /** What the candidate of a policy would change; undefined without a candidate. */
  shadow(id: string): ShadowReport | undefined;
}

/** The policies that are in force in this process. */
export interface PolicySource {
  /** Expired exclusions are left out. A policy that is not there is the default one. */
  inForce(id: string): PolicyInForce;
  /** Calls back after any policy was replaced. */
  onChange(listener: () => void): void;
}

/** A policy as requests are screened with it. */
export interface PolicyInForce {
  readonly id: string;
  readonly version: number;
  readonly policy: Policy;
  readonly candidate?: CandidateRecord;
  /** Whether an exclusion of it or of its candidate names clients. */
  readonly asksClient?: boolean;
}
