import type { Kysely } from 'kysely';
import type { SavedFilters } from '../contract/event.ts';
import { limits } from '../contract/limits.ts';
import type { Tables } from '../storage/tables.ts';

/** Filters that administrators saved for all of them. */
export function createSavedFilters(database: Kysely<Tables>): SavedFilters {
  return {
    async list() {
      const rows = await database.selectFrom('saved_filter').selectAll().orderBy('name').execute();
      return rows.map(({ id, name, query, created_by, created_at }) => ({
        id,
        name,
        // We wrote it ourselves.
        query: JSON.parse(query) as Readonly<Record<string, string>>,
        createdBy: created_by,
        createdAt: new Date(Number(created_at)).toISOString(),
      }));
    },
    async add({ id, name, query, createdBy, createdAt }) {
      const { count } = await database
        .selectFrom('saved_filter')
        .select((eb) => eb.fn.countAll<number | string>().as('count'))
        .executeTakeFirstOrThrow();
      if (Number(count) >= limits.savedFiltersMax) return 'too-many';
      const { numInsertedOrUpdatedRows } = await database
        .insertInto('saved_filter')
        .values({
          id,
          name,
          query: JSON.stringify(query),
          created_by: createdBy,
          created_at: Date.parse(createdAt),
        })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .executeTakeFirstOrThrow();
      return Number(numInsertedOrUpdatedRows ?? 0) === 0 ? 'name-taken' : 'added';
    },
    async remove(id) {
      const row = await database
        .deleteFrom('saved_filter')
        .where('id', '=', id)
        .returning('name')
        .executeTakeFirst();
      return row?.name;
    },
  };
}
