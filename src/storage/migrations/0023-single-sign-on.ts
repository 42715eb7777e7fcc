import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Accounts of an identity provider that administrators sign in with, and how a session began. */
export const singleSignOnMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('admin_identity')
      .addColumn('issuer', 'varchar(500)', (column) => column.notNull())
      .addColumn('subject', 'varchar(255)', (column) => column.notNull())
      .addColumn('admin_name', 'varchar(100)', (column) =>
        column.notNull().unique().references('admin.name').onDelete('cascade'),
      )
      .addColumn('label', 'varchar(255)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('admin_identity_key', ['issuer', 'subject'])
      .execute();
    await database.schema
      .alterTable('admin_session')
      .addColumn('method', 'varchar(16)', (column) => column.notNull().defaultTo('password'))
      .execute();
  },
};
