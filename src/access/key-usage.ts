import { type Kysely, sql } from 'kysely';
import type { KeyUsage } from '../contract/key-usage.ts';
import { limits } from '../contract/limits.ts';
import type { Log } from '../contract/ports.ts';
import type { Tables } from '../storage/tables.ts';
import type { KeyUse } from './key-tally.ts';

const hourMs = 3_600_000;
const flushMs = 10_000;
const pruneMs = hourMs;
/** Soon after the start: a process that restarts each hour removes what is too old as well. */
const firstPruneMs = 10_000;
/** A row takes six parameters, and SQLite takes 32,766 of a statement. */
const rowsAtOnce = 500;
/** A statement deletes so much: a long one would keep other writers waiting. */
const hoursAtOnce = 24;

/** What one key was used for since the last time. */
export interface CountedUse extends KeyUse {
  readonly keyId: string;
}

/** What writes the use of keys is made of. */
export interface KeyUsageParts {
  readonly database: Kysely<Tables>;
  /** Takes what was counted since the last call. */
  readonly take: () => readonly CountedUse[];
  readonly log: Log;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
  /** Rows of one key and one hour that are kept. */
  readonly rowsMax?: number;
  /** Rows that wait for the database. */
  readonly waitingMax?: number;
}

/** Stores the use of keys by the hour, in batches, and reads it. */
export interface KeyUsageWriter extends KeyUsage {
  /** Removes what is too old or too much; a timer does this by itself. */
  prune(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the timers. */
export function startKeyUsage(parts: KeyUsageParts): KeyUsageWriter {
  return new BatchedUsage(parts);
}

class BatchedUsage implements KeyUsageWriter {
  readonly #parts: KeyUsageParts;
  /** What could not be stored yet, by key and hour: at most one row of each key and hour. */
  #waiting = new Map<string, CountedUse & { readonly hour: number }>();
  #flushing: Promise<void> = Promise.resolve();
  #fails = false;
  readonly #timers: readonly NodeJS.Timeout[];

  constructor(parts: KeyUsageParts) {
    this.#parts = parts;
    this.#timers = [
      setInterval(() => void this.flush(), flushMs).unref(),
      setInterval(() => void this.prune(), pruneMs).unref(),
      setTimeout(() => void this.prune(), firstPruneMs).unref(),
    ];
  }

  /** One after the other. What is not stored is tried again, and bounded meanwhile. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#tryFlush());
    return this.#flushing;
  }

  async hours(
    keyId: string,
    { from, to }: { readonly from: number; readonly to: number },
  ): ReturnType<KeyUsage['hours']> {
    await this.flush();
    const rows = await this.#parts.database
      .selectFrom('key_usage')
      .selectAll()
      .where('key_id', '=', keyId)
      .where('hour', '>=', Math.floor(from / hourMs))
      .where('hour', '<', Math.ceil(to / hourMs))
      .orderBy('hour')
      .execute();
    return rows.map((row) => ({
      from: Number(row.hour) * hourMs,
      requests: Number(row.requests),
      blocks: Number(row.blocks),
      wouldBlocks: Number(row.would_blocks),
      errors: Number(row.errors),
    }));
  }

  async prune(): Promise<void> {
    const { database, clock, log, rowsMax = limits.keyUsageRowsMax } = this.#parts;
    try {
      const tooMany = await database
        .selectFrom('key_usage')
        .select('hour')
        .orderBy('hour', 'desc')
        .offset(rowsMax)
        .limit(1)
        .executeTakeFirst();
      const tooOld = Math.floor(clock() / hourMs) - 24 * limits.keyUsageDays;
      const last = Math.max(tooOld, tooMany === undefined ? 0 : Number(tooMany.hour));
      const first = await database
        .selectFrom('key_usage')
        .select('hour')
        .orderBy('hour')
        .limit(1)
        .executeTakeFirst();
      if (first === undefined) return;
      for (let to = Number(first.hour); to < last + hoursAtOnce; to += hoursAtOnce) {
        await database.deleteFrom('key_usage').where('hour', '<=', Math.min(to, last)).execute();
      }
    } catch (err) {
      log.debug({ err }, 'the old use of keys cannot be removed now');
    }
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await this.flush();
  }

  async #tryFlush(): Promise<void> {
    const { take, clock, log } = this.#parts;
    const hour = Math.floor(clock() / hourMs);
    for (const use of take()) this.#add(use, hour);
    if (this.#waiting.size === 0) return;
    // In one order on all nodes: two that wait for each other's rows would both fail.
    const batch = [...this.#waiting.values()].sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
    try {
      await this.#store(batch);
      this.#waiting = new Map();
      this.#fails = false;
    } catch (err) {
      if (!this.#fails) log.warn({ err }, 'the use of keys cannot be stored; trying again');
      this.#fails = true;
    }
  }

  /** An outage of days with very many keys is not counted to its end. */
  #add(use: CountedUse, hour: number): void {
    const mark = `${use.keyId} ${hour}`;
    const before = this.#waiting.get(mark);
    const { waitingMax = limits.keyUsageWaitingMax } = this.#parts;
    if (before === undefined && this.#waiting.size >= waitingMax) return;
    this.#waiting.set(mark, {
      keyId: use.keyId,
      hour,
      client: use.client ?? before?.client,
      requests: use.requests + (before?.requests ?? 0),
      blocks: use.blocks + (before?.blocks ?? 0),
      wouldBlocks: use.wouldBlocks + (before?.wouldBlocks ?? 0),
      errors: use.errors + (before?.errors ?? 0),
    });
  }

  /** All or nothing: what is tried again must not count twice. */
  async #store(batch: readonly (CountedUse & { readonly hour: number })[]): Promise<void> {
    await this.#parts.database.transaction().execute(async (trx) => {
      const used = batch.filter(({ requests }) => requests > 0);
      for (let at = 0; at < used.length; at += rowsAtOnce) {
        await trx
          .insertInto('key_usage')
          .values(used.slice(at, at + rowsAtOnce).map(rowOf))
          .onConflict((conflict) =>
            conflict.columns(['key_id', 'hour']).doUpdateSet({
              requests: sql<number>`key_usage.requests + excluded.requests`,
              blocks: sql<number>`key_usage.blocks + excluded.blocks`,
              would_blocks: sql<number>`key_usage.would_blocks + excluded.would_blocks`,
              errors: sql<number>`key_usage.errors + excluded.errors`,
            }),
          )
          .execute();
      }
      for (const { keyId, client } of batch) {
        if (client === undefined) continue;
        await trx
          .updateTable('api_key')
          .set({ last_client: client })
          .where('id', '=', keyId)
          .where('last_client', '<>', client)
          .execute();
      }
    });
  }
}

function rowOf({
  keyId,
  hour,
  requests,
  blocks,
  wouldBlocks,
  errors,
}: CountedUse & { hour: number }) {
  return { key_id: keyId, hour, requests, blocks, would_blocks: wouldBlocks, errors };
}
