import type {
  AdministratorEntry,
  ChangeAdministratorOutcome,
  Invitation,
  LinkedAccount,
  RemoveAdministratorOutcome,
  SessionPlace,
  SessionUser,
} from '../contract/admin.ts';
import type { Role } from '../contract/roles.ts';
import type { SignInMethod } from '../contract/sign-in.ts';
import type { ProvidedIdentity } from '../contract/single-sign-on.ts';
import type { SecondFactorStore } from './second-factor-store.ts';

/** An administrator as stored. Times are milliseconds since 1970, UTC. */
export interface AdminRecord {
  readonly name: string;
  /** '' where there is no password, so that none is right. */
  readonly passwordHash: string;
  readonly role: Role;
}

/** An account of an identity provider, as stored. */
export type IdentityRecord = Omit<ProvidedIdentity, 'role' | 'session'>;

export interface SessionRecord extends SessionPlace {
  /** SHA-256 of the session's text, hexadecimal. */
  readonly digest: string;
  readonly name: string;
  readonly createdAt: number;
  readonly seenAt: number;
  readonly method: SignInMethod;
  /** Digest of the session at the identity provider; '' where it names none. */
  readonly providerSession: string;
}

export interface InvitationRecord extends Invitation {
  /** SHA-256 of the token in the link, hexadecimal. */
  readonly digest: string;
}

/** Sessions that were made or seen last before these times have ended. */
export interface SessionBounds {
  readonly createdBefore: number;
  /** The same for those that began at the identity provider; never earlier. */
  readonly providedBefore: number;
  readonly seenBefore: number;
}

/** Where administrators, their second factors, sessions and invitations are kept. */
export interface AdminStore extends SecondFactorStore {
  /** Whether there is an administrator with this role who can sign in. */
  any(): Promise<boolean>;
  find(name: string): Promise<(AdminRecord & { readonly isDisabled: boolean }) | undefined>;
  /**
   * Stores the first administrator; false if there is one already. An administrator of that
   * name who has another role, or is disabled, is replaced.
   */
  insertFirst(admin: AdminRecord, at: number): Promise<boolean>;
  list(): Promise<readonly AdministratorEntry[]>;
  /** False if the name is taken. */
  insert(admin: AdminRecord, at: number): Promise<boolean>;
  /** Also ends the sessions. False if there is no such administrator. */
  remove(name: string): Promise<boolean>;
  /** The same, but the last one who may do everything stays. */
  removeUnlessLast(name: string): Promise<RemoveAdministratorOutcome>;
  changeUnlessLast(
    name: string,
    wish: { readonly role?: Role; readonly disabled?: boolean },
    at: number,
  ): Promise<ChangeAdministratorOutcome>;
  /**
   * Also ends the sessions, but the one with the digest `keepSession`. Without it, this is a reset,
   * which removes the link to an account of the identity provider as well.
   */
  setPassword(name: string, passwordHash: string, keepSession?: string): Promise<void>;

  /** Replaces an invitation of the same name; false if an administrator has it. */
  invite(invitation: InvitationRecord): Promise<boolean>;
  invitations(now: number): Promise<readonly Invitation[]>;
  findInvitation(digest: string, now: number): Promise<Invitation | undefined>;
  /** Makes an administrator of an invitation, once. */
  accept(digest: string, passwordHash: string, now: number): Promise<AdminRecord | undefined>;
  /** The same for an account of an identity provider; it has no password. */
  acceptAs(
    digest: string,
    identity: IdentityRecord,
    now: number,
  ): Promise<AdminRecord | 'linked-elsewhere' | undefined>;
  /** False if there is none. */
  withdraw(name: string): Promise<boolean>;

  /** The administrator that an account of the identity provider is linked to. */
  findIdentity(
    identity: Pick<IdentityRecord, 'issuer' | 'subject'>,
  ): Promise<
    { readonly name: string; readonly role: Role; readonly isDisabled: boolean } | undefined
  >;
  /** The account that an administrator is linked to. */
  identityOf(name: string): Promise<LinkedAccount | undefined>;
  /**
   * Replaces a former link and ends the sessions that began with it, but the one with the digest
   * `keepSession`; false if another administrator has the account, or this one is gone.
   */
  link(
    name: string,
    identity: IdentityRecord,
    given: { readonly at: number; readonly keepSession: string },
  ): Promise<boolean>;
  /** Also ends the sessions that began with it, but `keepSession`. False if there was no link. */
  unlink(name: string, keepSession?: string): Promise<boolean>;
  /** Makes an administrator with a link; false if the name is taken, or another one has the account. */
  insertLinked(admin: AdminRecord, identity: IdentityRecord, at: number): Promise<boolean>;

  /** Also notes that the administrator signed in. */
  insertSession(session: SessionRecord): Promise<void>;
  /** With what its administrator has now; none where it is disabled. */
  findSession(
    digest: string,
  ): Promise<
    | (SessionRecord &
        Pick<SessionUser, 'role' | 'hasPassword'> & { readonly hasSecondFactor: boolean })
    | undefined
  >;
  touchSession(digest: string, seenAt: number, place: SessionPlace): Promise<void>;
  removeSession(digest: string): Promise<void>;
  /** The sessions of a person, or of all, the one used last first. */
  sessions(bounds: SessionBounds, name?: string): Promise<readonly SessionRecord[]>;
  /** Those of a person whose digest begins so; gives how many there were. */
  removeSessionsOf(name: string, digestPrefix: string): Promise<number>;
  removeSessions(bounds: SessionBounds): Promise<void>;
  /**
   * Removes sessions that began at the identity provider: those of a session there, and those of an
   * account; with both, of the account only those that name no session. Gives the name of each.
   */
  removeProvided(ended: {
    readonly account?: Pick<IdentityRecord, 'issuer' | 'subject'>;
    readonly providerSession?: string;
  }): Promise<readonly string[]>;
}
