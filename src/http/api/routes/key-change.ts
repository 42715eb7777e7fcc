import { type AuditAct, changesBetween } from '../../../contract/audit.ts';
import type { KeyEntry } from '../../../contract/key-directory.ts';
import { defaultPolicyId } from '../../../contract/policy.ts';
import { isoTime } from './shapes.ts';

/** What can be changed of a key. */
type Changeable = Pick<KeyEntry, 'name' | 'expiresAt' | 'scopes' | 'networks'> & {
  readonly policyId: string | undefined;
};

/** What changed of a key, old and new, for the audit. */
export function keyChangeAct(
  id: string,
  before: Changeable,
  after: Changeable,
): Omit<AuditAct, 'actor' | 'address'> {
  const changes = changesBetween(valuesOf(before), valuesOf(after));
  const fields = changes.map(({ field }) => field).join(', ') || 'nothing';
  const summary = `changed ${fields} of the key ${id} (${before.name})`;
  return { action: 'key.change', target: id, summary, changes };
}

function valuesOf({ name, policyId, expiresAt, scopes, networks }: Changeable) {
  return {
    name,
    policy: policyId ?? defaultPolicyId,
    expiry: expiresAt === undefined ? 'never' : isoTime(expiresAt),
    scopes: scopes.join(', ') || 'none',
    networks: networks.join(', ') || 'everywhere',
  };
}
