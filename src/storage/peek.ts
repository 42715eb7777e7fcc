import { Kysely } from 'kysely';
import { type DatabaseOptions, databasePath, explainFault } from './database.ts';
import { createSqliteDialect } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** A database as it lies there: nothing was made, migrated or written to open it. */
export interface PeekedDatabase {
  readonly database: Kysely<Tables>;
  /** Where it is, for people; without a password. */
  readonly place: string;
}

/** Lets `work` read the database, which may be in use. Rejects with advice. */
export async function peekDatabase<T>(
  { dataDir, databaseUrl, busyTimeoutMs }: DatabaseOptions,
  work: (peeked: PeekedDatabase) => Promise<T>,
): Promise<T> {
  const path = databasePath(dataDir);
  const peeked =
    databaseUrl === undefined
      ? { database: openFile(path, busyTimeoutMs), place: path }
      : await openServer(databaseUrl);
  try {
    return await work(peeked);
  } catch (error) {
    throw explainFault(peeked, error);
  } finally {
    await peeked.database.destroy();
  }
}

function openFile(path: string, busyTimeoutMs: number): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: createSqliteDialect({ path, busyTimeoutMs, isReadOnly: true }),
  });
}

async function openServer(url: string): Promise<PeekedDatabase> {
  // Where SQLite is used, nobody waits for the driver of PostgreSQL.
  const { openPostgres, postgresPlace } = await import('./postgres.ts');
  return { database: await openPostgres(url), place: postgresPlace(url) };
}
