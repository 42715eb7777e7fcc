import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPage } from './browser.ts';
import { setUp, startDashboard, visit } from './dashboard.ts';

const curl = "curl 'https://shop.example.com/search?q=%27%20OR%201%3D1%20--' -H 'Cookie: a=1'";

test('the playground takes a curl command, keeps and shares it, and compares policies', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served, browser, context, faults } = dashboard;
  await setUp(dashboard);
  const made = await page.request.post(`${served.address}/api/policies`, {
    headers: { origin: served.address },
    data: { name: 'Lenient', document: { categoriesOff: ['sqli'] }, comment: 'a test' },
  });
  assert.equal(made.status(), 201, await made.text());
  await visit(page, 'Playground');
  const field = page.getByLabel('Request', { exact: true });
  await page.getByRole('button', { name: 'Raw HTTP' }).click();
  assert.match(await field.inputValue(), /^POST \/profile/);
  await field.fill("curl 'https://a");
  await page.getByText('A quotation mark is not closed.').waitFor();
  await field.fill(curl);
  await page.getByLabel('Compare with').selectOption({ label: 'Lenient' });
  await page.getByRole('button', { name: 'Screen it' }).click();
  const blocked = page.getByRole('region', { name: /^By the policy Default/ });
  await blocked.getByText('/query.q').first().waitFor();
  const lenient = page.getByRole('region', { name: 'By the policy Lenient' });
  await lenient.getByText('Nothing was found.').waitFor();

  await page.reload();
  assert.equal(await field.inputValue(), curl);
  await page.getByRole('button', { name: 'Copy a link' }).click();
  await page.waitForURL(/#try=/);
  const requested: string[] = [];
  const other = await openPage(browser, { storageState: await context.storageState() });
  other.page.on('request', (request) => requested.push(request.url()));
  await other.page.goto(page.url());
  const shared = other.page.getByLabel('Request', { exact: true });
  await shared.waitFor();
  assert.equal(await shared.inputValue(), curl);
  assert.ok(requested.every((url) => !new URL(url).search.includes('try')));
  await other.page.goto(`${served.address}/dashboard/playground#try=%00nonsense`);
  await other.page.reload();
  assert.match(await shared.inputValue(), /"username": "alice"/);
  assert.deepEqual([...faults, ...other.faults], []);
});
