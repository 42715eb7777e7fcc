import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { EventStore, StoredEvent } from '../../src/contract/event.ts';
import { createSqlEventStore } from '../../src/events/sql-event-store.ts';
import { databasePath } from '../../src/storage/database.ts';
import { StorageError } from '../../src/storage/storage-error.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { openWriter, recordOf, recordsOf } from './writer-fixture.ts';

/** Holds the file as another process would, until it is let go. */
function lock(t: TestContext, dataDir: string): () => void {
  const other = new DatabaseSync(databasePath(dataDir));
  other.exec('begin immediate');
  const letGo = () => {
    if (other.isOpen) other.close();
  };
  t.after(letGo);
  return letGo;
}

function segments(dataDir: string): string[] {
  const folder = join(dataDir, 'event-spool');
  return readdirSync(folder).map((name) => join(folder, name));
}

async function idsIn(store: EventStore): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.stream({})) ids.push(id);
  return ids.reverse();
}

test('what a locked database does not take is stored later, once and in its order', async (t) => {
  const { writer, store, stored, log, dataDir } = await openWriter(t);
  const letGo = lock(t, dataDir);
  const records = recordsOf(60);
  for (const record of records.slice(0, 40)) writer.add(record);
  await until('the database does not take them', () => writer.isFailing());
  for (const record of records.slice(40)) writer.add(record);
  letGo();
  const ids = records.map(({ decisionId }) => decisionId);
  await until('all are stored', () => writer.stats().stored === 60);
  assert.deepEqual(await idsIn(store), ids);
  assert.equal(writer.stats().dropped, 0);
  const reported = stored.map(({ id }) => id);
  assert.deepEqual(reported, reported.toSorted(), 'the live feed has them in their order');
  await until('the log has an end', () => log.lines.length === 2);
  assert.deepEqual(
    log.lines.map(({ level }) => level),
    ['warn', 'info'],
    'one line for the fault, one for its end',
  );
});

test('a database without room keeps blocks waiting, and stores them with room', async (t) => {
  const { writer, database, store } = await openWriter(t);
  // SQLite answers with SQLITE_FULL, as it does on a full disk; the bound is at least what is used.
  await sql`pragma max_page_count = 1`.execute(database);
  const records = recordsOf(50);
  for (const record of records) writer.add(record);
  await until('the database is full', () => writer.isFailing());
  await sql`pragma max_page_count = 1000000`.execute(database);
  await until('all are stored', () => writer.stats().stored >= 50);
  assert.deepEqual(
    await idsIn(store),
    records.map(({ decisionId }) => decisionId),
  );
  assert.equal(writer.stats().dropped, 0);
});

describeOnEachDatabase('an event writer', (make) => {
  test('a batch whose answer was lost is not stored twice', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { database } = await fresh.open();
    const store = createSqlEventStore(database);
    let lost = 0;
    const forgetful = {
      insert: async (events: readonly StoredEvent[]) => {
        const bytes = await store.insert(events);
        if (lost++ < 2) throw new StorageError('the connection broke after the commit');
        return bytes;
      },
    };
    const { writer, stored } = await openWriter(t, { store: forgetful });
    const records = recordsOf(30);
    for (const record of records) writer.add(record);
    await until('all are stored', () => stored.length === 30);
    assert.deepEqual(
      await idsIn(store),
      records.map(({ decisionId }) => decisionId),
    );
    assert.deepEqual([writer.stats().stored, writer.stats().dropped], [30, 0]);
  });

  test('a row that the database refuses does not keep the others waiting', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { database } = await fresh.open();
    const store = createSqlEventStore(database);
    const [bad = assert.fail(), ...good] = recordsOf(10);
    const spoiling = {
      insert: (events: readonly StoredEvent[]) =>
        store.insert(
          events.map((event) => {
            const isBad = event.id === bad.decisionId;
            return isBad ? { ...event, rule: null as unknown as string } : event;
          }),
        ),
    };
    const { writer, stored } = await openWriter(t, { store: spoiling });
    for (const record of [bad, ...good]) writer.add(record);
    await until('the others are stored', () => stored.length >= 9);
    assert.deepEqual(
      await idsIn(store),
      good.map(({ decisionId }) => decisionId),
    );
    assert.deepEqual([writer.stats().dropped, writer.isFailing()], [1, false]);
  });
});

