import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import {
  control,
  createKey,
  openEvent,
  setUp,
  startDashboard,
  testOnEachDatabase,
  untilStatus,
  visit,
} from './dashboard.ts';

const pageSize = 50;
const injections = pageSize + 5;

testOnEachDatabase(
  'events are listed in pages, searched, filtered and exported',
  async (dashboard) => {
    const { page, served } = dashboard;
    await setUp(dashboard);
    const key = await createKey(page, 'shop');
    await untilStatus(served, key, { a: 1 }, 200);
    for (let number = 0; number < injections; number += 1) {
      await control(served, key, { q: `${number}' OR 1=1 --` });
    }
    const { id } = await control(served, key, { bio: '<svg onload=alert(4711)>' });
    await openEvent(dashboard, id);

    await visit(page, 'Events');
    const rows = page.locator('tbody tr');
    await until('repeats are one row', async () => (await rows.count()) === 2);
    await page.getByText(`${injections + 1} events`, { exact: true }).waitFor();
    await page.getByLabel('Group repeats').uncheck();
    await until('each has a row', async () => (await rows.count()) === pageSize);
    assert.equal(await rows.count(), pageSize);
    await page.getByRole('button', { name: 'Load more' }).click();
    await until('all are listed', async () => (await rows.count()) === injections + 1);

    await page.getByLabel('Search').fill('alert(4711)');
    await page.getByLabel('Search').press('Enter');
    await until('one is found', async () => (await rows.count()) === 1);
    assert.match(page.url(), /\/events\?group=no&q=alert/);
    await page.goBack();
    await until('the list is back', async () => (await rows.count()) === pageSize);

    await page.getByLabel('Category').selectOption('xss');
    await until('one is in the category', async () => (await rows.count()) === 1);
    await page.getByText('1 event: 1 blocked').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export NDJSON' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).id),
      [id],
    );

    await page.goto(`${served.address}/dashboard/events?from=junk&rule=none`);
    await page.getByRole('alert').getByText('from').waitFor();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByLabel('Group repeats').uncheck();
    await page.getByLabel('Decision').selectOption('would-block');
    await page.getByText('No event fits these filters.').waitFor();
    await page.getByRole('button', { name: 'Remove the filter Decision' }).click();
    await until('the list is whole', async () => (await rows.count()) === pageSize);

    await control(served, key, { q: "new' OR 1=1 --" });
    await page.getByRole('button', { name: '1 new event: show' }).click();
    await rows.getByText("' OR 1=1 --").first().waitFor();

    await page.goto(`${served.address}/dashboard/events/expired`);
    await page.getByText('Event not found. It may have expired.').waitFor();
    await page.getByRole('link', { name: 'Back to events' }).click();
    await rows.first().waitFor();
    assert.deepEqual(dashboard.faults, []);
  },
);

test('an event has its trace, and is found by it', async (t) => {
  const dashboard = await startDashboard(t, { SALLYPORT_TRACE_CONTEXT: 'yes' });
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  await setUp(dashboard);
  const key = await createKey(page, 'shop');
  await untilStatus(served, key, { a: 1 }, 200);
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const traceparent = `00-${trace}-00f067aa0ba902b7-00`;
  const { id } = await control(served, key, { q: "1' OR 1=1 --" }, { traceparent });
  const { id: other } = await control(served, key, { q: "2' OR 1=1 --" });
  await openEvent(dashboard, other);
  assert.equal(await page.getByText('Trace id').count(), 0);
  await page.goto(`${served.address}/dashboard/events?q=${trace}`);
  await page.locator('tbody tr').first().waitFor();
  assert.equal(await page.locator('tbody tr').count(), 1);
  await openEvent(dashboard, id);
  await page.getByRole('definition').getByText(trace).waitFor();
  await page.getByRole('button', { name: 'Copy: trace id' }).waitFor();
  assert.deepEqual(dashboard.faults, []);
});

test('without its server the page says what to do, and goes on when it is back', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, context } = dashboard;
  await setUp(dashboard);
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No keys yet.').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
});
