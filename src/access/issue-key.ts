import { defaultScopes, type KeyScope } from '../contract/key-bounds.ts';
import type { KeyKind } from '../contract/key-directory.ts';
import { digestOf } from './key-digest.ts';
import { makeKey, makeKeyId } from './key-format.ts';
import type { KeyStore, RotateOutcome } from './key-store.ts';

/** What making keys needs. */
export interface KeyIssuer {
  readonly store: KeyStore;
  readonly pepper: Buffer;
}

/** Makes and stores a key. The answer is its only copy. */
export async function issueKey(
  issuer: KeyIssuer,
  wanted: {
    readonly name: string;
    readonly now: number;
    readonly expiresAt: number | undefined;
    readonly kind?: KeyKind;
    readonly policyId?: string;
    /** What the key may do; to screen and forward when not given. */
    readonly scopes?: readonly KeyScope[];
    readonly networks?: readonly string[];
    /** The secret for an id; a random one when not given. */
    readonly secretOf?: (id: string) => string;
  },
): Promise<{ readonly id: string; readonly key: string }> {
  const id = makeKeyId();
  const { kind = 'live', scopes = kind === 'admin' ? [] : defaultScopes, networks = [] } = wanted;
  const key = makeKey(id, kind, wanted.secretOf?.(id));
  await issuer.store.insert({
    id,
    name: wanted.name,
    kind,
    policyId: wanted.policyId,
    scopes,
    networks,
    digest: digestOf(key, issuer.pepper).toString('hex'),
    createdAt: wanted.now,
    expiresAt: wanted.expiresAt,
  });
  return { id, key };
}

/** Gives a key a new secret. The old one stops at `sunsetAt`. */
export async function rotateKey(
  issuer: KeyIssuer,
  wanted: { readonly id: string; readonly now: number; readonly sunsetAt: number },
): Promise<RotateOutcome & { readonly key: string }> {
  const kind = (await issuer.store.find(wanted.id))?.kind;
  const key = makeKey(wanted.id, kind);
  const digest = digestOf(key, issuer.pepper).toString('hex');
  return { ...(await issuer.store.rotate({ ...wanted, digest })), key };
}
