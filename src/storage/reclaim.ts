import { type Kysely, SqliteAdapter, sql } from 'kysely';
import type { Steps } from './rest.ts';
import type { Tables } from './tables.ts';

/** Pages that one statement gives back: it holds up the thread of SQLite. */
const pagesAtOnce = 500;
/** Pages that may stay free: the next events take them. A page has 4 KiB. */
const freePagesMax = 256;
/** Rewriting so much takes less than a second. */
const rewriteBytesMax = 33_554_432;

/**
 * Gives free space of the file back to the system, where there is much. PostgreSQL uses its free
 * space by itself; a file of SQLite that was made before `auto_vacuum` was set keeps its length.
 */
export async function reclaimSpace({ database, rest, signal }: Steps): Promise<void> {
  if (!(database.getExecutor().adapter instanceof SqliteAdapter)) return;
  let free = await freePages(database);
  if (free <= freePagesMax) return;
  while (free > freePagesMax && signal?.aborted !== true) {
    const startedAt = performance.now();
    await sql`pragma incremental_vacuum(${sql.lit(pagesAtOnce)})`.execute(database);
    const left = await freePages(database);
    // Without `auto_vacuum` nothing happens.
    if (left >= free) break;
    free = left;
    await rest(startedAt);
  }
  // Also truncates the write-ahead log; if a reader prevents that, a later call does.
  await sql`pragma wal_checkpoint(truncate)`.execute(database);
}

/**
 * Rewrites a short file that was made before `auto_vacuum` was set, so that it can return space;
 * a long one would delay the start. The guide says how to do that by hand.
 */
export async function makeReclaimable(database: Kysely<Tables>): Promise<void> {
  if ((await pragmaOf(database, 'auto_vacuum')) !== 0) return;
  const bytes = (await pragmaOf(database, 'page_count')) * (await pragmaOf(database, 'page_size'));
  if (bytes > rewriteBytesMax) return;
  try {
    await sql`pragma auto_vacuum = incremental`.execute(database);
    await sql`vacuum`.execute(database);
  } catch {
    // Another process may be writing; the next start tries again.
  }
}

async function pragmaOf(database: Kysely<Tables>, name: string): Promise<number> {
  const { rows } = await sql`pragma ${sql.raw(name)}`.execute(database);
  const [value] = Object.values(rows[0] ?? {});
  return Number(value ?? 0);
}

function freePages(database: Kysely<Tables>): Promise<number> {
  return pragmaOf(database, 'freelist_count');
}
