import type { Generated } from 'kysely';
import type { Role } from '../contract/roles.ts';
import type { SignInMethod } from '../contract/sign-in.ts';

/** 64-bit integers. PostgreSQL's driver reads them as text. */
type Bigint = number | string;

/** A key, without its secrets. */
export interface ApiKeyTable {
  readonly id: string;
  readonly name: string;
  /** `live` or `admin`. */
  readonly kind: string;
  readonly created_at: Bigint;
  readonly expires_at: Bigint | null;
  readonly last_used_at: Bigint | null;
  readonly revoked_at: Bigint | null;
  readonly policy_id: string | null;
  /** Words with commas. */
  readonly scopes: string;
  /** Networks with commas; empty for everywhere. */
  readonly networks: string;
  /** Who sent its last request; empty before the first. */
  readonly last_client: string;
  /** The value of the counter `keys` at the last change of this key. */
  readonly revision: Bigint;
}

/** The digest of a secret of a key. */
export interface ApiKeySecretTable {
  readonly key_id: string;
  readonly digest: string;
  readonly created_at: Bigint;
  readonly sunset_at: Bigint | null;
}

/** How much a key was used within an hour. */
export interface KeyUsageTable {
  readonly key_id: string;
  /** Hours since 1970. */
  readonly hour: Bigint;
  readonly requests: Bigint;
  readonly blocks: Bigint;
  readonly would_blocks: Bigint;
  readonly errors: Bigint;
}

/** Numbers that only rise; a reader polls one to learn that something changed. */
export interface CounterTable {
  readonly name: string;
  readonly value: Bigint;
}

/** Single facts about the database as a whole. */
export interface SettingTable {
  readonly name: string;
  readonly value: string;
}

/** A policy; its document is that of its newest version. */
export interface PolicyTable {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  /** JSON of the document that runs in its shadow. */
  readonly candidate: string | null;
  readonly candidate_since: Bigint | null;
}

/** What a policy said at a time. Versions are never changed. */
export interface PolicyVersionTable {
  readonly policy_id: string;
  readonly version: number;
  readonly hash: string;
  /** JSON. */
  readonly document: string;
  readonly changed_at: Bigint;
  readonly changed_by: string;
  readonly comment: string;
}

/** An administrator. */
export interface AdminTable {
  readonly name: string;
  readonly password_hash: string;
  readonly created_at: Bigint;
  readonly role: Generated<Role>;
  /** A disabled administrator cannot sign in. */
  readonly disabled_at: Bigint | null;
  readonly signed_in_at: Bigint | null;
}

/** What an administrator proves a sign-in with beside the password. */
export interface AdminSecondFactorTable {
  readonly admin_name: string;
  /** The secret, sealed. */
  readonly sealed: string;
  readonly created_at: Bigint;
  /** Since when sign-ins need it; null while it was not tried yet. */
  readonly confirmed_at: Bigint | null;
  /** The step of the newest code that was used: it and earlier ones are refused. */
  readonly last_step: Generated<Bigint>;
  /** Codes that were wrong since `wrong_since`, a time; none is right between them. */
  readonly wrong_codes: Generated<Bigint>;
  readonly wrong_since: Generated<Bigint>;
}

/** An account of an identity provider that its administrator signs in with. */
export interface AdminIdentityTable {
  readonly issuer: string;
  readonly subject: string;
  readonly admin_name: string;
  /** For people to read. */
  readonly label: string;
  readonly created_at: Bigint;
}

/** A code that stands in for the second factor, once. */
export interface AdminRecoveryCodeTable {
  /** HMAC-SHA-256 under a key from the pepper, hexadecimal. */
  readonly digest: string;
  readonly admin_name: string;
}

/** A person who was invited and has not chosen a password yet. */
export interface AdminInvitationTable {
  readonly name: string;
  /** SHA-256 of the token in the link, hexadecimal. */
  readonly digest: string;
  readonly role: Role;
  readonly invited_by: string;
  readonly created_at: Bigint;
  readonly expires_at: Bigint;
}

/** A session of an administrator, by the digest of its text. */
export interface AdminSessionTable {
  readonly digest: string;
  readonly admin_name: string;
  readonly created_at: Bigint;
  readonly seen_at: Bigint;
  /** Where it was used last, and with which browser. */
  readonly address: Generated<string>;
  readonly agent: Generated<string>;
  readonly method: Generated<SignInMethod>;
  /** Digest of the session at the identity provider; empty where it names none. */
  readonly provider_session: Generated<string>;
}

