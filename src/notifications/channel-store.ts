import type { Kysely } from 'kysely';
import {
  type Channel,
  type ChannelWish,
  secretMembers,
  type Target,
} from '../contract/notification.ts';
import { raiseCounter, readCounter } from '../storage/counter.ts';
import { seal, unseal } from '../storage/seal.ts';
import type { NotificationChannelTable, Tables } from '../storage/tables.ts';
import { freshState } from './compose.ts';

/** Where channels are kept. Every change raises the revision. */
export interface ChannelStore {
  revision(): Promise<number>;
  /** By name. A secret that cannot be read, such as under another pepper, is left out. */
  list(): Promise<readonly Channel[]>;
  find(id: string): Promise<Channel | undefined>;
  add(channel: Channel, most: number): Promise<'done' | 'name-taken' | 'full'>;
  replace(channel: Channel): Promise<'done' | 'name-taken' | 'gone'>;
  remove(id: string): Promise<Channel | undefined>;
}

/** Channels in an SQL database; their secrets are encrypted under `key`. */
export function createSqlChannelStore(database: Kysely<Tables>, key: Buffer): ChannelStore {
  const read = (row: NotificationChannelTable) => channelOf(row, key);
  return {
    revision: () => readCounter(database, 'notifications'),
    async list() {
      const rows = await database
        .selectFrom('notification_channel')
        .selectAll()
        .orderBy('name')
        .execute();
      return rows.map(read);
    },
    async find(id) {
      const row = await database
        .selectFrom('notification_channel')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      return row && read(row);
    },
    add: (channel, most) =>
      database.transaction().execute(async (trx) => {
        // Changes take turns from here on: what is counted and compared stays true.
        await raiseCounter(trx, 'notifications');
        const held = await trx.selectFrom('notification_channel').select('name').execute();
        if (held.some(({ name }) => name === channel.name)) return 'name-taken';
        if (held.length >= most) return 'full';
        await trx
          .insertInto('notification_channel')
          .values({
            ...rowOf(channel, key),
            id: channel.id,
            created_at: channel.createdAt,
            state: JSON.stringify(freshState),
            claimed_by: '',
            claimed_until: 0,
          })
          .execute();
        return 'done';
      }),
    replace: (channel) =>
      database.transaction().execute(async (trx) => {
        await raiseCounter(trx, 'notifications');
        const other = await trx
          .selectFrom('notification_channel')
          .select('id')
          .where('name', '=', channel.name)
          .where('id', '<>', channel.id)
          .executeTakeFirst();
        if (other !== undefined) return 'name-taken';
        const { numUpdatedRows } = await trx
          .updateTable('notification_channel')
          .set(rowOf(channel, key))
          .where('id', '=', channel.id)
          .executeTakeFirst();
        return numUpdatedRows > 0n ? 'done' : 'gone';
      }),
    remove: (id) =>
      database.transaction().execute(async (trx) => {
        await raiseCounter(trx, 'notifications');
        const row = await trx
          .deleteFrom('notification_channel')
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        return row && read(row);
      }),
  };
}

function rowOf(channel: Channel, key: Buffer) {
  const { id, name, createdAt: _created, changedAt, changedBy, target, ...rest } = channel;
  const { open, secrets } = parted(target);
  return {
    name,
    document: JSON.stringify({ ...rest, target: open }),
    sealed: seal(JSON.stringify(secrets), key, id),
    changed_at: changedAt,
    changed_by: changedBy,
  };
}

/** A target as what may be read in a copy of the database, and what may not. */
function parted(target: Target): { readonly open: Target; readonly secrets: Target } {
  const isSecret = ([name]: [string, unknown]) =>
    (secretMembers as readonly string[]).includes(name);
  const members = Object.entries(target);
  return {
    open: Object.fromEntries(members.filter((one) => !isSecret(one))),
    secrets: Object.fromEntries(members.filter(isSecret)),
  };
}

function channelOf(row: NotificationChannelTable, key: Buffer): Channel {
  const wish = JSON.parse(row.document) as Omit<ChannelWish, 'name'>;
  const secrets = JSON.parse(unseal(row.sealed, key, row.id) ?? '{}') as Target;
  return {
    ...wish,
    target: { ...wish.target, ...secrets },
    id: row.id,
    name: row.name,
    createdAt: Number(row.created_at),
    changedAt: Number(row.changed_at),
    changedBy: row.changed_by,
  };
}
