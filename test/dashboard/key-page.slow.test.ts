import assert from 'node:assert/strict';
import { until } from '../support/until.ts';
import { control, createKey, setUp, testOnEachDatabase, untilStatus, visit } from './dashboard.ts';

const benign = { q: 'shoes' };
const attack = { q: "1' UNION SELECT name, password FROM users --" };

testOnEachDatabase(
  'the page of a key shows its use, and bounds it to networks and scopes',
  async (dashboard) => {
    const { page, served } = dashboard;
    await setUp(dashboard);
    const key = await createKey(page, 'shop');
    const id = key.slice(8, 16);
    await untilStatus(served, key, benign, 200);
    await control(served, key, attack);
    await page.getByRole('link', { name: 'shop', exact: true }).click();
    await page.getByRole('heading', { name: 'Key shop', level: 1 }).waitFor();
    await page.getByText(`sp_live_${id}_••••••••`).waitFor();
    assert.ok(!(await page.content()).includes(key.slice(17)), 'no part of the secret');
    await page.getByText('screen, forward', { exact: true }).waitFor();
    await page.getByText('everywhere', { exact: true }).waitFor();
    await until('the use is shown', async () => {
      await page.reload();
      await page.getByRole('heading', { name: 'Use' }).waitFor();
      await page.getByText('Would block').first().waitFor();
      const shown = await page.locator('.facts.across').textContent();
      return /Requests2Blocked1 \(50%\)Would block0Errors0/.test(shown ?? '');
    });
    await page.getByRole('link', { name: '127.0.0.1', exact: true }).waitFor();
    const bar = page.getByRole('link', { name: /Allowed 1, Blocked 1/ });
    await bar.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`/events\\?keyId=${id}&from=`));
    await page.goBack();

    await page.getByRole('button', { name: 'Edit shop' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(/^Forward/).uncheck();
    await dialog.getByLabel(/^From where/).fill('192.0.2.0/24\n10.0.0.1/8');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/write 10\.0\.0\.0\/8/).waitFor();
    await dialog.getByLabel(/^From where/).fill('192.0.2.0/24\n2001:db8::/32');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('2001:db8::/32').waitFor();
    await page.getByText('screen', { exact: true }).waitFor();
    await untilStatus(served, key, benign, 401);

    await page.getByRole('button', { name: 'Edit shop' }).click();
    await dialog.getByLabel(/^From where/).fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('everywhere', { exact: true }).waitFor();
    await untilStatus(served, key, benign, 200);
    await page.getByRole('button', { name: 'Revoke shop' }).click();
    await dialog.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('Revoked', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit shop' }).waitFor({ state: 'detached' });

    await page.goto(`${served.address}/dashboard/keys/nothere1`);
    await page.getByRole('heading', { name: 'No such key' }).waitFor();
    await visit(page, 'Keys');
    assert.deepEqual(
      dashboard.faults.filter((fault) => !/40[14]|422/.test(fault)),
      [],
    );
  },
);
