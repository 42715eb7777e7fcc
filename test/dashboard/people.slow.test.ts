import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { openPage } from './browser.ts';
import { admin, createKey, setUp, testOnEachDatabase, visit } from './dashboard.ts';

const password = 'another long pass phrase';

testOnEachDatabase(
  'a person is invited by a link, sees what the role allows, and is signed out',
  async (dashboard) => {
    const { page, browser, served } = dashboard;
    await setUp(dashboard);
    await createKey(page, 'shop');
    await visit(page, 'Administrators');
    await page.getByRole('rowheader', { name: admin.name }).waitFor();
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('grace');
    await dialog.getByRole('button', { name: 'Make the link' }).click();
    const link = await dialog.getByRole('region', { name: 'invitation link' }).textContent();
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('button', { name: 'New link for grace' }).waitFor();

    const grace = await openPage(browser);
    await grace.page.goto(link?.trim() ?? '');
    await grace.page.getByRole('heading', { name: 'Welcome to Sallyport' }).waitFor();
    assert.ok(!grace.page.url().includes('join='), 'the token leaves the address');
    await grace.page.getByLabel('New password', { exact: true }).fill(password);
    await grace.page.getByLabel('Confirm new password').fill(password);
    await grace.page.getByRole('button', { name: 'Choose the password' }).click();
    await grace.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    assert.equal(await grace.page.getByRole('link', { name: 'Administrators' }).count(), 0);
    await visit(grace.page, 'Keys');
    const create = grace.page.getByRole('button', { name: 'Create a key' });
    await create.waitFor();
    assert.ok(await create.isDisabled());
    assert.equal(await create.getAttribute('title'), 'This needs the role administrator.');
    const refused = await grace.page.request.post(`${served.address}/api/keys`, {
      data: { name: 'mine' },
      headers: { origin: served.address },
    });
    assert.equal(refused.status(), 403);
    assert.match((await refused.json()).detail, /needs the role administrator/);

    await seePolicy(grace.page);

    await page.reload();
    await page.getByRole('button', { name: 'Edit grace' }).click();
    await dialog.getByLabel(/^Administrator/).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('grace is saved.').waitFor();
    await grace.page.reload();
    await visit(grace.page, 'Administrators');
    await page.getByRole('button', { name: 'Sign out everywhere: grace' }).click();
    await page.getByText('grace is signed out everywhere.').waitFor();
    await grace.page.getByRole('link', { name: 'Keys', exact: true }).click();
    await grace.page.getByText('Your session has ended.').waitFor();

    await readAudit(page);
    await removePeople(page);

    await page.getByRole('link', { name: 'Your sessions' }).click();
    await page.getByText('this one').waitFor();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  },
);

/** A viewer sees what changes a policy, and cannot press it. */
async function seePolicy(page: Page): Promise<void> {
  await visit(page, 'Policies');
  await page.getByRole('link', { name: 'Default', exact: true }).click();
  await page.getByRole('heading', { name: 'Policy Default', level: 1 }).waitFor();
  for (const name of ['Add an exclusion', 'Add a rule', 'Load a file', 'Save as a new version']) {
    const button = page.getByRole('button', { name, exact: true });
    await button.waitFor();
    assert.ok(await button.isDisabled(), name);
    assert.equal(await button.getAttribute('title'), 'This needs the role editor.');
  }
}

/** The change is in the audit with its values, and can be exported. */
async function readAudit(page: Page): Promise<void> {
  await visit(page, 'Audit');
  await page.getByLabel('What', { exact: true }).selectOption('Administrators');
  const change = page.getByRole('row').filter({ hasText: 'changed the administrator grace' });
  await change.getByText('viewer → administrator').waitFor();
  await page.getByLabel('Who', { exact: true }).fill('grace');
  await page.getByText('Nothing fits these filters.').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV', exact: true }).click(),
  ]);
  assert.match(download.suggestedFilename(), /\.csv$/);
}

/** All but the last one can be removed. */
async function removePeople(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await visit(page, 'Administrators');
  await page.getByRole('button', { name: `Remove ${admin.name}` }).click();
  await page.getByRole('button', { name: 'Remove grace' }).waitFor();
  await dialog.getByRole('button', { name: 'Keep' }).click();
  await page.getByRole('button', { name: 'Remove grace' }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('grace is removed.').waitFor();
  await page.getByRole('button', { name: `Remove ${admin.name}` }).click();
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await dialog
    .getByRole('alert')
    .getByText(/last one/)
    .waitFor();
  await dialog.getByRole('button', { name: 'Keep' }).click();
}
