import type { KeyScope } from '../contract/key-bounds.ts';
import type { KeyKind } from '../contract/key-directory.ts';

/** One of the secrets of a key. There are two while a rotation is under way. */
export interface SecretRecord {
  /** HMAC-SHA-256 of the whole key, hexadecimal. */
  readonly digest: string;
  readonly createdAt: number;
  /** From then on the secret is refused; undefined for the current one. */
  readonly sunsetAt: number | undefined;
}

/** A key as it is stored. Times are milliseconds since 1970, UTC. */
export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly lastUsedAt: number | undefined;
  readonly revokedAt: number | undefined;
  readonly policyId: string | undefined;
  /** None of an administrator key. */
  readonly scopes: readonly KeyScope[];
  /** Empty: from everywhere. */
  readonly networks: readonly string[];
  /** Who sent the last request; the application server, a proxy. */
  readonly lastClient: string | undefined;
  readonly secrets: readonly SecretRecord[];
}

/** A key that is to be stored. */
export interface NewKey {
  readonly id: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly policyId: string | undefined;
  readonly scopes: readonly KeyScope[];
  readonly networks: readonly string[];
  readonly digest: string;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
}

/** What can be changed of a key. What is left out stays. */
export interface KeyChange {
  readonly name?: string;
  readonly policyId?: string;
  /** Null: the key expires no more. */
  readonly expiresAt?: number | null;
  readonly scopes?: readonly KeyScope[];
  readonly networks?: readonly string[];
}

/** A new secret for a key that exists. */
export interface NewSecret {
  readonly id: string;
  readonly digest: string;
  readonly now: number;
  /** When the old secret stops; at or before `now` means at once. */
  readonly sunsetAt: number;
}

/** What came of a rotation. */
export type RotateOutcome =
  | { readonly kind: 'rotated' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'revoked' }
  /** An earlier rotation has not ended: there are two live secrets already. */
  | { readonly kind: 'under-way'; readonly sunsetAt: number };

/** All keys that changed after a revision, and the revision that they bring the reader to. */
export interface KeyChanges {
  readonly revision: number;
  readonly keys: readonly KeyRecord[];
}

/** Where keys are kept. Every change of a key, but not its last use, raises the revision. */
export interface KeyStore {
  insert(key: NewKey): Promise<void>;
  list(): Promise<readonly KeyRecord[]>;
  find(id: string): Promise<KeyRecord | undefined>;
  /** False if there is no such key. */
  change(id: string, change: KeyChange): Promise<boolean>;
  /** False if there is no such live key. */
  revoke(id: string, at: number): Promise<boolean>;
  rotate(secret: NewSecret): Promise<RotateOutcome>;
  revision(): Promise<number>;
  changedSince(revision: number): Promise<KeyChanges>;
  /** Notes when keys were last used. An older use than the stored one is dropped. */
  recordUse(uses: ReadonlyMap<string, number>): Promise<void>;
  /** Refuses a pepper other than the one that the stored keys were digested with. */
  bindPepper(mark: string): Promise<void>;
}

export type KeyState = 'active' | 'expired' | 'revoked';

/** Whether a key is live at a moment, and why not. */
export function keyStateAt(key: Pick<KeyRecord, 'expiresAt' | 'revokedAt'>, now: number): KeyState {
  if (key.revokedAt !== undefined) return 'revoked';
  return key.expiresAt !== undefined && key.expiresAt <= now ? 'expired' : 'active';
}

/** Whether a secret of a live key is accepted at a moment. */
export function isSecretLive(secret: Pick<SecretRecord, 'sunsetAt'>, now: number): boolean {
  return secret.sunsetAt === undefined || now < secret.sunsetAt;
}
