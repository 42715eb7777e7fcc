import { type AuditChange, changesBetween } from './audit.ts';
import type { Role } from './roles.ts';
import type { SecondFactorGate } from './second-factor.ts';
import type { SignInRefusal } from './sign-in.ts';

/** A person who may sign in. */
export interface Administrator {
  readonly name: string;
  readonly role: Role;
}

/** The administrator of a session. */
export interface SessionUser extends Administrator {
  /** Without one, only single sign-on signs in, and nothing that asks for the password is open. */
  readonly hasPassword: boolean;
  /** The settings ask for a second factor that is not set up: until then nothing else is open. */
  readonly needsSecondFactor: boolean;
}

/** The name as it is stored: typed with other spaces or compositions it is still the same. */
export function plainName(name: string): string {
  return name.normalize('NFKC').trim();
}

/** An administrator as people see one. Times are milliseconds since 1970, UTC. */
export interface AdministratorEntry extends Administrator {
  readonly createdAt: number;
  readonly signedInAt?: number;
  /** Since when sign-ins are refused; absent while they are not. */
  readonly disabledAt?: number;
  /** Since when sign-ins need a code as well; absent while they do not. */
  readonly secondFactorAt?: number;
  readonly hasPassword: boolean;
  readonly account?: LinkedAccount;
}

/** An account of an identity provider that is linked to an administrator. */
export interface LinkedAccount {
  /** Another provider than the one that is set signs nothing in. */
  readonly issuer: string;
  /** For people to read. */
  readonly label: string;
}

/** A user who may become an administrator with the token of a link, once. */
export interface Invitation extends Administrator {
  readonly invitedBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Where a session is used from. */
export interface SessionPlace {
  /** Network address of the client. */
  readonly address: string;
  /** The browser in a few words; '' where it is not known. */
  readonly agent: string;
}

/** A session that has not ended. Its id does not sign in. */
export interface SessionEntry extends SessionPlace {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly seenAt: number;
}

/** Who signed in. `device` is for the browser to keep: it does not sign in by itself. */
interface SignedIn {
  readonly user: Administrator;
  readonly session: string;
  readonly device: string;
}

/** What came of a sign-in. */
export type SignInOutcome =
  | ({
      readonly kind: 'signed-in';
      /** Whether a recovery code stood in for the second factor. */
      readonly byRecoveryCode: boolean;
    } & SignedIn)
  | SignInRefusal;

export type SetUpOutcome =
  | ({ readonly kind: 'set-up' } & SignedIn)
  | { readonly kind: 'wrong-token' }
  | { readonly kind: 'set-up-already' };

export type JoinOutcome =
  | ({ readonly kind: 'joined' } & SignedIn)
  /** Used, withdrawn, replaced or expired: the answer does not say which. */
  | { readonly kind: 'not-valid' };

export type PasswordOutcome = { readonly kind: 'changed' } | SignInRefusal;

/** One administrator with the role `administrator` who may sign in always stays. */
export type RemoveAdministratorOutcome = 'removed' | 'unknown' | 'is-last';

/** Never from oneself: that would need neither password nor code. */
export type TakeOutcome = 'taken' | 'unknown' | 'is-own';

export type ChangeAdministratorOutcome =
  | {
      readonly kind: 'changed';
      readonly before: AdministratorEntry;
      readonly after: AdministratorEntry;
    }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'is-last' };

/** What a change of an administrator did, for the audit. */
export function administratorChanges({
  before,
  after,
}: Extract<ChangeAdministratorOutcome, { readonly kind: 'changed' }>): AuditChange[] {
  return changesBetween(changeable(before), changeable(after));
}

function changeable({ role, disabledAt }: AdministratorEntry) {
  return { role, disabled: disabledAt !== undefined };
}

/** Lets administrators in. A session is a random text that the browser keeps in a cookie. */
export interface AdminGate {
  isSetUp(): Promise<boolean>;
  /** Undefined if the name is taken. */
  add(given: Administrator & { readonly password: string }): Promise<Administrator | undefined>;
  /** Makes the first administrator with the one-time token of this start. */
  setUp(
    wanted: SessionPlace & {
      readonly token: string;
      readonly name: string;
      readonly password: string;
    },
  ): Promise<SetUpOutcome>;
  /** Makes an administrator of an invited user. */
  join(
    given: SessionPlace & { readonly token: string; readonly password: string },
  ): Promise<JoinOutcome>;
  signIn(
    given: SessionPlace & {
      readonly name: string;
      readonly password: string;
      /** Of the second factor, or a recovery code. */
      readonly code?: string;
      /** What an earlier sign-in gave as `device`: others' failures do not concern it. */
      readonly device?: string;
    },
  ): Promise<SignInOutcome>;
  /** Whose live session it is, and that it is used from there. */
  sessionOf(session: string, place: SessionPlace): Promise<SessionUser | undefined>;
  signOut(session: string): Promise<void>;
  /** Also ends the administrator's other sessions. */
  changePassword(given: {
    readonly session: string;
    readonly name: string;
    readonly current: string;
    readonly password: string;
    readonly address: string;
  }): Promise<PasswordOutcome>;
  readonly secondFactor: SecondFactorGate;
}

/** Who may sign in, who is about to, and where they are signed in. */
export interface People {
  list(): Promise<readonly AdministratorEntry[]>;
  /** Disabling ends the sessions as well. */
  change(
    name: string,
    wish: { readonly role?: Role; readonly disabled?: boolean },
  ): Promise<ChangeAdministratorOutcome>;
  /** Ends the sessions as well. */
  remove(name: string): Promise<RemoveAdministratorOutcome>;
  /** Takes the second factor and the linked account from another one, and ends the sessions. */
  resetSecondFactor(name: string, by: string): Promise<TakeOutcome>;
  /** Unlinks the account of another one, and ends the sessions that began with it. */
  unlink(name: string, by: string): Promise<TakeOutcome>;
  /** Those that have not expired. */
  invitations(): Promise<readonly Invitation[]>;
  /**
   * Invites a user, anew if the name was invited already. Undefined if an administrator has it.
   * The token is in this answer and never again.
   */
  invite(
    given: Administrator & { readonly invitedBy: string },
  ): Promise<{ readonly invitation: Invitation; readonly token: string } | undefined>;
  /** False if there is no invitation of that name. */
  withdraw(name: string): Promise<boolean>;
  /** The sessions of a person, or of all, the one used last first. */
  sessions(name?: string): Promise<readonly SessionEntry[]>;
  /** The id under which a session is listed. */
  idOf(session: string): string;
  /** Ends one session of a person, or all of them; gives how many there were. */
  endSessions(name: string, id?: string): Promise<number>;
}

/** The page that takes an invitation: the token is in the fragment, which no log has. */
export function joinPath(made: {
  readonly invitation: Pick<Invitation, 'name'>;
  readonly token: string;
}): string {
  return `/dashboard/#join=${made.token}&name=${encodeURIComponent(made.invitation.name)}`;
}
