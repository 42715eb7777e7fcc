import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

/** How an SQLite file is opened. */
export interface SqliteOptions {
  readonly path: string;
  /** How long a statement waits for another process; the whole thread waits with it. */
  readonly busyTimeoutMs: number;
}

/** SQLite's result codes that we act upon, https://sqlite.org/rescode.html */
const sqliteBusy = 5;

const journalTriesMax = 50;
const journalTryMs = 100;

/** Opens the file with our settings. Throws what SQLite throws. */
export function openSqlite(options: SqliteOptions): DatabaseSync {
  const { DatabaseSync: Database } = loadSqlite();
  const database = new Database(options.path, {
    timeout: options.busyTimeoutMs,
    enableForeignKeyConstraints: true,
  });
  try {
    useWriteAheadLog(database);
    // A revocation that was confirmed must survive a power cut.
    database.exec('pragma synchronous = full');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Node marks the module as experimental in 22; that is our business, not our user's. */
function loadSqlite(): typeof import('node:sqlite') {
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
  for (let attempt = 1; ; attempt += 1) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (resultCodeOf(error) !== sqliteBusy || attempt === journalTriesMax) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, journalTryMs);
    }
  }
}

/** The primary result code of an error of `node:sqlite`; undefined for other errors. */
export function resultCodeOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}

/** Kysely's dialect for an open `node:sqlite` database. Kysely closes it when it is destroyed. */
export function createSqliteDialect(database: DatabaseSync): Dialect {
  const shaped = shapeForKysely(database);
  return {
    createDriver: () => new ImmediateSqliteDriver(database, shaped),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
}

/** `node:sqlite` in the shape of better-sqlite3, which Kysely's driver is written for. */
function shapeForKysely(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql);
      const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...values(parameters)),
        run: (parameters) => statement.run(...values(parameters)),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      };
    },
  };
}

/**
 * Takes the write lock when a transaction begins. A deferred one that reads first and then writes
 * fails at once, whatever the timeout, if another process wrote in between.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync, shaped: SqliteDatabase) {
    super({ database: shaped });
    this.#database = database;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** On a full disk SQLite has rolled back by itself; a fault of ours would hide that one. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database.isTransaction) await super.rollbackTransaction(connection);
  }
}

/** SQLite can undo DDL: the migrator runs inside a transaction, which is also its lock. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
