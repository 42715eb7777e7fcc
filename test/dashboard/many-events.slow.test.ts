import { test } from 'node:test';
import { scanBounds } from '../../src/events/scan-bounds.ts';
import { createSqlEventStore } from '../../src/events/sql-event-store.ts';
import { closeDatabase, openDatabase } from '../../src/storage/database.ts';
import { freshPostgres } from '../support/postgres.ts';
import { storedEvent } from '../support/stored-event.ts';
import { setUp, startDashboard } from './dashboard.ts';

const batch = 500;
/** More than one search for a text inspects. */
const events = 2 * scanBounds.textRows + batch;

test('a search goes on by itself to what is far back, and so do the neighbours', async (t) => {
  const databaseUrl = await freshPostgres(t);
  if (databaseUrl === undefined) return;
  const dashboard = await startDashboard(t, { SALLYPORT_DATABASE_URL: databaseUrl });
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  await setUp(dashboard);
  const opened = await openDatabase({ databaseUrl, dataDir: '', busyTimeoutMs: 2_000 });
  t.after(() => closeDatabase(opened));
  const store = createSqlEventStore(opened.database);
  const startsAt = Date.now() - events * 10;
  const eventAt = (number: number) => {
    const isWanted = number === 1 || number === events - 1;
    const parts = isWanted ? { evidence: 'needle in the hay' } : {};
    return storedEvent({ at: startsAt + number * 10, number }, parts);
  };
  for (let from = 0; from < events; from += batch) {
    await store.insert(Array.from({ length: batch }, (_, at) => eventAt(from + at)));
  }
  await page.goto(`${served.address}/dashboard/events?q=needle&group=no`);
  await page.locator('tbody tr').nth(1).waitFor();
  await page.getByRole('button', { name: 'Search further back' }).waitFor({ state: 'detached' });
  await page.goto(`${served.address}/dashboard/events/${eventAt(events - 1).id}?q=needle`);
  await page.getByRole('link', { name: 'Older →' }).click();
  await page.waitForURL(new RegExp(eventAt(1).id));
  await page.getByRole('link', { name: '← Newer' }).click();
  await page.waitForURL(new RegExp(eventAt(events - 1).id));
});
