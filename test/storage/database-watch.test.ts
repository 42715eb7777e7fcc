import assert from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { closeDatabase, openDatabase } from '../../src/storage/database.ts';
import { watchDatabase } from '../../src/storage/database-watch.ts';
import { keepLog } from '../access/key-fixture.ts';
import { runCli } from '../support/cli.ts';
import { filesBelow } from '../support/files-below.ts';
import { freshPostgres, restartPostgres, stopPostgres } from '../support/postgres.ts';
import { type Served, startServing } from '../support/serve.ts';
import { smallDisk } from '../support/small-disk.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

/** A server in a dedicated process, with a key. */
async function serveIn(
  t: TestContext,
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
) {
  const args = ['keys', 'create', '--name', 'shop', '--data-dir', 'd'];
  const made = await runCli(args, { cwd, environment });
  assert.equal(made.code, 0, made.err);
  const served = await startServing(t, cwd, ['serve'], environment);
  await until('it is well', async () => (await degradedOf(served)).length === 0);
  return { served, key: made.out.trim(), path: join(cwd, 'd', 'sallyport.db') };
}

async function degradedOf({ address }: Served): Promise<readonly string[]> {
  const answer = await fetch(`${address}/readyz`);
  assert.equal(answer.status, 200, 'it stays ready');
  return ((await answer.json()) as { degraded: readonly string[] }).degraded;
}

/** Lines of the log come in batches, a moment after the event. */
async function untilLogged(served: Served, line: RegExp): Promise<void> {
  await until(`the log has ${line}`, () => line.test(served.out()));
}

async function untilNamed(served: Served, isNamed = true): Promise<void> {
  const what = isNamed ? 'the database is named' : 'the database is well again';
  await until(what, async () => (await degradedOf(served)).includes('database') === isNamed);
}

/** Sends an attack, which is blocked whatever the database does. */
async function attack({ address }: Served, key: string): Promise<void> {
  const body = JSON.stringify({ q: "' OR 1=1 --" });
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const answer = await fetch(`${address}/control`, { method: 'POST', headers, body });
  assert.equal(answer.status, 403);
}

async function figureOf({ address }: Served, name: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** What SQLite has in its log goes to the file. */
function checkpoint(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

function eventsIn(path: string): number {
  const database = new DatabaseSync(path, { readOnly: true });
  const row = database.prepare('select count(*) as count from event').get();
  database.close();
  return Number(row?.['count']);
}

test('a locked database is named, and its events are stored after it', async (t) => {
  const { served, key, path } = await serveIn(t, tempDir());
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  other.exec('begin exclusive');
  await untilNamed(served);
  for (let count = 0; count < 20; count += 1) await attack(served, key);
  other.exec('rollback');
  await untilNamed(served, false);
  await until('all are stored', () => eventsIn(path) === 20);
  assert.equal(await figureOf(served, 'sallyport_events_dropped_total'), 0);
});

test('events of an outage outlive a kill', async (t) => {
  const cwd = tempDir();
  const { served, key, path } = await serveIn(t, cwd);
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  other.exec('begin exclusive');
  for (let count = 0; count < 20; count += 1) await attack(served, key);
  const folder = join(cwd, 'd', 'event-spool');
  const lines = () =>
    filesBelow(join(cwd, 'd'))
      .filter((file) => file.startsWith(folder))
      .map((file) => readFileSync(file, 'utf8').split('\n').length - 1)
      .reduce((sum, count) => sum + count, 0);
  await untilNamed(served);
  await until('all are on disk', () => lines() === 20);
  served.child.kill('SIGKILL');
  await served.ended;
  other.exec('rollback');
  await startServing(t, cwd, ['serve']);
  await until('all are stored', () => eventsIn(path) === 20);
  await until('the spool is empty', () => readdirSync(folder).length === 0);
});

test('a deleted database is named, and nothing is written to what is left of it', async (t) => {
  const cwd = tempDir();
  const { served, key, path } = await serveIn(t, cwd);
  checkpoint(path);
  copyFileSync(path, `${path}.copy`);
  for (const ending of ['', '-wal', '-shm']) rmSync(`${path}${ending}`);
  await untilNamed(served);
  await untilLogged(served, /put it back, or stop Sallyport and restore it from a backup/);
  await attack(served, key);
  await until('it waits in the spool', async () => {
    return (await figureOf(served, 'sallyport_events_spool_bytes')) > 0;
  });
  served.child.kill('SIGTERM');
  assert.equal(await served.ended, 0);
  renameSync(`${path}.copy`, path);
  await startServing(t, cwd, ['serve']);
  await until('the event is stored', () => eventsIn(path) === 1);
});

test('a database that was replaced is named, and the log says what to do', async (t) => {
  const cwd = tempDir();
  const { served, path } = await serveIn(t, cwd);
  checkpoint(path);
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
  await untilNamed(served);
  await untilLogged(served, /deleted or replaced while it was open: restart Sallyport/);
});

test('a truncated database is named', async (t) => {
  const { served, key, path } = await serveIn(t, tempDir());
  checkpoint(path);
  truncateSync(path, Math.floor(statSync(path).size / 8192) * 4096);
  await untilNamed(served);
  await attack(served, key);
  await untilLogged(served, /restore it from a backup/);
});

test('an emptied database is named', async (t) => {
  const { served, key, path } = await serveIn(t, tempDir());
  checkpoint(path);
  truncateSync(path, 0);
  await untilNamed(served);
  await attack(served, key);
  await untilLogged(served, /is no SQLite database any more/);
});

test('a corrupt database is named, and no event is written to it', async (t) => {
  const { served, key, path } = await serveIn(t, tempDir());
  checkpoint(path);
  const file = openSync(path, 'r+');
  const { size } = fstatSync(file);
  // Behind the first page, so that the head of the file stays what it is.
  for (let at = 4_096; at < size; at += 97) writeSync(file, Buffer.from([at % 251]), 0, 1, at);
  closeSync(file);
  await untilNamed(served);
  await untilLogged(served, /The database is damaged .* restore it from a backup/);
  const before = readFileSync(path);
  await attack(served, key);
  await until('it waits in the spool', async () => {
    return (await figureOf(served, 'sallyport_events_spool_bytes')) > 0;
  });
  assert.ok(readFileSync(path).equals(before));
});

test('a full disk is named, and each event is stored or counted', async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return;
  const { served, key, path } = await serveIn(t, disk.folder);
  disk.fill();
  await untilNamed(served);
  const sent = 60;
  for (let count = 0; count < sent; count += 1) await attack(served, key);
  disk.free();
  await untilNamed(served, false);
  await until('each is stored or counted', async () => {
    const stored = await figureOf(served, 'sallyport_events_stored_total');
    return stored + (await figureOf(served, 'sallyport_events_dropped_total')) === sent;
  });
  const stored = await figureOf(served, 'sallyport_events_stored_total');
  assert.equal(eventsIn(path), stored);
  assert.equal(stored, sent, 'so few fit into memory');
});

for (const table of ['admin_session', 'admin_second_factor', 'address_entry']) {
  test(`a check that fails for another reason than damage is no damage: ${table}`, async (t) => {
    const opened = await openDatabase({ dataDir: tempDir(), busyTimeoutMs: 2_000 });
    t.after(() => closeDatabase(opened));
    const { database, place: path } = opened;
    const log = keepLog();
    const watch = watchDatabase({ database, path, log, checkMs: 5 });
    t.after(() => watch.close());
    await sql`drop table ${sql.table(table)}`.execute(database);
    await until('it is named', () => !watch.isWell());
    assert.ok(String(log.told[0]?.['err']).includes(`no such table: ${table}`));
    watch.refuseDamaged();
  });
}

test('a check is a few statements: each waits for what the thread does', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const opened = await openDatabase({ dataDir: tempDir(), busyTimeoutMs: 2_000 });
  t.after(() => closeDatabase(opened));
  let asked = 0;
  let answered = 0;
  const database = opened.database.withPlugin({
    transformQuery({ node }) {
      asked += 1;
      return node;
    },
    async transformResult({ result }) {
      answered += 1;
      return result;
    },
  });
  const watch = watchDatabase({ database, path: opened.place, log: keepLog() });
  t.after(() => watch.close());
  t.mock.timers.tick(1_500);
  await until('each statement has its answer', () => asked > 0 && asked === answered);
  await delay(300);
  assert.ok(asked === answered && asked <= 4, `${asked} statements`);
});

