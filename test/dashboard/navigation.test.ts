import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKey, setUp, startDashboard } from './dashboard.ts';

const phone = { width: 375, height: 740 };

test('entering a page moves the focus to its heading, and the menu opens on a phone', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page } = dashboard;
  await setUp(dashboard);
  await page.setViewportSize(phone);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Rules' }).click();
  await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor();
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Rules');
  assert.equal(await page.title(), 'Rules · Sallyport');
  await page.getByRole('link', { name: 'Rules' }).waitFor({ state: 'hidden' });
  await page.getByLabel('Search').fill('tautology');
  await page.getByText(/^1 rule$/).waitFor();
  await page.getByText('Lets pass').waitFor();
});

test('on a phone a table scrolls, and its columns stay readable', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page } = dashboard;
  await setUp(dashboard);
  await createKey(page, 'k'.repeat(100));
  await page.setViewportSize(phone);
  for (const path of ['audit', 'keys']) {
    await page.goto(`${dashboard.served.address}/dashboard/${path}`);
    const cells = page.locator('tbody tr:first-child > *');
    await cells.first().waitFor();
    const widths = await cells.evaluateAll((all) => all.map((one) => one.clientWidth));
    for (const width of widths) assert.ok(width >= 50 && width <= 350, `${path}: ${widths}`);
  }
});

test('the feed says when it is live, paused, and without its server', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  await setUp(dashboard);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('Live', { exact: true }).waitFor();
  served.child.kill('SIGTERM');
  await page.getByText('Offline, trying again').waitFor();
});
