import { createHmac } from 'node:crypto';
import { issueKey, type KeyIssuer } from './issue-key.ts';
import { digestOf } from './key-digest.ts';
import { base62From, makeKey } from './key-format.ts';
import { type KeyRecord, keyStateAt } from './key-store.ts';

/**
 * The key of those who try the service: the same at each start, so that there is one of them. Its
 * secret is made of the pepper and its id, and stored nowhere. Rotated or revoked, it is followed by
 * another one with the next start. It is good until `expiresAt` again. `id` is there when the key
 * was made now.
 */
export async function firstKey(
  issuer: KeyIssuer,
  wanted: { readonly name: string; readonly now: number; readonly expiresAt: number },
): Promise<{ readonly key: string; readonly id?: string }> {
  const { store, pepper } = issuer;
  const { name, now, expiresAt } = wanted;
  const secretOf = (id: string) => secretFrom(pepper, id);
  for (const record of await store.list()) {
    const key = makeKey(record.id, 'live', secretOf(record.id));
    const digest = digestOf(key, pepper).toString('hex');
    if (record.name !== name || !isGood(record, digest, now)) continue;
    if (record.expiresAt !== undefined) await store.change(record.id, { expiresAt });
    return { key };
  }
  return issueKey(issuer, { name, now, expiresAt, secretOf });
}

/** Whether a key is live, and this the digest of its current secret. */
function isGood(record: KeyRecord, digest: string, now: number): boolean {
  if (record.kind !== 'live' || keyStateAt(record, now) !== 'active') return false;
  return record.secrets.some((secret) => secret.digest === digest && secret.sunsetAt === undefined);
}

function secretFrom(pepper: Buffer, id: string): string {
  let block = 0;
  return base62From(() => {
    block += 1;
    return createHmac('sha256', pepper).update(`sallyport first key\n${id}\n${block}`).digest();
  });
}
