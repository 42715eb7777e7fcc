import type { KeyScope } from './key-bounds.ts';
import type { Role } from './roles.ts';

/** `live` keys are for applications, `admin` keys for people and scripts that administer. */
export type KeyKind = 'live' | 'admin';

/** A key at the management API. */
export interface ManagingKey {
  readonly keyId: string;
  readonly name: string;
  /** A key of an application with the scope `manage` is an editor. */
  readonly role: Role;
}

/** A key as administrators see it. Times are milliseconds since 1970, UTC. */
export interface KeyEntry {
  readonly id: string;
  readonly name: string;
  readonly kind: KeyKind;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
  readonly lastUsedAt: number | undefined;
  readonly revokedAt: number | undefined;
  readonly policyId: string;
  /** None of an administrator key, which is no key of an application. */
  readonly scopes: readonly KeyScope[];
  /** In their one written form; empty: from everywhere. */
  readonly networks: readonly string[];
  /** Who sent its last request: the application server, a proxy; `unix` for a Unix socket. */
  readonly lastClient: string | undefined;
  /** While a rotation is under way: when the old secret stops. */
  readonly sunsetAt: number | undefined;
}

export type KeyRotation =
  | { readonly kind: 'rotated'; readonly key: KeyEntry; readonly secret: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'under-way'; readonly sunsetAt: number };

/** The keys as the management API uses them. Rejects when the database cannot be used. */
export interface KeyDirectory {
  list(): Promise<readonly KeyEntry[]>;
  find(id: string): Promise<KeyEntry | undefined>;
  /** The secret is given out here and never again. */
  create(wish: {
    readonly name: string;
    readonly kind: KeyKind;
    readonly expiresAt: number | undefined;
    readonly policyId: string | undefined;
    readonly scopes?: readonly KeyScope[];
    readonly networks?: readonly string[];
  }): Promise<{ readonly key: KeyEntry; readonly secret: string }>;
  /** Undefined if there is no such key. */
  change(
    id: string,
    wish: {
      readonly name?: string;
      readonly policyId?: string;
      /** Null: the key expires no more. */
      readonly expiresAt?: number | null;
      readonly scopes?: readonly KeyScope[];
      readonly networks?: readonly string[];
    },
  ): Promise<KeyEntry | undefined>;
  rotate(id: string, sunsetSeconds: number): Promise<KeyRotation>;
  /**
   * Undefined if there is no such key; one that is revoked already stays as it is. `refused-here`:
   * the database cannot take it now, and this machine refuses the key from now on.
   */
  revoke(id: string): Promise<KeyEntry | undefined | 'refused-here'>;
}
