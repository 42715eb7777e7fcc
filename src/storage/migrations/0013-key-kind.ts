import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Keys that manage, beside those that screen. */
export const keyKindMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .alterTable('api_key')
      .addColumn('kind', 'varchar(8)', (column) => column.notNull().defaultTo('live'))
      .execute();
  },
};
