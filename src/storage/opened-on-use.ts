import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type TransactionSettings,
} from 'kysely';
import type { Tables } from './tables.ts';

/** After a failure further statements fail alike for so long; the next one tries again. */
const retryMs = 1_000;

/** A dialect whose database is opened by the first statement, and tried again until it is. */
export interface OpenedOnUse {
  readonly dialect: Dialect;
  /** Ends the driver. Kysely does so for a database that was opened, and only then. */
  destroy(): Promise<void>;
}

/**
 * No statement runs before `open` has succeeded; `open` is handed the database as it is. Each
 * statement of an unopened database fails with what `open` says.
 */
export function openedOnUse(
  dialect: Dialect,
  open: (database: Kysely<Tables>) => Promise<void>,
): OpenedOnUse {
  const raw = dialect.createDriver();
  const withDriver = (driver: Driver): Dialect => ({
    createDriver: () => driver,
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (database) => dialect.createIntrospector(database),
  });
  const unopened = withDriver(new PassingDriver(raw, () => raw.init()));
  const driver = new LateDriver(raw, () => open(new Kysely<Tables>({ dialect: unopened })));
  return { dialect: withDriver(driver), destroy: () => driver.destroy() };
}

/** Another driver, which this one begins in its way and never ends. */
class PassingDriver implements Driver {
  readonly init: () => Promise<void>;
  readonly #driver: Driver;

  constructor(driver: Driver, init: () => Promise<void>) {
    this.#driver = driver;
    this.init = init;
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return this.#driver.acquireConnection();
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return this.#driver.beginTransaction(connection, settings);
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#driver.commitTransaction(connection);
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#driver.rollbackTransaction(connection);
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.#driver.releaseConnection(connection);
  }

  async destroy(): Promise<void> {
    // The driver belongs to another database.
  }
}

/** Kysely calls `init` before a statement until it has succeeded once. */
class LateDriver extends PassingDriver {
  readonly #driver: Driver;
  #destroyed: Promise<void> | undefined;

  constructor(driver: Driver, open: () => Promise<void>) {
    super(driver, rested(open));
    this.#driver = driver;
  }

  override destroy(): Promise<void> {
    this.#destroyed ??= this.#driver.destroy();
    return this.#destroyed;
  }
}

/** The same work, which repeats a failure for a while instead of failing anew. */
function rested(work: () => Promise<void>): () => Promise<void> {
  let failure: { readonly error: unknown; readonly at: number } | undefined;
  return async () => {
    if (failure !== undefined && performance.now() - failure.at < retryMs) throw failure.error;
    try {
      await work();
    } catch (error) {
      failure = { error, at: performance.now() };
      throw error;
    }
  };
}
