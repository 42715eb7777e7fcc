import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSqlAdminStore } from '../../src/access/sql-admin-store.ts';
import { createSqlAuditStore } from '../../src/access/sql-audit-store.ts';
import { closeDatabase, openDatabase } from '../../src/storage/database.ts';
import { runCli } from '../support/cli.ts';
import { tempDir } from '../support/temp-dir.ts';

test('an administrator is removed, and the command line is on record', async (t) => {
  const dataDir = tempDir(t);
  const opened = await openDatabase({ dataDir, busyTimeoutMs: 2_000 });
  t.after(() => closeDatabase(opened));
  const store = createSqlAdminStore(opened.database);
  await store.insertFirst({ name: 'ada', passwordHash: 'x' }, 1);
  const session = { digest: 'd', name: 'ada', createdAt: 1, seenAt: 1 };
  await store.insertSession(session);
  const admins = (name: string) =>
    runCli(['admins', 'remove', name, '--data-dir', dataDir], { cwd: dataDir });
  const unknown = await admins('eve');
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /there are: ada/);
  const removed = await admins('ada');
  assert.equal(removed.code, 0, removed.err);
  assert.match(removed.err, /prints the link/);
  assert.equal(await store.any(), false);
  assert.equal(await store.findSession('d'), undefined);

  const key = ['keys', 'create', '--name', 'shop', '--data-dir', dataDir];
  assert.equal((await runCli(key, { cwd: dataDir })).code, 0);
  const { entries } = await createSqlAuditStore(opened.database).list({ limit: 10 });
  assert.deepEqual(
    entries.map(({ actor, action }) => `${actor} ${action}`),
    ['cli key.create', 'cli administrator.remove'],
  );
});
