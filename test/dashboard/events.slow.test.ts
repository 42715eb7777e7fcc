import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { asnDatabase } from '../support/asn-database.ts';
import { countryDatabase } from '../support/country-database.ts';
import { until } from '../support/until.ts';
import {
  control,
  openEvent,
  setUp,
  setUpWithKey,
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
    const key = await setUpWithKey(dashboard);
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
    await page.goto(`${served.address}/dashboard/policies/none-such`);
    await page.getByRole('heading', { name: 'No such policy' }).waitFor();
    assert.deepEqual(dashboard.faults, []);
  },
);

/** What of the table reaches beyond its place, or beyond its own cell. */
const outside = `(() => {
  const table = document.querySelector('table.events');
  const place = table.parentElement.getBoundingClientRect();
  return [...table.querySelectorAll('th, td')]
    .filter((cell) => cell.checkVisibility())
    .filter((cell) => {
      const { left, right } = cell.getBoundingClientRect();
      const inner = [...cell.children].map((child) => child.getBoundingClientRect().right);
      const isOver = Math.max(left, ...inner) > right - 8 || cell.scrollWidth > cell.clientWidth;
      return left < place.left || right > place.right || isOver;
    })
    .map((cell) => cell.textContent);
})()`;

test('the table of events fits its place, however long its texts are', async (t) => {
  const dashboard = await startDashboard(t, {
    SALLYPORT_COUNTRY_DATABASE: countryDatabase,
    SALLYPORT_ASN_DATABASE: asnDatabase(),
  });
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  await setUp(dashboard);
  const headers = { origin: served.address };
  const made = await page.request.post(`${served.address}/api/policies`, {
    headers,
    data: { name: 'Watched', document: { mode: 'monitor' }, comment: 'a test' },
  });
  const { policy } = await made.json();
  const named = await page.request.post(`${served.address}/api/keys`, {
    headers,
    data: { name: 'checkout-of-the-shop-in-Reykjavik', policyId: policy.id },
  });
  const { secret } = await named.json();
  await untilStatus(served, secret, { a: 1 }, 200);
  const context = {
    'x-forwarded-for': '2001:4860:4860:1234:5678:9abc:def0:8888',
    'x-forwarded-method': 'DELETE',
    'x-forwarded-uri': `/a/long/path/${'without-an-end/'.repeat(9)}`,
  };
  await control(served, secret, { 'a-field-with-a-long-name-of-its-own': "1' OR 1=1 --" }, context);
  const { id } = await control(
    served,
    secret,
    { t: '{{7*7}}<img src=x onerror=alert(1)>' },
    context,
  );
  await openEvent(dashboard, id);
  const noted = await page.request.post(`${served.address}/api/events/triage`, {
    headers,
    data: { ids: [id], verdict: 'false-positive', note: '', owner: 'Maximiliana-Alexandra' },
  });
  assert.equal(noted.status(), 200);
  await visit(page, 'Events');
  await page.getByText('Maximiliana').first().waitFor();
  const score = page.getByRole('columnheader', { name: 'Score' });
  const evidence = page.getByRole('columnheader', { name: 'Evidence' });
  for (const width of [1600, 1280, 1024, 901, 880, 701]) {
    await page.setViewportSize({ width, height: 860 });
    assert.deepEqual(await page.evaluate(outside), [], `at ${width} pixels`);
    assert.equal(await score.isVisible(), width >= 1280, `score at ${width} pixels`);
    assert.equal(await evidence.isVisible(), ![901, 701].includes(width), `evidence at ${width}`);
  }
  await page.setViewportSize({ width: 375, height: 740 });
  await page.getByRole('cell', { name: 'checkout-of-the-shop' }).first().waitFor();
});

test('an event has its trace, and is found by it', async (t) => {
  const dashboard = await startDashboard(t, { SALLYPORT_TRACE_CONTEXT: 'yes' });
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  const key = await setUpWithKey(dashboard);
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
