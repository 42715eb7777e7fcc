import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { openAdminGate } from '../../src/access/admin-gate.ts';
import { createPeople } from '../../src/access/people.ts';
import { createSqlAdminStore } from '../../src/access/sql-admin-store.ts';
import type { IdentityProvider } from '../../src/contract/single-sign-on.ts';
import type { MakeDatabase } from '../support/databases.ts';

export const password = 'correct horse battery';
export const hour = 3_600_000;
export const here = { address: '10.0.0.1', agent: 'Firefox 128 on Linux' };

/** A gate over a database, with a clock that the test sets. */
export async function openGate(make: MakeDatabase, t: TestContext) {
  const fresh = await make(t);
  if (fresh === undefined) return undefined;
  const { database } = await fresh.open();
  const store = createSqlAdminStore(database);
  const time = { now: 1_000_000 };
  const open = (name = 'ours', provider?: IdentityProvider, providedSessionMs?: number) =>
    openAdminGate({
      store,
      secret: Buffer.from(name.repeat(8)),
      clock: () => time.now,
      provider,
      providedSessionMs,
    });
  const people = createPeople(store, () => time.now);
  return { database, store, time, open, people, gate: await open() };
}

/** The same, with a first administrator. */
export async function setUp(make: MakeDatabase, t: TestContext) {
  const parts = await openGate(make, t);
  if (parts === undefined) return undefined;
  const token = parts.gate.setUpToken ?? '';
  const outcome = await parts.gate.setUp({ token, name: 'ada', password, ...here });
  assert.equal(outcome.kind, 'set-up');
  return { ...parts, session: outcome.kind === 'set-up' ? outcome.session : '' };
}
