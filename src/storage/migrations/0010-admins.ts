import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Administrators and their sessions. */
export const adminsMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('admin')
      .addColumn('name', 'varchar(100)', (column) => column.primaryKey().notNull())
      .addColumn('password_hash', 'varchar(200)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await database.schema
      .createTable('admin_session')
      .addColumn('digest', 'varchar(64)', (column) => column.primaryKey().notNull())
      .addColumn('admin_name', 'varchar(100)', (column) =>
        column.notNull().references('admin.name').onDelete('cascade'),
      )
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute();
    await (database as Kysely<{ counter: { name: string; value: number } }>)
      .insertInto('counter')
      .values({ name: 'admins', value: 0 })
      .execute();
  },
};
