import { closeSync, fchownSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Kysely, sql } from 'kysely';
import { type ChangeFeed, noFeed } from './change-feed.ts';
import { migrate } from './migrate.ts';
import { makeReclaimable } from './reclaim.ts';
import { createSqliteDialect } from './sqlite.ts';
import { resultCodeOf } from './sqlite-file.ts';
import { StorageError } from './storage-error.ts';
import type { Tables } from './tables.ts';

/** How the database is opened. */
export interface DatabaseOptions {
  readonly dataDir: string;
  /** PostgreSQL; when left out, SQLite in the data directory. */
  readonly databaseUrl?: string | undefined;
  /** SQLite: how long a statement waits for another process; all behind it wait as well. */
  readonly busyTimeoutMs: number;
  /** SQLite: the same while the schema is brought up to date, which another process may be doing. */
  readonly openTimeoutMs?: number;
}

/** An open database whose schema is up to date, and the migrations that this took. */
export interface OpenDatabase {
  readonly database: Kysely<Tables>;
  /** Where it is, for people; without a password. */
  readonly place: string;
  /** Tells what other processes change. */
  readonly feed: ChangeFeed;
  readonly migrated: readonly string[];
}

const openTimeoutMsDefault = 10_000;

const locked = 5;

/** Advice by SQLite result code, https://sqlite.org/rescode.html */
const adviceByResultCode: Readonly<Record<number, string>> = {
  8: 'give the user that runs Sallyport the right to write to it and to its directory',
  10: 'the disk reports an error; check it',
  11: 'it is damaged; restore it from a backup',
  13: 'the disk is full; free some space',
  14: 'give the user that runs Sallyport the right to write to it and to its directory',
  26: 'it is not an SQLite database; move it away, or name another data directory with --data-dir',
};

/** The one file of state. */
export function databasePath(dataDir: string): string {
  return join(dataDir, 'sallyport.db');
}

/** Makes the data directory if need be. Only its owner may look into it. */
export function makeDataDir(dataDir: string): void {
  try {
    makeFolder(resolve(dataDir));
  } catch (error) {
    throw new StorageError(
      `The data directory ${dataDir} cannot be made (${codeOf(error)}): name one that can be ` +
        'written to with --data-dir or SALLYPORT_DATA_DIR.',
      { cause: error },
    );
  }
}

/**
 * Like `mkdir -p`. That of Node never returns where the system says that a parent is missing that
 * is there, as it does below /proc.
 */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirSync(path, { mode: 0o700 });
}

/** Opens the database and brings its schema up to date. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const { databaseUrl } = options;
  return databaseUrl === undefined ? openFile(options) : openServer(databaseUrl);
}

async function openServer(url: string): Promise<OpenDatabase> {
  // Where SQLite is used, its start need not wait for the driver of PostgreSQL.
  const { openPostgres, postgresError, postgresPlace } = await import('./postgres.ts');
  const { followPostgres } = await import('./postgres-feed.ts');
  const database = await openPostgres(url);
  try {
    const migrated = await migrate(database);
    return { database, migrated, place: postgresPlace(url), feed: followPostgres(url) };
  } catch (error) {
    await database.destroy();
    throw error instanceof StorageError ? error : postgresError(url, error);
  }
}

async function openFile(options: DatabaseOptions): Promise<OpenDatabase> {
  makeDataDir(options.dataDir);
  const path = databasePath(options.dataDir);
  let database: Kysely<Tables> | undefined;
  try {
    refuseLinks(path);
    makeFile(path);
    const { busyTimeoutMs, openTimeoutMs = openTimeoutMsDefault } = options;
    database = new Kysely<Tables>({ dialect: createSqliteDialect({ path, busyTimeoutMs }) });
    await setBusyTimeout(database, openTimeoutMs);
    await makeReclaimable(database);
    const migrated = await migrate(database);
    await setBusyTimeout(database, busyTimeoutMs);
    return { database, migrated, place: path, feed: noFeed };
  } catch (error) {
    await database?.destroy();
    if (isLocked(error)) throw lockedError(path, error);
    if (error instanceof StorageError) throw error;
    throw fileError(`The database ${path} cannot be opened`, error);
  }
}

/** What an operator can do about a fault of the open database; any other error as it is. */
export function explainFault(opened: Pick<OpenDatabase, 'place'>, error: unknown): unknown {
  const code = resultCodeOf(error);
  if (isLocked(error)) return lockedError(opened.place, error);
  if (code === undefined || adviceByResultCode[code] === undefined) return error;
  return fileError(`The database ${opened.place} cannot be used`, error);
}

/** Also where the migrator tells of it in words of its own. */
function isLocked(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return resultCodeOf(error) === locked || resultCodeOf(cause) === locked;
}

function lockedError(path: string, cause: unknown): StorageError {
  return new StorageError(
    `Another process holds the database ${path} (backup? second server?). Stop it and retry.`,
    { cause },
  );
}

function fileError(what: string, error: unknown): StorageError {
  const reason = error instanceof Error ? error.message : error;
  const advice =
    adviceByResultCode[resultCodeOf(error) ?? 0] ??
    'run this as the user that runs the server, or give yours the right to write to it';
  return new StorageError(`${what} (${reason}): ${advice}.`, { cause: error });
}

async function setBusyTimeout(database: Kysely<Tables>, ms: number): Promise<void> {
  await sql`pragma busy_timeout = ${sql.lit(ms)}`.execute(database);
}

/** Closes the database and what follows it. */
export async function closeDatabase(opened: OpenDatabase): Promise<void> {
  await opened.feed.close();
  await opened.database.destroy();
}

/**
 * Root must not follow what another account has put in its own folder: SQLite would write, or make,
 * whatever the link leads to.
 */
export function refuseLinks(path: string): void {
  if (process.geteuid?.() !== 0 || statSync(dirname(path)).uid === 0) return;
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    throw new StorageError(
      `${file} is a symbolic link in a folder that does not belong to root: run this as the ` +
        'account that the folder belongs to, or put the file there itself.',
    );
  }
}

/** Made before SQLite opens it, because SQLite would make it readable for everyone. */
function makeFile(path: string): void {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    throw error;
  }
  try {
    // What root makes in the service's directory must be writable for the service.
    const { uid, gid } = statSync(dirname(path));
    if (process.geteuid?.() === 0) fchownSync(file, uid, gid);
  } finally {
    closeSync(file);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
