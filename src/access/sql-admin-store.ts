import type { Kysely, Transaction } from 'kysely';
import type { RemoveAdministratorOutcome } from '../contract/admin.ts';
import type { Tables } from '../storage/tables.ts';
import type { AdminRecord, AdminStore } from './admin-store.ts';

const lockName = 'admins';

/** Administrators in an SQL database. Only SQL that SQLite and PostgreSQL share. */
export function createSqlAdminStore(database: Kysely<Tables>): AdminStore {
  return {
    any: async () => (await anyAdmin(database)) !== undefined,
    find: async (name) => {
      const row = await database
        .selectFrom('admin')
        .selectAll()
        .where('name', '=', name)
        .executeTakeFirst();
      return row && { name: row.name, passwordHash: row.password_hash, role: row.role };
    },
    insertFirst: (admin, at) => insertFirst(database, admin, at),
    list: async () => {
      const rows = await database
        .selectFrom('admin')
        .select(['name', 'role', 'created_at'])
        .orderBy('name')
        .execute();
      return rows.map(({ name, role, created_at }) => ({
        name,
        role,
        createdAt: Number(created_at),
      }));
    },
    insert: async (admin, at) => {
      const done = await database
        .insertInto('admin')
        .values(rowOf(admin, at))
        .onConflict((conflict) => conflict.column('name').doNothing())
        .executeTakeFirst();
      return (done.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    remove: (name) => removeAdmin(database, name),
    removeUnlessLast: (name) => removeUnlessLast(database, name),
    setPassword: (name, hash, keep) => setPassword(database, name, hash, keep),
    insertSession: async ({ digest, name, createdAt, seenAt }) => {
      const row = { digest, admin_name: name, created_at: createdAt, seen_at: seenAt };
      await database.insertInto('admin_session').values(row).execute();
    },
    findSession: (digest) => findSession(database, digest),
    touchSession: async (digest, seenAt) => {
      await database
        .updateTable('admin_session')
        .set({ seen_at: seenAt })
        .where('digest', '=', digest)
        .execute();
    },
    removeSession: async (digest) => {
      await database.deleteFrom('admin_session').where('digest', '=', digest).execute();
    },
    removeSessions: async ({ createdBefore, seenBefore }) => {
      await database
        .deleteFrom('admin_session')
        .where((eb) =>
          eb.or([eb('created_at', '<', createdBefore), eb('seen_at', '<', seenBefore)]),
        )
        .execute();
    },
  };
}

function rowOf({ name, passwordHash, role }: AdminRecord, at: number) {
  return { name, password_hash: passwordHash, role, created_at: at };
}

function anyAdmin(database: Kysely<Tables>) {
  return database.selectFrom('admin').select('name').limit(1).executeTakeFirst();
}

async function insertFirst(
  database: Kysely<Tables>,
  admin: AdminRecord,
  at: number,
): Promise<boolean> {
  return database.transaction().execute(async (trx) => {
    await takeTurn(trx);
    if ((await anyAdmin(trx)) !== undefined) return false;
    await trx.insertInto('admin').values(rowOf(admin, at)).execute();
    return true;
  });
}

/** First of all in a transaction: on PostgreSQL this row's lock is what makes others wait. */
async function takeTurn(trx: Transaction<Tables>): Promise<void> {
  await trx
    .updateTable('counter')
    .set((eb) => ({ value: eb('value', '+', 1) }))
    .where('name', '=', lockName)
    .execute();
}

async function removeAdmin(database: Kysely<Tables>, name: string): Promise<boolean> {
  // The sessions go with it: they refer to it.
  const done = await database.deleteFrom('admin').where('name', '=', name).executeTakeFirst();
  return done.numDeletedRows > 0n;
}

async function removeUnlessLast(
  database: Kysely<Tables>,
  name: string,
): Promise<RemoveAdministratorOutcome> {
  return database.transaction().execute(async (trx) => {
    await takeTurn(trx);
    const other = await trx
      .selectFrom('admin')
      .select('name')
      .where('name', '!=', name)
      .limit(1)
      .executeTakeFirst();
    if (other !== undefined) return (await removeAdmin(trx, name)) ? 'removed' : 'unknown';
    return (await anyAdmin(trx)) === undefined ? 'unknown' : 'is-last';
  });
}

async function setPassword(
  database: Kysely<Tables>,
  name: string,
  passwordHash: string,
  keepSession: string,
): Promise<void> {
  await database.transaction().execute(async (trx) => {
    await trx
      .updateTable('admin')
      .set({ password_hash: passwordHash })
      .where('name', '=', name)
      .execute();
    await trx
      .deleteFrom('admin_session')
      .where('admin_name', '=', name)
      .where('digest', '!=', keepSession)
      .execute();
  });
}

async function findSession(
  database: Kysely<Tables>,
  digest: string,
): ReturnType<AdminStore['findSession']> {
  const row = await database
    .selectFrom('admin_session')
    .innerJoin('admin', 'admin.name', 'admin_name')
    .selectAll('admin_session')
    .select('role')
    .where('digest', '=', digest)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    digest: row.digest,
    name: row.admin_name,
    role: row.role,
    createdAt: Number(row.created_at),
    seenAt: Number(row.seen_at),
  };
}
