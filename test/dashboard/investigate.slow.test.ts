import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { asnDatabase } from '../support/asn-database.ts';
import { countryDatabase } from '../support/country-database.ts';
import { until } from '../support/until.ts';
import {
  control,
  createKey,
  type Dashboard,
  setUp,
  setUpWithKey,
  startDashboard,
  testOnEachDatabase,
  untilStatus,
  visit,
} from './dashboard.ts';

const scanner = {
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-method': 'POST',
  'x-forwarded-host': 'shop.example',
  'x-forwarded-uri': '/search?page=2',
};
const other = { ...scanner, 'x-forwarded-for': '198.51.100.7', 'x-forwarded-uri': '/account' };
const repeats = 3;

async function attacks({ page, served }: Dashboard): Promise<string> {
  const key = await createKey(page, 'shop');
  await untilStatus(served, key, { a: 1 }, 200);
  for (let sent = 0; sent < repeats; sent += 1) {
    await control(served, key, { q: `${sent}' OR 1=1 --` }, scanner);
  }
  await control(served, key, { bio: "<img src=x onerror=alert('it')>" }, other);
  return key;
}

/** Finds what one client did: filters as chips, counts, the histogram, repeats, links. */
async function byClient(page: Page): Promise<void> {
  const rows = page.locator('tbody tr');
  await until('repeats are one row', async () => (await rows.count()) === 2);
  await page.getByRole('button', { name: `Show ${repeats - 1} repeats` }).click();
  await until('all are shown', async () => (await rows.count()) === repeats + 1);
  // What is open stays open as long as its row is there, and a fast answer keeps the row.
  await page.getByRole('button', { name: `Hide ${repeats - 1} repeats` }).click();
  await page.getByText('Most frequent values').click();
  await page.getByRole('link', { name: '203.0.113.9' }).click();
  await page.getByText(`${repeats} events: ${repeats} blocked`).waitFor();
  assert.match(page.url(), /client=203\.0\.113\.9/);
  await page.getByRole('button', { name: 'Remove the filter Client' }).click();
  await page.getByText(`${repeats + 1} events: ${repeats + 1} blocked`).waitFor();

  await page.getByText('More filters').click();
  await page.getByLabel('Path').fill('/account');
  await page.getByLabel('Path').press('Enter');
  await page.getByText('1 event: 1 blocked').waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  const chart = page.getByRole('region', { name: /^Events over time/ });
  const moments = await chart.locator('.chart-axis span').allTextContents();
  assert.equal(new Set(moments).size, moments.length, `${moments}: each moment once`);
  await chart
    .getByRole('link', { name: /Blocked [1-9]/ })
    .first()
    .click();
  await page.waitForURL(/from=.*&to=/);
  await until('the events of the bar', async () => (await rows.count()) > 0);
  await page.getByRole('button', { name: 'All', exact: true }).click();
}

