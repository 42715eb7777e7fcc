import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import {
  closeDatabase,
  databasePath,
  explainFault,
  openDatabase,
  prepareDatabase,
} from '../../src/storage/database.ts';
import { isStorageFault } from '../../src/storage/fault.ts';
import { migrations } from '../../src/storage/migrations/list.ts';
import { createSqliteDialect } from '../../src/storage/sqlite.ts';
import { resultCodeOf, SqliteFile } from '../../src/storage/sqlite-file.ts';
import { StorageError } from '../../src/storage/storage-error.ts';
import { runCli } from '../support/cli.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

const busyTimeoutMs = 2_000;
const allMigrations = Object.keys(migrations);

function refusedWith(pattern: RegExp) {
  return (error: unknown) => error instanceof StorageError && pattern.test(error.message);
}

test('a fresh database is migrated once', async () => {
  const dataDir = tempDir();
  const first = await openDatabase({ dataDir, busyTimeoutMs });
  assert.deepEqual(first.migrated, allMigrations);
  await first.database.destroy();
  const second = await openDatabase({ dataDir, busyTimeoutMs });
  assert.deepEqual(second.migrated, []);
  await second.database.destroy();
});

test('the change to the write-ahead log waits for another that writes', async () => {
  const dataDir = tempDir();
  await (await openDatabase({ dataDir, busyTimeoutMs })).database.destroy();
  const other = new DatabaseSync(databasePath(dataDir));
  other.exec('pragma journal_mode = delete; begin immediate');
  const opening = openDatabase({ dataDir, busyTimeoutMs: 1 });
  await Promise.race([opening, delay(300)]);
  other.exec('commit');
  other.close();
  await (await opening).database.destroy();
});

test('a migration that came after later ones is made up for', async () => {
  const dataDir = tempDir();
  const first = await openDatabase({ dataDir, busyTimeoutMs });
  await first.database.destroy();
  const file = new DatabaseSync(databasePath(dataDir));
  file.exec(`DROP TABLE learnt_shape; DELETE FROM kysely_migration WHERE name = '${late}'`);
  file.close();
  const second = await openDatabase({ dataDir, busyTimeoutMs });
  assert.deepEqual(second.migrated, [late]);
  assert.deepEqual(await second.database.selectFrom('learnt_shape').selectAll().execute(), []);
  await second.database.destroy();
});

const late = '0015-learnt-shapes';

test('the data directory and the database are for their owner only', async () => {
  const dataDir = join(tempDir(), 'a', 'b');
  const { database } = await openDatabase({ dataDir, busyTimeoutMs });
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
  for (const suffix of ['', '-wal', '-shm']) {
    assert.equal(statSync(databasePath(dataDir) + suffix).mode & 0o777, 0o600, suffix);
  }
  await database.destroy();
});

test('root opens the database of another account, but follows no link of its', async (t) => {
  if (process.geteuid?.() !== 0) return t.skip('Only root may give files away.');
  const dataDir = tempDir();
  chownSync(dataDir, 65_534, 65_534);
  const { database } = await openDatabase({ dataDir, busyTimeoutMs });
  await database.destroy();
  const path = databasePath(dataDir);
  assert.equal(statSync(path).uid, 65_534);
  const elsewhere = join(tempDir(), 'elsewhere.db');
  renameSync(path, elsewhere);
  symlinkSync(elsewhere, path);
  await assert.rejects(
    openDatabase({ dataDir, busyTimeoutMs }),
    refusedWith(/sallyport\.db is a symbolic link .* run this as the account that the folder/),
  );
});

test('the connection has the settings that we rely upon', async () => {
  const { database } = await openDatabase({ dataDir: tempDir(), busyTimeoutMs: 123 });
  const pragma = async (name: string) => {
    const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(database);
    return Object.values(rows[0] ?? {})[0];
  };
  assert.equal(await pragma('journal_mode'), 'wal');
  assert.equal(await pragma('foreign_keys'), 1);
  assert.equal(await pragma('synchronous'), 2);
  assert.equal(await pragma('busy_timeout'), 123);
  await database.destroy();
});

test('a transaction that fails leaves nothing behind', async () => {
  const { database } = await openDatabase({ dataDir: tempDir(), busyTimeoutMs });
  const failing = database.transaction().execute(async (trx) => {
    await trx.insertInto('setting').values({ name: 'a', value: 'b' }).execute();
    throw new Error('on purpose');
  });
  await assert.rejects(failing, /on purpose/);
  assert.deepEqual(await database.selectFrom('setting').selectAll().execute(), []);
  await database.destroy();
});

