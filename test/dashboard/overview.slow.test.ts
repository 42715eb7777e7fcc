import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { startServing } from '../support/serve.ts';
import { until } from '../support/until.ts';
import { control, setUpWithKey, startDashboard, visit } from './dashboard.ts';

const attack = "1' OR 1=1 --";
const client = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-uri': '/search?page=2' };
const blocks = 4;

/** The number of a tile. */
async function tile(page: Page, name: string): Promise<string | null> {
  const term = page.locator('.tile').filter({ has: page.getByText(name, { exact: true }) });
  return term.locator('strong').textContent();
}

/** Drags from the middle of a chart to its end. */
async function dragOverHalf(page: Page, chart: Locator): Promise<void> {
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 2, box.y + 60, { steps: 5 });
  await page.mouse.up();
}

test('one range of time for all figures, from chart to events, and after a restart', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  const key = await setUpWithKey(dashboard);
  for (let sent = 0; sent < blocks; sent += 1) await control(served, key, { q: attack }, client);

  await visit(page, 'Overview');
  await until('the tile counts', async () => (await tile(page, 'Blocked')) === String(blocks));
  const requests = await tile(page, 'Requests');

  const ranges = page.getByRole('group', { name: 'Time range' });
  await ranges.getByRole('button', { name: '7 d' }).click();
  assert.match(page.url(), /range=7d/);
  await ranges.getByRole('button', { name: '1 h' }).click();
  await page.getByLabel('Compare with the time before').check();
  assert.match(page.url(), /range=1h&compare=yes/);
  await page.getByText('new', { exact: true }).first().waitFor();
  const clients = page.getByRole('region', { name: 'Clients', exact: true });
  await clients.getByText('100%').waitFor();

  const chart = page.getByRole('region', { name: /^Blocks in the last hour/ });
  const bars = chart.getByRole('link');
  const bar = chart.getByRole('link', { name: /Blocked [1-9]/ });
  await bar.first().hover();
  const tooltip = page.locator('.chart-tooltip');
  await tooltip.getByText('Blocked').waitFor();
  await bars.last().focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('End');
  await tooltip.waitFor();

  await dragOverHalf(page, chart);
  await page.waitForURL(/from=.*&to=|to=.*&from=/);
  const zoomed = page.url();
  assert.ok(zoomed.startsWith(`${served.address}/dashboard?`), 'a drag is not a click');
  await page.reload();
  await ranges.getByLabel('From').waitFor();
  assert.equal(page.url(), zoomed);
  assert.notEqual(await ranges.getByLabel('From').inputValue(), '');

  await ranges.getByRole('button', { name: '24 h' }).click();
  const day = page.getByRole('region', { name: /^Requests in the last 24 hours/ });
  await until('a day is shown', async () => (await day.getByRole('link').count()) > 90);
  await day
    .getByRole('link', { name: /Blocked [1-9]/ })
    .last()
    .click();
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  assert.match(page.url(), /events\?from=.*&to=/);
  await until('its events', async () => (await page.locator('tbody tr').count()) > 0);
  await page.goBack();
  await clients.getByRole('link', { name: '203.0.113.9' }).click();
  assert.match(page.url(), /client=203\.0\.113\.9&range=24h/);

  served.child.kill('SIGTERM');
  await once(served.child, 'close');
  const again = await startServing(t, served.cwd, ['serve']);
  await page.goto(`${again.address}/dashboard`);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await until('blocks are there', async () => (await tile(page, 'Blocked')) === String(blocks));
  assert.equal(await tile(page, 'Requests'), requests, 'a restart loses no request');
  assert.deepEqual(dashboard.faults, []);
});

test('blocks that come by the dozen are shown together', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  const key = await setUpWithKey(dashboard);
  await visit(page, 'Overview');
  await page.getByText('Live', { exact: true }).waitFor();
  // Each rendering after a block changes the list of the latest.
  await page.evaluate(`
    window.renderings = 0;
    const observer = new MutationObserver(() => (window.renderings += 1));
    observer.observe(document.querySelector('main'), { childList: true, subtree: true });
  `);
  const sent = 60;
  const bodies = Array.from({ length: sent }, (_, number) => ({ [`q${number}`]: attack }));
  await Promise.all(bodies.map((body) => control(served, key, body, client)));
  await until('all are counted', async () => (await tile(page, 'Blocked')) === String(sent));
  await page
    .getByRole('link', { name: /in \/q\d/ })
    .first()
    .waitFor();
  const renderings = Number(await page.evaluate('window.renderings'));
  assert.ok(renderings > 0 && renderings < sent / 2, `${renderings} renderings`);
});
