import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import {
  control,
  createKey,
  type Dashboard,
  openEvent,
  setUp,
  startDashboard,
  testOnEachDatabase,
  untilStatus,
} from './dashboard.ts';

const marked = { note: 'see wiki.corp.internal for the plan' };

/** Sees by an example what the candidate would block, and excludes something from it. */
async function excludeFromCandidate({ page, served }: Dashboard, key: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  const context = { 'x-forwarded-method': 'POST', 'x-forwarded-uri': '/topics' };
  await until('the key has the policy', async () => {
    await control(served, key, marked, context);
    await page.getByRole('tab', { name: 'Candidate, on trial' }).click();
    await page.getByRole('button', { name: 'Refresh' }).click();
    return (await page.getByText('POST /topics').count()) > 0;
  });
  await page.getByText('.corp.internal', { exact: true }).first().waitFor();
  await page.getByText('100% of all').waitFor();
  await page.getByRole('button', { name: 'Exclude custom.internal-host in /note' }).click();
  assert.equal(await dialog.getByLabel('In which field').inputValue(), '/note');
  await dialog.getByLabel('In which field').fill('/wiki');
  await dialog.getByLabel('Why is it harmless?').fill('the wiki is public');
  await dialog.getByRole('button', { name: 'Add to the candidate' }).click();
  await page.getByText('0 requests screened with both').waitFor();
}

testOnEachDatabase(
  'a policy of its own for a key: a rule of the user, a candidate that is promoted',
  async (dashboard) => {
    const { page, served } = dashboard;
    await setUp(dashboard);
    const key = await createKey(page, 'forum');
    await untilStatus(served, key, marked, 200);

    await page.getByRole('link', { name: 'Policies', exact: true }).click();
    await page.getByRole('button', { name: 'Create a policy' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Strict');
    await dialog.getByRole('button', { name: 'Create the policy' }).click();
    await page.getByRole('heading', { name: 'Policy Strict', level: 1 }).waitFor();
    const address = page.url();

    await page.getByLabel(/Every request gets 200/).waitFor();
    assert.ok(await page.getByLabel(/Every request gets 200/).isChecked(), 'it begins in monitor');
    await page.getByLabel(/Requests with a threat get 403/).check();
    await page.getByText('1 unsaved change').waitFor();
    page.once('dialog', (asked) => void asked.dismiss());
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    assert.equal(page.url(), address, 'asked, and stayed');
    await page.getByRole('tab', { name: 'Versions' }).click();
    assert.match(page.url(), /\?tab=versions$/);
    await page.getByRole('tab', { name: 'Settings' }).click();

    await page.getByRole('button', { name: 'Add an exclusion' }).click();
    await dialog.getByLabel('In which field').fill('body.html');
    await dialog.getByText('Begin with a slash: /body.html').waitFor();
    await dialog.getByLabel('In which field').fill('/body.html');
    await dialog.getByLabel('Id of the rule').fill('xss.event-handler');
    await dialog.getByLabel('Only at the path').fill('/articles/*');
    await dialog.getByLabel('Why is it harmless?').fill('the editor sends HTML');
    await dialog.getByRole('button', { name: 'Add to the policy' }).click();
    await page.getByRole('rowheader', { name: '/body.html /articles/*' }).waitFor();
    await page.getByText('2 unsaved changes').click();
    await page.locator('.save-bar').getByText('/exclusions/0').waitFor();

    await page.getByRole('button', { name: 'Add a rule' }).click();
    await dialog.getByLabel('Name').fill('internal-host');
    await dialog.getByLabel('What the evidence does').fill('names an internal host');
    await dialog.getByLabel('Texts, one per line').fill('.corp.internal');
    await dialog.getByLabel('Attacks that it must find').fill('http://a.corp.internal/');
    await dialog.getByLabel('Near misses that must pass').fill('corporate affairs');
    await dialog.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('rowheader', { name: /custom\.internal-host/ }).waitFor();
    await page.getByRole('button', { name: 'Try as a candidate first' }).click();
    await page.getByText('0 requests screened with both').waitFor();

    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('button', { name: 'Edit forum' }).click();
    await dialog.getByLabel('Policy').selectOption('Strict');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Strict' }).waitFor();

    await page.goto(address);
    await page.getByText('In force for the keys: forum.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Delete' }).count(), 0, 'a key uses it');

    await excludeFromCandidate(dashboard, key);
    await page.getByLabel('What changes, and why').fill('nothing internal leaves');
    await page.getByRole('button', { name: 'Make it the policy' }).click();
    await page.getByText(/^Version 2\./).waitFor();
    await untilStatus(served, key, marked, 403);
    const { id } = await control(served, key, marked);
    await openEvent(dashboard, id);
    await page.getByText(/names an internal host\./).waitFor();
    assert.equal(await page.locator('mark').first().textContent(), '.corp.internal');
    assert.deepEqual(dashboard.faults, []);
  },
);