/** A block. Ids made later are greater. */
export interface EventTable {
  readonly id: string;
  readonly at: Bigint;
  readonly decision: string;
  readonly category: string;
  readonly rule: string;
  readonly key_id: string;
  /** Size of the row's texts. */
  readonly bytes: number;
  readonly pointer: string;
  /** JSON of what lists show. */
  readonly summary: string;
  /** Lower-case text that is searched. */
  readonly search: string;
  /** JSON of all the rest. */
  readonly document: string;
  /** Which of equal parts the row is counted in; null in a row that an older version wrote. */
  readonly part: number | null;
  /** What follows is '' where nobody said it, and cut to the length of the column. */
  readonly severity: string;
  readonly method: string;
  readonly host: string;
  /** Without the query. */
  readonly path: string;
  readonly client: string;
  /** Two capital letters, or ''. */
  readonly country: string;
  /** The number of the autonomous system, or ''. */
  readonly asn: string;
  readonly as_name: string;
  readonly policy_id: string;
  /** The pointer. */
  readonly field: string;
}

/** What people made of a block. */
export interface EventTriageTable {
  readonly event_id: string;
  readonly verdict: string;
  readonly note: string;
  /** Who looks after it; '' for no one. */
  readonly owner: string;
  readonly changed_by: string;
  readonly changed_at: Bigint;
}

/** A filter of events with a name, for all administrators. */
export interface SavedFilterTable {
  readonly id: string;
  readonly name: string;
  /** JSON of the members of the filter. */
  readonly query: string;
  readonly created_by: string;
  readonly created_at: Bigint;
}

/** Requests of one minute since 1970, over all nodes. */
export interface TrafficTable {
  readonly minute: Bigint;
  readonly requests: Bigint;
  readonly blocked: Bigint;
  readonly would_block: Bigint;
}

/** An administrative act. The database refuses updates and deletes. */
export interface AuditEntryTable {
  readonly id: string;
  readonly at: Bigint;
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly summary: string;
  readonly address: string | null;
  /** JSON of the values before and after; null where nothing changed its value. */
  readonly changes: string | null;
}

/** A network that is refused, or that passes unscreened. */
export interface AddressEntryTable {
  readonly id: string;
  readonly network: string;
  /** `deny` or `allow`. */
  readonly action: string;
  /** Empty: it counts for all policies. */
  readonly policy_id: string;
  readonly reason: string;
  readonly author: string;
  readonly created_at: Bigint;
  readonly expires_at: Bigint | null;
}

/** What was learnt of the traffic of a policy. */
export interface LearntShapeTable {
  readonly policy_id: string;
  /** One more with each save. */
  readonly revision: number;
  readonly saved_at: Bigint;
  /** JSON, gzip, base64. */
  readonly document: string;
}

/** A receiver of notifications. */
export interface NotificationChannelTable {
  readonly id: string;
  readonly name: string;
  /** JSON, without secrets. */
  readonly document: string;
  /** JSON of the secrets, encrypted. */
  readonly sealed: string;
  readonly created_at: Bigint;
  readonly changed_at: Bigint;
  readonly changed_by: string;
  /** JSON of what was sent last. */
  readonly state: string;
  /** The process that sends for this channel, until then. */
  readonly claimed_by: string;
  readonly claimed_until: Bigint;
}

/** How many events of one kind and few seconds a channel is to be notified of. */
export interface NotificationTallyTable {
  readonly id: string;
  readonly channel_id: string;
  readonly at: Bigint;
  readonly last_at: Bigint;
  readonly events: Bigint;
  /** JSON: the kind, and one of the events. */
  readonly document: string;
}

/** A message to a channel. */
export interface NotificationMessageTable {
  readonly id: string;
  readonly channel_id: string;
  readonly kind: string;
  readonly title: string;
  readonly events: Bigint;
  /** JSON of what it says. */
  readonly document: string;
  readonly state: string;
  readonly attempts: number;
  readonly created_at: Bigint;
  readonly next_at: Bigint | null;
  readonly settled_at: Bigint | null;
  readonly answer: string;
}

/** All tables, for Kysely. Times are milliseconds since 1970, UTC. */
export interface Tables {
  readonly api_key: ApiKeyTable;
  readonly api_key_secret: ApiKeySecretTable;
  readonly key_usage: KeyUsageTable;
  readonly counter: CounterTable;
  readonly setting: SettingTable;
  readonly policy: PolicyTable;
  readonly policy_version: PolicyVersionTable;
  readonly admin: AdminTable;
  readonly admin_session: AdminSessionTable;
  readonly admin_invitation: AdminInvitationTable;
  readonly admin_second_factor: AdminSecondFactorTable;
  readonly admin_recovery_code: AdminRecoveryCodeTable;
  readonly admin_identity: AdminIdentityTable;
  readonly event: EventTable;
  readonly event_triage: EventTriageTable;
  readonly saved_filter: SavedFilterTable;
  readonly traffic: TrafficTable;
  readonly audit_entry: AuditEntryTable;
  readonly address_entry: AddressEntryTable;
  readonly learnt_shape: LearntShapeTable;
  readonly notification_channel: NotificationChannelTable;
  readonly notification_tally: NotificationTallyTable;
  readonly notification_message: NotificationMessageTable;
}
