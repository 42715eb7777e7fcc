import type { Kysely, Selectable } from 'kysely';
import type { Invitation } from '../contract/admin.ts';
import { raiseCounter } from '../storage/counter.ts';
import type { AdminInvitationTable, Tables } from '../storage/tables.ts';
import { insertAdmin } from './admin-rows.ts';
import type { AdminRecord, AdminStore } from './admin-store.ts';
import { adminOf, insertIdentity } from './sql-identities.ts';

type Invitations = Pick<
  AdminStore,
  'invite' | 'invitations' | 'findInvitation' | 'accept' | 'acceptAs' | 'withdraw'
>;

/** Invitations in an SQL database. */
export function invitationsIn(database: Kysely<Tables>): Invitations {
  const find = async (from: Kysely<Tables>, digest: string, now: number) => {
    const row = await from
      .selectFrom('admin_invitation')
      .selectAll()
      .where('digest', '=', digest)
      .where('expires_at', '>', now)
      .executeTakeFirst();
    return row && invitationOf(row);
  };
  const accept = async (
    trx: Kysely<Tables>,
    given: { readonly digest: string; readonly passwordHash: string; readonly now: number },
  ) => {
    const { digest, passwordHash, now } = given;
    const found = await find(trx, digest, now);
    if (found === undefined) return undefined;
    await trx.deleteFrom('admin_invitation').where('digest', '=', digest).execute();
    const admin: AdminRecord = { name: found.name, role: found.role, passwordHash };
    return (await insertAdmin(trx, admin, now)) ? admin : undefined;
  };
  return {
    invite: ({ name, digest, role, invitedBy, createdAt, expiresAt }) =>
      database.transaction().execute(async (trx) => {
        await raiseCounter(trx, 'admins');
        const taken = trx.selectFrom('admin').select('name').where('name', '=', name);
        if ((await taken.executeTakeFirst()) !== undefined) return false;
        await trx.deleteFrom('admin_invitation').where('name', '=', name).execute();
        const times = { created_at: createdAt, expires_at: expiresAt };
        const row = { name, digest, role, invited_by: invitedBy, ...times };
        await trx.insertInto('admin_invitation').values(row).execute();
        return true;
      }),
    invitations: async (now) => {
      const rows = await database
        .selectFrom('admin_invitation')
        .selectAll()
        .where('expires_at', '>', now)
        .orderBy('name')
        .execute();
      return rows.map(invitationOf);
    },
    findInvitation: (digest, now) => find(database, digest, now),
    accept: (digest, passwordHash, now) =>
      database.transaction().execute(async (trx) => {
        await raiseCounter(trx, 'admins');
        return accept(trx, { digest, passwordHash, now });
      }),
    acceptAs: (digest, identity, now) =>
      database.transaction().execute(async (trx) => {
        await raiseCounter(trx, 'admins');
        if ((await adminOf(trx, identity)) !== undefined) return 'linked-elsewhere';
        const admin = await accept(trx, { digest, passwordHash: '', now });
        if (admin !== undefined) await insertIdentity(trx, admin.name, { identity, at: now });
        return admin;
      }),
    withdraw: async (name) => {
      const done = await database
        .deleteFrom('admin_invitation')
        .where('name', '=', name)
        .executeTakeFirst();
      return done.numDeletedRows > 0n;
    },
  };
}

function invitationOf(row: Selectable<AdminInvitationTable>): Invitation {
  const { name, role, invited_by: invitedBy, created_at, expires_at } = row;
  return {
    name,
    role,
    invitedBy,
    createdAt: Number(created_at),
    expiresAt: Number(expires_at),
  };
}
