import { randomUUID } from 'node:crypto';
import { type Network, narrowerThan, networkOf } from '../contract/address.ts';
import type { AddressDirectory, AddressEntry, NewAddresses } from '../contract/address-list.ts';
import { limits } from '../contract/limits.ts';
import type { AddressStore } from './address-store.ts';

/** So long an entry that has expired is shown. */
const keepMs = 7 * 86_400_000;

/** What manages the lists is made of. */
export interface AddressDirectoryParts {
  readonly store: AddressStore;
  readonly hasPolicy: (id: string) => Promise<boolean>;
  readonly clock: () => number;
  /** Puts in force here what was stored. */
  readonly onChange: () => Promise<void>;
}

/** Adds and removes what is listed. */
export function createAddressDirectory(parts: AddressDirectoryParts): AddressDirectory {
  const { store, hasPolicy, clock, onChange } = parts;
  return {
    async list() {
      const from = clock() - keepMs;
      return (await store.list()).filter(({ expiresAt = from }) => expiresAt >= from);
    },
    async add(wish, by) {
      const problems: { pointer: string; message: string }[] = [];
      const networks = new Set<string>();
      wish.networks.forEach((given, index) => {
        const network = networkOf(given);
        const message = 'problem' in network ? network.problem : tooWide(network, wish);
        if (message !== undefined) problems.push({ pointer: `/networks/${index}`, message });
        else if ('text' in network) networks.add(network.text);
      });
      const now = clock();
      if (wish.expiresAt !== undefined && wish.expiresAt <= now) {
        problems.push({ pointer: '/expiresAt', message: 'is over already; name a time to come' });
      }
      if (problems.length > 0) return { kind: 'not-valid', problems };
      if (wish.policyId !== undefined && !(await hasPolicy(wish.policyId))) {
        return { kind: 'no-policy' };
      }
      const entries = [...networks].map((network): AddressEntry => {
        const { action, policyId, reason, expiresAt } = wish;
        const made = { id: randomUUID(), author: by, createdAt: now };
        return { ...made, network, action, policyId, reason, expiresAt };
      });
      const most = limits.addressEntriesMax;
      if (!(await store.put(entries, { most, forgottenBefore: now - keepMs }))) {
        return { kind: 'full', most };
      }
      await onChange();
      return { kind: 'done', entries };
    },
    async remove(id) {
      const removed = await store.remove(id);
      if (removed !== undefined) await onChange();
      return removed;
    },
  };
}

/** A prefix of nothing is everyone: a slip that would refuse or unscreen all clients. */
function tooWide(network: Network, { action }: NewAddresses): string | undefined {
  const prefix = narrowerThan(network);
  if (prefix === undefined) return undefined;
  const effect = action === 'deny' ? 'refuse' : 'leave unscreened';
  return `is so wide that it would ${effect} much of the Internet; list a prefix of ${prefix} or longer`;
}
