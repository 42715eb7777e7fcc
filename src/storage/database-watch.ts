import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Log } from '../contract/ports.ts';
import { isDamage } from './fault.ts';
import { keptFile } from './kept-file.ts';
import { StorageError } from './storage-error.ts';
import type { Tables } from './tables.ts';

const checkMs = 1_500;
/** An answer that takes longer counts as none. */
const answerMsMax = 2_000;
/** Below this a disk counts as full: SQLite's write-ahead log takes half of it. */
const freeBytesMin = 8_388_608;
/** The whole of a larger file is not checked: that would hold up all other statements. */
const wholeBytesMax = 33_554_432;
/** A whole check is followed by this many times its duration without one. */
const wholeRest = 40;

/** The tables, and whether their pages are checked each time: those that are small, whatever the load. */
const isChecked: Readonly<Record<keyof Tables, boolean>> = {
  api_key: true,
  api_key_secret: true,
  counter: true,
  setting: true,
  policy: true,
  policy_version: true,
  admin: true,
  admin_session: true,
  admin_invitation: true,
  admin_second_factor: true,
  admin_recovery_code: true,
  admin_identity: true,
  address_entry: true,
  notification_channel: true,
  saved_filter: true,
  // These grow with the traffic.
  key_usage: false,
  event: false,
  event_triage: false,
  traffic: false,
  audit_entry: false,
  learnt_shape: false,
  notification_tally: false,
  notification_message: false,
};
const checkedTables = Object.entries(isChecked).flatMap(([name, is]) => (is ? [name] : []));
/**
 * The check of all of them, as one statement: each one waits for what the thread of SQLite does.
 * https://sqlite.org/pragma.html#pragfunc
 */
const checkTables = sql.join(
  ['sqlite_schema', ...checkedTables].map(
    (table) => sql`select quick_check from pragma_quick_check(${sql.lit(table)})`,
  ),
  sql` union all `,
);

/** What is watched. */
export interface WatchParts {
  readonly database: Kysely<Tables>;
  /** SQLite's file; undefined for PostgreSQL. */
  readonly path: string | undefined;
  readonly log: Log;
  readonly checkMs?: number;
}

/** Checks the open database again and again, off the path of requests. */
export interface DatabaseWatch {
  /** False while the last check found a fault. */
  isWell(): boolean;
  /** Throws when more writes would only be lost in a damaged file. */
  refuseDamaged(): void;
  close(): void;
}

/** Begins to check an open database, every second or two. */
export function watchDatabase(parts: WatchParts): DatabaseWatch {
  return new PollingWatch(parts);
}

class Damage extends StorageError {}

class PollingWatch implements DatabaseWatch {
  readonly #parts: WatchParts;
  readonly #timer: NodeJS.Timeout;
  #fault: Error | undefined;
  #isChecking = false;
  #isClosed = false;
  #wasShort = false;
  #wholeAt = 0;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#poll(), parts.checkMs ?? checkMs).unref();
  }

  isWell(): boolean {
    return this.#fault === undefined;
  }

  refuseDamaged(): void {
    if (this.#fault instanceof Damage) throw this.#fault;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  async #poll(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const late = new AbortController();
    const tooLate = delay(answerMsMax, undefined, { signal: late.signal, ref: false }).then(
      () => this.#found(new StorageError('The database does not answer.')),
      () => undefined,
    );
    try {
      await this.#check();
      this.#found(undefined);
    } catch (error) {
      this.#found(error instanceof Error ? error : new Error(String(error)));
    }
    late.abort();
    await tooLate;
    this.#isChecking = false;
  }

  #found(fault: Error | undefined): void {
    if (this.#isClosed) return;
    const { log } = this.#parts;
    if (fault === undefined && this.#fault !== undefined) {
      log.info({}, 'the database can be used again');
    } else if (fault !== undefined && fault.message !== this.#fault?.message) {
      log.warn({ err: fault }, 'the database cannot be used; screening continues');
    }
    this.#fault = fault;
  }

  async #check(): Promise<void> {
    const { database, path } = this.#parts;
    if (path === undefined) {
      await sql`select 1`.execute(database);
      return;
    }
    const bytes = await this.#checkFile(path);
    // Takes the lock to write and gives it back: whether another process holds it.
    await database.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
    });
    await this.#checkPages(bytes);
    await refuseFullDisk(path);
  }

  /** The file itself: SQLite goes on with what it has read before. Gives its size. */
  async #checkFile(path: string): Promise<number> {
    const head = await headOf(path);
    if (head === undefined) {
      throw new Damage(`The database ${path} is no SQLite database any more: ${advice}.`);
    }
    const isShort = head.size < head.bytesNamed;
    // While SQLite writes its log back, the head comes before the last pages.
    const isTruncated = isShort && this.#wasShort;
    this.#wasShort = isShort;
    if (isTruncated) {
      throw new Damage(
        `The database ${path} has ${head.size} bytes instead of ${head.bytesNamed}: ${advice}.`,
      );
    }
    return head.size;
  }

  /** Reads from the disk, not from memory, and checks whether the pages fit each other. */
  async #checkPages(bytes: number): Promise<void> {
    const { database } = this.#parts;
    await sql`pragma shrink_memory`.execute(database);
    refuseDamage(await quickCheck(database, checkTables));
    if (bytes > wholeBytesMax || performance.now() < this.#wholeAt) return;
    const startedAt = performance.now();
    refuseDamage(await quickCheck(database, sql`pragma quick_check(1)`));
    const now = performance.now();
    this.#wholeAt = now + (now - startedAt) * wholeRest;
  }
}

const advice = 'stop Sallyport and restore it from a backup';

/** Size of a file and what its head says it must be; undefined when that is none of SQLite. */
async function headOf(path: string) {
  const file = await keptFile(path).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(
      `The database ${path} cannot be read (${reason}): put it back, or ${advice}.`,
    );
  });
  const { size } = await file.stat();
  const head = Buffer.alloc(100);
  await file.read(head, 0, head.length, 0);
  if (head.toString('latin1', 0, 16) !== 'SQLite format 3\0') return undefined;
  // https://sqlite.org/fileformat2.html#the_database_header; 1 stands for 65,536.
  const pageSize = head.readUInt16BE(16) === 1 ? 65_536 : head.readUInt16BE(16);
  return { size, bytesNamed: pageSize * head.readUInt32BE(28) };
}

async function quickCheck(
  database: Kysely<Tables>,
  statement: RawBuilder<unknown>,
): Promise<readonly string[]> {
  try {
    const { rows } = await statement.execute(database);
    return rows.map((row) => String(Object.values(row ?? {})[0]));
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [error instanceof Error ? error.message : String(error)];
  }
}

function refuseDamage(results: readonly string[]): void {
  const damage = results.find((result) => result !== 'ok');
  if (damage === undefined) return;
  const reason = damage.split('\n').at(-1);
  throw new Damage(`The database is damaged (${reason}): ${advice}.`);
}

async function refuseFullDisk(path: string): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path));
  if (bavail * bsize >= freeBytesMin) return;
  throw new StorageError(`The disk of the database ${path} is full: free some space.`);
}
