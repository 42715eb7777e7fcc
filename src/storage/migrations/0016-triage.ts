import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What people made of blocks, filters that they saved, and an index for paths that are rare. */
export const triageMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('event_triage')
      .addColumn('event_id', 'varchar(36)', (column) =>
        column.primaryKey().notNull().references('event.id').onDelete('cascade'),
      )
      .addColumn('verdict', 'varchar(16)', (column) => column.notNull())
      .addColumn('note', 'varchar(1000)', (column) => column.notNull())
      .addColumn('owner', 'varchar(100)', (column) => column.notNull())
      .addColumn('changed_by', 'varchar(110)', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .execute();
    await database.schema
      .createTable('saved_filter')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey().notNull())
      .addColumn('name', 'varchar(100)', (column) => column.notNull().unique())
      .addColumn('query', 'text', (column) => column.notNull())
      .addColumn('created_by', 'varchar(110)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await database.schema
      .createIndex('event_path')
      .on('event')
      .columns(['path', 'at', 'id'])
      .where(sql.ref('path'), '<>', '')
      .execute();
  },
};
