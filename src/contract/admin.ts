import type { Role } from './roles.ts';

/** A person who may sign in. */
export interface Administrator {
  readonly name: string;
  readonly role: Role;
}

/** Who signed in. `device` is for the browser to keep: it does not sign in by itself. */
interface SignedIn {
  readonly user: Administrator;
  readonly session: string;
  readonly device: string;
}

/** What came of a sign-in. */
export type SignInOutcome =
  | ({ readonly kind: 'signed-in' } & SignedIn)
  /** Wrong name or wrong password: the answer does not say which. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }
  /** Too many passwords are being checked at this moment. */
  | { readonly kind: 'busy' };

export type SetUpOutcome =
  | ({ readonly kind: 'set-up' } & SignedIn)
  | { readonly kind: 'wrong-token' }
  | { readonly kind: 'set-up-already' };

export type PasswordOutcome =
  | { readonly kind: 'changed' }
  | Exclude<SignInOutcome, { kind: 'signed-in' }>;

export type RemoveAdministratorOutcome = 'removed' | 'unknown' | 'is-last';

/** Lets administrators in. A session is a random text that the browser keeps in a cookie. */
export interface AdminGate {
  isSetUp(): Promise<boolean>;
  list(): Promise<readonly (Administrator & { readonly createdAt: number })[]>;
  /** Undefined if the name is taken. */
  add(given: {
    readonly name: string;
    readonly password: string;
    readonly role: Role;
  }): Promise<Administrator | undefined>;
  /** Ends the sessions as well. The last administrator stays. */
  remove(name: string): Promise<RemoveAdministratorOutcome>;
  /** Makes the first administrator with the one-time token of this start. */
  setUp(wanted: {
    readonly token: string;
    readonly name: string;
    readonly password: string;
  }): Promise<SetUpOutcome>;
  signIn(given: {
    readonly name: string;
    readonly password: string;
    readonly address: string;
    /** What an earlier sign-in gave as `device`: others' failures do not concern it. */
    readonly device?: string;
  }): Promise<SignInOutcome>;
  /** Whose live session it is. */
  sessionOf(session: string): Promise<Administrator | undefined>;
  signOut(session: string): Promise<void>;
  /** Also ends the administrator's other sessions. */
  changePassword(given: {
    readonly session: string;
    readonly name: string;
    readonly current: string;
    readonly password: string;
    readonly address: string;
  }): Promise<PasswordOutcome>;
}
