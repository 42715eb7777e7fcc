import { resultCodeOf } from './sqlite-file.ts';
import { StorageError, UnfitError } from './storage-error.ts';

/**
 * SQLite: rolled back, busy, locked, out of memory, read-only, interrupted, I/O, corrupt, full,
 * cannot open, not a database.
 */
const sqliteFaults: ReadonlySet<number> = new Set([4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 26]);

/** SQLite: too big, constraint, mismatch. */
const sqliteRowFaults: ReadonlySet<number> = new Set([18, 19, 20]);

/** SQLite: corrupt, not a database. */
const sqliteDamage: ReadonlySet<number> = new Set([11, 26]);

/** What `pg` says of a lost connection without any code. */
const lostConnection =
  /^(?:Connection terminated|timeout exceeded when trying to connect|.* is not queryable$)/;

/**
 * Whether an error says that the database cannot be used at present: the fault is not in the
 * statement. PostgreSQL: connection lost, resources gone, operator intervention
 * (https://www.postgresql.org/docs/current/errcodes-appendix.html), or the network's own codes.
 */
export function isStorageFault(error: unknown): boolean {
  if (error instanceof StorageError) return true;
  const sqlite = resultCodeOf(error);
  if (sqlite !== undefined) return sqliteFaults.has(sqlite);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  if (/^(?:08|53|57|58)/.test(code)) return true;
  if (code === '') return lostConnection.test(error.message);
  return /^(?:ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/.test(code);
}

/**
 * Whether an error says that a row cannot be stored as it is: to try it again would not help.
 * PostgreSQL: data exceptions, violated constraints, a row that is too long.
 */
export function isRowFault(error: unknown): boolean {
  const sqlite = resultCodeOf(error);
  if (sqlite !== undefined) return sqliteRowFaults.has(sqlite);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^(?:22|23|54)/.test(code) && code.length === 5;
}

/** Whether an error says that SQLite's file is damaged. */
export function isDamage(error: unknown): boolean {
  return sqliteDamage.has(resultCodeOf(error) ?? 0);
}

/** Whether waiting can help: the database is unavailable, full, locked or damaged for now. */
export function isOutage(error: unknown): boolean {
  return isStorageFault(error) && !(error instanceof UnfitError);
}
