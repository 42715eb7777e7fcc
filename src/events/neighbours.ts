import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { EventFilter, EventNeighbours } from '../contract/event.ts';
import type { Tables } from '../storage/tables.ts';
import { leadFor, matching } from './event-facts.ts';
import { boundOf, hasFacts, idsInWindows } from './find-ids.ts';
import { type ScanBounds, scanBounds } from './scan-bounds.ts';
import { futureMark, searchEvents } from './search-events.ts';

interface Wish {
  readonly filter: EventFilter;
  readonly now: number;
  /** Undefined for both. */
  readonly side?: 'newer' | 'older';
  readonly bounds?: ScanBounds;
}

/** What stands beside an event in the list of those that fit, or how far each search for it got. */
export async function neighboursOf(
  database: Kysely<Tables>,
  id: string,
  { side, bounds = scanBounds, ...wish }: Wish,
): Promise<EventNeighbours> {
  const bounded = { ...wish, bounds };
  return {
    ...(side === 'older' ? {} : await newerThan(database, id, bounded)),
    ...(side === 'newer' ? {} : await olderThan(database, id, bounded)),
  };
}

type Bounded = Wish & { readonly bounds: ScanBounds };

async function olderThan(
  database: Kysely<Tables>,
  id: string,
  { filter, ...wish }: Bounded,
): Promise<Pick<EventNeighbours, 'older' | 'olderFrom'>> {
  const { events, next } = await searchEvents(database, filter, { cursor: id, limit: 1, ...wish });
  const [older] = events;
  if (older !== undefined) return { older: older.id };
  // What a wrong clock dated in the future is not gone through to its end.
  return next === undefined || next.startsWith(futureMark) ? {} : { olderFrom: next };
}

async function newerThan(
  database: Kysely<Tables>,
  id: string,
  { filter, bounds }: Bounded,
): Promise<Pick<EventNeighbours, 'newer' | 'newerFrom'>> {
  const isIndexed = filter.q === undefined && (await hasFacts(database));
  const { sliceRows } = bounds;
  const rowsMax = isIndexed ? bounds.readRows : bounds.textRows;
  let after = id;
  for (let rows = 0; rows < rowsMax; rows += sliceRows) {
    const above = database.selectFrom('event').select('id').where('id', '>', after).orderBy('id');
    const last = await above
      .offset(sliceRows - 1)
      .limit(1)
      .executeTakeFirst();
    // A range, not a list of ids: PostgreSQL would walk through all ids for a list.
    const near = last === undefined ? above : above.where('id', '<=', last.id);
    const found = await matching(near, filter).limit(1).executeTakeFirst();
    if (found !== undefined) return { newer: found.id };
    if (last === undefined) return {};
    after = last.id;
    await nextTurn();
  }
  if (!isIndexed) return { newerFrom: after };
  const lead = await leadFor(database, filter, bounds.ownRows);
  const wish = { from: behind(after), to: undefined, lead, order: 'asc', limit: 1 } as const;
  const bound = lead === 'facts' ? await boundOf(database, wish, bounds.factEntries) : undefined;
  const to = bound === undefined ? undefined : behind(bound);
  const [newer] = await idsInWindows(database, filter, { ...wish, to });
  if (newer !== undefined) return { newer };
  return bound === undefined ? {} : { newerFrom: bound };
}

/** Between an id and the next one. */
function behind(id: string): string {
  return `${id}~`;
}
