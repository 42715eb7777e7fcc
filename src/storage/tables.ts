/** 64-bit integers. PostgreSQL's driver reads them as text. */
type Bigint = number | string;

/** A key, without its secrets. */
export interface ApiKeyTable {
  readonly id: string;
  readonly name: string;
  readonly created_at: Bigint;
  readonly expires_at: Bigint | null;
  readonly last_used_at: Bigint | null;
  readonly revoked_at: Bigint | null;
  readonly policy_id: string | null;
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

/** All tables, for Kysely. Times are milliseconds since 1970, UTC. */
export interface Tables {
  readonly api_key: ApiKeyTable;
  readonly api_key_secret: ApiKeySecretTable;
  readonly counter: CounterTable;
  readonly setting: SettingTable;
}
