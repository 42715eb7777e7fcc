import type { Administrator, ChangeAdministratorOutcome, SessionPlace } from './admin.ts';
import type { Role } from './roles.ts';
import type { SecondFactorAsker } from './second-factor.ts';
import type { RefusalNote, SignInRefusal } from './sign-in.ts';

/** A person as the identity provider knows one (OpenID Connect). */
export interface ProvidedIdentity {
  readonly issuer: string;
  /** The issuer never gives it to another user. With the issuer, it alone finds an account. */
  readonly subject: string;
  /** The verified e-mail address or the user name, for people to read; it finds no account. */
  readonly label: string;
  /** What the claim of the roles gives, where a setting names one. */
  readonly role?: Role;
  /** The session at the provider, where it names one. */
  readonly session?: string;
}

/** Logout tokens are valid for less than this, so that no id need be kept for longer. */
export const logoutTokenMsMax = 7 * 60_000;

/** What a logout token of the provider is for: it names an account, a session there, or both. */
export interface ProvidedLogout {
  readonly issuer: string;
  readonly subject?: string;
  readonly session?: string;
  /** Of the token. */
  readonly id: string;
}

/** What came of a logout token. */
export type LogoutReading =
  | { readonly kind: 'read'; readonly logout: ProvidedLogout }
  | { readonly kind: 'not-valid' }
  | { readonly kind: 'not-available' };

/** What binds an answer of the provider to the browser that asked for it. */
export interface FlowChecks {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** What came of an answer of the provider. */
export type ProviderOutcome =
  | { readonly kind: 'identified'; readonly identity: ProvidedIdentity }
  /** The provider refused; `error` is its error code. */
  | { readonly kind: 'refused'; readonly error: string }
  /** A check failed: state, nonce, issuer, signature, audience, time, or a used code. */
  | { readonly kind: 'not-valid' }
  | { readonly kind: 'not-available' };

/** The identity provider that the settings name. */
export interface IdentityProvider {
  /** The address of the dashboard that the provider sends browsers back to. */
  readonly dashboard: string;
  /** As `URL` writes it. */
  readonly issuer: string;
  /** Whether a claim gives the role, and makes accounts. */
  readonly givesRoles: boolean;
  /** Where to send the browser; undefined while the provider is unavailable. */
  begin(checks: FlowChecks): Promise<string | undefined>;
  /** Reads the query that the provider sent the browser back with. */
  finish(answer: string, checks: FlowChecks): Promise<ProviderOutcome>;
  /** Reads a logout token that the provider sent. */
  readLogout(token: string): Promise<LogoutReading>;
}

/** Why a single sign-on is refused. */
export type SingleSignOnReason =
  /** Another browser, another address, or too late. */
  | 'flow'
  | 'provider'
  | 'answer'
  | 'not-linked'
  | 'disabled'
  /** The claim gives no role. */
  | 'no-role'
  /** Another administrator has the name that the new one would get. */
  | 'name-taken'
  /** The claim takes the role from the last one who has it. */
  | 'is-last'
  | 'invitation'
  /** Linked to another administrator. */
  | 'linked-elsewhere'
  /** The session that asked for the link has ended. */
  | 'session';

export interface SingleSignOnRefusal {
  readonly kind: 'refused';
  readonly reason: SingleSignOnReason;
  /** The account that the provider named, or its error code; '' where there is neither. */
  readonly label: string;
  readonly note?: RefusalNote;
}

/** Where the browser goes next, and what it keeps meanwhile. */
export type SingleSignOnBegun =
  | { readonly kind: 'begun'; readonly url: string; readonly flow: string }
  | { readonly kind: 'not-available' };

/** What came of a single sign-on. */
export type SingleSignOnOutcome =
  | {
      readonly kind: 'signed-in';
      readonly user: Administrator;
      readonly session: string;
      readonly device: string;
      readonly label: string;
      /** What admitted the account. `created`: the claim of the roles, which made the administrator. */
      readonly by: 'link' | 'invitation' | 'created';
      /** What the claim of the roles changed. */
      readonly changed?: Extract<ChangeAdministratorOutcome, { readonly kind: 'changed' }>;
    }
  | { readonly kind: 'linked'; readonly user: Administrator; readonly label: string }
  | { readonly kind: 'not-available' }
  | Extract<SignInRefusal, { readonly kind: 'limited' }>
  | SingleSignOnRefusal;

/** Admits administrators by their accounts at the identity provider. */
export interface SingleSignOnGate {
  readonly dashboard: string;
  /** Begins a sign-in; with the token of an invitation, one that accepts it. */
  begin(invitation?: string): Promise<SingleSignOnBegun | { readonly kind: 'not-valid' }>;
  /** Begins to link an account, once the password (and code) of the session's user is right. */
  beginLink(
    asker: SecondFactorAsker & { readonly code: string },
  ): Promise<SingleSignOnBegun | SignInRefusal>;
  finish(
    given: SessionPlace & {
      /** The query that the provider sent the browser back with. */
      readonly answer: string;
      /** What `begin` gave. */
      readonly flow: string;
      readonly session?: string;
    },
  ): Promise<SingleSignOnOutcome>;
  /** Ends what a logout token of the provider names, once; `names`: of each session that ended. */
  logOut(
    token: string,
  ): Promise<
    | { readonly kind: 'ended'; readonly names: readonly string[] }
    | Exclude<LogoutReading, { readonly kind: 'read' }>
  >;
  /** The account, of the provider that is set, that an administrator is linked to. */
  account(name: string): Promise<string | undefined>;
  unlink(
    asker: SecondFactorAsker & { readonly code: string },
  ): Promise<{ readonly kind: 'unlinked' } | { readonly kind: 'not-linked' } | SignInRefusal>;
}
