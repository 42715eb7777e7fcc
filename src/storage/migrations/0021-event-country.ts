import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where the client of a block is. The index of facts holds it as well, so it is made anew. */
export const eventCountryMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema
      .alterTable('event')
      .addColumn('country', 'varchar(2)', (column) => column.notNull().defaultTo(sql`''`))
      .execute();
    await database.schema.dropIndex('event_facts').execute();
    await database.schema
      .createIndex('event_facts')
      .on('event')
      .columns([
        'part',
        'at',
        'decision',
        'category',
        'severity',
        'rule',
        'key_id',
        'policy_id',
        'method',
        'host',
        'path',
        'client',
        'country',
        'field',
        'id',
      ])
      .execute();
  },
};
