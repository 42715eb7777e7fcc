import { defaultPolicy } from '../../src/contract/policy.ts';
import type { KeyGrant } from '../../src/contract/ports.ts';

/** What a key is good for that may screen and forward from everywhere; nothing is counted. */
export function uncountedGrant(keyId: string, policy = defaultPolicy): KeyGrant {
  return {
    keyId,
    policyId: 'default',
    policyVersion: 1,
    policy,
    hasCandidate: false,
    asksClient: false,
    bounds: { screen: true, forward: true, manage: false, networks: undefined },
    tally: {
      admitted: () => false,
      from: () => undefined,
      answered: () => undefined,
      strayed: () => false,
    },
  };
}
