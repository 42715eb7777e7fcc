import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type {
  EventFilter,
  EventPage,
  EventStore,
  EventTally,
  StoredEvent,
  TrafficMinute,
  TrafficSpan,
  TrafficStep,
} from '../contract/event.ts';
import type { Tables } from '../storage/tables.ts';
import { eventOfRow, rowOf, summaryOfRow } from './event-rows.ts';
import { pruneEvents } from './prune-events.ts';

/** Rows that one statement looks at: a statement on SQLite holds up its thread. */
const sliceRows = 1_000;
/** Rows that one search looks at before it gives what it has, and a cursor to go on from. */
const searchRowsMax = 50_000;
const tallyRowsMax = 100_000;
const streamRows = 100;

/**
 * Blocks in an SQL database. Only SQL that SQLite and PostgreSQL share. `clock` gives milliseconds
 * since 1970.
 */
export function createSqlEventStore(
  database: Kysely<Tables>,
  clock: () => number = Date.now,
): EventStore {
  return {
    insert: (events) => insertEvents(database, events),
    find: async (id) => {
      const row = await database
        .selectFrom('event')
        .select(['summary', 'document'])
        .where('id', '=', id)
        .executeTakeFirst();
      return row && eventOfRow(row);
    },
    search: (filter, page) => searchEvents(database, filter, { ...page, now: clock() }),
    stream: (filter) => streamEvents(database, filter, clock()),
    tally: (filter) => tallyEvents(database, filter, clock()),
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

type EventQuery<Row> = SelectQueryBuilder<Tables, 'event', Row>;

function matching<Row>(query: EventQuery<Row>, filter: EventFilter): EventQuery<Row> {
  const { decision, category, rule, keyId, pointer, q, from, to } = filter;
  let wanted = query;
  if (decision !== undefined) wanted = wanted.where('decision', '=', decision);
  if (category !== undefined) wanted = wanted.where('category', '=', category);
  if (rule !== undefined) wanted = wanted.where('rule', '=', rule);
  if (keyId !== undefined) wanted = wanted.where('key_id', '=', keyId);
  if (pointer !== undefined) wanted = wanted.where('pointer', '=', pointer);
  if (from !== undefined) wanted = wanted.where('at', '>=', from);
  if (to !== undefined) wanted = wanted.where('at', '<', to);
  if (q !== undefined) {
    const pattern = `%${q.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    wanted = wanted.where(sql<boolean>`search like ${pattern} escape '\\'`);
  }
  return wanted;
}

/** Clocks of several nodes may differ by so much. */
const clockSlackMs = 60_000;
/** Begins the cursor of a page among events that are dated in the future. */
const futureMark = '~';

/** Ids of events in the order of reading: `from` is included, `to` is not. */
interface Stretch {
  readonly from: string;
  /** Undefined for no bound. */
  readonly to: string | undefined;
  readonly mark: string;
}

/**
 * All events behind a cursor, in two stretches: those that are dated in the future come last. A
 * clock that was wrong for a while would else keep its events before all others until their time.
 */
function stretchesAt(now: number, cursor?: string): readonly Stretch[] {
  const bound = firstIdAt(now + clockSlackMs);
  const isFuture = cursor?.startsWith(futureMark) === true;
  const future = { from: bound, to: isFuture ? cursor.slice(1) : undefined, mark: futureMark };
  return isFuture ? [future] : [{ from: '', to: cursor ?? bound, mark: '' }, future];
}

/** No UUIDv7 of this moment or later is smaller. */
function firstIdAt(ms: number): string {
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}

/** Ids of a run of rows, newest first: `from` is included, `to` is not. */
interface Slice {
  readonly from: string;
  /** Undefined for no bound. */
  readonly to: string | undefined;
  /** Whether older rows follow. */
  readonly hasMore: boolean;
}

/** The next rows of a stretch, found by the primary key alone. */
async function nextSlice(database: Kysely<Tables>, { from, to }: Stretch): Promise<Slice> {
  let query = database.selectFrom('event').select('id').where('id', '>=', from);
  if (to !== undefined) query = query.where('id', '<', to);
  const row = await query
    .orderBy('id', 'desc')
    .offset(sliceRows - 1)
    .limit(1)
    .executeTakeFirst();
  return { from: row?.id ?? from, to, hasMore: row !== undefined };
}

function inSlice<Row>(query: EventQuery<Row>, slice: Slice): EventQuery<Row> {
  const wanted = query.where('id', '>=', slice.from);
  return slice.to === undefined ? wanted : wanted.where('id', '<', slice.to);
}

/** Walks the slices of a stretch from the newest on, with a turn of the event loop between them. */
async function* slices(
  database: Kysely<Tables>,
  stretch: Stretch,
  rowsMax: number,
): AsyncGenerator<Slice> {
  let { to } = stretch;
  for (let rows = 0; rows < rowsMax; rows += sliceRows) {
    const slice = await nextSlice(database, { ...stretch, to });
    yield slice;
    if (!slice.hasMore) return;
    to = slice.from;
    await nextTurn();
  }
}

async function searchEvents(
  database: Kysely<Tables>,
  filter: EventFilter,
  page: { readonly cursor?: string; readonly limit: number; readonly now: number },
): Promise<EventPage> {
  const events: EventPage['events'][number][] = [];
  for (const stretch of stretchesAt(page.now, page.cursor)) {
    let next: string | undefined;
    for await (const slice of slices(database, stretch, searchRowsMax)) {
      const room = page.limit - events.length;
      const query = database.selectFrom('event').select(['id', 'summary']);
      const rows = await inSlice(matching(query, filter), slice)
        .orderBy('id', 'desc')
        .limit(room)
        .execute();
      events.push(...rows.map(summaryOfRow));
      const last = rows.at(-1);
      // A full page: what follows begins below its last row.
      if (rows.length === room && last !== undefined) {
        return { events, next: stretch.mark + last.id };
      }
      const isEnd = !slice.hasMore || (await isOlderThan(database, slice.from, filter.from));
      next = isEnd ? undefined : stretch.mark + slice.from;
      if (isEnd) break;
    }
    if (next !== undefined) return { events, next };
  }
  return { events };
}

/** Whether a row is before the time from which on events are wanted, and so are all after it. */
async function isOlderThan(
  database: Kysely<Tables>,
  id: string,
  from: number | undefined,
): Promise<boolean> {
  if (from === undefined) return false;
  const row = await database
    .selectFrom('event')
    .select('at')
    .where('id', '=', id)
    .executeTakeFirst();
  // Ids are made when a request comes and events are dated when it is answered.
  return row !== undefined && Number(row.at) < from - answerMsMax;
}

/** Far above the time that a request can take. */
const answerMsMax = 120_000;

async function* streamEvents(
  database: Kysely<Tables>,
  filter: EventFilter,
  now: number,
): AsyncGenerator<StoredEvent> {
  for (const stretch of stretchesAt(now)) {
    for await (const slice of slices(database, stretch, Number.POSITIVE_INFINITY)) {
      let below = slice.to;
      for (;;) {
        const query = database.selectFrom('event').select(['id', 'summary', 'document']);
        const rows = await inSlice(matching(query, filter), { ...slice, to: below })
          .orderBy('id', 'desc')
          .limit(streamRows)
          .execute();
        for (const row of rows) yield eventOfRow(row);
        if (rows.length < streamRows) break;
        below = rows.at(-1)?.id;
      }
      if (await isOlderThan(database, slice.from, filter.from)) break;
    }
  }
}

async function tallyEvents(
  database: Kysely<Tables>,
  filter: EventFilter,
  now: number,
): Promise<EventTally> {
  const categories = new Map<string, number>();
  const rules = new Map<string, number>();
  const pointers = new Map<string, number>();
  const add = (map: Map<string, number>, name: string, count: number) =>
    map.set(name, (map.get(name) ?? 0) + count);
  let blocked = 0;
  let wouldBlock = 0;
  for (const stretch of stretchesAt(now)) {
    for await (const slice of slices(database, stretch, tallyRowsMax)) {
      const query = database
        .selectFrom('event')
        .select(['decision', 'category', 'rule', 'pointer', (eb) => eb.fn.countAll().as('count')]);
      const rows = await inSlice(matching(query, filter), slice)
        .groupBy(['decision', 'category', 'rule', 'pointer'])
        .execute();
      for (const row of rows) {
        const count = Number(row.count);
        if (row.decision === 'block') blocked += count;
        else wouldBlock += count;
        add(categories, row.category, count);
        add(rules, row.rule, count);
        add(pointers, row.pointer, count);
      }
      if (await isOlderThan(database, slice.from, filter.from)) break;
    }
  }
  return { blocked, wouldBlock, categories, rules, pointers };
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
