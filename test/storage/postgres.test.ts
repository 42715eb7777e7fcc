import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { issueKey } from '../../src/access/issue-key.ts';
import { createSqlKeyStore } from '../../src/access/sql-key-store.ts';
import { closeDatabase, openDatabase } from '../../src/storage/database.ts';
import { migrations } from '../../src/storage/migrations/list.ts';
import { StorageError } from '../../src/storage/storage-error.ts';
import { keepLog, startCache } from '../access/key-fixture.ts';
import { runCli } from '../support/cli.ts';
import { freshPostgres, restartPostgres, stopPostgres } from '../support/postgres.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

const busyTimeoutMs = 1_000;

function refusedWith(pattern: RegExp) {
  return (error: unknown) =>
    error instanceof StorageError &&
    pattern.test(error.message) &&
    !error.message.includes('hush-hush');
}

test('a fresh database is migrated once', async (t) => {
  const databaseUrl = await freshPostgres(t);
  if (databaseUrl === undefined) return;
  const options = { dataDir: tempDir(), databaseUrl, busyTimeoutMs };
  const first = await openDatabase(options);
  assert.deepEqual(first.migrated, Object.keys(migrations));
  assert.ok(!first.place.includes('hush-hush'), first.place);
  await closeDatabase(first);
  const second = await openDatabase(options);
  assert.deepEqual(second.migrated, []);
  await closeDatabase(second);
});

test('nodes that start at once migrate once and all succeed', async (t) => {
  const databaseUrl = await freshPostgres(t);
  if (databaseUrl === undefined) return;
  const options = { dataDir: tempDir(), databaseUrl, busyTimeoutMs };
  const nodes = await Promise.all([1, 2, 3].map(() => openDatabase(options)));
  assert.equal(nodes.filter(({ migrated }) => migrated.length > 0).length, 1);
  await Promise.all(nodes.map(closeDatabase));
});

test('what cannot be opened is refused with advice and without the password', async (t) => {
  const databaseUrl = await freshPostgres(t);
  if (databaseUrl === undefined) return;
  const open = (url: string) =>
    openDatabase({ dataDir: tempDir(), databaseUrl: url, busyTimeoutMs });
  const missing = new URL(databaseUrl);
  missing.pathname = '/no_such_database';
  await assert.rejects(open(missing.href), refusedWith(/no_such_database.*createdb/));
  const nobody = new URL(databaseUrl);
  nobody.port = '1';
  await assert.rejects(open(nobody.href), refusedWith(/ECONNREFUSED.*start PostgreSQL/));
});

test('the database of another program is left alone', async (t) => {
  const databaseUrl = await freshPostgres(t);
  if (databaseUrl === undefined) return;
  const options = { dataDir: tempDir(), databaseUrl, busyTimeoutMs };
  const opened = await openDatabase(options);
  for (const table of ['kysely_migration', 'kysely_migration_lock']) {
    await sql`drop table ${sql.table(table)}`.execute(opened.database);
  }
  await closeDatabase(opened);
  await assert.rejects(openDatabase(options), refusedWith(/belongs to another program/));
});

test('while PostgreSQL is away the keys that are held stay good, and changes are caught up', async (t) => {
  const databaseUrl = await freshPostgres(t);
  if (databaseUrl === undefined) return;
  const options = { dataDir: tempDir(), databaseUrl, busyTimeoutMs };
  const opened = await openDatabase(options);
  t.after(() => closeDatabase(opened));
  const keys = { store: createSqlKeyStore(opened.database), pepper: Buffer.alloc(32, 'p') };
  const made = { name: 'test', now: 0, expiresAt: undefined };
  const { id, key } = await issueKey(keys, made);
  const log = keepLog();
  const cache = await startCache(t, { ...keys, feed: opened.feed, log });
  assert.equal(cache.verify(key)?.keyId, id);

  await stopPostgres();
  await until('the loss is said', () => !cache.isReady());
  assert.equal(cache.verify(key)?.keyId, id);
  const loss = 'keys cannot be read; those in memory stay in use';
  assert.equal(log.lines.filter(({ message }) => message === loss).length, 1);

  await restartPostgres();
  await until('the keys are read again', () => cache.isReady());
  await until('the feed is live again', () => opened.feed.isLive());
  const other = await openDatabase(options);
  assert.equal(await createSqlKeyStore(other.database).revoke(id, Date.now()), true);
  await until('the revocation arrives', () => cache.verify(key) === undefined);
  await closeDatabase(other);
});

test('the command line works on PostgreSQL and prints no password', async (t) => {
  const databaseUrl = await freshPostgres(t);
  if (databaseUrl === undefined) return;
  const cwd = tempDir();
  const environment = { SALLYPORT_DATABASE_URL: databaseUrl };
  const migrated = await runCli(['migrate'], { cwd, environment });
  assert.equal(migrated.code, 0, migrated.err);
  const created = await runCli(['keys', 'create', '--name', 'shop'], { cwd, environment });
  assert.equal(created.code, 0, created.err);
  const listed = await runCli(['keys', 'list', '--json'], { cwd, environment });
  assert.match(listed.out, /"shop"/);
  const printed = await runCli(['config', 'print'], { cwd, environment });
  assert.match(printed.out, /"databaseUrl": "postgresql:\/\/tester@127/);
  for (const { out, err } of [migrated, created, listed, printed]) {
    assert.ok(!`${out}${err}`.includes('hush-hush'));
  }
  const wrong = await runCli(['migrate', '--database-url', 'mysql://a:hush-hush@b/c'], { cwd });
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /must be a URL such as postgresql/);
  assert.ok(!wrong.err.includes('hush-hush'));
});
