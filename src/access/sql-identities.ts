import type { Kysely } from 'kysely';
import { raiseCounter } from '../storage/counter.ts';
import type { Tables } from '../storage/tables.ts';
import { insertAdmin, removeLink } from './admin-rows.ts';
import type { AdminStore, IdentityRecord } from './admin-store.ts';

type Identities = Pick<
  AdminStore,
  'findIdentity' | 'identityOf' | 'link' | 'unlink' | 'insertLinked'
>;

type Account = Pick<IdentityRecord, 'issuer' | 'subject'>;

/** Accounts of an identity provider in an SQL database. Links are made by one process at a time. */
export function identitiesIn(database: Kysely<Tables>): Identities {
  return {
    findIdentity: (account) => adminOf(database, account),
    identityOf: (name) =>
      database
        .selectFrom('admin_identity')
        .select(['issuer', 'label'])
        .where('admin_name', '=', name)
        .executeTakeFirst(),
    link: (name, identity, { at, keepSession }) =>
      database.transaction().execute(async (trx) => {
        await raiseCounter(trx, 'admins');
        const owner = await adminOf(trx, identity);
        if (owner !== undefined && owner.name !== name) return false;
        const admin = trx.selectFrom('admin').select('name').where('name', '=', name);
        if ((await admin.executeTakeFirst()) === undefined) return false;
        await removeLink(trx, name, keepSession);
        await insertIdentity(trx, name, { identity, at });
        return true;
      }),
    unlink: (name, keepSession) =>
      database.transaction().execute((trx) => removeLink(trx, name, keepSession)),
    insertLinked: (admin, identity, at) =>
      database.transaction().execute(async (trx) => {
        await raiseCounter(trx, 'admins');
        if ((await adminOf(trx, identity)) !== undefined) return false;
        if (!(await insertAdmin(trx, admin, at))) return false;
        await insertIdentity(trx, admin.name, { identity, at });
        return true;
      }),
  };
}

/** The administrator that an account is linked to. */
export async function adminOf(database: Kysely<Tables>, { issuer, subject }: Account) {
  const row = await database
    .selectFrom('admin_identity')
    .innerJoin('admin', 'admin.name', 'admin_name')
    .select(['name', 'role', 'disabled_at'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row && { name: row.name, role: row.role, isDisabled: row.disabled_at !== null };
}

export async function insertIdentity(
  database: Kysely<Tables>,
  name: string,
  { identity, at }: { readonly identity: IdentityRecord; readonly at: number },
): Promise<void> {
  const { issuer, subject, label } = identity;
  const row = { issuer, subject, label, admin_name: name, created_at: at };
  await database.insertInto('admin_identity').values(row).execute();
}
