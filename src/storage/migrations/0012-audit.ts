import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The record of administrative acts. The database refuses every change of it. */
export const auditMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('audit_entry')
      .addColumn('id', 'varchar(36)', (column) => column.primaryKey().notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('actor', 'varchar(110)', (column) => column.notNull())
      .addColumn('action', 'varchar(64)', (column) => column.notNull())
      .addColumn('target', 'varchar(200)', (column) => column.notNull())
      .addColumn('summary', 'text', (column) => column.notNull())
      .addColumn('address', 'varchar(64)')
      .execute();
    const isPostgres = database.getExecutor().adapter instanceof PostgresAdapter;
    await (isPostgres ? guardPostgres(database) : guardSqlite(database));
  },
};

async function guardSqlite(database: Kysely<unknown>): Promise<void> {
  for (const verb of ['update', 'delete']) {
    const trigger = sql.raw(`create trigger audit_entry_no_${verb} before ${verb} on audit_entry
      begin select raise(abort, 'audit entries are never changed'); end`);
    await sql`${trigger}`.execute(database);
  }
}

async function guardPostgres(database: Kysely<unknown>): Promise<void> {
  await sql`create function audit_entry_refuse() returns trigger language plpgsql as
    'begin raise exception ''audit entries are never changed''; end'`.execute(database);
  await sql`create trigger audit_entry_no_change before update or delete on audit_entry
    for each row execute function audit_entry_refuse()`.execute(database);
  await sql`create trigger audit_entry_no_truncate before truncate on audit_entry
    for each statement execute function audit_entry_refuse()`.execute(database);
}
