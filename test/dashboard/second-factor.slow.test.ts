import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { totpCode } from '../support/totp.ts';
import { graveViolations } from './axe.ts';
import { openPage } from './browser.ts';
import { admin, setUp, startDashboard, testOnEachDatabase, visit } from './dashboard.ts';

testOnEachDatabase(
  'a second factor is set up, asked for at the sign-in, and turned off',
  async (dashboard) => {
    const { page, browser, served } = dashboard;
    await setUp(dashboard);
    await page.getByRole('link', { name: 'Your sessions' }).click();
    const dialog = page.getByRole('dialog');
    const opener = page.getByRole('button', { name: 'Set up a second factor' });
    await opener.click();
    await dialog.getByLabel('Current password').fill(admin.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    assert.ok(await isFocused(page), 'the code can be typed at once');
    assert.deepEqual(await graveViolations(page), []);
    const secret = await regionText(page, 'secret');
    await dialog.getByText('As an address').click();
    const uri = new URL(await regionText(page, 'address of the secret'));
    assert.equal(uri.searchParams.get('secret'), secret);
    await readQrCode(page);
    await dialog.getByLabel('Code', { exact: true }).fill('000000');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByRole('alert').getByText('Wrong code').waitFor();
    await dialog.getByLabel('Code', { exact: true }).fill(totpCode(secret));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
    const codes = (await regionText(page, 'recovery codes')).split('\n');
    assert.equal(codes.length, 10);
    assert.deepEqual(await graveViolations(page), []);
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByText('10 recovery codes are left.').waitFor();
    assert.deepEqual(await graveViolations(page), []);
    await visit(page, 'Administrators');
    const row = page.getByRole('row').filter({ hasText: admin.name }).first();
    await row.getByRole('cell', { name: 'on', exact: true }).waitFor();
    await page.getByRole('button', { name: `Reset second factor: ${admin.name}` }).click();
    await dialog.getByRole('button', { name: 'Reset', exact: true }).click();
    await dialog.getByRole('alert').getByText('This is your own second factor').waitFor();
    await dialog.getByRole('button', { name: 'Keep' }).click();

    const [laptop, phone] = [await openPage(browser), await openPage(browser)];
    for (const [{ page: other }, code] of [
      [laptop, totpCode(secret, 1)],
      [phone, codes[0] ?? ''],
    ] as const) {
      await other.goto(`${served.address}/dashboard`);
      await other.getByLabel('Name', { exact: true }).fill(admin.name);
      await other.getByLabel('Password', { exact: true }).fill(admin.password);
      await other.getByRole('button', { name: 'Sign in' }).click();
      await other.getByLabel('Code', { exact: true }).waitFor();
      assert.equal(await other.getByRole('alert').count(), 0, 'that is no error');
      assert.ok(await isFocused(other));
      assert.deepEqual(await graveViolations(other), []);
      await other.getByLabel('Code', { exact: true }).fill('000000');
      await other.getByRole('button', { name: 'Sign in' }).click();
      await other.getByRole('alert').getByText('Wrong code').waitFor();
      await other.getByLabel('Code', { exact: true }).fill(code);
      await other.getByRole('button', { name: 'Sign in' }).click();
      await other.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    }

    await page.getByRole('link', { name: 'Your sessions' }).click();
    await page.getByText('9 recovery codes are left.').waitFor();
    await prove(page, 'New recovery codes', ['Make new codes', codes[1] ?? '']);
    const [fresh = ''] = (await regionText(page, 'recovery codes')).split('\n');
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await prove(page, 'Turn off', ['Turn off', fresh]);
    await page.getByText('The second factor is off.').waitFor();
    await opener.waitFor();
    const faults = [dashboard, laptop, phone].flatMap((one) => one.faults);
    assert.deepEqual(faults, []);
  },
);

test('where it is required, a second factor is set up before anything else', async (t) => {
  const dashboard = await startDashboard(t, { SALLYPORT_SECOND_FACTOR: 'required' });
  if (dashboard === undefined) return;
  const { page, link, served } = dashboard;
  await page.goto(link);
  await page.getByLabel('Name', { exact: true }).fill(admin.name);
  await page.getByLabel('New password', { exact: true }).fill(admin.password);
  await page.getByLabel('Confirm new password').fill(admin.password);
  await page.getByRole('button', { name: 'Create the administrator' }).click();
  await page.getByRole('heading', { name: 'Set up a second factor', level: 1 }).waitFor();
  assert.deepEqual(await graveViolations(page), []);
  await page.goto(`${served.address}/dashboard/keys`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Password', { exact: true }).fill(admin.password);
  await page.getByLabel('Name', { exact: true }).fill(admin.name);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Set up a second factor' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill(admin.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const secret = await regionText(page, 'secret');
  await dialog.getByLabel('Code', { exact: true }).fill(totpCode(secret));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
  // Without it, the next page leads back.
  await page.getByRole('link', { name: 'Your sessions' }).click();
  await prove(page, 'Turn off', ['Turn off', totpCode(secret, 1)]);
  await page.getByText('The second factor is off.').waitFor();
  await page.getByRole('link', { name: 'Policies' }).click();
  await page.getByRole('heading', { name: 'Set up a second factor', level: 1 }).waitFor();
  assert.deepEqual(dashboard.faults, []);
});

/** What a block to copy has. */
async function regionText(page: Page, name: string): Promise<string> {
  const block = page.getByRole('dialog').getByRole('region', { name, exact: true });
  return ((await block.textContent()) ?? '').trim();
}

function isFocused(page: Page): Promise<boolean> {
  return page
    .getByLabel('Code', { exact: true })
    .evaluate((input) => input === input.ownerDocument.activeElement);
}

/** It is a square of black modules, drawn without a request. */
async function readQrCode(page: Page): Promise<void> {
  const code = page.getByRole('img', { name: 'QR code of the secret' });
  const box = await code.boundingBox();
  assert.ok(box !== null && box.width >= 150 && Math.abs(box.width - box.height) < 1);
  assert.match((await code.locator('path').getAttribute('d')) ?? '', /^M4 4h1v1h-1zM5 4h1v1h-1z/);
}

async function prove(
  page: Page,
  act: string,
  [button, code]: readonly [button: string, code: string],
): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: act, exact: true }).click();
  await dialog.getByLabel('Current password').fill(admin.password);
  await dialog.getByLabel('Code', { exact: true }).fill(code);
  await dialog.getByRole('button', { name: button, exact: true }).click();
}