test('a full disk is named, inside of a transaction too', async () => {
  const opened = await openDatabase({ dataDir: tempDir(), busyTimeoutMs });
  const { database } = opened;
  await sql`pragma max_page_count = 1`.execute(database);
  const fill = database.transaction().execute(async (trx) => {
    const value = 'x'.repeat(1_000_000);
    await trx.insertInto('setting').values({ name: 'a', value }).execute();
  });
  await assert.rejects(fill, (error: unknown) => {
    const told = explainFault(opened, error);
    return refusedWith(/sallyport\.db cannot be used .*full.*free some space/)(told);
  });
  const other = new Error('on purpose');
  assert.equal(explainFault(opened, other), other);
  await database.destroy();
});

test('a statement of a transaction that is gone is refused', () => {
  const file = new SqliteFile({ path: join(tempDir(), 'a.db'), busyTimeoutMs });
  const run = (statement: string, isInTransaction = false) =>
    file.execute({ sql: statement, parameters: [], isInTransaction });
  run('create table a (b integer)');
  run('begin immediate');
  run('insert into a values (1)', true);
  // As when the thread has died: its successor opens the file anew.
  file.close();
  assert.throws(
    () => run('insert into a values (2)', true),
    (error) => isStorageFault(error) && /transaction was lost/.test(String(error)),
  );
  file.rollBack();
  assert.deepEqual(run('select * from a').rows, []);
  file.close();
});

test('a statement that SQLite refuses says why, and the next one runs', async () => {
  const { database } = await openDatabase({ dataDir: tempDir(), busyTimeoutMs });
  const failing = sql`insert into setting (name) values (null)`.execute(database);
  await assert.rejects(failing, (error) => {
    assert.ok(error instanceof Error);
    assert.equal(resultCodeOf(error), 19);
    assert.match(error.message, /NOT NULL constraint failed: setting\.name/);
    return true;
  });
  assert.deepEqual(await database.selectFrom('setting').selectAll().execute(), []);
  await database.destroy();
});

test('a thread that ends takes its transaction with it, and another goes on', async () => {
  const options = { path: join(tempDir(), 'a.db'), busyTimeoutMs };
  const workerFile = new URL('./mortal-worker.ts', import.meta.url);
  const database = new Kysely<{ readonly a: { readonly b: number } }>({
    dialect: createSqliteDialect(options, workerFile),
  });
  await sql`create table a (b integer)`.execute(database);
  const failing = database.transaction().execute(async (trx) => {
    await trx.insertInto('a').values({ b: 1 }).execute();
    await sql`end the thread`.execute(trx);
  });
  await assert.rejects(failing, (error) => isStorageFault(error) && /thread/.test(String(error)));
  await database.insertInto('a').values({ b: 2 }).execute();
  assert.deepEqual(await database.selectFrom('a').selectAll().execute(), [{ b: 2 }]);
  await database.destroy();
});

test('statements that wait for another process do not keep this thread waiting', async () => {
  const dataDir = tempDir();
  const { database } = await openDatabase({ dataDir, busyTimeoutMs: 60_000 });
  const other = new DatabaseSync(databasePath(dataDir));
  other.exec('begin immediate');
  const writing = database.insertInto('setting').values({ name: 'a', value: 'b' }).execute();
  // The lock is given up by a later turn of this thread, which must come while the write waits.
  await delay(50);
  other.exec('commit');
  other.close();
  await writing;
  assert.equal((await database.selectFrom('setting').selectAll().execute()).length, 1);
  await database.destroy();
});

test('processes that migrate at once do it once and all succeed', async () => {
  const cwd = tempDir();
  const results = await Promise.all(
    Array.from({ length: 4 }, () => runCli(['migrate', '--data-dir', 'd'], { cwd })),
  );
  for (const result of results) assert.equal(result.code, 0, result.err);
  const applied = results.flatMap(({ out }) => out.split('\n').filter((line) => line !== ''));
  assert.deepEqual(applied, allMigrations);
});

test('processes that make keys at once all succeed', async () => {
  const cwd = tempDir();
  const names = ['a', 'b', 'c', 'd'];
  const results = await Promise.all(
    names.map((name) => runCli(['keys', 'create', '--name', name, '--data-dir', 'd'], { cwd })),
  );
  for (const result of results) assert.equal(result.code, 0, result.err);
  const list = await runCli(['keys', 'list', '--json', '--data-dir', 'd'], { cwd });
  const listed = JSON.parse(list.out) as { readonly name: string }[];
  assert.deepEqual(listed.map(({ name }) => name).toSorted(), names);
});

