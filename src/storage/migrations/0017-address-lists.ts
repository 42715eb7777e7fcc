import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Networks that are refused, or that pass unscreened. */
export const addressListsMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('address_entry')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey().notNull())
      .addColumn('network', 'varchar(50)', (column) => column.notNull())
      .addColumn('action', 'varchar(8)', (column) => column.notNull())
      // Empty for all policies: a null would be no part of what is unique.
      .addColumn('policy_id', 'varchar(64)', (column) => column.notNull())
      .addColumn('reason', 'varchar(1000)', (column) => column.notNull())
      .addColumn('author', 'varchar(110)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addUniqueConstraint('address_entry_network', ['policy_id', 'network'])
      .execute();
    await (database as Kysely<{ counter: { name: string; value: number } }>)
      .insertInto('counter')
      .values({ name: 'addresses', value: 0 })
      .execute();
  },
};
