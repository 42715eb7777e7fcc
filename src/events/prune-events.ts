import type { Kysely } from 'kysely';
import type { PruneBounds } from '../contract/event.ts';
import { reclaimSpace } from '../storage/reclaim.ts';
import { type Rest, restAfter, type Steps } from '../storage/rest.ts';
import type { Tables } from '../storage/tables.ts';

/** Rows that one statement removes: a statement on SQLite holds up its thread. */
const rowsAtOnce = 250;
/** When events take more than they may, they are cut to this share of it: not at each insert. */
const cutShare = 0.9;

/**
 * Removes what is older than a moment, then the oldest until no more than `bytesMax` are left, in
 * steps with rests between them. No step begins after the signal is aborted.
 */
export async function pruneEvents(
  database: Kysely<Tables>,
  bounds: PruneBounds,
  rest: Rest = restAfter,
): Promise<{ readonly removed: number; readonly bytes: number }> {
  const { olderThan, bytesMax, signal } = bounds;
  await database
    .deleteFrom('traffic')
    .where('minute', '<', Math.floor(olderThan / 60_000))
    .execute();
  const steps = { database, rest, signal };
  let removed = await removeAll(steps, () => oldIds(database, olderThan));
  const { total } = await database
    .selectFrom('event')
    .select((eb) => eb.fn.sum<number | string | null>('bytes').as('total'))
    .executeTakeFirstOrThrow();
  let left = Number(total ?? 0);
  const target = left > bytesMax ? bytesMax * cutShare : left;
  removed += await removeAll(steps, async () => {
    if (left <= target) return [];
    const oldest = await database
      .selectFrom('event')
      .select(['id', 'bytes'])
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute();
    const ids: string[] = [];
    for (const { id, bytes } of oldest) {
      if (left <= target) break;
      left -= bytes;
      ids.push(id);
    }
    return ids;
  });
  // Also without a removal: an earlier process may have ended before it gave back its free space.
  await reclaimSpace(steps);
  return { removed, bytes: left };
}

async function oldIds(database: Kysely<Tables>, olderThan: number): Promise<string[]> {
  const rows = await database
    .selectFrom('event')
    .select('id')
    .where('at', '<', olderThan)
    .orderBy('at')
    .limit(rowsAtOnce)
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes what `next` names until it names nothing more. */
async function removeAll(
  { database, rest, signal }: Steps,
  next: () => Promise<readonly string[]>,
): Promise<number> {
  let removed = 0;
  while (signal?.aborted !== true) {
    const startedAt = performance.now();
    const ids = await next();
    if (ids.length === 0) break;
    await database.deleteFrom('event').where('id', 'in', ids).execute();
    removed += ids.length;
    await rest(startedAt);
  }
  return removed;
}
