import assert from 'node:assert/strict';
import { shopDocument } from '../shape/shop.ts';
import {
  control,
  createKey,
  openEvent,
  setUp,
  testOnEachDatabase,
  untilStatus,
  visit,
} from './dashboard.ts';

const order = {
  method: 'POST',
  path: '/v1/orders',
  'body.id': '123e4567-e89b-12d3-a456-426614174000',
  'body.items[0].sku': 'ABC-1',
};

testOnEachDatabase('a shape is uploaded, corrected, tried and put in force', async (dashboard) => {
  const { page, served, faults } = dashboard;
  await setUp(dashboard);
  const key = await createKey(page, 'shop');
  await visit(page, 'Policies');
  await page.getByRole('link', { name: 'Default' }).first().click();
  await page.getByRole('tab', { name: 'Shape' }).click();
  await page.getByText('Nothing is declared').waitFor();

  const upload = (text: string) =>
    page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'api.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) });
  await upload(shopDocument.replace('maxLength: 40', 'maxLength: many'));
  await page.getByRole('button', { name: 'Put in force' }).click();
  await page
    .getByRole('alert')
    .getByText(/whole number from 0/)
    .waitFor();
  await upload(shopDocument);
  await page.getByLabel('Refuse members and parameters').check();
  await page.getByRole('button', { name: 'Try as a candidate first' }).click();
  await page.getByText('0 requests screened with both').waitFor();

  await page.getByRole('tab', { name: 'Shape' }).click();
  await upload(shopDocument);
  await page.getByLabel('Refuse members and parameters').check();
  await page.getByRole('button', { name: 'Put in force' }).click();
  await page.getByRole('rowheader', { name: '/v1/files/{name}.{type}' }).waitFor();
  await untilStatus(served, key, { ...order, 'body.isAdmin': true }, 403);
  await untilStatus(served, key, order, 200);
  const { 'body.id': _left, ...without } = order;
  await openEvent(dashboard, (await control(served, key, without)).id);
  await page.getByText('This finding is about the field itself').waitFor();
  await page.goto(`${served.address}/dashboard/policies/default?tab=shape`);

  await page.getByRole('button', { name: 'Remove the shape' }).click();
  await page.getByText('Nothing is declared').waitFor();
  await untilStatus(served, key, { ...order, 'body.isAdmin': true }, 200);
  const own = faults.filter((fault) => !/422/.test(fault));
  assert.deepEqual(own, []);
});
