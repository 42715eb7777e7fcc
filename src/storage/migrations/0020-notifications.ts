import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who is notified of events, what waits to be sent, and what was sent. */
export const notificationsMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('notification_channel')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey().notNull())
      .addColumn('name', 'varchar(100)', (column) => column.notNull().unique())
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addColumn('changed_by', 'varchar(110)', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('claimed_by', 'varchar(36)', (column) => column.notNull().defaultTo(sql`''`))
      .addColumn('claimed_until', 'bigint', (column) => column.notNull().defaultTo(sql`0`))
      .execute();
    await database.schema
      .createTable('notification_tally')
      .addColumn('id', 'varchar(64)', (column) => column.primaryKey().notNull())
      .addColumn('channel_id', 'varchar(36)', (column) =>
        column.notNull().references('notification_channel.id').onDelete('cascade'),
      )
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addColumn('events', 'bigint', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      .execute();
    await database.schema
      .createIndex('notification_tally_channel')
      .on('notification_tally')
      .columns(['channel_id', 'at'])
      .execute();
    await database.schema
      .createTable('notification_message')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey().notNull())
      .addColumn('channel_id', 'varchar(36)', (column) =>
        column.notNull().references('notification_channel.id').onDelete('cascade'),
      )
      .addColumn('kind', 'varchar(8)', (column) => column.notNull())
      .addColumn('title', 'varchar(200)', (column) => column.notNull())
      .addColumn('events', 'bigint', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('state', 'varchar(8)', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('next_at', 'bigint')
      .addColumn('settled_at', 'bigint')
      .addColumn('answer', 'varchar(400)', (column) => column.notNull())
      .execute();
    await database.schema
      .createIndex('notification_message_channel')
      .on('notification_message')
      .columns(['channel_id', 'created_at'])
      .execute();
    await (database as Kysely<{ counter: { name: string; value: number } }>)
      .insertInto('counter')
      .values({ name: 'notifications', value: 0 })
      .execute();
  },
};
