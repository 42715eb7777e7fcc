import { closeSync, lstatSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Dialect, Kysely, type KyselyPlugin, sql } from 'kysely';
import { type ChangeFeed, noFeed } from './change-feed.ts';
import { isDiskFull, saysFull } from './disk-space.ts';
import { codeOf } from './error-code.ts';
import { isStorageFault } from './fault.ts';
import { migrate } from './migrate.ts';
import { openedOnUse } from './opened-on-use.ts';
import { giveToOwnerOf } from './owner.ts';
import { makeReclaimable } from './reclaim.ts';
import { createSqliteDialect } from './sqlite.ts';
import { resultCodeOf } from './sqlite-file.ts';
import { StorageError, UnfitError } from './storage-error.ts';
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
  /** What is to be done before any other statement, as soon as the schema is up to date. */
  readonly onOpen?: (database: Kysely<Tables>) => Promise<void>;
}

/** A database that its first statement opens, and the next one again if that fails. */
export interface PreparedDatabase {
  readonly database: Kysely<Tables>;
  /** Where it is, for people; without a password. */
  readonly place: string;
  /** Tells what other processes change. */
  readonly feed: ChangeFeed;
  /** Opens it now and gives the migrations that this took. Rejects with advice. */
  open(): Promise<readonly string[]>;
  /** Ends what `closeDatabase` finds when the database was never opened. */
  release(): Promise<void>;
}

/** An open database whose schema is up to date, and the migrations that this took. */
export interface OpenDatabase extends PreparedDatabase {
  readonly migrated: readonly string[];
}

const openTimeoutMsDefault = 10_000;

const locked = 5;
const full = 13;
/** I/O error and cannot open: what SQLite says of a full disk where it opens a database. */
const vagueCodes: ReadonlySet<number> = new Set([10, 14]);

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

/** What distinguishes the database of these settings from others; without a password. */
export async function databaseName(databaseUrl: string | undefined): Promise<string> {
  if (databaseUrl === undefined) return 'SQLite';
  const { postgresPlace } = await import('./postgres.ts');
  return postgresPlace(databaseUrl);
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
  if (isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same time may have made it since.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Opens the database and brings its schema up to date. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const prepared = await prepareDatabase(options);
  try {
    return { ...prepared, migrated: await prepared.open() };
  } catch (error) {
    await closeDatabase(prepared);
    throw error;
  }
}

/** Gets a database ready without touching it: it may be unavailable for now. */
export async function prepareDatabase(options: DatabaseOptions): Promise<PreparedDatabase> {
  const { databaseUrl } = options;
  return databaseUrl === undefined
    ? prepareFile(options)
    : prepareServer(databaseUrl, options.onOpen);
}

async function prepareServer(
  url: string,
  onOpen: DatabaseOptions['onOpen'],
): Promise<PreparedDatabase> {
  // Where SQLite is used, its start need not wait for the driver of PostgreSQL.
  const { postgresAccess, postgresError, postgresPlace } = await import('./postgres.ts');
  const { followPostgres } = await import('./postgres-feed.ts');
  const place = postgresPlace(url);
  return preparedOn({
    ...postgresAccess(url),
    place,
    feed: followPostgres(url),
    bringUp: migrate,
    onOpen,
    explain: (error) => postgresError(url, error),
  });
}

function prepareFile(options: DatabaseOptions): PreparedDatabase {
  const { dataDir, onOpen } = options;
  const path = databasePath(dataDir);
  const { busyTimeoutMs, openTimeoutMs = openTimeoutMsDefault } = options;
  return preparedOn({
    dialect: createSqliteDialect({ path, busyTimeoutMs }),
    plugins: [],
    place: path,
    feed: noFeed,
    async bringUp(database) {
      makeDataDir(dataDir);
      refuseLinks(path);
      makeFile(path);
      await setBusyTimeout(database, openTimeoutMs);
      await makeReclaimable(database);
      const migrated = await migrate(database);
      await setBusyTimeout(database, busyTimeoutMs);
      return migrated;
    },
    onOpen,
    explain: (error) =>
      isLocked(error)
        ? lockedError(path, error)
        : fileError(`The database ${path} cannot be opened`, path, error),
  });
}

function preparedOn(parts: {
  readonly dialect: Dialect;
  readonly plugins: KyselyPlugin[];
  readonly place: string;
  readonly feed: ChangeFeed;
  readonly bringUp: (database: Kysely<Tables>) => Promise<readonly string[]>;
  readonly onOpen: DatabaseOptions['onOpen'];
  readonly explain: (error: unknown) => StorageError;
}): PreparedDatabase {
  const { plugins, place, feed, explain } = parts;
  let migrated: readonly string[] = [];
  const { dialect, destroy } = openedOnUse(parts.dialect, async (raw) => {
    const database = plugins.reduce((one, plugin) => one.withPlugin(plugin), raw);
    migrated = await parts.bringUp(database).catch((error: unknown) => {
      throw error instanceof StorageError && !isLocked(error) ? error : explain(error);
    });
    await parts.onOpen?.(database).catch((error: unknown) => {
      throw isStorageFault(error) && !(error instanceof StorageError) ? explain(error) : error;
    });
  });
  const database = new Kysely<Tables>({ dialect, plugins });
  return {
    database,
    place,
    feed,
    async open() {
      await sql`select 1`.execute(database);
      return migrated;
    },
    release: destroy,
  };
}

/** What an operator can do about a fault of the open database; any other error as it is. */
export function explainFault(opened: Pick<OpenDatabase, 'place'>, error: unknown): unknown {
  const code = resultCodeOf(error);
  if (isLocked(error)) return lockedError(opened.place, error);
  if (code === undefined || adviceByResultCode[code] === undefined) return error;
  return fileError(`The database ${opened.place} cannot be used`, opened.place, error);
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

function fileError(what: string, path: string, error: unknown): StorageError {
  const reason = error instanceof Error ? error.message : error;
  return new StorageError(`${what} (${reason}): ${adviceOn(path, error)}.`, { cause: error });
}

function adviceOn(path: string, error: unknown): string {
  const code = isFull(path, error) ? full : (resultCodeOf(error) ?? 0);
  return (
    adviceByResultCode[code] ??
    'run this as the user that runs the server, or give yours the right to write to it'
  );
}

function isFull(path: string, error: unknown): boolean {
  const code = resultCodeOf(error) ?? 0;
  if (code === full || saysFull(error)) return true;
  return vagueCodes.has(code) && isDiskFull(dirname(path));
}

/** Whether what a database was opened or used for failed because the disk is full. */
export function isFullFault(error: unknown, dataDir: string): boolean {
  const cause = error instanceof StorageError ? error.cause : error;
  return isFull(databasePath(dataDir), cause);
}

async function setBusyTimeout(database: Kysely<Tables>, ms: number): Promise<void> {
  await sql`pragma busy_timeout = ${sql.lit(ms)}`.execute(database);
}

/** Closes the database and what follows it. */
export async function closeDatabase(prepared: PreparedDatabase): Promise<void> {
  await prepared.feed.close();
  // Rejects where an attempt to open it is under way and fails.
  await prepared.database.destroy().catch(() => undefined);
  await prepared.release();
}

/**
 * Root must not follow what another account has put in its own folder: SQLite would write, or make,
 * whatever the link leads to.
 */
export function refuseLinks(path: string): void {
  if (process.geteuid?.() !== 0 || statSync(dirname(path)).uid === 0) return;
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) continue;
    throw new UnfitError(
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
    giveToOwnerOf(dirname(path), file);
  } finally {
    closeSync(file);
  }
}
