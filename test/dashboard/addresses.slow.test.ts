import assert from 'node:assert/strict';
import { until } from '../support/until.ts';
import {
  control,
  createKey,
  openEvent,
  setUp,
  testOnEachDatabase,
  untilStatus,
  visit,
} from './dashboard.ts';

const client = { 'header.x-forwarded-for': '203.0.113.9' };
const attack = { ...client, q: "1' UNION SELECT name, password FROM users --" };
const benign = { ...client, q: 'shoes' };

testOnEachDatabase(
  'the client of an event is blocked, and many addresses are listed, edited and removed',
  async (dashboard) => {
    const { page, served } = dashboard;
    await setUp(dashboard);
    const key = await createKey(page, 'shop');
    await untilStatus(served, key, attack, 403);
    await untilStatus(served, key, benign, 200);
    const { id } = await control(served, key, attack);
    await openEvent(dashboard, id);

    await page.getByRole('button', { name: 'Block this client' }).click();
    const dialog = page.getByRole('dialog');
    assert.equal(await dialog.getByLabel('Addresses and networks').inputValue(), '203.0.113.9');
    await dialog.getByLabel('Why', { exact: true }).fill('scans the shop');
    await dialog.getByLabel('For how long').selectOption('for 1 hour');
    await dialog.getByRole('button', { name: 'Deny', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await untilStatus(served, key, benign, 403);

    await visit(page, 'Addresses');
    await page.getByRole('rowheader', { name: '203.0.113.9' }).waitFor();
    await page.getByText('scans the shop').waitFor();
    await page.getByRole('button', { name: 'Add addresses' }).click();
    await dialog.getByLabel('Addresses and networks').fill('192.0.2.0/24\n10.0.0.1/8');
    await dialog.getByLabel('Why', { exact: true }).fill('a list of others');
    await dialog.getByRole('button', { name: 'Deny', exact: true }).click();
    await dialog
      .getByRole('alert')
      .getByText(/^10\.0\.0\.1\/8 .*write 10\.0\.0\.0\/8/)
      .waitFor();
    await dialog.getByLabel('Addresses and networks').fill('192.0.2.0/24\n2001:db8::/32');
    await dialog.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByRole('rowheader', { name: '2001:db8::/32' }).waitFor();

    await page.getByRole('button', { name: 'Edit 203.0.113.9' }).click();
    await dialog.getByLabel(/^Allow unscreened/).check();
    await dialog.getByRole('button', { name: 'Allow unscreened' }).click();
    await page.getByText('Not screened', { exact: true }).waitFor();
    // A body alone does not let its client pass: the caller says that it wrote the address itself.
    const told = { 'x-context-in': 'body' };
    await until('the client is let pass', async () => {
      return (await control(served, key, attack, told)).status === 200;
    });
    await page.getByRole('button', { name: 'Remove 203.0.113.9' }).click();
    await page.getByRole('rowheader', { name: '203.0.113.9' }).waitFor({ state: 'detached' });
    await untilStatus(served, key, attack, 403);
    await untilStatus(served, key, benign, 200);
    assert.deepEqual(dashboard.faults, []);
  },
);
