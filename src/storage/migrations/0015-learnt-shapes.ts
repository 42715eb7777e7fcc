import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What was learnt of the traffic of each policy, all nodes together. */
export const learntShapesMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('learnt_shape')
      .addColumn('policy_id', 'varchar(64)', (column) => column.primaryKey().notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('saved_at', 'bigint', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      .execute();
  },
};