test('in an outage blocks wait on disk, for their owner only and without secrets', async (t) => {
  const { writer, store, dataDir } = await openWriter(t);
  const letGo = lock(t, dataDir);
  const secret = recordOf({ q: "' OR 1=1 --", password: "' OR 'verysecret'='verysecret" });
  const records = [...recordsOf(1_500), secret, ...recordsOf(1_500)];
  for (const record of records.slice(0, 1_600)) writer.add(record);
  await until('the database does not take them', () => writer.isFailing());
  await until('all are on disk but what is tried', () => writer.stats().waiting <= 250);
  for (const record of records.slice(1_600)) writer.add(record);
  await until('all are on disk but what is tried', () => writer.stats().waiting <= 250);
  assert.equal(statSync(join(dataDir, 'event-spool')).mode & 0o777, 0o700);
  const files = segments(dataDir);
  assert.ok(files.length > 1, 'segments have a size');
  let text = '';
  for (const file of files) {
    assert.equal(statSync(file).mode & 0o777, 0o600, file);
    text += readFileSync(file, 'utf8');
  }
  assert.ok(text.includes(secret.decisionId) && !text.includes('verysecret'));
  letGo();
  await until('all are stored', () => writer.stats().stored >= records.length);
  assert.deepEqual(await idsIn(store), records.map(({ decisionId }) => decisionId).sort());
  await until('nothing is left on disk', () => segments(dataDir).length === 0);
  assert.deepEqual(writer.stats(), {
    stored: records.length,
    dropped: 0,
    waiting: 0,
    spoolBytes: 0,
  });
});

test('what a process could not store the next one does, also behind a torn line', async (t) => {
  const { writer, dataDir } = await openWriter(t);
  const letGo = lock(t, dataDir);
  const records = recordsOf(700);
  for (const record of records) writer.add(record);
  await until('the database does not take them', () => writer.isFailing());
  await writer.close();
  assert.equal(writer.stats().dropped, 0);
  const [first = assert.fail()] = segments(dataDir);
  // As when the process ends in the middle of a write.
  appendFileSync(first, '{"id":"01970000-0000-7000-8000-0');
  letGo();
  const next = await openWriter(t, { dataDir });
  await until('all are stored', () => next.writer.stats().stored === 700);
  assert.equal((await idsIn(next.store)).length, 700);
  await until('nothing is left on disk', () => segments(dataDir).length === 0);
  assert.equal(next.writer.stats().dropped, 1, 'the torn line');
});

test('a full spool drops and counts, with one line in the log', async (t) => {
  const dataDir = tempDir();
  const bytesMax = 300_000;
  const { writer, store, log } = await openWriter(t, { dataDir, spool: { dataDir, bytesMax } });
  const letGo = lock(t, dataDir);
  for (let round = 0; round < 10; round += 1) {
    for (const record of recordsOf(400)) writer.add(record);
    await until('they are described', async () => {
      const { waiting, dropped, spoolBytes } = writer.stats();
      assert.ok(spoolBytes <= bytesMax, `${spoolBytes} bytes`);
      return waiting < 2_300 || dropped > 0;
    });
  }
  await until('some are lost', () => writer.stats().dropped > 0);
  await until('the log says so', () => log.told.some(({ dropped }) => Number(dropped) > 0));
  letGo();
  await until('each is stored or counted', () => {
    const { stored, dropped } = writer.stats();
    return stored + dropped === 4_000;
  });
  assert.equal((await idsIn(store)).length, writer.stats().stored);
  await writer.close();
  const lines = log.told.filter(({ message }) => message === 'events were lost');
  assert.ok(lines.length <= 2, 'one within the minute, one at the end');
  const said = lines.reduce((sum, { dropped }) => sum + Number(dropped), 0);
  assert.equal(said, writer.stats().dropped);
});

test('without a spool blocks wait in memory, and what is beyond is counted', async (t) => {
  const dataDir = tempDir();
  // A file in the place of the folder: nothing can be written there.
  const { writer, log, store } = await openWriter(t, { dataDir });
  appendFileSync(join(dataDir, 'event-spool'), '');
  const letGo = lock(t, dataDir);
  for (const record of recordsOf(1_000)) writer.add(record);
  await until('the database does not take them', () => writer.isFailing());
  await until('all wait', () => writer.stats().waiting === 1_000);
  letGo();
  await until('all are stored', () => writer.stats().stored === 1_000);
  assert.equal((await idsIn(store)).length, 1_000);
  assert.deepEqual(writer.stats().dropped, 0);
  const lines = log.lines.filter(({ message }) => /spool; check/.test(message));
  assert.equal(lines.length, 1);
});

test('segments that another process still writes to are left alone', async (t) => {
  const dataDir = tempDir();
  const folder = join(dataDir, 'event-spool');
  mkdirSync(folder);
  const { store, writer } = await openWriter(t, { dataDir });
  // The process that started this one is alive.
  const name = `0000000aa-${process.ppid}-0123abcd.open`;
  appendFileSync(join(folder, name), '{}\n');
  appendFileSync(join(folder, 'notes.txt'), 'not ours');
  await writer.close();
  const next = await openWriter(t, { dataDir });
  next.writer.add(recordOf({ q: "' OR 1=1 --" }));
  await until('the block is stored', () => next.writer.stats().stored === 1);
  assert.deepEqual(readdirSync(folder).sort(), [name, 'notes.txt']);
  assert.equal((await idsIn(store)).length, 1);
  assert.equal(next.writer.stats().spoolBytes, 3);
});
