/** A policy as it lies in the store: documents are what was written, fit for today or not. */
export interface StoredPolicy {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  readonly document: unknown;
  readonly changedAt: number;
  readonly changedBy: string;
  readonly comment: string;
  readonly keys: readonly { readonly id: string; readonly name: string }[];
  readonly candidate: { readonly document: unknown; readonly since: number } | undefined;
}

/** One version of a policy. Times are milliseconds since 1970, UTC. */
export interface StoredVersion {
  readonly version: number;
  readonly hash: string;
  readonly document: unknown;
  readonly changedAt: number;
  readonly changedBy: string;
  readonly comment: string;
}

/** A version that is to be stored. */
export interface NewVersion {
  readonly id: string;
  /** A new name, where it changes. */
  readonly name: string | undefined;
  readonly document: unknown;
  readonly at: number;
  readonly by: string;
  readonly comment: string;
}

export type AppendOutcome =
  | { readonly kind: 'appended' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'stale'; readonly version: number };

/** Where policies are kept. Every change raises the revision; versions are never changed. */
export interface PolicyStore {
  revision(): Promise<number>;
  list(): Promise<readonly StoredPolicy[]>;
  find(id: string): Promise<StoredPolicy | undefined>;
  /** Stores version 1 of a new policy; false if the id is taken. */
  insert(policy: NewVersion & { readonly name: string }): Promise<boolean>;
  /** Stores a version after `baseVersion`, and ends the candidate where that was promoted. */
  append(
    version: NewVersion & { readonly baseVersion: number; readonly endsCandidate: boolean },
  ): Promise<AppendOutcome>;
  remove(id: string): Promise<'removed' | 'unknown' | 'in-use'>;
  /** Newest first; undefined if there is no such policy. */
  versions(id: string): Promise<readonly StoredVersion[] | undefined>;
  /** False if there is no such policy. */
  setCandidate(
    id: string,
    candidate: { readonly document: unknown; readonly since: number } | undefined,
  ): Promise<boolean>;
}
