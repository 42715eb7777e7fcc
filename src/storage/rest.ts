import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Waits after a step that began then (`performance.now()`). */
export type Rest = (startedAt: number) => Promise<void>;

/** Long work on the database, step by step: others use it in between. */
export interface Steps {
  readonly database: Kysely<Tables>;
  readonly rest: Rest;
  /** No step begins after it. */
  readonly signal: AbortSignal | undefined;
}

/**
 * For as long again as the step took: one thread has the file of SQLite, so that other queries get
 * at least half of its time.
 */
export const restAfter: Rest = (startedAt) => delay(performance.now() - startedAt);
