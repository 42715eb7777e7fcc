import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Keys, their secrets, and what every later part needs: counters and settings. */
export const keysMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('api_key')
      .addColumn('id', 'varchar(8)', (column) => column.primaryKey().notNull())
      .addColumn('name', 'varchar(100)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .addColumn('policy_id', 'varchar(64)')
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .execute();
    await database.schema
      .createIndex('api_key_revision')
      .on('api_key')
      .column('revision')
      .execute();
    await database.schema
      .createTable('api_key_secret')
      .addColumn('key_id', 'varchar(8)', (column) =>
        column.notNull().references('api_key.id').onDelete('cascade'),
      )
      .addColumn('digest', 'varchar(64)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('sunset_at', 'bigint')
      .addPrimaryKeyConstraint('api_key_secret_pk', ['key_id', 'digest'])
      .execute();
    await database.schema
      .createTable('counter')
      .addColumn('name', 'varchar(64)', (column) => column.primaryKey().notNull())
      .addColumn('value', 'bigint', (column) => column.notNull())
      .execute();
    await database.schema
      .createTable('setting')
      .addColumn('name', 'varchar(64)', (column) => column.primaryKey().notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute();
    await (database as Kysely<{ counter: { name: string; value: number } }>)
      .insertInto('counter')
      .values({ name: 'keys', value: 0 })
      .execute();
  },
};
