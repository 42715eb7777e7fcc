import { type KeyState, keyStateAt } from '../access/key-store.ts';
import { createSqlAdminStore } from '../access/sql-admin-store.ts';
import { createSqlKeyStore } from '../access/sql-key-store.ts';
import { createSqlPolicyStore } from '../policies/sql-policy-store.ts';
import type { PeekedDatabase } from '../storage/peek.ts';

/** What a database holds, in numbers. */
export interface StoredState {
  readonly place: string;
  readonly keys: Readonly<Record<KeyState, number>>;
  readonly policies: readonly {
    readonly id: string;
    readonly name: string;
    readonly version: number;
    readonly mode: string;
    readonly keys: number;
  }[];
  readonly events: { readonly stored: number; readonly newest: number | undefined };
  readonly administrators: number;
}

/** Counts what a database holds. */
export async function readStoredState(
  { database, place }: PeekedDatabase,
  now: number,
): Promise<StoredState> {
  const counts = { active: 0, expired: 0, revoked: 0 };
  for (const key of await createSqlKeyStore(database).list()) counts[keyStateAt(key, now)] += 1;
  const policies = await createSqlPolicyStore(database).list();
  const events = await database
    .selectFrom('event')
    .select((eb) => [eb.fn.countAll().as('stored'), eb.fn.max('at').as('newest')])
    .executeTakeFirstOrThrow();
  const newest = events.newest === null ? undefined : Number(events.newest);
  return {
    place,
    keys: counts,
    policies: policies.map(({ id, name, version, document, keys }) => {
      const { mode = 'unknown' } = (document ?? {}) as { readonly mode?: string };
      return { id, name, version, mode, keys: keys.length };
    }),
    events: { stored: Number(events.stored), newest },
    administrators: (await createSqlAdminStore(database).list()).length,
  };
}
