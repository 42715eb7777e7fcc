import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { client, startProvider, type TestProvider } from '../support/identity-provider.ts';
import { freePort } from '../support/ports.ts';
import { graveViolations } from './axe.ts';
import { openPage } from './browser.ts';
import { admin, setUp, startDashboard, visit } from './dashboard.ts';

test('people link their account, are invited, and sign in by single sign-on', async (t) => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const provider = await startProvider(t, origin);
  const dashboard = await startDashboard(t, environmentOf(provider, port));
  if (dashboard === undefined) return;
  const { page, browser } = dashboard;
  await setUp(dashboard);
  await page.getByRole('link', { name: 'Your sessions' }).click();
  await page.getByRole('button', { name: 'Link an account' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Current password').fill(admin.password);
  assert.deepEqual(await graveViolations(page), []);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await atProvider(page, 'anna-at-work');
  await page.getByText('On: the account anna-at-work@example.com signs you in').waitFor();
  assert.equal(new URL(page.url()).pathname, '/dashboard/sessions', 'where it was begun');
  await visit(page, 'Administrators');
  await page.getByRole('button', { name: 'Invite a person' }).click();
  await dialog.getByLabel('Name').fill('grace');
  await dialog.getByRole('button', { name: 'Make the link' }).click();
  const link = await dialog.getByRole('region').first().textContent();

  const other = await openPage(browser);
  await other.page.goto(`${origin}/dashboard/events?category=sqli`);
  const button = other.page.getByRole('button', { name: 'Sign in with single sign-on' });
  await button.waitFor();
  assert.deepEqual(await graveViolations(other.page), []);
  await button.click();
  await atProvider(other.page, 'anna-at-work');
  await other.page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  const address = new URL(other.page.url());
  assert.equal(address.pathname + address.search, '/dashboard/events?category=sqli');

  const guest = await openPage(browser);
  await guest.page.goto(`${origin}/dashboard/single-sign-on?code=x&state=y`);
  await guest.page.getByRole('alert').getByText('this browser did not begin it').waitFor();
  assert.equal(new URL(guest.page.url()).search, '', 'the answer is not in the address any more');
  assert.deepEqual(await graveViolations(guest.page), []);
  await guest.page.getByRole('button', { name: 'Continue' }).click();
  await guest.page.getByRole('button', { name: 'Sign in with single sign-on' }).click();
  await atProvider(guest.page, 'hopper');
  await guest.page.getByRole('alert').getByText('no administrator is linked').waitFor();
  await guest.page.goto(link?.trim() ?? '');
  await guest.page.getByRole('button', { name: 'Join with single sign-on' }).click();
  await guest.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  await guest.page.getByText('grace').first().waitFor();
  await seeOwnAccount(guest.page);
  await unlinkAnother(page, guest.page);

  // Under another name of the machine its cookies do not reach what the provider knows.
  const local = await openPage(browser);
  await local.page.goto(`http://localhost:${port}/dashboard`);
  const elsewhere = local.page.getByRole('link', { name: 'Sign in with single sign-on' });
  assert.equal(await elsewhere.getAttribute('href'), `${origin}/dashboard`);
  const invited = '/dashboard/#join=a-token&name=grace';
  await local.page.goto('about:blank');
  await local.page.goto(`http://localhost:${port}${invited}`);
  const join = local.page.getByRole('link', { name: 'Join with single sign-on' });
  assert.equal(await join.getAttribute('href'), origin + invited);

  assert.deepEqual(
    [dashboard, other, guest].flatMap(({ faults }) => faults),
    [],
  );
});

test('while the provider is unavailable, the page says so and the password signs in', async (t) => {
  const port = await freePort();
  const provider = await startProvider(t, `http://127.0.0.1:${port}`);
  await provider.close();
  const dashboard = await startDashboard(t, environmentOf(provider, port));
  if (dashboard === undefined) return;
  await setUp(dashboard);
  const { page } = await openPage(dashboard.browser);
  await page.goto(`${dashboard.served.address}/dashboard`);
  await page.getByRole('button', { name: 'Sign in with single sign-on' }).click();
  await page.getByRole('alert').getByText('Single sign-on is unavailable').waitFor();
  assert.deepEqual(await graveViolations(page), []);
  await page.getByLabel('Name', { exact: true }).fill(admin.name);
  await page.getByLabel('Password', { exact: true }).fill(admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
  const said = dashboard.served.out() + dashboard.served.err();
  assert.match(said, /the identity provider does not say what it offers/);
  assert.ok(!said.includes(client.secret));
});

function environmentOf({ issuer }: TestProvider, port: number) {
  return {
    SALLYPORT_PORT: String(port),
    SALLYPORT_PUBLIC_URL: `http://127.0.0.1:${port}`,
    SALLYPORT_OIDC_ISSUER: issuer,
    SALLYPORT_OIDC_CLIENT_ID: client.id,
    SALLYPORT_OIDC_CLIENT_SECRET: client.secret,
  };
}

/** Signs in and agrees on the pages of the provider. */
async function atProvider(page: Page, user: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(user);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** An account without a password is offered nothing that asks for one. */
async function seeOwnAccount(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Your sessions' }).click();
  await page.getByText('only the account hopper@example.com signs you in').waitFor();
  await page.getByText('set up a second factor at your identity provider').waitFor();
  for (const name of ['Change password', 'Set up a second factor', 'Link an account', 'Unlink']) {
    assert.equal(await page.getByRole('button', { name }).count(), 0, name);
  }
  assert.deepEqual(await graveViolations(page), []);
}

/** An administrator reads what follows, and unlinks the account of another, who is signed out. */
async function unlinkAnother(page: Page, unlinked: Page): Promise<void> {
  await page.goto(page.url());
  await page.getByText('linked to hopper@example.com').waitFor();
  await page.getByRole('button', { name: 'Unlink the account of grace' }).click();
  const dialog = page.getByRole('dialog', { name: 'Unlink the account of grace?' });
  await dialog.getByText('the sessions that began so end at once').waitFor();
  await dialog.getByText('There is no password').waitFor();
  assert.deepEqual(await graveViolations(page), []);
  await dialog.getByRole('button', { name: 'Unlink' }).click();
  await page.getByText('grace has no linked account any more.').waitFor();
  await page.getByText('linked to hopper@example.com').waitFor({ state: 'detached' });
  await visit(page, 'Audit');
  await page.getByText('unlinked the account of grace at the identity provider').waitFor();
  await unlinked.getByRole('link', { name: 'Keys', exact: true }).click();
  await unlinked.getByText('Your session has ended.').waitFor();
  await unlinked.getByRole('button', { name: 'Sign in with single sign-on' }).click();
  await unlinked.getByRole('alert').getByText('no administrator is linked').waitFor();
}
