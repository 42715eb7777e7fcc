import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setUp, startDashboard } from './dashboard.ts';

test('the overview says which applications have a bad key, or pass requests unscreened', async (t) => {
  const dashboard = await startDashboard(t);
  if (dashboard === undefined) return;
  const { page, served } = dashboard;
  await setUp(dashboard);
  const card = page.getByRole('region', { name: 'Applications without protection' });
  await page.getByRole('heading', { name: 'Health' }).waitFor();
  assert.equal(await card.count(), 0, 'nothing to do, nothing to see');

  for (const key of ['', 'sp_live_x', 'sp_live_y']) {
    const answer = await fetch(`${served.address}/control`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, connection: 'close' },
      body: '{}',
    });
    assert.equal(answer.status, 401);
  }
  await page.reload();
  await card.getByText('3 requests without a valid key').waitFor();
  await card.getByText('from 127.0.0.1').waitFor();
  await card.getByRole('link', { name: 'the list of keys' }).waitFor();

  // What clients report stands in the same answer, where the service takes reports.
  const unscreened = [
    {
      keyId: 'Abc12345',
      keyName: 'shop',
      passed: { timeout: 20, 'key-refused': 1_200 },
      inline: { unreachable: 3 },
      lastAt: new Date().toISOString(),
    },
    {
      keyId: 'Abc12346',
      keyName: 'till',
      passed: {},
      inline: { timeout: 1 },
      lastAt: '2026-01-01',
    },
  ];
  await page.route('**/api/overview', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), unscreened } });
  });
  await page.reload();
  await card.getByText('shop: 1,220 requests passed unscreened in the last hour').waitFor();
  const reasons = await card.getByRole('listitem').allTextContents();
  assert.match(reasons[0] ?? '', /^1,200 × key-refused The key was refused/);
  assert.match(reasons[1] ?? '', /^20 × timeout No answer in time/);
  assert.equal(await card.getByText('till').count(), 0, 'screened by the client is screened');
});
