import type { Kysely } from 'kysely';
import type { AddressEntry, ListAction } from '../contract/address-list.ts';
import { raiseCounter, readCounter } from '../storage/counter.ts';
import type { AddressEntryTable, Tables } from '../storage/tables.ts';

/** Where the lists are kept. Every change raises the revision. */
export interface AddressStore {
  revision(): Promise<number>;
  /** Newest first. */
  list(): Promise<readonly AddressEntry[]>;
  /**
   * Puts entries in the place of those with the same network and policy, and forgets those that
   * expired before `forgottenBefore`. False, and nothing changed, where there would be more than `most`.
   */
  put(
    entries: readonly AddressEntry[],
    bounds: { readonly most: number; readonly forgottenBefore: number },
  ): Promise<boolean>;
  remove(id: string): Promise<AddressEntry | undefined>;
}

/** Rows of one statement: SQLite takes some thousand parameters. */
const chunk = 50;

/** The lists in an SQL database. Only SQL that SQLite and PostgreSQL share. */
export function createSqlAddressStore(database: Kysely<Tables>): AddressStore {
  return {
    revision: () => readCounter(database, 'addresses'),
    async list() {
      const rows = await database
        .selectFrom('address_entry')
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(entryOf);
    },
    put: (entries, bounds) => putEntries(database, entries, bounds),
    async remove(id) {
      return database.transaction().execute(async (trx) => {
        await raiseCounter(trx, 'addresses');
        const row = await trx
          .deleteFrom('address_entry')
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        return row === undefined ? undefined : entryOf(row);
      });
    },
  };
}

class TooMany extends Error {}

async function putEntries(
  database: Kysely<Tables>,
  entries: readonly AddressEntry[],
  { most, forgottenBefore }: { readonly most: number; readonly forgottenBefore: number },
): Promise<boolean> {
  try {
    await database.transaction().execute(async (trx) => {
      await raiseCounter(trx, 'addresses');
      await trx.deleteFrom('address_entry').where('expires_at', '<', forgottenBefore).execute();
      for (let at = 0; at < entries.length; at += chunk) {
        const rows = entries.slice(at, at + chunk).map(rowOf);
        await trx
          .insertInto('address_entry')
          .values(rows)
          .onConflict((conflict) =>
            conflict.columns(['policy_id', 'network']).doUpdateSet((eb) => ({
              id: eb.ref('excluded.id'),
              action: eb.ref('excluded.action'),
              reason: eb.ref('excluded.reason'),
              author: eb.ref('excluded.author'),
              created_at: eb.ref('excluded.created_at'),
              expires_at: eb.ref('excluded.expires_at'),
            })),
          )
          .execute();
      }
      const { held } = await trx
        .selectFrom('address_entry')
        .select((eb) => eb.fn.countAll().as('held'))
        .executeTakeFirstOrThrow();
      if (Number(held) > most) throw new TooMany();
    });
    return true;
  } catch (error) {
    if (error instanceof TooMany) return false;
    throw error;
  }
}

function rowOf(entry: AddressEntry): AddressEntryTable {
  const { id, network, action, policyId, reason, author, createdAt, expiresAt } = entry;
  return {
    id,
    network,
    action,
    policy_id: policyId ?? '',
    reason,
    author,
    created_at: createdAt,
    expires_at: expiresAt ?? null,
  };
}

function entryOf(row: AddressEntryTable): AddressEntry {
  return {
    id: row.id,
    network: row.network,
    action: row.action as ListAction,
    policyId: row.policy_id === '' ? undefined : row.policy_id,
    reason: row.reason,
    author: row.author,
    createdAt: Number(row.created_at),
    expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
  };
}
