import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type {
  EventFilter,
  EventNeighbours,
  EventPage,
  EventSummary,
  StoredEvent,
} from '../contract/event.ts';
import type { Tables } from '../storage/tables.ts';
import { indexedFor, isDecided, isIndexed, matching } from './event-facts.ts';
import { eventOfRow, summaryOfRow } from './event-rows.ts';
import { withTriage } from './triage.ts';

/** Rows that one statement looks at: a statement on SQLite holds up its thread. */
const sliceRows = 1_000;
/** Rows that one search reads before it goes on in the index of facts. */
const readRowsMax = 2_000;
/** Entries of that index that one search looks at before it gives what it has, and a cursor. */
const factRowsMax = 400_000;
/** Rows that one search for a text reads before it gives what it has, and a cursor to go on from. */
const searchRowsMax = 50_000;
const streamRows = 100;

/** Clocks of several nodes may differ by so much. */
const clockSlackMs = 60_000;
/** Far above the time that a request can take. */
const answerMsMax = 120_000;
/** The first window that is searched beyond the rows that were read, and the last one before all. */
const windowMsMin = 3_600_000;
const windowGrowth = 8;
const windowMsMax = 4_000_000_000;
/** Begins the cursor of a page among events that are dated in the future. */
const futureMark = '~';

type EventQuery<Row> = SelectQueryBuilder<Tables, 'event', Row>;

/** Ids of events in the order of reading: `from` is included, `to` is not. */
interface Stretch {
  readonly from: string;
  /** Undefined for no bound. */
  readonly to: string | undefined;
  readonly mark: string;
}

/**
 * All events behind a cursor and within a range of time, in two stretches: those that are dated in
 * the future come last. A clock that was wrong for a while would else keep its events before all
 * others until their time.
 */
function stretchesAt(now: number, filter: EventFilter, cursor?: string): readonly Stretch[] {
  const bound = firstIdAt(now + clockSlackMs);
  const isFuture = cursor?.startsWith(futureMark) === true;
  const future = { from: bound, to: isFuture ? cursor.slice(1) : undefined, mark: futureMark };
  const all = isFuture ? [future] : [{ from: '', to: cursor ?? bound, mark: '' }, future];
  // Ids are made when a request comes, and events are dated when it is answered.
  const first = filter.from === undefined ? '' : firstIdAt(filter.from - answerMsMax);
  const end = filter.to === undefined ? undefined : firstIdAt(filter.to + clockSlackMs);
  return all
    .map(({ from, to, mark }) => ({ from: greater(first, from), to: lesser(to, end), mark }))
    .filter(({ from, to }) => to === undefined || from < to);
}

function lesser(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}

