import type { SignInRefusal } from './sign-in.ts';

/** Whether a sign-in needs a code beside the password. */
export interface SecondFactorState {
  readonly isOn: boolean;
  /** How many recovery codes are left. */
  readonly recoveryCodes: number;
}

/** A session that asks for a change of its administrator's second factor, and the password. */
export interface SecondFactorAsker {
  readonly session: string;
  readonly name: string;
  readonly address: string;
  readonly password: string;
}

export type BeginOutcome =
  /** The secret is in this answer and never again. */
  | { readonly kind: 'begun'; readonly secret: string; readonly uri: string }
  | { readonly kind: 'is-on' }
  | SignInRefusal;

/** The recovery codes are in this answer and never again. */
export type ConfirmOutcome =
  | { readonly kind: 'confirmed'; readonly recoveryCodes: readonly string[] }
  /** Never, more than an hour ago, or in force already. */
  | { readonly kind: 'not-begun' }
  | Extract<SignInRefusal, { readonly kind: 'wrong-code' | 'limited' }>;

export type RenewOutcome =
  | { readonly kind: 'renewed'; readonly recoveryCodes: readonly string[] }
  | { readonly kind: 'is-off' }
  | SignInRefusal;

export type TurnOffOutcome =
  | { readonly kind: 'turned-off' }
  | { readonly kind: 'is-off' }
  | SignInRefusal;

/** What administrators do with their own second factor (TOTP, RFC 6238). */
export interface SecondFactorGate {
  state(name: string): Promise<SecondFactorState>;
  /** Makes a secret. It is not in force before it was confirmed. */
  begin(asker: SecondFactorAsker): Promise<BeginOutcome>;
  /** Puts the secret in force with a code of it, and ends the other sessions. */
  confirm(given: {
    readonly session: string;
    readonly name: string;
    readonly code: string;
  }): Promise<ConfirmOutcome>;
  /** New recovery codes in place of all former ones. */
  renew(asker: SecondFactorAsker & { readonly code: string }): Promise<RenewOutcome>;
  turnOff(asker: SecondFactorAsker & { readonly code: string }): Promise<TurnOffOutcome>;
}