test('a value of a field that looks secret is never shown', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  await setUp(dashboard);
  const key = await createKey(page, 'shop');
  const login = { username: 'alice', password: "hunter2' OR 1=1 --" };
  await untilStatus(served, key, login, 403);
  const { id } = await control(served, key, login);
  await openEvent(dashboard, id);
  await page.getByText(/The text was not stored/).waitFor();
  const shown = await page.content();
  assert.ok(!shown.includes('hunter2') && !shown.includes('OR 1=1'));
});

test('a save after the one of another user keeps the input and offers the newer version', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  await setUp(dashboard);
  await page.goto(`${served.address}/dashboard/policies/default`);
  await page.getByLabel(/Every request gets 200/).check();
  await page.getByText('1 unsaved change').waitFor();
  const path = `${served.address}/api/policies/default`;
  const { policy } = await (await page.request.get(path)).json();
  const document = { ...policy.document, sensitivity: 3 };
  const other = { document, baseVersion: policy.version, comment: 'from another tab' };
  const headers = { origin: served.address };
  assert.equal((await page.request.put(path, { data: other, headers })).status(), 200);
  await page.getByLabel('What you changed, and why').fill('only watch');
  await page.getByRole('button', { name: 'Save as a new version' }).click();
  await page.getByText('Someone else saved a newer version.').waitFor();
  assert.ok(await page.getByLabel(/Every request gets 200/).isChecked(), 'the input stays');
  await page.getByRole('button', { name: 'Load the newest version' }).click();
  await page.getByText('No unsaved changes.').waitFor();
  assert.ok(!(await page.getByLabel(/Every request gets 200/).isChecked()));
});

test('an exclusion that counts everywhere is asked about, each time it is in a change', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  await setUp(dashboard);
  await page.goto(`${served.address}/dashboard/policies/default`);
  const accept = page.getByLabel('Allow this in every field of every request');
  const save = page.getByRole('button', { name: 'Save as a new version' });
  const exclude = async (rule: string) => {
    await page.getByRole('button', { name: 'Add an exclusion' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('In which field').fill('/**');
    await dialog.getByLabel('Id of the rule').fill(rule);
    await dialog.getByLabel('Why is it harmless?').fill('a trial');
    await dialog.getByRole('button', { name: 'Add to the policy' }).click();
    await accept.waitFor();
  };
  await exclude('sqli.tautology');
  assert.ok(await save.isDisabled());
  await accept.check();
  await page.getByRole('button', { name: 'Discard the changes' }).click();
  await accept.waitFor({ state: 'detached' });
  await exclude('sqli.union');
  assert.ok(!(await accept.isChecked()), 'the other one was accepted');
  await accept.check();
  await page.getByLabel('What you changed, and why').fill('too wide');
  await save.click();
  await page.getByText('No unsaved changes.').waitFor();
  assert.equal(await accept.count(), 0, 'it is in force');
});
