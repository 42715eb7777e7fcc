import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { Piscina } from 'piscina';
import { threadArguments } from '../contract/thread-arguments.ts';
import type { SqliteFailure, SqliteOptions, Statement, StatementResult } from './sqlite-file.ts';
import { StorageError } from './storage-error.ts';

/** What the thread can be asked to do, by the name of the function in the worker. */
interface Tasks {
  readonly execute: { readonly task: Statement; readonly result: StatementResult };
  readonly rollBack: { readonly task: undefined; readonly result: undefined };
  readonly close: { readonly task: undefined; readonly result: undefined };
}

/**
 * Kysely's dialect for an SQLite file that a thread of its own holds open: neither a statement nor
 * the disk that it waits for keeps the thread waiting that answers requests.
 */
export function createSqliteDialect(
  options: SqliteOptions,
  /** Module with the functions of the thread; `workers/sqlite` unless a test says otherwise. */
  workerFile: URL = defaultWorkerFile(),
): Dialect {
  return {
    createDriver: () => new ThreadedSqliteDriver(new SqliteThread(options, workerFile)),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TransactionalSqliteAdapter(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
}

/** One connection; Kysely gives it to one caller at a time, and keeps it for a transaction. */
class ThreadedSqliteDriver implements Driver {
  readonly #thread: SqliteThread;
  readonly #connection: ThreadedSqliteConnection;

  constructor(thread: SqliteThread) {
    this.#thread = thread;
    this.#connection = new ThreadedSqliteConnection(thread);
  }

  /** The next statement opens the file: an attempt before may have left open a damaged one. */
  async init(): Promise<void> {
    await this.#thread.run('close', undefined);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection;
  }

  /**
   * Takes the write lock when a transaction begins. A deferred one that reads first and then writes
   * fails at once, whatever the timeout, if another process wrote in between.
   */
  async beginTransaction(): Promise<void> {
    await this.#connection.executeQuery(CompiledQuery.raw('begin immediate'));
    this.#connection.isInTransaction = true;
  }

  async commitTransaction(): Promise<void> {
    await this.#connection.executeQuery(CompiledQuery.raw('commit'));
    this.#connection.isInTransaction = false;
  }

  async rollbackTransaction(): Promise<void> {
    this.#connection.isInTransaction = false;
    await this.#thread.run('rollBack', undefined);
  }

  async releaseConnection(): Promise<void> {
    // There is but one.
  }

  destroy(): Promise<void> {
    return this.#thread.close();
  }
}

class ThreadedSqliteConnection implements DatabaseConnection {
  readonly #thread: SqliteThread;
  isInTransaction = false;

  constructor(thread: SqliteThread) {
    this.#thread = thread;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { isInTransaction } = this;
    const result = await this.#thread.run('execute', { sql, parameters, isInTransaction });
    const { changes, lastInsertRowid } = result;
    return {
      rows: result.rows as R[],
      ...(changes === undefined ? {} : { numAffectedRows: BigInt(changes) }),
      ...(lastInsertRowid === undefined ? {} : { insertId: BigInt(lastInsertRowid) }),
    };
  }

  /** All rows at once: what is long is read page by page. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery(query);
  }
}

/** The thread: a Piscina of one, which is replaced should it die. */
class SqliteThread {
  readonly #pool: Piscina;

  constructor(options: SqliteOptions, workerFile: URL) {
    this.#pool = new Piscina({
      filename: fileURLToPath(workerFile),
      execArgv: threadArguments,
      workerData: options,
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: 1,
      recordTiming: false,
      resourceLimits: { maxYoungGenerationSizeMb: 2 },
    });
    // One that dies between two statements; unheard it would end the process.
    this.#pool.on('error', () => undefined);
  }

  async run<Name extends keyof Tasks>(
    name: Name,
    task: Tasks[Name]['task'],
  ): Promise<Tasks[Name]['result']> {
    const result: Tasks[Name]['result'] | SqliteFailure = await this.#pool
      .run(task, { name })
      .catch((error: unknown) => {
        throw new StorageError('The thread of the database ended; try again.', { cause: error });
      });
    if (result === undefined || !('message' in result)) return result;
    throw Object.assign(new Error(result.message), { errcode: result.errcode });
  }

  async close(): Promise<void> {
    try {
      await this.run('close', undefined);
    } finally {
      await this.#pool.destroy();
    }
  }
}

// `src` runs as .ts from the sources and as .js from `dist`; the worker has the same ending.
function defaultWorkerFile(): URL {
  return new URL(`../../workers/sqlite${extname(import.meta.url)}`, import.meta.url);
}

/** SQLite can undo DDL: the migrator runs inside a transaction, which is also its lock. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
