import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { control, createKey, openEvent, setUp, startDashboard, untilStatus } from './dashboard.ts';

const image = '<img src=x onerror="window.pwned=1">';
const script = '<script>window.pwned=2</script>';
const disguised = '\u202Egnp.exe\u0000 <svg onload=alert(1)>';

/** Elements and properties that only an attack that worked would leave behind. */
const traces = `[
  window.pwned,
  document.querySelectorAll('img, iframe, script:not([src]), [onerror], [onload]').length,
  document.querySelectorAll('#app svg:not(.icon):not(.logo)').length,
]`;

async function assertInert(page: Page, where: string): Promise<void> {
  assert.deepEqual(await page.evaluate(traces), [undefined, 0, 0], where);
}

test('what attackers send stays text on every page that shows it', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  await setUp(dashboard);
  const key = await createKey(page, image);
  await untilStatus(served, key, { a: 1 }, 200);
  const headers = {
    'x-forwarded-uri': `/${encodeURIComponent(script)}`,
    'x-forwarded-host': 'a"><b',
  };
  const body = { [image]: script, note: disguised };
  const { status, id } = await control(served, key, body, headers);
  assert.equal(status, 403);

  await openEvent(dashboard, id);
  await page.locator('mark').first().waitFor();
  await assertInert(page, 'event');
  const shown = (await page.locator('#content').textContent()) ?? '';
  assert.ok(shown.includes('onerror'), 'the attack is there to be read');
  assert.match(shown, /RLO|NUL/, 'hidden characters are visible');
  assert.doesNotMatch(shown, /\u202E/);
  await page.getByRole('button', { name: 'False positive: add an exclusion' }).click();
  await page
    .getByRole('dialog')
    .getByText(/would have passed/)
    .waitFor();
  await assertInert(page, 'exclusion');

  for (const [path, text] of [
    ['', 'Latest blocks'],
    ['/events', 'Evidence'],
    ['/keys', image],
    ['/rules?category=xss', 'xss.'],
    ['/audit', image],
  ] as const) {
    await page.goto(`${served.address}/dashboard${path}`);
    await page.locator('#content').getByText(text).first().waitFor();
    await assertInert(page, path);
  }
});

test('the playground shows what is pasted as text, with the evidence marked', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  await setUp(dashboard);
  await page.goto(`${served.address}/dashboard/playground`);
  // Behind the name nothing would be decoded: it blocks at every sensitivity.
  const body = { comment: encodeURIComponent(script), [image]: 'a' };
  await page.getByLabel('Request', { exact: true }).fill(JSON.stringify(body));
  await page.getByRole('button', { name: 'Screen it' }).click();
  await page.getByRole('heading', { name: 'Verdict' }).waitFor();
  await page
    .getByText(/^After URL-decoding/)
    .first()
    .waitFor();
  assert.ok(
    (await page.locator('mark').allTextContents()).some((text) => text.includes('<script')),
  );
  await assertInert(page, 'playground');
  assert.deepEqual(dashboard.faults, []);
});
