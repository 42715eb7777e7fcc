import { defaultPolicyId, type Policy } from '../contract/policy.ts';
import type { Log } from '../contract/ports.ts';
import { hashOf } from './document.ts';
import type { PolicyStore } from './policy-store.ts';

/** The author of what the settings say. */
export const settingsAuthor = 'settings';

/**
 * The settings write the default policy until it is edited: the first start makes version 1,
 * a later start with other settings a further version. From the first edit on the stored policy
 * counts, and settings that say otherwise are reported and change nothing.
 */
export async function seedDefaultPolicy(parts: {
  readonly store: PolicyStore;
  readonly policy: Policy;
  readonly now: number;
  readonly log: Log;
}): Promise<void> {
  const { store, policy, now, log } = parts;
  const found = await store.find(defaultPolicyId);
  const version = {
    id: defaultPolicyId,
    document: policy,
    at: now,
    by: settingsAuthor,
    comment: 'As the settings say',
  };
  if (found === undefined) {
    await store.insert({ ...version, name: 'Default' });
  } else if (found.hash !== hashOf(policy)) {
    if (found.changedBy === settingsAuthor) {
      const baseVersion = found.version;
      await store.append({ ...version, name: undefined, baseVersion, endsCandidate: false });
    } else if (!(await wasSeeded(store, hashOf(policy)))) {
      log.warn(
        { policyVersion: found.version, by: found.changedBy },
        'the default policy was edited and counts; mode, sensitivity and the like in the settings do not',
      );
    }
  }
}

/** Whether the settings said the same before: then they are old news, not a wish. */
async function wasSeeded(store: PolicyStore, hash: string): Promise<boolean> {
  const versions = (await store.versions(defaultPolicyId)) ?? [];
  return versions.some((one) => one.changedBy === settingsAuthor && one.hash === hash);
}
