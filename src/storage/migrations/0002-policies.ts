import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Policies with all their versions, and the candidate of each. */
export const policiesMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .createTable('policy')
      .addColumn('id', 'varchar(64)', (column) => column.primaryKey().notNull())
      .addColumn('name', 'varchar(100)', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('candidate', 'text')
      .addColumn('candidate_since', 'bigint')
      .execute();
    await database.schema
      .createTable('policy_version')
      .addColumn('policy_id', 'varchar(64)', (column) =>
        column.notNull().references('policy.id').onDelete('cascade'),
      )
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('hash', 'varchar(64)', (column) => column.notNull())
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addColumn('changed_by', 'varchar(110)', (column) => column.notNull())
      .addColumn('comment', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('policy_version_pk', ['policy_id', 'version'])
      .execute();
    await (database as Kysely<{ counter: { name: string; value: number } }>)
      .insertInto('counter')
      .values({ name: 'policies', value: 0 })
      .execute();
  },
};
