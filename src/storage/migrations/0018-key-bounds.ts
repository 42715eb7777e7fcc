import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What keys may do, from where, and how much they are used. */
export const keyBoundsMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .alterTable('api_key')
      // Keys of before could do both, and no more.
      .addColumn('scopes', 'varchar(100)', (column) => column.notNull().defaultTo('screen,forward'))
      .execute();
    await database.schema
      .alterTable('api_key')
      .addColumn('networks', 'varchar(4000)', (column) => column.notNull().defaultTo(''))
      .execute();
    await database.schema
      .alterTable('api_key')
      .addColumn('last_client', 'varchar(64)', (column) => column.notNull().defaultTo(''))
      .execute();
    await database.schema
      .createTable('key_usage')
      .addColumn('key_id', 'varchar(16)', (column) => column.notNull())
      // Hours since 1970.
      .addColumn('hour', 'bigint', (column) => column.notNull())
      .addColumn('requests', 'bigint', (column) => column.notNull())
      .addColumn('blocks', 'bigint', (column) => column.notNull())
      .addColumn('would_blocks', 'bigint', (column) => column.notNull())
      .addColumn('errors', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('key_usage_key_hour', ['key_id', 'hour'])
      .execute();
    await database.schema.createIndex('key_usage_hour').on('key_usage').column('hour').execute();
  },
};
