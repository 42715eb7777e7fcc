import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { EventFilter, EventPage, EventSummary, StoredEvent } from '../contract/event.ts';
import type { Tables } from '../storage/tables.ts';
import { leadFor, matching } from './event-facts.ts';
import { eventOfRow, summaryOfRow } from './event-rows.ts';
import {
  answerMsMax,
  boundOf,
  clockSlackMs,
  firstIdAt,
  greater,
  hasFacts,
  idsInWindows,
  lesser,
  timeOf,
} from './find-ids.ts';
import { type ScanBounds, scanBounds } from './scan-bounds.ts';
import { withTriage } from './triage.ts';

const streamRows = 100;

/** Begins the cursor of a page among events that are dated in the future. */
export const futureMark = '~';

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

/** Ids of a run of rows, newest first: `from` is included, `to` is not. */
interface Slice {
  readonly from: string;
  /** Undefined for no bound. */
  readonly to: string | undefined;
  /** Whether older rows follow. */
  readonly hasMore: boolean;
}

/** The next rows of a stretch, found by the primary key alone. */
async function nextSlice(
  database: Kysely<Tables>,
  { from, to }: Stretch,
  sliceRows: number,
): Promise<Slice> {
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
  { sliceRows, rowsMax }: { readonly sliceRows: number; readonly rowsMax: number },
): AsyncGenerator<Slice> {
  let { to } = stretch;
  for (let rows = 0; rows < rowsMax; rows += sliceRows) {
    const slice = await nextSlice(database, { ...stretch, to }, sliceRows);
    yield slice;
    if (!slice.hasMore) return;
    to = slice.from;
    await nextTurn();
  }
}

/** What a page of a list is asked for. */
interface PageWish {
  readonly cursor?: string;
  readonly limit: number;
  readonly now: number;
  readonly bounds?: ScanBounds;
}

/** One page of the events that fit, from a bounded number of rows and entries of an index. */
export async function searchEvents(
  database: Kysely<Tables>,
  filter: EventFilter,
  { cursor, limit, now, bounds = scanBounds }: PageWish,
): Promise<EventPage> {
  const events: EventSummary[] = [];
  const isIndexed = filter.q === undefined && (await hasFacts(database));
  const { sliceRows } = bounds;
  const rowsMax = isIndexed ? bounds.readRows : bounds.textRows;
  for (const stretch of stretchesAt(now, filter, cursor)) {
    let rest: Stretch | undefined;
    for await (const slice of slices(database, stretch, { sliceRows, rowsMax })) {
      const room = limit - events.length;
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
    if (!isIndexed) return { events, ...searchedTo(rest.mark, rest.to ?? '') };
    const room = limit - events.length;
    const lead = await leadFor(database, filter, bounds.ownRows);
    const wish = { ...rest, lead, order: 'desc', limit: room } as const;
    const bound = lead === 'facts' ? await boundOf(database, wish, bounds.factEntries) : undefined;
    const ids = await idsInWindows(database, filter, { ...wish, from: bound ?? wish.from });
    events.push(...(await summariesOf(database, ids)));
    if (ids.length === room) return { events, next: stretch.mark + (ids.at(-1) ?? '') };
    if (bound !== undefined) return { events, ...searchedTo(stretch.mark, bound) };
  }
  return { events };
}

function searchedTo(mark: string, id: string): Pick<EventPage, 'next' | 'searchedTo'> {
  return { next: mark + id, searchedTo: timeOf(id) };
}

function nextAfter({ mark }: Stretch, events: readonly EventSummary[]): string {
  return mark + (events.at(-1)?.id ?? '');
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

/** Whole events that fit, the newest first. */
export async function* streamEvents(
  database: Kysely<Tables>,
  filter: EventFilter,
  now: number,
): AsyncGenerator<StoredEvent> {
  const all = { sliceRows: scanBounds.sliceRows, rowsMax: Number.POSITIVE_INFINITY };
  for (const stretch of stretchesAt(now, filter)) {
    for await (const slice of slices(database, stretch, all)) {
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
