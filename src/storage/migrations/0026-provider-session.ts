import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The session at the identity provider that a session began with: the provider may end it. */
export const providerSessionMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .alterTable('admin_session')
      .addColumn('provider_session', 'varchar(64)', (column) => column.notNull().defaultTo(''))
      .execute();
  },
};
