import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What blocks are counted and filtered by, in an index that holds all of it: no count reads the
 * long rows. Rows of before have no `part` yet; the upkeep fills them in.
 */
export const eventFactsMigration: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await database.schema.alterTable('event').addColumn('part', 'smallint').execute();
    for (const name of ['severity', 'method', 'host', 'path', 'client', 'policy_id', 'field']) {
      await database.schema
        .alterTable('event')
        .addColumn(name, 'varchar(120)', (column) => column.notNull().defaultTo(sql`''`))
        .execute();
    }
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
        'field',
        'id',
      ])
      .execute();
    // What one client did is asked for most, and may be little of much.
    await database.schema
      .createIndex('event_client')
      .on('event')
      .columns(['client', 'at', 'id'])
      .where(sql.ref('client'), '<>', '')
      .execute();
  },
};
