import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** PostgreSQL tells all nodes which counter rose, when the change is committed. */
export const notifyMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    if (!(database.getExecutor().adapter instanceof PostgresAdapter)) return;
    await sql`create function counter_notify() returns trigger language plpgsql as
      'begin perform pg_notify(''sallyport'', new.name); return null; end'`.execute(database);
    await sql`create trigger counter_notify after update on counter
      for each row execute function counter_notify()`.execute(database);
  },
};