/** No UUIDv7 of this moment or later is smaller. */
function firstIdAt(ms: number): string {
  const digits = Math.max(0, ms).toString(16).padStart(12, '0');
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

/** One page of the events that fit. */
export async function searchEvents(
  database: Kysely<Tables>,
  filter: EventFilter,
  page: { readonly cursor?: string; readonly limit: number; readonly now: number },
): Promise<EventPage> {
  const events: EventSummary[] = [];
  const isIndexed = filter.q === undefined && (await hasFacts(database));
  const rowsMax = isIndexed ? readRowsMax : searchRowsMax;
  for (const stretch of stretchesAt(page.now, filter, page.cursor)) {
    let rest: Stretch | undefined;
    for await (const slice of slices(database, stretch, rowsMax)) {
      const room = page.limit - events.length;
      const query = database.selectFrom('event').select(['id', 'summary']);
      const rows = await inSlice(matching(query, filter), slice)
        .orderBy('id', 'desc')
        .limit(room)
        .execute();
      events.push(...rows.map(summaryOfRow));
      // A full page: what follows begins below its last row.
      if (rows.length === room) return { events, next: nextAfter(stretch, events) };
      rest = slice.hasMore ? { ...stretch, to: slice.from } : undefined;
    }
    if (rest === undefined) continue;
    if (!isIndexed) return { events, next: rest.mark + rest.to };
    const room = page.limit - events.length;
    const wish = { ...rest, order: 'desc', limit: room } as const;
    const bound = await boundOf(database, filter, wish);
    const ids = await idsInWindows(database, filter, { ...wish, from: bound ?? wish.from });
    events.push(...(await summariesOf(database, ids)));
    if (ids.length === room) return { events, next: nextAfter(stretch, events) };
    if (bound !== undefined) return { events, next: stretch.mark + bound };
  }
  return { events };
}

function nextAfter({ mark }: Stretch, events: readonly EventSummary[]): string {
  return mark + (events.at(-1)?.id ?? '');
}

/** Whether all rows can be found by their facts: those of an older version wait for the upkeep. */
async function hasFacts(database: Kysely<Tables>): Promise<boolean> {
  const row = await database
    .selectFrom('event')
    .select('part')
    .where('part', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row === undefined;
}

/** Which ids, from the newest or from the oldest on. */
interface IdWish {
  readonly from: string;
  readonly to: string | undefined;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** How far one search goes in the index of facts; undefined where it can go to the end. */
async function boundOf(
  database: Kysely<Tables>,
  filter: EventFilter,
  { from, to, order }: IdWish,
): Promise<string | undefined> {
  if (isIndexed(filter) || isDecided(filter.triage)) return undefined;
  let query = database.selectFrom('event').select('id').where('id', '>=', from);
  if (to !== undefined) query = query.where('id', '<', to);
  const row = await query.orderBy('id', order).offset(factRowsMax).limit(1).executeTakeFirst();
  return row?.id;
}

/** Finds events without reading their rows. */
async function idsByFacts(
  database: Kysely<Tables>,
  filter: EventFilter,
  wish: IdWish,
): Promise<readonly string[]> {
  // As a term, it does not lead to the index of ids, in whose order each row would be read.
  const id = sql<string>`(id || '')`;
  let query = database
    .selectFrom('event')
    .select('id')
    .where(indexedFor(filter))
    .where(id, '>=', wish.from);
  if (wish.to !== undefined) query = query.where(id, '<', wish.to);
  const rows = await matching(query, filter).orderBy(id, wish.order).limit(wish.limit).execute();
  return rows.map((row) => row.id);
}

/** The same in growing windows of time: where many events fit, few are looked at. */
async function idsInWindows(
  database: Kysely<Tables>,
  filter: EventFilter,
  wish: IdWish,
): Promise<readonly string[]> {
  const isDown = wish.order === 'desc';
  const ids: string[] = [];
  let { from, to } = wish;
  for (let windowMs = windowMsMin; ids.length < wish.limit; windowMs *= windowGrowth) {
    const edge = timeOf(isDown ? to : from) + (isDown ? -windowMs : windowMs);
    const isLast = windowMs > windowMsMax;
    if (!isLast && isDown) from = greater(wish.from, firstIdAt(edge));
    else if (!isLast) to = firstIdAt(edge);
    else ({ from, to } = isDown ? { from: wish.from, to } : { from, to: wish.to });
    const span = {
      from: Math.max(filter.from ?? 0, timeOf(from) - clockSlackMs),
      to: Math.min(filter.to ?? Number.MAX_SAFE_INTEGER, timeOf(to) + answerMsMax),
    };
    const rest = { ...wish, from, to, limit: wish.limit - ids.length };
    if (span.from < span.to) {
      ids.push(...(await idsByFacts(database, { ...filter, ...span }, rest)));
    }
    if (isLast || from === to || (isDown && from === wish.from)) break;
    if (isDown) to = from;
    else from = to ?? from;
  }
  return ids;
}

function greater(a: string, b: string): string {
  return a > b ? a : b;
}

/** When a UUIDv7 was made. */
function timeOf(id: string | undefined): number {
  const digits = id?.replace('-', '').slice(0, 12) ?? 'f'.repeat(12);
  return digits === '' ? 0 : Number.parseInt(digits, 16);
}

async function summariesOf(
  database: Kysely<Tables>,
  ids: readonly string[],
): Promise<readonly EventSummary[]> {
  if (ids.length === 0) return [];
  const rows = await database
    .selectFrom('event')
    .select(['id', 'summary'])
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(summaryOfRow);
}

/** What stands beside an event in the list of those that fit. */
export async function neighboursOf(
  database: Kysely<Tables>,
  id: string,
  wish: { readonly filter: EventFilter; readonly now: number },
): Promise<EventNeighbours> {
  const { filter, now } = wish;
  const { events } = await searchEvents(database, filter, { cursor: id, limit: 1, now });
  const near = database
    .selectFrom('event')
    .select('id')
    .where('id', '>', id)
    .orderBy('id')
    .limit(readRowsMax);
  const [found, last] = await Promise.all([
    matching(database.selectFrom('event').select('id').where('id', 'in', near), filter)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst(),
    near
      .offset(readRowsMax - 1)
      .limit(1)
      .executeTakeFirst(),
  ]);
  const hasFurther = found === undefined && last !== undefined && filter.q === undefined;
  const above = { from: last?.id ?? '', to: undefined, order: 'asc', limit: 1 } as const;
  const to = hasFurther ? await boundOf(database, filter, above) : undefined;
  const [further] = hasFurther ? await idsInWindows(database, filter, { ...above, to }) : [];
  const newer = found?.id ?? further;
  const older = events[0]?.id;
  return { ...(newer === undefined ? {} : { newer }), ...(older === undefined ? {} : { older }) };
}

/** Whole events that fit, the newest first. */
export async function* streamEvents(
  database: Kysely<Tables>,
  filter: EventFilter,
  now: number,
): AsyncGenerator<StoredEvent> {
  for (const stretch of stretchesAt(now, filter)) {
    for await (const slice of slices(database, stretch, Number.POSITIVE_INFINITY)) {
      let below = slice.to;
      for (;;) {
        const query = database.selectFrom('event').select(['id', 'summary', 'document']);
        const rows = await inSlice(matching(query, filter), { ...slice, to: below })
          .orderBy('id', 'desc')
          .limit(streamRows)
          .execute();
        yield* await withTriage(database, rows.map(eventOfRow));
        if (rows.length < streamRows) break;
        below = rows.at(-1)?.id;
      }
    }
  }
}
