import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  control,
  createKey,
  type Dashboard,
  openEvent,
  setUp,
  startDashboard,
  untilStatus,
} from './dashboard.ts';

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
  await page
    .getByRole('status')
    .getByText(/^1 rule$/)
    .waitFor();
  await page.getByText('Lets pass').waitFor();
});

/** Sends attacks; gives the ids of their events, newest first as the list has them. */
async function makeEvents(dashboard: Dashboard): Promise<readonly string[]> {
  const { page, served } = dashboard;
  const key = await createKey(page, 'k'.repeat(100));
  await untilStatus(served, key, { q: 'benign' }, 200);
  const ids: string[] = [];
  for (const q of ["' OR 1=1 --", '<script>alert(1)</script>', '; cat /etc/passwd']) {
    ids.unshift((await control(served, key, { q })).id);
  }
  await openEvent(dashboard, ids[0] ?? '');
  return ids;
}

test('shortcuts open pages, move in lists and between events, and leave fields alone', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  await setUp(dashboard);
  const ids = await makeEvents(dashboard);
  const at = (id: string | undefined) => page.waitForURL(`**/dashboard/events/${id}`);
  await page.goto(`${served.address}/dashboard`);
  await page.getByText(/^Sallyport \d+\.\d+/).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'content');

  for (const [key, title] of [
    ['o', 'Overview'],
    ['k', 'Keys'],
    ['p', 'Policies'],
    ['d', 'Addresses'],
    ['n', 'Notifications'],
    ['r', 'Rules'],
    ['u', 'Administrators'],
    ['e', 'Events'],
  ] as const) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  }
  await page.locator('tbody tr').nth(2).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('gk?j');
  assert.equal(await page.locator('input[type=search]').inputValue(), 'gk?j');
  await page.goto(`${served.address}/dashboard/events`);
  await page.locator('tbody tr').nth(2).waitFor();
  for (const key of ['j', 'j', 'k']) await page.keyboard.press(key);
  await page.keyboard.press('Enter');
  await at(ids[0]);
  for (const [key, id] of [
    [']', ids[1]],
    ['j', ids[2]],
    ['k', ids[1]],
    ['[', ids[0]],
  ] as const) {
    await page.keyboard.press(key);
    await at(id);
  }
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.getByText('Previous event', { exact: true }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await at(ids[0]);
});

test('on a phone each row is a card, with nothing cut off', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  await setUp(dashboard);
  await makeEvents(dashboard);
  await page.setViewportSize(phone);
  for (const path of ['events', 'keys', 'policies', 'audit']) {
    await page.goto(`${served.address}/dashboard/${path}`);
    const cells = page.locator('tbody tr:first-child > *');
    await cells.first().waitFor();
    for (const cell of await cells.all()) {
      const box = await cell.boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= phone.width, path);
    }
    const row = page.getByRole('row').nth(1);
    assert.ok((await row.getByRole('cell').count()) >= 4, `${path} is still a table to readers`);
  }
  await page.goto(`${served.address}/dashboard/policies/default`);
  await page.getByRole('button', { name: 'Download as a file' }).waitFor();
  for (const button of await page.locator('main button:visible:not([role=tab])').all()) {
    const box = await button.boundingBox();
    assert.ok(
      box !== null && box.x >= 0 && box.x + box.width <= phone.width,
      'a button is cut off',
    );
  }
  await page.goto(`${served.address}/dashboard/keys`);
  await page.getByRole('button', { name: /^Revoke/ }).click({ timeout: 5_000 });
  await page.getByRole('dialog').waitFor();
});

test('a field that is not filled in says so in the page', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, link } = dashboard;
  await page.goto(link);
  await page.getByRole('button', { name: 'Create the administrator' }).click();
  await page.getByText('Fill in this field.').first().waitFor();
  assert.equal(await page.evaluate('document.activeElement.labels[0].textContent'), 'Name');
  await page.getByLabel('New password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Create the administrator' }).click();
  await page.getByText('Use at least 12 characters.').waitFor();
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
