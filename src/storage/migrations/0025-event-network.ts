import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The autonomous system of a block's client. The index of facts holds it, so it is made anew. */
export const eventNetworkMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const [column, type] of [
      ['asn', 'varchar(10)'],
      ['as_name', 'varchar(64)'],
    ] as const) {
      await database.schema
        .alterTable('event')
        .addColumn(column, type, (made) => made.notNull().defaultTo(sql`''`))
        .execute();
    }
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
        'asn',
        'as_name',
        'field',
        'id',
      ])
      .execute();
  },
};
