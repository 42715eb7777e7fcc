import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** The counters: each rises with every change of what it counts. */
export type CounterName = 'keys' | 'policies' | 'addresses' | 'admins' | 'notifications';

export async function readCounter(database: Kysely<Tables>, name: CounterName): Promise<number> {
  const row = await database
    .selectFrom('counter')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return Number(row?.value ?? 0);
}

/**
 * The number of a change. To be asked for first in a transaction: on PostgreSQL the lock of this
 * row is what makes changes take turns, and its trigger is what tells the other nodes.
 */
export async function raiseCounter(trx: Transaction<Tables>, name: CounterName): Promise<number> {
  const row = await trx
    .updateTable('counter')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', name)
    .returning('value')
    .executeTakeFirstOrThrow();
  return Number(row.value);
}
