import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../storage/tables.ts';
import { endSessions, removeLink } from './admin-rows.ts';
import type { SecondFactorStore } from './second-factor-store.ts';

/** Second factors in an SQL database. Only SQL that SQLite and PostgreSQL share. */
export function secondFactorsIn(database: Kysely<Tables>): SecondFactorStore {
  return {
    findSecondFactor: (name) => findSecondFactor(database, name),
    beginSecondFactor: (name, sealed, at) =>
      database.transaction().execute(async (trx) => {
        await trx
          .deleteFrom('admin_second_factor')
          .where('admin_name', '=', name)
          .where('confirmed_at', 'is', null)
          .execute();
        const done = await trx
          .insertInto('admin_second_factor')
          .values({ admin_name: name, sealed, created_at: at, confirmed_at: null })
          .onConflict((conflict) => conflict.column('admin_name').doNothing())
          .executeTakeFirst();
        return (done.numInsertedOrUpdatedRows ?? 0n) > 0n;
      }),
    confirmSecondFactor: (name, { sealed, step, at, digests, keepSession }) =>
      database.transaction().execute(async (trx) => {
        const done = await trx
          .updateTable('admin_second_factor')
          .set({ confirmed_at: at, last_step: step })
          .where('admin_name', '=', name)
          .where('sealed', '=', sealed)
          .where('confirmed_at', 'is', null)
          .executeTakeFirst();
        if (done.numUpdatedRows === 0n) return false;
        await insertCodes(trx, name, digests);
        await endSessions(trx, name, { keep: keepSession });
        return true;
      }),
    countCode: (name, bound) => countCode(database, name, bound),
    forgetCodes: async (name) => {
      await database
        .updateTable('admin_second_factor')
        .set({ wrong_codes: 0 })
        .where('admin_name', '=', name)
        .execute();
    },
    useStep: async (name, sealed, step) => {
      // One statement: of two sign-ins with one code, only the first finds an earlier step.
      const done = await database
        .updateTable('admin_second_factor')
        .set({ last_step: step })
        .where('admin_name', '=', name)
        .where('sealed', '=', sealed)
        .where('confirmed_at', 'is not', null)
        .where('last_step', '<', step)
        .executeTakeFirst();
      return done.numUpdatedRows > 0n;
    },
    useRecoveryCode: async (name, digest) => {
      const done = await database
        .deleteFrom('admin_recovery_code')
        .where('admin_name', '=', name)
        .where('digest', '=', digest)
        .executeTakeFirst();
      return done.numDeletedRows > 0n;
    },
    replaceRecoveryCodes: (name, digests) => replaceRecoveryCodes(database, name, digests),
    removeSecondFactor: (name) => removeSecondFactor(database, name),
    resetSecondFactor: (name) =>
      database.transaction().execute(async (trx) => {
        if (!(await removeSecondFactor(trx, name))) return false;
        await removeLink(trx, name);
        await endSessions(trx, name);
        return true;
      }),
  };
}

async function findSecondFactor(database: Kysely<Tables>, name: string) {
  const row = await database
    .selectFrom('admin_second_factor')
    .select(['sealed', 'created_at', 'confirmed_at', 'wrong_since'])
    .select((eb) =>
      eb
        .selectFrom('admin_recovery_code')
        .select(eb.fn.countAll().as('codes'))
        .whereRef('admin_recovery_code.admin_name', '=', 'admin_second_factor.admin_name')
        .as('codes'),
    )
    .where('admin_name', '=', name)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const isOn = row.confirmed_at !== null;
  const createdAt = Number(row.created_at);
  const wrongSince = Number(row.wrong_since);
  return { sealed: row.sealed, isOn, createdAt, wrongSince, recoveryCodes: Number(row.codes) };
}

async function countCode(
  database: Kysely<Tables>,
  name: string,
  { now, periodMs, max }: Parameters<SecondFactorStore['countCode']>[1],
): Promise<boolean> {
  const start = now - periodMs;
  // One statement: of many codes at once, only as many as are free find room.
  const done = await database
    .updateTable('admin_second_factor')
    .set((eb) => ({
      wrong_codes: eb
        .case()
        .when('wrong_since', '>', start)
        .then(eb('wrong_codes', '+', 1))
        .else(1)
        .end(),
      wrong_since: eb
        .case()
        .when('wrong_since', '>', start)
        .then(eb.ref('wrong_since'))
        .else(now)
        .end(),
    }))
    .where('admin_name', '=', name)
    .where('confirmed_at', 'is not', null)
    .where((eb) => eb.or([eb('wrong_since', '<=', start), eb('wrong_codes', '<', max)]))
    .executeTakeFirst();
  return done.numUpdatedRows > 0n;
}

async function replaceRecoveryCodes(
  database: Kysely<Tables>,
  name: string,
  digests: readonly string[],
): Promise<boolean> {
  return database.transaction().execute(async (trx) => {
    // Locks the row: the second factor cannot be turned off meanwhile.
    const held = await trx
      .updateTable('admin_second_factor')
      .set((eb) => ({ last_step: eb.ref('last_step') }))
      .where('admin_name', '=', name)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst();
    if (held.numUpdatedRows === 0n) return false;
    await trx.deleteFrom('admin_recovery_code').where('admin_name', '=', name).execute();
    await insertCodes(trx, name, digests);
    return true;
  });
}

async function insertCodes(
  trx: Transaction<Tables>,
  name: string,
  digests: readonly string[],
): Promise<void> {
  const rows = digests.map((digest) => ({ digest, admin_name: name }));
  await trx.insertInto('admin_recovery_code').values(rows).execute();
}

async function removeSecondFactor(database: Kysely<Tables>, name: string): Promise<boolean> {
  // The recovery codes go with it: they refer to it.
  const done = await database
    .deleteFrom('admin_second_factor')
    .where('admin_name', '=', name)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return done.numDeletedRows > 0n;
}
