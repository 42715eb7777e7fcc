import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import type { AdminRecord } from './admin-store.ts';

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

/** Ends the sessions of an administrator, but the one with the digest `keep`. */
export async function endSessions(
  trx: Transaction<Tables>,
  name: string,
  keep = '',
): Promise<void> {
  await trx
    .deleteFrom('admin_session')
    .where('admin_name', '=', name)
    .where('digest', '!=', keep)
    .execute();
}
