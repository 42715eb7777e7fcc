import { seal, unseal } from '../storage/seal.ts';
import { subkeyOf } from './key-digest.ts';
import { newRecoveryCodes, plainCode, recoveryDigest } from './recovery-codes.ts';
import type { SecondFactorStore } from './second-factor-store.ts';
import { isTotpCode, newTotpSecret, totpStep, totpUri } from './totp.ts';

/** How long a secret waits for its first code. */
const beginMsMax = 3_600_000;

/** Wrong codes of a name within a period, before only known devices and recovery codes go on. */
export const wrongCodesMax = 5;
const wrongCodesMs = 15 * 60_000;

/** What a code proved: `none` where no second factor is on, `needed` where it is and none came. */
type CodeProof =
  | 'none'
  | 'needed'
  | 'wrong'
  | 'code'
  | 'recovery-code'
  | { readonly retryAfterSeconds: number };

/** Second factors of administrators: their secrets are sealed, their codes good for one use. */
export interface SecondFactors {
  state(name: string): Promise<{ readonly isOn: boolean; readonly recoveryCodes: number }>;
  /** `isKnown`: of a device that has signed in before, whose codes are not bounded here. */
  prove(name: string, code: string, isKnown: boolean): Promise<CodeProof>;
  /** A new secret, not in force yet; undefined where there is one in force. */
  begin(name: string): Promise<{ readonly secret: string; readonly uri: string } | undefined>;
  /** The recovery codes, where the code is of the secret that was begun. */
  confirm(
    name: string,
    code: string,
    keepSession: string,
  ): Promise<readonly string[] | 'wrong' | 'not-begun'>;
  /** New recovery codes in place of all former ones; undefined where no second factor is on. */
  renew(name: string): Promise<readonly string[] | undefined>;
  /** False where none was on. */
  turnOff(name: string): Promise<boolean>;
}

/** `pepper` seals the secrets and digests the recovery codes, with keys derived from it. */
export function createSecondFactors(parts: {
  readonly store: SecondFactorStore;
  readonly pepper: Buffer;
  readonly clock: () => number;
}): SecondFactors {
  const { store, pepper, clock } = parts;
  const sealKey = subkeyOf(pepper, 'second factors');
  const codeKey = subkeyOf(pepper, 'recovery codes');
  const digestOf = (code: string, name: string) => recoveryDigest(code, codeKey, name);
  const stepOf = (sealed: string, code: string, name: string) => {
    const secret = unseal(sealed, sealKey, name);
    return secret === undefined ? undefined : totpStep(secret, code, clock());
  };
  const newCodes = (name: string) => {
    const codes = newRecoveryCodes();
    return { codes, digests: codes.map((code) => digestOf(code, name)) };
  };

  return {
    state: async (name) => {
      const { isOn = false, recoveryCodes = 0 } = (await store.findSecondFactor(name)) ?? {};
      return { isOn, recoveryCodes };
    },
    prove: async (name, given, isKnown) => {
      const found = await store.findSecondFactor(name);
      if (found?.isOn !== true) return 'none';
      const code = plainCode(given);
      if (code === '') return 'needed';
      if (!isTotpCode(code)) {
        const isRight = await store.useRecoveryCode(name, digestOf(code, name));
        return isRight ? 'recovery-code' : 'wrong';
      }
      // Counted as wrong until it is right, so that many at once gain nothing.
      const bound = { now: clock(), periodMs: wrongCodesMs, max: wrongCodesMax };
      if (!isKnown && !(await store.countCode(name, bound))) {
        const leftMs = found.wrongSince + wrongCodesMs - bound.now;
        return { retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)) };
      }
      const step = stepOf(found.sealed, code, name);
      if (step === undefined) return 'wrong';
      if (!(await store.useStep(name, found.sealed, step))) return 'wrong';
      if (!isKnown) await store.forgetCodes(name);
      return 'code';
    },
    begin: async (name) => {
      const secret = newTotpSecret();
      const isBegun = await store.beginSecondFactor(name, seal(secret, sealKey, name), clock());
      return isBegun ? { secret, uri: totpUri(secret, name) } : undefined;
    },
    confirm: async (name, code, keepSession) => {
      const found = await store.findSecondFactor(name);
      if (found === undefined || found.isOn) return 'not-begun';
      if (clock() - found.createdAt >= beginMsMax) return 'not-begun';
      const { sealed } = found;
      const step = stepOf(sealed, plainCode(code), name);
      if (step === undefined) return 'wrong';
      const { codes, digests } = newCodes(name);
      const given = { sealed, step, at: clock(), digests, keepSession };
      return (await store.confirmSecondFactor(name, given)) ? codes : 'not-begun';
    },
    renew: async (name) => {
      const { codes, digests } = newCodes(name);
      return (await store.replaceRecoveryCodes(name, digests)) ? codes : undefined;
    },
    turnOff: (name) => store.removeSecondFactor(name),
  };
}
