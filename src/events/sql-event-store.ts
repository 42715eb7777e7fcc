import { type Kysely, sql } from 'kysely';
import type {
  EventStore,
  StoredEvent,
  TrafficMinute,
  TrafficSpan,
  TrafficStep,
} from '../contract/event.ts';
import { restAfter } from '../storage/rest.ts';
import type { Tables } from '../storage/tables.ts';
import { countEvents } from './count-events.ts';
import { eventOfRow, rowOf } from './event-rows.ts';
import { neighboursOf } from './neighbours.ts';
import { pruneEvents } from './prune-events.ts';
import type { ScanBounds } from './scan-bounds.ts';
import { searchEvents, streamEvents } from './search-events.ts';
import { triageEvents, withTriage } from './triage.ts';

/**
 * Blocks in an SQL database. Only SQL that SQLite and PostgreSQL share. `clock` gives milliseconds
 * since 1970; `bounds` are for tests.
 */
export function createSqlEventStore(
  database: Kysely<Tables>,
  clock: () => number = Date.now,
  bounds?: ScanBounds,
): EventStore {
  const bounded = bounds === undefined ? {} : { bounds };
  return {
    insert: (events) => insertEvents(database, events),
    find: async (id) => {
      const row = await database
        .selectFrom('event')
        .select(['summary', 'document'])
        .where('id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const [event] = await withTriage(database, [eventOfRow(row)]);
      return event;
    },
    search: async (filter, page) => {
      const found = await searchEvents(database, filter, { ...page, ...bounded, now: clock() });
      return { ...found, events: await withTriage(database, found.events) };
    },
    triage: (ids, change) => triageEvents(database, ids, change),
    stream: (filter) => streamEvents(database, filter, clock()),
    count: (filter, wish) => countEvents(database, filter, wish),
    neighbours: (id, filter, side) =>
      neighboursOf(database, id, { filter, ...bounded, now: clock(), ...(side && { side }) }),
    oldest: async () => {
      const first = database.selectFrom('event').select('at').orderBy('at').limit(1);
      const row = await first.executeTakeFirst();
      return row && Number(row.at);
    },
    adopt: (signal) => adoptEvents(database, signal),
    // All or none: after a failure the caller retries with the same minutes.
    addTraffic: (minutes) => database.transaction().execute((trx) => addTraffic(trx, minutes)),
    traffic: (span) => readTraffic(database, span),
    prune: (bounds) => pruneEvents(database, bounds),
  };
}

async function insertEvents(
  database: Kysely<Tables>,
  events: readonly StoredEvent[],
): Promise<number> {
  if (events.length === 0) return 0;
  const rows = events.map(rowOf);
  await database
    .insertInto('event')
    .values(rows)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return rows.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Rows of older versions that one step prepares: a statement on SQLite holds up its thread. */
const adoptedAtOnce = 250;

async function adoptEvents(
  database: Kysely<Tables>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let adopted = 0;
  while (signal?.aborted !== true) {
    const startedAt = performance.now();
    const rows = await database
      .selectFrom('event')
      .select(['summary', 'document'])
      .where('part', 'is', null)
      .limit(adoptedAtOnce)
      .execute();
    if (rows.length === 0) break;
    await database.transaction().execute(async (trx) => {
      for (const row of rows) {
        const { id, ...columns } = rowOf(eventOfRow(row));
        await trx.updateTable('event').set(columns).where('id', '=', id).execute();
      }
    });
    adopted += rows.length;
    await restAfter(startedAt);
  }
  return adopted;
}

async function addTraffic(
  database: Kysely<Tables>,
  minutes: readonly TrafficMinute[],
): Promise<void> {
  for (const { minute, requests, blocked, wouldBlock } of minutes) {
    await database
      .insertInto('traffic')
      .values({ minute, requests, blocked, would_block: wouldBlock })
      .onConflict((conflict) =>
        conflict.column('minute').doUpdateSet((eb) => ({
          requests: eb('traffic.requests', '+', eb.ref('excluded.requests')),
          blocked: eb('traffic.blocked', '+', eb.ref('excluded.blocked')),
          would_block: eb('traffic.would_block', '+', eb.ref('excluded.would_block')),
        })),
      )
      .execute();
  }
}

async function readTraffic(
  database: Kysely<Tables>,
  { from, to, stepMs }: TrafficSpan,
): Promise<readonly TrafficStep[]> {
  // Cast, so that both databases divide whole numbers.
  const step = sql<number | string>`
    (minute * 60000 - cast(${from} as bigint)) / cast(${stepMs} as bigint)
  `.as('step');
  const rows = await database
    .selectFrom('traffic')
    .select((eb) => [
      step,
      eb.fn.sum('requests').as('requests'),
      eb.fn.sum('blocked').as('blocked'),
      eb.fn.sum('would_block').as('would_block'),
    ])
    .where('minute', '>=', Math.ceil(from / 60_000))
    .where('minute', '<', Math.ceil(to / 60_000))
    .groupBy('step')
    .orderBy('step')
    .execute();
  return rows.map((row) => ({
    step: Number(row.step),
    requests: Number(row.requests),
    blocked: Number(row.blocked),
    wouldBlock: Number(row.would_block),
  }));
}