test('a database of a newer version is refused and left alone', async () => {
  const dataDir = tempDir();
  const { database } = await openDatabase({ dataDir, busyTimeoutMs });
  await database.destroy();
  const raw = new DatabaseSync(databasePath(dataDir));
  raw.exec("insert into kysely_migration values ('9999-later', '2999-01-01T00:00:00.000Z')");
  raw.close();
  await assert.rejects(
    openDatabase({ dataDir, busyTimeoutMs }),
    refusedWith(/newer Sallyport.*9999-later/),
  );
});

test('a database of another program is refused and left alone', async () => {
  const dataDir = tempDir();
  const raw = new DatabaseSync(databasePath(dataDir));
  raw.exec('create table invoices (id integer)');
  raw.close();
  await assert.rejects(
    openDatabase({ dataDir, busyTimeoutMs }),
    refusedWith(/invoices.*--data-dir/),
  );
  const again = new DatabaseSync(databasePath(dataDir));
  const tables = again.prepare('select name from sqlite_master').all();
  again.close();
  assert.deepEqual(
    tables.map((row) => row['name']),
    ['invoices'],
  );
});

test('a file that is not a database is refused with advice', async () => {
  const dataDir = tempDir();
  writeFileSync(databasePath(dataDir), 'not a database '.repeat(1_000));
  await assert.rejects(
    openDatabase({ dataDir, busyTimeoutMs }),
    refusedWith(/not an SQLite database; move it away/),
  );
});

test('a data directory that cannot be made is refused with advice', async () => {
  const file = join(tempDir(), 'file');
  writeFileSync(file, '');
  await assert.rejects(
    openDatabase({ dataDir: join(file, 'data'), busyTimeoutMs }),
    refusedWith(/EEXIST.*--data-dir/),
  );
  await assert.rejects(openDatabase({ dataDir: file, busyTimeoutMs }), refusedWith(/EEXIST/));
  // The system says that there is no parent, though there is.
  const dataDir = '/proc/sallyport/data';
  await assert.rejects(openDatabase({ dataDir, busyTimeoutMs }), refusedWith(/cannot be made/));
});

test('a database that cannot be written to is refused with advice', async () => {
  const dataDir = tempDir();
  mkdirSync(databasePath(dataDir));
  await assert.rejects(
    openDatabase({ dataDir, busyTimeoutMs }),
    refusedWith(/give the user that runs Sallyport the right to write/),
  );
});

test('a database that is up to date is opened while another process writes', async () => {
  const dataDir = tempDir();
  await (await openDatabase({ dataDir, busyTimeoutMs })).database.destroy();
  const other = new DatabaseSync(databasePath(dataDir));
  other.exec('begin immediate');
  const opened = await openDatabase({ dataDir, busyTimeoutMs: 1, openTimeoutMs: 1 });
  await opened.database.destroy();
  other.close();
});

test('a database that could not be opened is opened by a later statement', async (t) => {
  const dataDir = tempDir();
  mkdirSync(databasePath(dataDir));
  const seen: string[] = [];
  const prepared = await prepareDatabase({
    dataDir,
    busyTimeoutMs,
    async onOpen(database) {
      seen.push('open');
      await database.insertInto('setting').values({ name: 'a', value: 'b' }).execute();
    },
  });
  t.after(() => closeDatabase(prepared));
  const read = () => prepared.database.selectFrom('setting').selectAll().execute();
  await assert.rejects(prepared.open(), refusedWith(/right to write/));
  await assert.rejects(read(), refusedWith(/right to write/));
  assert.deepEqual(seen, []);
  rmdirSync(databasePath(dataDir));
  await until('a statement is answered', () => read().then(Boolean, () => false));
  assert.deepEqual(await read(), [{ name: 'a', value: 'b' }]);
  assert.deepEqual(await prepared.open(), allMigrations);
  assert.deepEqual(seen, ['open']);
});

test('a damaged migration is undone as a whole and named', async () => {
  const dataDir = tempDir();
  const raw = new DatabaseSync(databasePath(dataDir));
  raw.exec('create table kysely_migration (name text primary key, timestamp text)');
  raw.exec('create table setting (name text)');
  raw.close();
  chmodSync(databasePath(dataDir), 0o600);
  await assert.rejects(openDatabase({ dataDir, busyTimeoutMs }), refusedWith(/0001-keys/));
  const again = new DatabaseSync(databasePath(dataDir));
  const keyTable = again.prepare("select name from sqlite_master where name = 'api_key'").all();
  again.close();
  assert.deepEqual(keyTable, []);
});
