import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Wrong codes of a second factor, counted over all nodes. */
export const wrongCodesMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    // One statement for each column: SQLite adds no two at once.
    for (const column of ['wrong_codes', 'wrong_since']) {
      await database.schema
        .alterTable('admin_second_factor')
        .addColumn(column, 'bigint', (one) => one.notNull().defaultTo(0))
        .execute();
    }
  },
};
