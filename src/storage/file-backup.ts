import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { databasePath, makeDataDir, refuseLinks } from './database.ts';
import { isDamage } from './fault.ts';
import { migrations } from './migrations/list.ts';
import { giveToOwnerOf } from './owner.ts';
import { loadSqlite, resultCodeOf } from './sqlite-file.ts';
import { StorageError } from './storage-error.ts';

/** What a database holds, in numbers. */
export interface Contents {
  readonly keys: number;
  readonly policies: number;
  readonly events: number;
  /** Tells which pepper the keys were made with. */
  readonly pepperMark: string | undefined;
}

const sqliteBusy = 5;
const busyTimeoutMs = 10_000;

/**
 * Writes a copy of the SQLite database as it is at one moment, while others go on writing to it.
 * The file is there as a whole or not at all, for its owner only, and never over another one.
 */
export function backUpFile(dataDir: string, target: string): Contents {
  refuseExisting(target);
  const aside = `${target}.partial`;
  try {
    // Made before SQLite writes it, because SQLite would make it readable for everyone.
    closeSync(openSync(aside, 'wx', 0o600));
  } catch (error) {
    throw new StorageError(
      `The backup cannot be written (${messageOf(error)}): name a file in a folder that you may ` +
        'write to, and remove what a broken-off backup has left.',
      { cause: error },
    );
  }
  try {
    const path = databasePath(dataDir);
    refuseLinks(path);
    // A reader alone would leave its log behind.
    const source = openQuietly(path, { isWritten: true });
    try {
      source.prepare('vacuum into ?').run(aside);
    } finally {
      source.close();
    }
    const contents = examine(aside);
    flush(aside);
    // A link, unlike a move, never takes the place of a file that came in between.
    linkSync(aside, target);
    return contents;
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError(`The backup failed: ${messageOf(error)}. Nothing was changed.`, {
      cause: error,
    });
  } finally {
    rmSync(aside, { force: true });
  }
}

/** What became of the database that was there before. */
export interface Restored {
  readonly contents: Contents;
  readonly previous: string | undefined;
}

/**
 * Puts a backup in the place of the database, which nobody may have open. What was there before
 * stays beside it.
 */
export function restoreFile(options: {
  readonly dataDir: string;
  readonly source: string;
  /** Set behind the name of the database that was there before. */
  readonly suffix: string;
}): Restored {
  const { dataDir, source } = options;
  if (!existsSync(source)) {
    throw new StorageError(`There is no backup ${source}: name a file that backup has written.`);
  }
  makeDataDir(dataDir);
  const path = databasePath(dataDir);
  refuseLinks(path);
  const aside = `${path}.partial`;
  try {
    rmSync(aside, { force: true });
    copyFileSync(source, aside, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    chmodSync(aside, 0o600);
    const contents = examine(aside);
    makeUsable(aside);
    const previous = existsSync(path) ? `${path}.${options.suffix}` : undefined;
    if (previous !== undefined) {
      refuseExisting(previous);
      settle(path);
      for (const ending of ['', '-wal', '-shm']) moveIfThere(`${path}${ending}`, previous + ending);
    }
    renameSync(aside, path);
    flush(dirname(path));
    return { contents, previous };
  } finally {
    // The copy may have got a log of its own by the examination.
    for (const ending of ['', '-wal', '-shm']) rmSync(`${aside}${ending}`, { force: true });
  }
}

/** Writes the log back into the file, and fails where anybody else has it open. */
function settle(path: string): void {
  const database = openQuietly(path, { isWritten: true, timeout: 1_000 });
  try {
    database.exec('pragma journal_mode = delete');
  } catch (error) {
    // A damaged one is moved aside with its log, as it is.
    if (isDamage(error)) return;
    if (resultCodeOf(error) !== sqliteBusy) throw error;
    throw new StorageError(
      `The database ${path} is in use: stop Sallyport (\`systemctl stop sallyport.target\` where ` +
        'it is a service), restore, and start it again.',
      { cause: error },
    );
  } finally {
    database.close();
  }
}

function moveIfThere(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}

/** Reads the whole file once. Throws for what is damaged, foreign or from a newer version. */
function examine(path: string): Contents {
  const database = openQuietly(path);
  try {
    const [check] = database.prepare('pragma integrity_check(1)').all();
    if (check?.['integrity_check'] !== 'ok') {
      throw new StorageError(`The backup is damaged: ${check?.['integrity_check']}.`);
    }
    const table = "select name from sqlite_master where type = 'table' and name = ?";
    const hasTable = (name: string) => database.prepare(table).get(name) !== undefined;
    if (!hasTable('kysely_migration') || !hasTable('api_key')) {
      throw new StorageError('The file is an SQLite database, but not one of Sallyport.');
    }
    const done = database.prepare('select name from kysely_migration').all();
    const unknown = done.find((row) => !(String(row['name']) in migrations));
    if (unknown !== undefined) {
      throw new StorageError(
        `The backup is from a newer Sallyport (it has migration ${unknown['name']}): use that version.`,
      );
    }
    const count = (name: string): number =>
      hasTable(name)
        ? Number(database.prepare(`select count(*) as n from ${name}`).get()?.['n'])
        : 0;
    const mark = database.prepare("select value from setting where name = 'pepper-mark'").get();
    return {
      keys: count('api_key'),
      policies: count('policy'),
      events: count('event'),
      pepperMark: mark === undefined ? undefined : String(mark['value']),
    };
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError(`The backup cannot be read: ${messageOf(error)}.`, { cause: error });
  } finally {
    database.close();
  }
}

function openQuietly(
  path: string,
  { isWritten = false, timeout = busyTimeoutMs } = {},
): DatabaseSync {
  const { DatabaseSync: Database } = loadSqlite();
  return new Database(path, { readOnly: !isWritten, timeout });
}

function refuseExisting(path: string): void {
  if (!existsSync(path)) return;
  throw new StorageError(`${path} is there already: name a new file, or move that one away.`);
}

function makeUsable(path: string): void {
  const file = openSync(path, 'r+');
  try {
    giveToOwnerOf(dirname(path), file);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Survives a power cut from then on. */
function flush(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