/** Marks many at once, finds them by it, and saves that as a filter. */
async function triage(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: /^Select SQL injection/ }).check();
  const bulk = page.getByRole('region', { name: 'Selected events' });
  await bulk.getByText(`${repeats} events selected`).waitFor();
  await bulk.getByRole('button', { name: 'Note and owner' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('False positive').check();
  await dialog.getByLabel('Note').fill('the search of the shop');
  await dialog.getByLabel('Owner').fill('grace');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('False positive · grace').first().waitFor();
  await page.getByLabel('Triage').selectOption('false-positive');
  await page.getByText(`${repeats} events: ${repeats} blocked`).waitFor();

  await page.getByText('Saved filters').click();
  await page.getByLabel('Name of these filters').fill('to exclude');
  await page.getByRole('button', { name: 'Save these filters' }).click();
  await page.getByText('Saved filters (1)').waitFor();
  await visit(page, 'Rules');
  await visit(page, 'Events');
  await page.getByText('Saved filters (1)').click();
  await page.getByRole('link', { name: 'to exclude' }).click();
  await page.getByText(`${repeats} events: ${repeats} blocked`).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  assert.equal(lines.length, repeats + 1);
  assert.match(lines[1] ?? '', /,false-positive,grace,the search of the shop$/);
  await visit(page, 'Audit');
  await page.getByText(`marked ${repeats} events as false positive`).waitFor();
}

/** An event leads on: to its neighbours, to events like it, to a terminal, to the playground. */
async function event({ page, served }: Dashboard, key: string): Promise<void> {
  await page.goto(`${served.address}/dashboard/events?client=203.0.113.9&group=no`);
  await page.locator('tbody th a').first().click();
  await page.getByText('Client address').waitFor();
  await page
    .getByText(/^\d+ \w+ \d{4}, \d\d:\d\d:\d\d \S+$/)
    .first()
    .waitFor();
  assert.equal(await page.getByRole('link', { name: '← Newer' }).count(), 0);
  await page.getByRole('link', { name: 'Older →' }).click();
  await page.getByRole('link', { name: '← Newer' }).waitFor();
  assert.match(page.url(), /client=203/, 'the filters go along');

  await page.getByText('curl command').click();
  const curl = await page.getByRole('region', { name: 'curl command' }).textContent();
  const answer = execFileSync('sh', ['-c', `${curl}`], {
    encoding: 'utf8',
    env: { ...process.env, SALLYPORT_KEY: key },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  assert.match(answer, /^HTTP\/1\.1 403 /);
  await page.getByText('JSON', { exact: true }).click();
  const json = await page.getByRole('region', { name: 'event as JSON' }).textContent();
  assert.equal(JSON.parse(json ?? '').client, '203.0.113.9');
  await page.getByRole('link', { name: 'Open in the playground' }).click();
  await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
  assert.match(await page.getByLabel('Request', { exact: true }).inputValue(), /' OR 1=1 --/);
  await page.goBack();
  await page.getByRole('link', { name: '/search?page=2' }).click();
  // With that of the curl command.
  await page.getByText(`${repeats + 1} events: ${repeats + 1} blocked`).waitFor();
  assert.match(page.url(), /path=%2Fsearch$/);
}

testOnEachDatabase(
  'who did it, what, is it real: from the list to the event',
  async (dashboard) => {
    const { page } = dashboard;
    await setUp(dashboard);
    const key = await attacks(dashboard);
    await visit(page, 'Events');
    await byClient(page);
    await triage(page);
    await event(dashboard, key);
    assert.deepEqual(dashboard.faults, []);
  },
);

test('countries are counted on the overview and lead to their events', async (t) => {
  const environment = { SALLYPORT_COUNTRY_DATABASE: countryDatabase };
  const dashboard = await startDashboard(t, environment);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  const key = await setUpWithKey(dashboard);
  const german = { ...scanner, 'x-forwarded-for': '193.99.144.80' };
  await control(served, key, { q: "' OR 1=1 --" }, german);
  await control(served, key, { q: "' OR 1=1 --" }, scanner);
  await visit(page, 'Overview');
  await page.getByRole('link', { name: 'Germany' }).click();
  await page.getByText('1 event: 1 blocked').waitFor();
  assert.match(page.url(), /country=DE/);
  await page.getByText('Country: Germany').waitFor();
  const row = page.locator('tbody tr');
  assert.match((await row.textContent()) ?? '', /193\.99\.144\.80.*Germany/s);
  await row.locator('th a').first().click();
  await page.getByRole('link', { name: 'Germany' }).waitFor();
});

test('networks are counted on the overview and lead to their events', async (t) => {
  const dashboard = await startDashboard(t, { SALLYPORT_ASN_DATABASE: asnDatabase() });
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  const key = await setUpWithKey(dashboard);
  const six = { ...scanner, 'x-forwarded-for': '2001:db8::7' };
  await control(served, key, { q: "' OR 1=1 --" }, six);
  await control(served, key, { q: "' OR 1=1 --" }, scanner);
  await visit(page, 'Overview');
  const card = page.getByRole('region', { name: 'Networks' });
  await card.getByRole('link', { name: 'AS64498 Example Six' }).waitFor();
  await card.getByRole('link', { name: 'AS64496 Example Hosting, Inc.' }).click();
  await page.getByText('1 event: 1 blocked').waitFor();
  assert.match(page.url(), /asn=64496/);
  await page.getByText('Network: AS64496').waitFor();
  const row = page.locator('tbody tr');
  assert.match((await row.textContent()) ?? '', /203\.0\.113\.9.*AS64496 Example Hosting, Inc\./s);
  await page.getByText('Most frequent values').click();
  await row.locator('th a').first().click();
  await page.getByRole('link', { name: 'AS64496 Example Hosting, Inc.' }).click();
  await page.waitForURL(/events\?.*asn=64496$/);
  const field = page.getByLabel('Network', { exact: true });
  await field.fill('AS64498');
  await field.press('Enter');
  await row.getByText('2001:db8::7').waitFor();
  assert.deepEqual(dashboard.faults, []);
});

test('all events that fit the filters are marked, also beyond those that are shown', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  const key = await setUpWithKey(dashboard);
  const sent = 60;
  for (let number = 0; number < sent; number += 1) {
    await control(served, key, { q: `${number}' OR 1=1 --` }, scanner);
  }
  await control(served, key, { q: "' OR 1=1 --" }, other);
  const { address } = served;
  const inStore = async () => {
    const answer = await page.request.get(`${address}/api/events/counts?client=203.0.113.9`);
    return ((await answer.json()) as { blocked: number }).blocked === sent;
  };
  await until('all are stored', inStore);
  await page.goto(`${address}/dashboard/events?client=203.0.113.9`);
  await page.getByLabel('Select the 50 events below').check();
  const bulk = page.getByRole('region', { name: 'Selected events' });
  await bulk.getByRole('button', { name: 'Select all that fit the filters' }).click();
  await bulk.getByText(`${sent} events selected`).waitFor();
  await control(served, key, { q: "' OR 1=1 --" }, other);
  await bulk.getByRole('button', { name: 'True positive' }).click();
  await page.getByText(`${sent} events marked: True positive.`).waitFor();
  const marked = await page.request.get(`${address}/api/events/counts?triage=true-positive`);
  assert.equal(((await marked.json()) as { blocked: number }).blocked, sent);
  assert.equal(await page.getByText(/new events?: show/).count(), 0, 'of another client');
  await control(served, key, { q: "' OR 1=1 --" }, scanner);
  await page.getByRole('button', { name: '1 new event: show' }).waitFor();
});
