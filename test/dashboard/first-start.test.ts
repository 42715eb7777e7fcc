import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireTool } from '../support/require-tool.ts';
import { shell } from '../support/serve.ts';
import { openPage } from './browser.ts';
import { setUp, startDashboard, testOnEachDatabase } from './dashboard.ts';

testOnEachDatabase(
  'the printed link leads to an administrator, a key, a blocked curl and its explanation',
  async (dashboard, t) => {
    if (!requireTool(t, 'curl')) return;
    const { page, link } = dashboard;
    assert.match(link, /\/dashboard\/#setup=./);
    await setUp(dashboard);
    assert.doesNotMatch(page.url(), /setup/, 'the token does not stay in the history');

    const firstSteps = page.getByRole('region', { name: 'First steps' });
    await firstSteps.getByRole('button', { name: 'Create a key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('web shop');
    await dialog.getByRole('button', { name: 'Create the key' }).click();
    const curl = await dialog.getByRole('region', { name: 'curl command' }).textContent();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await firstSteps.getByText('You have a key').waitFor();

    // The list is not loaded again: the block comes over the live feed.
    assert.match(shell(curl ?? ''), /^HTTP\/1\.1 403 /);
    await firstSteps.getByText('You blocked an attack').waitFor();
    await firstSteps.getByRole('link', { name: /Open the latest block/ }).click();

    await page.getByRole('heading', { name: 'Blocked: SQL injection', level: 1 }).waitFor();
    await page.getByText(/The value of \/comment,? /).waitFor();
    assert.match((await page.locator('mark').first().textContent()) ?? '', /UNION SELECT/);
    assert.deepEqual(dashboard.faults, []);
  },
);

test('a link that was used is of no use to anyone else', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  await setUp(dashboard);
  const other = await openPage(dashboard.browser);
  await other.page.goto(dashboard.link);
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.page.getByText('This link was used already.').waitFor();
  const again = await other.page.request.post(`${dashboard.served.address}/api/setup`, {
    data: {
      token: dashboard.link.split('=').at(-1) ?? '',
      name: 'mallory',
      password: 'correct horse battery',
    },
  });
  assert.equal(again.status(), 403);
});
