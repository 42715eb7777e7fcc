import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { reclaimSpace } from '../storage/reclaim.ts';
import type { Tables } from '../storage/tables.ts';

/** Rows that one statement removes: a statement on SQLite holds up its thread. */
const rowsAtOnce = 250;
/** When events take more than they may, they are cut to this share of it: not at each insert. */
const cutShare = 0.9;

/** Removes what is older than a moment, then the oldest until no more than `bytesMax` are left. */
export async function pruneEvents(
  database: Kysely<Tables>,
  bounds: { readonly olderThan: number; readonly bytesMax: number },
): Promise<{ readonly removed: number; readonly bytes: number }> {
  const { olderThan, bytesMax } = bounds;
  await database
    .deleteFrom('traffic')
    .where('minute', '<', Math.floor(olderThan / 60_000))
    .execute();
  let removed = await removeAll(database, () => oldIds(database, olderThan));
  const { total } = await database
    .selectFrom('event')
    .select((eb) => eb.fn.sum<number | string | null>('bytes').as('total'))
    .executeTakeFirstOrThrow();
  let left = Number(total ?? 0);
  const target = left > bytesMax ? bytesMax * cutShare : left;
  removed += await removeAll(database, async () => {
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
  if (removed > 0) await reclaimSpace(database);
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
  database: Kysely<Tables>,
  next: () => Promise<readonly string[]>,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const ids = await next();
    if (ids.length === 0) return removed;
    await database.deleteFrom('event').where('id', 'in', ids).execute();
    removed += ids.length;
    await nextTurn();
  }
}
