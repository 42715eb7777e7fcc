/** How a session began. */
export type SignInMethod = 'password' | 'single-sign-on';

/** A refused sign-in for the audit. What was typed as an unknown name may be a password. */
export interface RefusalNote {
  /** The administrator whose name was typed; '' where there is none of that name. */
  readonly name: string;
  /** How many failures of that name from that address the entry stands for. */
  readonly failures: number;
}

/** Why a sign-in was refused, or a password was not enough. */
export type SignInRefusal =
  /** Wrong name or wrong password: the answer does not say which. */
  | { readonly kind: 'refused'; readonly note?: RefusalNote }
  /** The password is right, and the administrator has a second factor: send a code of it too. */
  | { readonly kind: 'code-needed' }
  /** The password is right, the code is not, or was used already. */
  | { readonly kind: 'wrong-code'; readonly note?: RefusalNote }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }
  /** Too many passwords are being checked at this moment. */
  | { readonly kind: 'busy' };
