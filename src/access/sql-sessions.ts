import type { Kysely, Selectable } from 'kysely';
import type { AdminSessionTable, Tables } from '../storage/tables.ts';
import type { AdminStore, SessionRecord } from './admin-store.ts';
import { adminOf } from './sql-identities.ts';

type Sessions = Pick<
  AdminStore,
  | 'insertSession'
  | 'findSession'
  | 'touchSession'
  | 'removeSession'
  | 'sessions'
  | 'removeSessionsOf'
  | 'removeSessions'
  | 'removeProvided'
>;

/** The sessions of administrators in an SQL database. */
export function sessionsIn(database: Kysely<Tables>): Sessions {
  return {
    insertSession: (session) => insertSession(database, session),
    findSession: async (digest) => {
      const row = await database
        .selectFrom('admin_session')
        .innerJoin('admin', 'admin.name', 'admin_session.admin_name')
        .leftJoin('admin_second_factor', 'admin_second_factor.admin_name', 'admin.name')
        .selectAll('admin_session')
        .select(['role', 'password_hash', 'confirmed_at'])
        .where('digest', '=', digest)
        .where('disabled_at', 'is', null)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { role, password_hash, confirmed_at } = row;
      const has = { hasPassword: password_hash !== '', hasSecondFactor: confirmed_at !== null };
      return { ...recordOf(row), role, ...has };
    },
    touchSession: async (digest, seenAt, { address, agent }) => {
      await database
        .updateTable('admin_session')
        .set({ seen_at: seenAt, address, agent })
        .where('digest', '=', digest)
        .execute();
    },
    removeSession: async (digest) => {
      await database.deleteFrom('admin_session').where('digest', '=', digest).execute();
    },
    sessions: async ({ createdBefore, providedBefore, seenBefore }, name) => {
      let query = database
        .selectFrom('admin_session')
        .selectAll()
        .where('created_at', '>', createdBefore)
        .where((eb) =>
          eb.or([eb('method', '=', 'password'), eb('created_at', '>', providedBefore)]),
        )
        .where('seen_at', '>', seenBefore)
        .orderBy('seen_at', 'desc')
        .orderBy('digest')
        .limit(listedMax);
      if (name !== undefined) query = query.where('admin_name', '=', name);
      return (await query.execute()).map(recordOf);
    },
    removeSessionsOf: async (name, digestPrefix) => {
      const done = await database
        .deleteFrom('admin_session')
        .where('admin_name', '=', name)
        .where('digest', 'like', `${digestPrefix}%`)
        .executeTakeFirst();
      return Number(done.numDeletedRows);
    },
    removeSessions: async ({ createdBefore, providedBefore, seenBefore }) => {
      await database
        .deleteFrom('admin_session')
        .where((eb) =>
          eb.or([
            eb('created_at', '<', createdBefore),
            eb('seen_at', '<', seenBefore),
            eb.and([eb('method', '=', 'single-sign-on'), eb('created_at', '<', providedBefore)]),
          ]),
        )
        .execute();
    },
    removeProvided: (ended) => removeProvided(database, ended),
  };
}

/** No more sessions are listed at once. */
const listedMax = 1_000;

async function insertSession(
  database: Kysely<Tables>,
  { digest, name, createdAt, seenAt, providerSession, ...rest }: SessionRecord,
): Promise<void> {
  const times = { created_at: createdAt, seen_at: seenAt };
  const row = { digest, admin_name: name, ...times, provider_session: providerSession, ...rest };
  await database.insertInto('admin_session').values(row).execute();
  await database
    .updateTable('admin')
    .set({ signed_in_at: createdAt })
    .where('name', '=', name)
    .execute();
}

async function removeProvided(
  database: Kysely<Tables>,
  { account, providerSession }: Parameters<AdminStore['removeProvided']>[0],
): Promise<readonly string[]> {
  const admin = account && (await adminOf(database, account));
  const rows = await database
    .deleteFrom('admin_session')
    .where('method', '=', 'single-sign-on')
    .where((eb) => {
      const ofAccount = eb('admin_name', '=', admin?.name ?? '');
      if (providerSession === undefined) return ofAccount;
      const isUnnamed = eb('provider_session', '=', '');
      return eb.or([eb('provider_session', '=', providerSession), eb.and([ofAccount, isUnnamed])]);
    })
    .returning('admin_name')
    .execute();
  return rows.map(({ admin_name }) => admin_name);
}

function recordOf(row: Selectable<AdminSessionTable>): SessionRecord {
  const { digest, admin_name: name, created_at, seen_at, address, agent, method } = row;
  return {
    digest,
    name,
    createdAt: Number(created_at),
    seenAt: Number(seen_at),
    address,
    agent,
    method,
    providerSession: row.provider_session,
  };
}
