import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { admin, setUp, startDashboard, testOnEachDatabase, visit } from './dashboard.ts';

const failuresAllowed = 5;

async function signIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(admin.name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

testOnEachDatabase(
  'who signs out is out, and the right password leads back in',
  async (dashboard) => {
    const { page, context, served } = dashboard;
    await setUp(dashboard);
    const [cookie] = await context.cookies();
    assert.equal(cookie?.name, '__Host-sallyport');
    assert.deepEqual([cookie?.httpOnly, cookie?.secure, cookie?.sameSite], [true, true, 'Strict']);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    assert.equal((await page.request.get(`${served.address}/api/keys`)).status(), 401);
    await signIn(page, admin.password);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  },
);

test('a session that ended elsewhere leads to the sign-in, with a word why', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, context } = dashboard;
  await setUp(dashboard);
  // A page that asks for nothing by itself: the overview would notice before the click.
  await visit(page, 'Rules');
  await page.getByLabel('Search').waitFor();
  await context.clearCookies();
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByText('Your session has ended.').waitFor();
});

test('the password is changed on the page', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page } = dashboard;
  await setUp(dashboard);
  await page.getByRole('button', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog');
  const wanted = 'another long pass phrase';
  await dialog.getByLabel('Current password').fill(admin.password);
  await dialog.getByLabel('New password', { exact: true }).fill(wanted);
  await dialog.getByLabel('Confirm new password').fill(wanted);
  await dialog.getByRole('button', { name: 'Save the new password' }).click();
  await page.getByText('The password is changed.').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, wanted);
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
});

test('after five wrong passwords even the right one has to wait', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page } = dashboard;
  await setUp(dashboard);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  for (let failure = 0; failure < failuresAllowed; failure += 1) {
    const answer = page.waitForResponse((response) => response.request().method() === 'POST');
    await signIn(page, `wrong password ${failure}`);
    assert.equal((await answer).status(), 401);
    await page.getByRole('alert').waitFor();
  }
  await signIn(page, admin.password);
  await page
    .getByRole('alert')
    .getByText(/Try again in \d+ (?:seconds|minutes)\.$/)
    .waitFor();
  assert.equal(await page.getByRole('heading', { name: 'Overview' }).count(), 0);
});
