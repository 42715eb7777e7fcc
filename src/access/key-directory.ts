import type { KeyDirectory, KeyEntry } from '../contract/key-directory.ts';
import { defaultPolicyId } from '../contract/policy.ts';
import { isStorageFault } from '../storage/fault.ts';
import { issueKey, type KeyIssuer, rotateKey } from './issue-key.ts';
import { isKeyId } from './key-format.ts';
import { isSecretLive, type KeyRecord, keyStateAt } from './key-store.ts';

/** What the directory is made of. */
export interface KeyDirectoryParts extends KeyIssuer {
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
  /** Called after each change, so that this process need not wait for its next poll. */
  readonly onChange: () => Promise<void>;
  /** Refuses a key on this machine because the store cannot take its revocation. */
  readonly revokeHere: (id: string, at: number) => Promise<void>;
}

/** The keys as administrators see and change them. */
export function createKeyDirectory(parts: KeyDirectoryParts): KeyDirectory {
  const { store, clock, onChange, revokeHere } = parts;
  const entryOf = (key: KeyRecord) => keyEntry(key, clock());
  const find = async (id: string) => {
    const key = await store.find(id);
    return key && entryOf(key);
  };
  const changed = async (id: string) => {
    await onChange();
    return find(id);
  };
  return {
    list: async () => (await store.list()).map(entryOf),
    find,
    async create({ policyId, ...wish }) {
      const now = clock();
      const policy = policyId === undefined ? {} : { policyId };
      const { id, key: secret } = await issueKey(parts, { ...wish, ...policy, now });
      const key = await changed(id);
      if (key === undefined) throw new Error(`The key ${id} was stored and is not there.`);
      return { key, secret };
    },
    change: async (id, wish) => ((await store.change(id, wish)) ? changed(id) : undefined),
    async rotate(id, sunsetSeconds) {
      const now = clock();
      const sunsetAt = now + sunsetSeconds * 1_000;
      const { key: secret, ...outcome } = await rotateKey(parts, { id, now, sunsetAt });
      if (outcome.kind !== 'rotated') return outcome;
      const key = await changed(id);
      return key === undefined ? { kind: 'unknown' } : { kind: 'rotated', key, secret };
    },
    async revoke(id) {
      const at = clock();
      try {
        await store.revoke(id, at);
      } catch (error) {
        if (!isStorageFault(error) || !isKeyId(id)) throw error;
        await revokeHere(id, at);
        return 'refused-here';
      }
      return changed(id);
    },
  };
}

function keyEntry(key: KeyRecord, now: number): KeyEntry {
  const retiring = key.secrets.find(
    (secret) => secret.sunsetAt !== undefined && isSecretLive(secret, now),
  );
  return {
    id: key.id,
    name: key.name,
    kind: key.kind,
    state: keyStateAt(key, now),
    createdAt: key.createdAt,
    expiresAt: key.expiresAt,
    lastUsedAt: key.lastUsedAt,
    revokedAt: key.revokedAt,
    policyId: key.policyId ?? defaultPolicyId,
    scopes: key.scopes,
    networks: key.networks,
    lastClient: key.lastClient,
    sunsetAt: retiring?.sunsetAt,
  };
}
