import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readShape } from '../../src/shape/read-shape.ts';
import { shopTraffic, textOfRequest } from '../shape/learn/traffic.ts';
import { until } from '../support/until.ts';
import { control, createKey, setUp, testOnEachDatabase, untilStatus, visit } from './dashboard.ts';

testOnEachDatabase('a shape is learnt, read, exported and tried', async (dashboard) => {
  const { page, served, faults } = dashboard;
  await setUp(dashboard);
  const key = await createKey(page, 'shop');
  await visit(page, 'Policies');
  await page.getByRole('link', { name: 'Default' }).first().click();
  await page.getByRole('tab', { name: 'Shape' }).click();
  const learning = page.getByLabel('Learn the shape of the requests');
  // The new version comes late: until then the switch stays as it was set.
  let showVersion = () => {};
  const isShown = new Promise<void>((done) => {
    showVersion = done;
  });
  await page.route('**/api/policies/*', async (route) => {
    if (route.request().method() === 'GET') await isShown;
    await route.continue();
  });
  await learning.check();
  await page.getByRole('status').getByText('The shape of the traffic is learnt.').waitFor();
  assert.ok(await learning.isChecked());
  showVersion();
  await page.unrouteAll({ behavior: 'wait' });

  let from = 0;
  const send = async (count: number) => {
    const texts = await Promise.all(shopTraffic(count, from).map(textOfRequest));
    from += count;
    const answers = await Promise.all(texts.map((text) => control(served, key, JSON.parse(text))));
    for (const { status } of answers) assert.equal(status, 200);
  };
  await until('a shape is proposed', async () => {
    await send(100);
    await page.getByRole('button', { name: 'Refresh' }).click();
    // Of this route: a busy machine learns from a part of the requests, so from some routes later.
    const name = /^GET \/v1\/orders\/\{orderId\} path\.orderId .* seen \d+ times, always a uuid$/;
    return (await page.getByRole('row', { name }).count()) > 0;
  });
  assert.ok(!/hunter\d/.test((await page.textContent('main')) ?? ''), 'no secret is shown');

  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as OpenAPI' }).click();
  const file = await (await download).path();
  const outcome = readShape(readFileSync(file, 'utf8'), {});
  assert.ok(outcome.kind === 'shape' && (outcome.shape.routes?.length ?? 0) > 0);

  await page.getByRole('button', { name: 'Make it a candidate' }).click();
  await page.getByText('0 requests screened with both').waitFor();
  await page.getByLabel('What changes, and why').fill('learnt for a while');
  await page.getByRole('button', { name: 'Make it the policy' }).click();
  await untilStatus(served, key, { method: 'GET', path: '/v1/orders/none' }, 403);

  await page.getByRole('tab', { name: 'Shape' }).click();
  await page.getByRole('heading', { name: 'Declared shape', exact: true }).waitFor();
  await until('drift is shown', async () => {
    await control(served, key, { method: 'GET', path: '/v1/orders?page=1&sort=name&lang=en' });
    await page.getByRole('button', { name: 'Refresh' }).click();
    return (await page.getByRole('cell', { name: 'is no declared parameter' }).count()) > 0;
  });
  await page.getByRole('button', { name: 'Forget what was learnt' }).click();
  await page.getByRole('status').getByText('What was learnt is forgotten.').waitFor();
  assert.deepEqual(faults, []);
});
