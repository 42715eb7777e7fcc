import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Blocks, and how many requests there were beside them. */
export const eventsMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('event')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey().notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('decision', 'varchar(16)', (column) => column.notNull())
      .addColumn('category', 'varchar(32)', (column) => column.notNull())
      .addColumn('rule', 'varchar(100)', (column) => column.notNull())
      .addColumn('key_id', 'varchar(8)', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .addColumn('pointer', 'text', (column) => column.notNull())
      .addColumn('summary', 'text', (column) => column.notNull())
      // The long column stands last: SQLite reads a row only as far as it is asked to.
      .addColumn('search', 'text', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      .execute();
    await database.schema.createIndex('event_at').on('event').columns(['at', 'id']).execute();
    // Holds all that the bound on the size asks for.
    await database.schema.createIndex('event_bytes').on('event').columns(['id', 'bytes']).execute();
    await database.schema
      .createTable('traffic')
      .addColumn('minute', 'bigint', (column) => column.primaryKey().notNull())
      .addColumn('requests', 'bigint', (column) => column.notNull().defaultTo(sql`0`))
      .addColumn('blocked', 'bigint', (column) => column.notNull().defaultTo(sql`0`))
      .addColumn('would_block', 'bigint', (column) => column.notNull().defaultTo(sql`0`))
      .execute();
  },
};
