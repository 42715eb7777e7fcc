import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The second factor of administrators, and the recovery codes that stand in for it. */
export const secondFactorMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('admin_second_factor')
      .addColumn('admin_name', 'varchar(100)', (column) =>
        column.primaryKey().notNull().references('admin.name').onDelete('cascade'),
      )
      .addColumn('sealed', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('confirmed_at', 'bigint')
      .addColumn('last_step', 'bigint', (column) => column.notNull().defaultTo(sql`0`))
      .execute();
    await database.schema
      .createTable('admin_recovery_code')
      .addColumn('digest', 'varchar(64)', (column) => column.primaryKey().notNull())
      .addColumn('admin_name', 'varchar(100)', (column) =>
        column.notNull().references('admin_second_factor.admin_name').onDelete('cascade'),
      )
      .execute();
    await database.schema
      .createIndex('admin_recovery_code_name')
      .on('admin_recovery_code')
      .column('admin_name')
      .execute();
  },
};
