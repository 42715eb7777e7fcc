import type { Kysely, Transaction } from 'kysely';
import type { LinkedAccount } from '../contract/admin.ts';
import type { SignInMethod } from '../contract/sign-in.ts';
import type { Tables } from '../storage/tables.ts';
import type { AdminRecord } from './admin-store.ts';

/** Whether an account is one of the identity provider with this issuer, a URL as `URL` writes it. */
export function isOfProvider({ issuer }: LinkedAccount, current: string | undefined): boolean {
  return new URL(issuer).href === current;
}

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

/**
 * Ends the sessions of an administrator, but the one with the digest `keep`; with a method, only
 * those that began so.
 */
export async function endSessions(
  trx: Transaction<Tables>,
  name: string,
  { keep = '', method }: { readonly keep?: string; readonly method?: SignInMethod } = {},
): Promise<void> {
  const ending = trx
    .deleteFrom('admin_session')
    .where('admin_name', '=', name)
    .where('digest', '!=', keep);
  await (method === undefined ? ending : ending.where('method', '=', method)).execute();
}

/**
 * Removes the link to an account of the identity provider, and ends the sessions that began at the
 * provider, but the one with the digest `keep`. False if there was no link.
 */
export async function removeLink(
  trx: Transaction<Tables>,
  name: string,
  keep = '',
): Promise<boolean> {
  const done = await trx
    .deleteFrom('admin_identity')
    .where('admin_name', '=', name)
    .executeTakeFirst();
  if (done.numDeletedRows === 0n) return false;
  await endSessions(trx, name, { keep, method: 'single-sign-on' });
  return true;
}
