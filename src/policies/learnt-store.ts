import type { Kysely } from 'kysely';
import type { Tables } from '../storage/tables.ts';

/** What was learnt with a policy. Only what learns can read the document. */
export interface StoredLearnt {
  /** From 1, one more with each save. */
  readonly revision: number;
  readonly document: string;
}

/** Keeps what was learnt, one row for each policy, which all nodes share. */
export interface LearntStore {
  find(policyId: string): Promise<StoredLearnt | undefined>;
  /** False when another node saved since `revision` was read; 0 where there was nothing. */
  put(policyId: string, learnt: StoredLearnt, at: number): Promise<boolean>;
  remove(policyId: string): Promise<void>;
}

/** Only SQL that SQLite and PostgreSQL share. */
export function createSqlLearntStore(database: Kysely<Tables>): LearntStore {
  return {
    async find(policyId) {
      const row = await database
        .selectFrom('learnt_shape')
        .select(['revision', 'document'])
        .where('policy_id', '=', policyId)
        .executeTakeFirst();
      return row;
    },
    async put(policyId, { revision, document }, at) {
      const next = { revision: revision + 1, saved_at: at, document };
      if (revision === 0) {
        const made = await database
          .insertInto('learnt_shape')
          .values({ policy_id: policyId, ...next })
          .onConflict((conflict) => conflict.column('policy_id').doNothing())
          .executeTakeFirst();
        return (made.numInsertedOrUpdatedRows ?? 0n) > 0n;
      }
      const done = await database
        .updateTable('learnt_shape')
        .set(next)
        .where('policy_id', '=', policyId)
        .where('revision', '=', revision)
        .executeTakeFirst();
      return done.numUpdatedRows > 0n;
    },
    async remove(policyId) {
      await database.deleteFrom('learnt_shape').where('policy_id', '=', policyId).execute();
    },
  };
}
