import { statSync } from 'node:fs';
import { createSqlAuditStore } from '../access/sql-audit-store.ts';
import type { Config } from '../config/settings.ts';
import type { Act } from '../contract/acts.ts';
import { actors } from '../contract/audit.ts';
import {
  closeDatabase,
  databasePath,
  explainFault,
  type OpenDatabase,
  openDatabase,
} from '../storage/database.ts';
import { StorageError } from '../storage/storage-error.ts';

/** Long enough for the write of a server, short enough for the user who waits. */
const busyTimeoutMs = 2_000;

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>;

/** Adds an act of the command line to the audit. */
export type NoteAct = (act: Act) => Promise<void>;

/** Opens the database, lets a command work with it, and closes it again. */
export async function withDatabase<T>(
  { dataDir, databaseUrl }: Place,
  work: (opened: OpenDatabase, note: NoteAct) => Promise<T>,
): Promise<T> {
  const times = { busyTimeoutMs, openTimeoutMs: busyTimeoutMs };
  const opened = await openDatabase({ dataDir, databaseUrl, ...times });
  try {
    const audit = createSqlAuditStore(opened.database);
    return await work(opened, (act) =>
      audit.append({ actor: actors.commandLine, ...act }, Date.now()),
    );
  } catch (error) {
    throw explainFault(opened, error);
  } finally {
    await closeDatabase(opened);
  }
}

/** A command that reads or removes needs a database that is there: a new one would be empty. */
export function requireDatabase({ dataDir, databaseUrl }: Place): void {
  if (databaseUrl !== undefined || !isMissing(databasePath(dataDir))) return;
  throw new StorageError(
    `There is no database in ${dataDir}: name the data directory of the server with --data-dir.`,
  );
}

/** A path that cannot be read is not missing: opening it tells what is wrong. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
