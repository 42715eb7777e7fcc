import type { RemoveAdministratorOutcome } from '../contract/admin.ts';
import type { Role } from '../contract/roles.ts';

/** An administrator as stored. Times are milliseconds since 1970, UTC. */
export interface AdminRecord {
  readonly name: string;
  readonly passwordHash: string;
  readonly role: Role;
}

/** An administrator without the password. */
export interface AdminEntry {
  readonly name: string;
  readonly role: Role;
  readonly createdAt: number;
}

export interface SessionRecord {
  /** SHA-256 of the session's text, hexadecimal. */
  readonly digest: string;
  readonly name: string;
  readonly createdAt: number;
  readonly seenAt: number;
}

/** Where administrators and their sessions are kept. */
export interface AdminStore {
  any(): Promise<boolean>;
  find(name: string): Promise<AdminRecord | undefined>;
  /** Stores the first administrator; false if there is one already. */
  insertFirst(admin: AdminRecord, at: number): Promise<boolean>;
  list(): Promise<readonly AdminEntry[]>;
  /** False if the name is taken. */
  insert(admin: AdminRecord, at: number): Promise<boolean>;
  /** Also ends the sessions. False if there is no such administrator. */
  remove(name: string): Promise<boolean>;
  /** The same, but the last administrator stays. */
  removeUnlessLast(name: string): Promise<RemoveAdministratorOutcome>;
  setPassword(name: string, passwordHash: string, keepSession: string): Promise<void>;
  insertSession(session: SessionRecord): Promise<void>;
  /** With the role that its administrator has now. */
  findSession(digest: string): Promise<(SessionRecord & { readonly role: Role }) | undefined>;
  touchSession(digest: string, seenAt: number): Promise<void>;
  removeSession(digest: string): Promise<void>;
  /** Removes sessions that were made or seen last before these times. */
  removeSessions(bounds: {
    readonly createdBefore: number;
    readonly seenBefore: number;
  }): Promise<void>;
}
