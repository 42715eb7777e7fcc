import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Roles of administrators, where their sessions are used, invitations, and what an act changed.
 * Those who were administrators before may do everything, as they could.
 */
export const usersMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    const { schema } = database;
    // One statement for each column: SQLite adds no two at once.
    const add = async (table: string, column: string, type: 'bigint' | 'text') =>
      schema.alterTable(table).addColumn(column, type).execute();
    await schema
      .alterTable('admin')
      .addColumn('role', 'varchar(16)', (column) => column.notNull().defaultTo('administrator'))
      .execute();
    await add('admin', 'disabled_at', 'bigint');
    await add('admin', 'signed_in_at', 'bigint');
    for (const column of ['address', 'agent']) {
      await schema
        .alterTable('admin_session')
        .addColumn(column, 'varchar(64)', (one) => one.notNull().defaultTo(''))
        .execute();
    }
    await schema
      .createIndex('admin_session_name')
      .on('admin_session')
      .column('admin_name')
      .execute();
    await schema
      .createTable('admin_invitation')
      .addColumn('name', 'varchar(100)', (column) => column.primaryKey().notNull())
      .addColumn('digest', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('role', 'varchar(16)', (column) => column.notNull())
      .addColumn('invited_by', 'varchar(110)', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await add('audit_entry', 'changes', 'text');
    for (const column of ['actor', 'action']) {
      await schema
        .createIndex(`audit_entry_${column}`)
        .on('audit_entry')
        .columns([column, 'id'])
        .execute();
    }
  },
};
