import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import {
  admin,
  control,
  createKey,
  openEvent,
  setUp,
  startDashboard,
  testOnEachDatabase,
  untilStatus,
  visit,
} from './dashboard.ts';

const post = { title: 'SQL for all', code: "1' UNION SELECT name, password FROM users --" };

testOnEachDatabase(
  'an exclusion from an event lets the request pass, and a roll-back blocks it again',
  async (dashboard) => {
    const { page, served } = dashboard;
    await setUp(dashboard);
    const key = await createKey(page, 'forum');
    await untilStatus(served, key, post, 403);
    const { id } = await control(served, key, post);
    await openEvent(dashboard, id);

    await page.getByRole('button', { name: 'False positive: add an exclusion' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/stored blocks? would have passed/).waitFor();
    await dialog.getByText(/\d+ of \d+ example attacks would pass in this field/).waitFor();
    assert.equal(await dialog.getByLabel('In which field').inputValue(), '/code');
    await dialog.getByLabel(/All rules of SQL injection/).check();
    await dialog.getByLabel('Why is it harmless?').fill('People post SQL here');
    await dialog.getByRole('button', { name: 'Save the exclusion' }).click();
    await dialog.getByText('Exclusion saved').waitFor();
    await untilStatus(served, key, post, 200);
    const elsewhere = { title: post.code };
    assert.equal((await control(served, key, elsewhere)).status, 403, 'other fields are screened');

    await dialog.getByRole('link', { name: 'Go to the policy' }).click();
    await page.getByRole('rowheader', { name: '/code' }).waitFor();
    await page.getByText('People post SQL here').waitFor();
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'What version 2 changed' }).click();
    await dialog.getByText('/exclusions/0').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Roll back to version 1' }).click();
    await dialog.getByText('/exclusions/0').waitFor();
    await dialog.getByRole('button', { name: 'Roll back' }).click();
    await page.getByRole('cell', { name: 'back to version 1', exact: true }).waitFor();
    await untilStatus(served, key, post, 403);

    await visit(page, 'Audit');
    await page.getByRole('cell', { name: admin.name }).first().waitFor();
    assert.deepEqual(dashboard.faults, []);
  },
);

test('an exclusion from an event is proposed no wider than what helps', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  await setUp(dashboard);
  const key = await createKey(page, 'forum');
  const image = '<img src=x onerror=alert(1)>';
  await untilStatus(served, key, { image }, 403);
  const dialog = page.getByRole('dialog');
  const propose = async (body: unknown) => {
    await openEvent(dashboard, (await control(served, key, body)).id);
    await page.getByRole('button', { name: 'False positive: add an exclusion' }).click();
    await dialog.getByText(/example attacks would/).waitFor();
    return dialog.getByRole('radio', { name: /^Only the rule/ }).isChecked();
  };
  assert.equal(await propose({ code: post.code }), true);
  // Both rules are of one category, in one field.
  assert.equal(await propose({ code: '<script>alert(1)</script><img src=x onerror=a()>' }), false);
  // The other field is blocked whatever is excluded in this one.
  assert.equal(await propose({ code: post.code, image }), true);
  assert.equal(await dialog.getByText(/ in \/(code|image) would still block it\./).count(), 2);
});

test('an exclusion from an event counts for its client alone', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  await setUp(dashboard);
  const key = await createKey(page, 'forum');
  await untilStatus(served, key, post, 403);
  const from = (address: string) => control(served, key, post, { 'x-forwarded-for': address });
  const { id } = await from('2001:db8::7');
  await openEvent(dashboard, id);
  await page.getByRole('button', { name: 'False positive: add an exclusion' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 stored blocks would have passed.').waitFor();
  await dialog.getByLabel('Only for this client, 2001:db8::7').check();
  await dialog.getByText('1 stored block would have passed.').waitFor();
  await dialog.getByLabel(/All rules of SQL injection/).check();
  await dialog.getByLabel('Why is it harmless?').fill('our own scanner');
  await dialog.getByRole('button', { name: 'Save the exclusion' }).click();
  await dialog.getByRole('link', { name: 'Go to the policy' }).click();
  await page.getByRole('rowheader', { name: 'for 2001:db8::7' }).waitFor();
  await until('the client passes', async () => (await from('2001:db8::7')).status === 200);
  assert.equal((await from('2001:db8::8')).status, 403);

  await page.getByRole('button', { name: 'Edit the exclusion for /code' }).click();
  const clients = dialog.getByLabel('Only for the clients');
  assert.equal(await clients.inputValue(), '2001:db8::7');
  await clients.fill('2001:db8::/32, 198.51.100.7/24');
  await dialog.getByRole('button', { name: 'Change it' }).click();
  await page.getByLabel('What you changed, and why').fill('all of our scanners');
  const save = page.getByRole('button', { name: 'Save as a new version' });
  await save.click();
  await page
    .getByText(/write 198\.51\.100\.0\/24/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Edit the exclusion for /code' }).click();
  await clients.fill('2001:db8::/32 198.51.100.0/24');
  await dialog.getByRole('button', { name: 'Change it' }).click();
  await save.click();
  await page.getByText('No unsaved changes.').waitFor();
  await until('all of them pass', async () => (await from('198.51.100.200')).status === 200);
  assert.equal((await from('192.0.2.1')).status, 403);
  assert.deepEqual(dashboard.faults, []);
});

testOnEachDatabase(
  'a policy is edited as a form and as JSON, tried as a candidate and refused when wrong',
  async (dashboard) => {
    const { page, served } = dashboard;
    await setUp(dashboard);
    const key = await createKey(page, 'shop');
    await untilStatus(served, key, post, 403);

    await page.goto(`${served.address}/dashboard/policies/default`);
    await page.getByLabel(/^Monitor/).check();
    await page.getByLabel('What you changed, and why').fill('see first what would happen');
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByText(/^Version 2\./).waitFor();
    await untilStatus(served, key, post, 200);

    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    const json = page.getByLabel('Policy document');
    const document = JSON.parse(await json.inputValue());
    assert.equal(document.mode, 'monitor');
    await json.fill('{');
    await page.getByText(/^Not JSON yet/).waitFor();
    await json.fill(JSON.stringify({ ...document, sensitivity: 9 }));
    await page.getByLabel('What you changed, and why').fill('wrong on purpose');
    await page.getByRole('button', { name: 'Save as a new version' }).click();
    await page.getByRole('alert').getByText('/sensitivity').waitFor();

    await json.fill(JSON.stringify({ ...document, categoriesOff: ['sqli'] }));
    await page.getByRole('button', { name: 'Try as a candidate first' }).click();
    await page.getByRole('heading', { name: 'The trial so far' }).waitFor();
    await control(served, key, post);
    await page.getByRole('button', { name: 'End the trial' }).click();
    await page.getByText('No candidate is on trial.').waitFor();
    assert.deepEqual(dashboard.faults, []);
  },
);
