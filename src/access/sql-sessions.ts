import type { Kysely, Selectable } from 'kysely';
import type { AdminSessionTable, Tables } from '../storage/tables.ts';
import type { AdminStore, SessionRecord } from './admin-store.ts';

type Sessions = Pick<
  AdminStore,
  | 'insertSession'
  | 'findSession'
  | 'touchSession'
  | 'removeSession'
  | 'sessions'
  | 'removeSessionsOf'
  | 'removeSessions'
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
  };
}

/** No more sessions are listed at once. */
const listedMax = 1_000;

async function insertSession(
  database: Kysely<Tables>,
  { digest, name, createdAt, seenAt, ...rest }: SessionRecord,
): Promise<void> {
  const row = { digest, admin_name: name, created_at: createdAt, seen_at: seenAt, ...rest };
  await database.insertInto('admin_session').values(row).execute();
  await database
    .updateTable('admin')
    .set({ signed_in_at: createdAt })
    .where('name', '=', name)
    .execute();
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
  };
}
