import { existsSync, statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Which file, and how it is opened. */
export interface SqliteOptions {
  readonly path: string;
  /** How long a statement waits for another process; all behind it wait as well. */
  readonly busyTimeoutMs: number;
  /** Nothing is written, not even the files that SQLite puts beside its own. */
  readonly isReadOnly?: boolean;
}

/** A statement on its way to the thread. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Whether it belongs to a transaction that has begun. */
  readonly isInTransaction: boolean;
}

/** What SQLite has answered. */
export interface StatementResult {
  readonly rows: readonly unknown[];
  /** Where the statement returns no rows: how many it changed, and the last row that it made. */
  readonly changes?: number | bigint;
  readonly lastInsertRowid?: number | bigint;
}

/** An error in a form that keeps its numbers on the way out of a thread. */
export interface SqliteFailure {
  readonly message: string;
  /** SQLite's extended result code, https://sqlite.org/rescode.html */
  readonly errcode: number | undefined;
}

const sqliteBusy = 5;
/** SQLITE_ABORT_ROLLBACK: the transaction that the statement belongs to was rolled back. */
const abortedByRollback = 516;
/** SQLITE_READONLY_DBMOVED. SQLite itself looks for this only without a write-ahead log. */
const databaseMoved = 1_032;

const isPragma = /^pragma /i;

/** Tries to change to the write-ahead log end after this time. */
const journalMsMax = 3_000;
const journalTryMs = 100;
/** SQLite writes the log back at about this length. */
const journalBytesMax = 4_194_304;

/** An SQLite file in the thread that runs it. Opened by the first statement. */
export class SqliteFile {
  readonly #options: SqliteOptions;
  #database: DatabaseSync | undefined;
  /** Device and number of the file that is open. */
  #file: string | undefined;

  constructor(options: SqliteOptions) {
    this.#options = options;
  }

  /**
   * Runs a statement. Throws what SQLite throws, and when the transaction of the statement is gone:
   * SQLite ends one by itself on some errors, and a thread takes one with it when it dies. Also when
   * the file was deleted or replaced: what is written to it then is lost.
   */
  execute({ sql, parameters, isInTransaction }: Statement): StatementResult {
    if (this.#database === undefined) {
      this.#database = open(this.#options);
      this.#file = fileAt(this.#options.path);
    }
    if (this.#file !== fileAt(this.#options.path)) {
      const moved = new Error(
        `The database ${this.#options.path} was deleted or replaced while it was open: restart Sallyport.`,
      );
      throw Object.assign(moved, { errcode: databaseMoved });
    }
    if (this.#database.isTransaction !== isInTransaction) {
      const lost = new Error('The transaction was lost; nothing of it is stored.');
      throw Object.assign(lost, { errcode: abortedByRollback });
    }
    const statement = this.#database.prepare(sql);
    const values = parameters as readonly SQLInputValue[];
    // A pragma without columns works step by step as well: `run` would take the first step only.
    if (statement.columns().length > 0 || isPragma.test(sql)) {
      return { rows: statement.all(...values) };
    }
    return { rows: [], ...statement.run(...values) };
  }

  /** Ends the transaction, where there still is one. */
  rollBack(): void {
    if (this.#database?.isTransaction === true) this.#database.exec('rollback');
  }

  close(): void {
    this.#database?.close();
    this.#database = undefined;
  }
}

/** An error as a value. */
export function failureOf(error: unknown): SqliteFailure {
  const message = error instanceof Error ? error.message : String(error);
  return { message, errcode: extendedCodeOf(error) };
}

/** The primary result code of an error of SQLite; undefined for other errors. */
export function resultCodeOf(error: unknown): number | undefined {
  const code = extendedCodeOf(error);
  return code === undefined ? undefined : code & 0xff;
}

function extendedCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

function fileAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** Opens the file with our settings. Throws what SQLite throws. */
function open(options: SqliteOptions): DatabaseSync {
  const { DatabaseSync: Database } = loadSqlite();
  if (options.isReadOnly) {
    const location = readOnlyLocation(options.path);
    return new Database(location, { timeout: options.busyTimeoutMs, readOnly: true });
  }
  const database = new Database(options.path, {
    timeout: options.busyTimeoutMs,
    enableForeignKeyConstraints: true,
  });
  try {
    // Counts before anything is written to a file; it takes the write lock of any other.
    const pages = database.prepare('pragma page_count').get()?.['page_count'];
    if (pages === 0) database.exec('pragma auto_vacuum = incremental');
    useWriteAheadLog(database);
    // After a burst the log shrinks again.
    database.exec(`pragma journal_size_limit = ${journalBytesMax}`);
    // A revocation that was confirmed must survive a power cut.
    database.exec('pragma synchronous = full');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Without a write-ahead log nobody has the file open; a plain read would make an empty log. */
function readOnlyLocation(path: string): string | URL {
  if (existsSync(`${path}-wal`)) return path;
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return url;
}

/** Node marks the module as experimental in 22; that is our business, not our user's. */
export function loadSqlite(): typeof import('node:sqlite') {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning, ...rest: unknown[]) => {
    if (String(warning).startsWith('SQLite is an experimental feature')) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** When two processes change to the write-ahead log at once, one fails without waiting. */
function useWriteAheadLog(database: DatabaseSync): void {
  const giveUpAt = performance.now() + journalMsMax;
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (resultCodeOf(error) !== sqliteBusy || performance.now() > giveUpAt) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, journalTryMs);
    }
  }
}
