import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  control,
  createKey,
  setUp,
  startDashboard,
  testOnEachDatabase,
  untilStatus,
} from './dashboard.ts';

const login = { username: 'alice' };

testOnEachDatabase(
  'a key is created, used, renamed, rotated and revoked on its page',
  async (dashboard) => {
    const { page, served } = dashboard;
    await setUp(dashboard);
    const first = await createKey(page, 'shop');
    await untilStatus(served, first, login, 200);
    const html = await page.content();
    assert.ok(!html.includes(first), 'the secret is on the page once and never again');

    await page.getByRole('button', { name: 'Edit shop' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('web shop');
    await dialog.getByLabel('Expires').fill('2099-12-31T12:00');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('rowheader', { name: /web shop/ }).waitFor();
    await page.getByText(/2099/).waitFor();
    await page.getByRole('button', { name: 'Edit web shop' }).click();
    await dialog.getByLabel('Expires').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/2099/).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Rotate web shop' }).click();
    await dialog.getByLabel('The old secret ends').selectOption('in an hour');
    await dialog.getByRole('button', { name: 'Make a new secret' }).click();
    const shown = await dialog.getByRole('region', { name: 'API key' }).textContent();
    const second = shown?.trim() ?? '';
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    assert.notEqual(second, first);
    await untilStatus(served, second, login, 200);
    assert.equal(
      (await control(served, first, login)).status,
      200,
      'both are good until the sunset',
    );
    await page.getByText(/old secret ends/).waitFor();

    await page.getByRole('button', { name: 'Revoke web shop' }).click();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    assert.equal((await control(served, second, login)).status, 200, 'nothing was revoked');
    await page.getByRole('button', { name: 'Revoke web shop' }).click();
    await dialog.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    await untilStatus(served, second, login, 401);
    await untilStatus(served, first, login, 401);
    assert.deepEqual(dashboard.faults, []);
  },
);

test('a dialog keeps the focus, closes with Escape and gives the focus back', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page } = dashboard;
  await setUp(dashboard);
  await page.goto(`${dashboard.served.address}/dashboard/keys`);
  const opener = page.getByRole('button', { name: 'Create a key' });
  await opener.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  for (let tab = 0; tab < 12; tab += 1) {
    await page.keyboard.press('Tab');
    // While the focus is on the browser's own parts, the page has its body for active element.
    const inside = 'document.activeElement.matches("body, dialog, dialog *")';
    assert.equal(await page.evaluate(inside), true, `after ${tab + 1} tabs`);
  }
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Create a key');
});
