import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { isStorageFault } from './fault.ts';
import { migrations } from './migrations/list.ts';
import { resultCodeOf } from './sqlite-file.ts';
import { StorageError, UnfitError } from './storage-error.ts';
import type { Tables } from './tables.ts';

/** SQLITE_BUSY, https://sqlite.org/rescode.html */
const busy = 5;

interface MigrationTables {
  readonly kysely_migration: { readonly name: string };
}

/**
 * Brings the schema up to date and says which migrations that took. Two processes may do this at
 * once: the second waits for the first one's lock and then finds nothing left to do.
 */
export async function migrate(database: Kysely<Tables>): Promise<readonly string[]> {
  // Where there is nothing to do nothing is written: another process may hold the write lock.
  if ((await pendingIn(database)).length === 0) return [];
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => ({ ...migrations }) },
    // Each stands by itself: a database that ran later ones before one was merged gets that one now.
    allowUnorderedMigrations: true,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) {
    if (resultCodeOf(error) === busy) {
      throw new StorageError(
        'Another process holds the database (a backup, a second server?). Nothing was changed. ' +
          'Stop that process and try again.',
        { cause: error },
      );
    }
    // What a database says that cannot be used at present is no fault of the migration.
    if (isStorageFault(error)) throw error;
    const failed = results?.find((result) => result.status === 'Error')?.migrationName;
    throw new UnfitError(
      `The database could not be brought up to date${failed ? ` (migration ${failed})` : ''}: ` +
        `${messageOf(error)}. Nothing was changed. Solve this, then try again.`,
      { cause: error },
    );
  }
  return (results ?? []).map((result) => result.migrationName);
}

/** Which migrations a database has seen, and whether it is ours at all. */
export interface Schema {
  readonly done: readonly string[];
  /** Those that the next start would run. */
  readonly pending: readonly string[];
  /** A migration that this version does not know: a newer one wrote it. */
  readonly newer: string | undefined;
  /** A table of another program, where there is none of ours. */
  readonly foreignTable: string | undefined;
}

/** Reads the state of the schema and changes nothing. */
export async function readSchema(database: Kysely<Tables>): Promise<Schema> {
  const known = Object.keys(migrations);
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) {
    const foreignTable = tables.find((table) => !table.name.startsWith('kysely_'))?.name;
    return { done: [], pending: known, newer: undefined, foreignTable };
  }
  const rows = await (database as unknown as Kysely<MigrationTables>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  const done = rows.map(({ name }) => name);
  const pending = known.filter((name) => !done.includes(name));
  const newer = done.find((name) => !(name in migrations));
  return { done, pending, newer, foreignTable: undefined };
}

/** The migrations that are to be run. Throws where the database is not ours to change. */
async function pendingIn(database: Kysely<Tables>): Promise<readonly string[]> {
  const { newer, foreignTable, pending } = await readSchema(database);
  if (foreignTable !== undefined) {
    throw new UnfitError(
      `The database belongs to another program (it has a table "${foreignTable}"): ` +
        'name another data directory with --data-dir, or another database with --database-url.',
    );
  }
  if (newer === undefined) return pending;
  throw new UnfitError(
    `The database was written by a newer Sallyport (it has migration ${newer}): run that ` +
      'version, or name another data directory with --data-dir.',
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
