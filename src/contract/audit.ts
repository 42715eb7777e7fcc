/** What an administrator did. */
export interface AuditAct {
  /** The name of an administrator, `key:<id>` for an administrator key, `cli`, or `nobody`. */
  readonly actor: string;
  /** `<thing>.<verb>`, such as `key.revoke`. */
  readonly action: string;
  /** The id of what it was done to; empty where there is none. */
  readonly target: string;
  /** One sentence without secrets. */
  readonly summary: string;
  /** The network address that it came from. */
  readonly address?: string;
}

export interface AuditEntry extends AuditAct {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** The record of administrative acts. The database itself refuses to change or remove an entry. */
export interface AuditStore {
  append(act: AuditAct, at: number): Promise<void>;
  /** The newest first. */
  list(page: {
    readonly cursor?: string;
    readonly limit: number;
  }): Promise<{ readonly entries: readonly AuditEntry[]; readonly next?: string }>;
}
