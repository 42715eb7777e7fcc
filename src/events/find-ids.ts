import { type Kysely, sql } from 'kysely';
import type { EventFilter } from '../contract/event.ts';
import type { Tables } from '../storage/tables.ts';
import { type Lead, leadingTo, matching } from './event-facts.ts';

/** Clocks of several nodes may differ by so much. */
export const clockSlackMs = 60_000;
/** Far above the time that a request can take. */
export const answerMsMax = 120_000;
/** The first window that is searched beyond the rows that were read, and the last one before all. */
const windowMsMin = 3_600_000;
const windowGrowth = 8;
const windowMsMax = 4_000_000_000;

/** No UUIDv7 of this moment or later is smaller. */
export function firstIdAt(ms: number): string {
  const digits = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}

/** Whether all rows can be found by their facts: those of an older version wait for the upkeep. */
export async function hasFacts(database: Kysely<Tables>): Promise<boolean> {
  const row = await database
    .selectFrom('event')
    .select('part')
    .where('part', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row === undefined;
}

/** Which ids, from the newest or from the oldest on. */
export interface IdWish {
  readonly from: string;
  readonly to: string | undefined;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/**
 * The last of so many ids from the beginning of a wish on; undefined where no more follow.
 */
export async function boundOf(
  database: Kysely<Tables>,
  { from, to, order }: IdWish,
  rowsMax: number,
): Promise<string | undefined> {
  let query = database.selectFrom('event').select('id').where('id', '>=', from);
  if (to !== undefined) query = query.where('id', '<', to);
  const ids = await query
    .orderBy('id', order)
    .offset(rowsMax - 1)
    .limit(2)
    .execute();
  return ids.length === 2 ? ids[0]?.id : undefined;
}

/** Finds events without reading their rows. */
async function idsByFacts(
  database: Kysely<Tables>,
  filter: EventFilter,
  { lead, ...wish }: IdWish & { readonly lead: Lead },
): Promise<readonly string[]> {
  // As a term, it does not lead to the index of ids, in whose order each row would be read.
  const id = sql<string>`(id || '')`;
  let query = database
    .selectFrom('event')
    .select('id')
    .where(leadingTo(lead, filter))
    .where(id, '>=', wish.from);
  if (wish.to !== undefined) query = query.where(id, '<', wish.to);
  const rows = await matching(query, filter).orderBy(id, wish.order).limit(wish.limit).execute();
  return rows.map((row) => row.id);
}

/** Finds events in growing windows of time: where many events fit, few are inspected. */
export async function idsInWindows(
  database: Kysely<Tables>,
  filter: EventFilter,
  wish: IdWish & { readonly lead: Lead },
): Promise<readonly string[]> {
  const isDown = wish.order === 'desc';
  const ids: string[] = [];
  let { from, to } = wish;
  for (let windowMs = windowMsMin; ids.length < wish.limit; windowMs *= windowGrowth) {
    const edge = timeOf(isDown ? to : from) + (isDown ? -windowMs : windowMs);
    const isLast = windowMs > windowMsMax;
    if (!isLast && isDown) from = greater(wish.from, firstIdAt(edge));
    else if (!isLast) to = lesser(wish.to, firstIdAt(edge));
    else ({ from, to } = isDown ? { from: wish.from, to } : { from, to: wish.to });
    const span = {
      from: Math.max(filter.from ?? 0, timeOf(from) - clockSlackMs),
      to: Math.min(filter.to ?? Number.MAX_SAFE_INTEGER, timeOf(to) + answerMsMax),
    };
    const rest = { ...wish, from, to, limit: wish.limit - ids.length };
    if (span.from < span.to) {
      ids.push(...(await idsByFacts(database, { ...filter, ...span }, rest)));
    }
    if (isLast || from === to || (isDown ? from === wish.from : to === wish.to)) break;
    if (isDown) to = from;
    else from = to ?? from;
  }
  return ids;
}

/** The smaller one; undefined is no bound. */
export function lesser(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}

export function greater(a: string, b: string): string {
  return a > b ? a : b;
}

/** When a UUIDv7 was made. */
export function timeOf(id: string | undefined): number {
  const digits = id?.replace('-', '').slice(0, 12) ?? 'f'.repeat(12);
  return digits === '' ? 0 : Number.parseInt(digits, 16);
}
