import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Kysely, sql } from 'kysely';
import { closeDatabase, openDatabase } from '../../src/storage/database.ts';
import { isStorageFault } from '../../src/storage/fault.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { followPostgres } from '../../src/storage/postgres-feed.ts';
import type { Tables } from '../../src/storage/tables.ts';
import { freshPostgres } from '../support/postgres.ts';
import { startRelay } from '../support/relay.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

const sleep = sql`select pg_sleep(60)`;

async function isAtWork(database: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()
  `.execute(database);
  return rows.length > 0;
}

test('a connection that breaks in use costs its statements and nothing else', async (t) => {
  const databaseUrl = await freshPostgres(t);
  if (databaseUrl === undefined) return;
  const relay = await startRelay(t, databaseUrl);
  const options = { dataDir: tempDir(), busyTimeoutMs: 1_000 };
  const [direct, relayed] = [
    await openDatabase({ ...options, databaseUrl }),
    await openDatabase({ ...options, databaseUrl: relay.url }),
  ];
  t.after(() => Promise.all([direct, relayed].map(closeDatabase)));
  await until('the feed is live', () => relayed.feed.isLive());
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: isCut, resolve: goOn } = Promise.withResolvers<void>();
  const betweenStatements = relayed.database.transaction().execute(async (trx) => {
    await sql`select 1`.execute(trx);
    begin();
    await isCut;
    await sql`select 1`.execute(trx);
  });
  const lost = Promise.all([
    assert.rejects(sleep.execute(relayed.database), isStorageFault),
    assert.rejects(betweenStatements, isStorageFault),
  ]);
  await begun;
  await until('the statement is at work', () => isAtWork(direct.database));
  relay.cut();
  await until('the loss is seen', () => !relayed.feed.isLive());
  goOn();
  await lost;
  await sql`select 1`.execute(relayed.database);
});

test('a connection on which nothing comes any more is given up', async (t) => {
  const databaseUrl = await freshPostgres(t);
  if (databaseUrl === undefined) return;
  const relay = await startRelay(t, databaseUrl);
  const database = await openPostgres(relay.url, { silenceMsMax: 300 });
  t.after(() => database.destroy());
  relay.silence();
  await assert.rejects(sql`select 1`.execute(database), isStorageFault);
  await sql`select 1`.execute(database);
});

test('a feed whose server fell silent does not hold up the end', async (t) => {
  const databaseUrl = await freshPostgres(t);
  if (databaseUrl === undefined) return;
  const relay = await startRelay(t, databaseUrl);
  const feed = followPostgres(relay.url);
  await until('the feed is live', () => feed.isLive());
  relay.silence();
  await feed.close();
  assert.equal(feed.isLive(), false);
});
