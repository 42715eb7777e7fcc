import type { Kysely, Selectable, Transaction } from 'kysely';
import type { AdministratorEntry } from '../contract/admin.ts';
import { raiseCounter } from '../storage/counter.ts';
import type { AdminTable, Tables } from '../storage/tables.ts';
import { endSessions, insertAdmin, removeLink } from './admin-rows.ts';
import type { AdminRecord, AdminStore } from './admin-store.ts';
import { identitiesIn } from './sql-identities.ts';
import { invitationsIn } from './sql-invitations.ts';
import { secondFactorsIn } from './sql-second-factors.ts';
import { sessionsIn } from './sql-sessions.ts';

/** Administrators in an SQL database. Only SQL that SQLite and PostgreSQL share. */
export function createSqlAdminStore(database: Kysely<Tables>): AdminStore {
  return {
    ...sessionsIn(database),
    ...invitationsIn(database),
    ...secondFactorsIn(database),
    ...identitiesIn(database),
    any: async () => (await anyAdmin(database)) !== undefined,
    find: async (name) => {
      const row = await rowOf(database, name);
      if (row === undefined) return undefined;
      const { role, password_hash: passwordHash, disabled_at } = row;
      return { name: row.name, role, passwordHash, isDisabled: disabled_at !== null };
    },
    insertFirst: (admin, at) => insertFirst(database, admin, at),
    list: async () => {
      const rows = await admins(database).orderBy('name').execute();
      return rows.map(entryOf);
    },
    insert: (admin, at) => insertAdmin(database, admin, at),
    remove: (name) => removeAdmin(database, name),
    removeUnlessLast: (name) =>
      unlessLast(database, name, async (trx) => {
        await removeAdmin(trx, name);
        return 'removed' as const;
      }),
    changeUnlessLast: async (name, wish, at) => {
      const done = await unlessLast(database, name, (trx, before) =>
        changeAdmin(trx, before, { wish, at }),
      );
      return typeof done === 'string' ? { kind: done } : done;
    },
    setPassword: (name, hash, keep) => setPassword(database, name, hash, keep),
  };
}

/** An administrator, since when there is a second factor, and the linked account. */
type AdminRow = Selectable<AdminTable> & {
  readonly confirmed_at: number | string | null;
  readonly issuer: string | null;
  readonly label: string | null;
};

function admins(database: Kysely<Tables>) {
  return database
    .selectFrom('admin')
    .leftJoin('admin_second_factor', 'admin_second_factor.admin_name', 'name')
    .leftJoin('admin_identity', 'admin_identity.admin_name', 'name')
    .selectAll('admin')
    .select(['confirmed_at', 'issuer', 'label']);
}

function rowOf(database: Kysely<Tables>, name: string) {
  return admins(database).where('name', '=', name).executeTakeFirst();
}

function entryOf(row: AdminRow): AdministratorEntry {
  const { name, role, password_hash, created_at, signed_in_at, disabled_at } = row;
  const { confirmed_at, issuer, label } = row;
  return {
    name,
    role,
    hasPassword: password_hash !== '',
    createdAt: Number(created_at),
    ...(signed_in_at === null ? {} : { signedInAt: Number(signed_in_at) }),
    ...(disabled_at === null ? {} : { disabledAt: Number(disabled_at) }),
    ...(confirmed_at === null ? {} : { secondFactorAt: Number(confirmed_at) }),
    ...(issuer === null || label === null ? {} : { account: { issuer, label } }),
  };
}

/** One who may do everything and can sign in. */
function anyAdmin(database: Kysely<Tables>) {
  return database
    .selectFrom('admin')
    .select('name')
    .where('role', '=', 'administrator')
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
}

async function insertFirst(
  database: Kysely<Tables>,
  admin: AdminRecord,
  at: number,
): Promise<boolean> {
  return database.transaction().execute(async (trx) => {
    await raiseCounter(trx, 'admins');
    if ((await anyAdmin(trx)) !== undefined) return false;
    await removeAdmin(trx, admin.name);
    return insertAdmin(trx, admin, at);
  });
}

async function removeAdmin(database: Kysely<Tables>, name: string): Promise<boolean> {
  // The sessions go with it: they refer to it.
  const done = await database.deleteFrom('admin').where('name', '=', name).executeTakeFirst();
  return done.numDeletedRows > 0n;
}

/** Thrown in a transaction that must not be committed. */
class LastOne extends Error {
  override readonly name = 'LastOne';
}

/** Changes an administrator, one process at a time; rolls back what leaves none who may do everything. */
async function unlessLast<Done>(
  database: Kysely<Tables>,
  name: string,
  change: (trx: Transaction<Tables>, before: AdminRow) => Promise<Done>,
): Promise<Done | 'unknown' | 'is-last'> {
  try {
    return await database.transaction().execute(async (trx) => {
      await raiseCounter(trx, 'admins');
      const before = await rowOf(trx, name);
      if (before === undefined) return 'unknown';
      const done = await change(trx, before);
      const isAble = before.role === 'administrator' && before.disabled_at === null;
      if (isAble && (await anyAdmin(trx)) === undefined) throw new LastOne();
      return done;
    });
  } catch (error) {
    if (error instanceof LastOne) return 'is-last';
    throw error;
  }
}

async function changeAdmin(
  trx: Transaction<Tables>,
  row: AdminRow,
  {
    wish,
    at,
  }: { readonly wish: Parameters<AdminStore['changeUnlessLast']>[1]; readonly at: number },
) {
  const { name } = row;
  const { role = row.role, disabled = row.disabled_at !== null } = wish;
  const disabled_at = disabled ? (row.disabled_at ?? at) : null;
  await trx.updateTable('admin').set({ role, disabled_at }).where('name', '=', name).execute();
  if (disabled) await endSessions(trx, name);
  const after = entryOf({ ...row, role, disabled_at });
  return { kind: 'changed' as const, before: entryOf(row), after };
}

async function setPassword(
  database: Kysely<Tables>,
  name: string,
  passwordHash: string,
  keepSession: string | undefined,
): Promise<void> {
  await database.transaction().execute(async (trx) => {
    await trx
      .updateTable('admin')
      .set({ password_hash: passwordHash })
      .where('name', '=', name)
      .execute();
    if (keepSession === undefined) await removeLink(trx, name);
    await endSessions(trx, name, keepSession === undefined ? {} : { keep: keepSession });
  });
}