const noLocks = process.platform === 'linux' ? false : '/proc/locks is of Linux';

test('a checked database stays locked: no other program takes its log away', {
  skip: noLocks,
}, async (t) => {
  const opened = await openDatabase({ dataDir: tempDir(), busyTimeoutMs: 2_000 });
  t.after(() => closeDatabase(opened));
  let answered = 0;
  const database = opened.database.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      answered += 1;
      return result;
    },
  });
  const path = opened.place;
  const watch = watchDatabase({ database, path, log: keepLog(), checkMs: 5 });
  t.after(() => watch.close());
  await until('it was checked more than once', () => answered > 20);
  assert.equal(watch.isWell(), true);
  // SQLite before 3.51, such as that of Node 22.16, has nothing else to tell that it is in use.
  const { ino } = statSync(path);
  const locks = readFileSync('/proc/locks', 'utf8').split('\n');
  assert.ok(locks.some((lock) => lock.includes(' POSIX ') && lock.includes(`:${ino} `)));
});

test('a check comes one and a half seconds after the start, and not sooner', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { database } = await openDatabase({ dataDir: tempDir(), busyTimeoutMs: 2_000 });
  await database.destroy();
  const watch = watchDatabase({ database, path: undefined, log: keepLog() });
  t.after(() => watch.close());
  const untilFound = () => until('the fault is found', () => !watch.isWell(), 5);
  t.mock.timers.tick(1_499);
  await assert.rejects(untilFound());
  t.mock.timers.tick(1);
  await until('the fault is found', () => !watch.isWell());
});

test('PostgreSQL that does not answer is named', async (t) => {
  const url = await freshPostgres(t);
  if (url === undefined) return;
  const { served, key } = await serveIn(t, tempDir(), { SALLYPORT_DATABASE_URL: url });
  await stopPostgres();
  await untilNamed(served);
  await attack(served, key);
  await restartPostgres();
  await untilNamed(served, false);
  await until('the event is stored', async () => {
    return (await figureOf(served, 'sallyport_events_stored_total')) === 1;
  });
  assert.equal(await figureOf(served, 'sallyport_degraded\\{part="events"\\}'), 0);
});
