import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { AdminRecord } from './admin-store.ts';

const lockName = 'admins';

/** Stores an administrator; false if the name is taken. */
export async function insertAdmin(
  database: Kysely<Tables>,
  { name, passwordHash, role }: AdminRecord,
  at: number,
): Promise<boolean> {
  const done = await database
    .insertInto('admin')
    .values({ name, password_hash: passwordHash, role, created_at: at })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return (done.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** First of all in a transaction: on PostgreSQL this row's lock is what makes others wait. */
export async function takeTurn(trx: Transaction<Tables>): Promise<void> {
  await trx
    .updateTable('counter')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', lockName)
    .execute();
}
