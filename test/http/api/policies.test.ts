import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { type ApiServer, type Body, startApi } from './api-server.ts';

const injection = { q: "' OR 1=1 --" };

async function blockOf(api: ApiServer): Promise<Body> {
  let events: Body[] = [];
  await until('the block is stored', async () => {
    ({ events } = (await api.call('/api/events')).body);
    return events.length > 0;
  });
  return (await api.call(`/api/events/${events[0].id}`)).body;
}

test('an exclusion made from a block lets the same request pass, a roll-back blocks it', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const { secret } = await api.newKey();
  const status = async () => (await api.screen(secret, injection)).status;
  assert.equal(await status(), 403);
  const { event, suggestedExclusion } = await blockOf(api);
  for (const { rule } of event.findings) {
    const body = { ...suggestedExclusion, rule, reason: 'the field holds SQL' };
    const made = await api.call('/api/policies/default/exclusions', { body });
    assert.equal(made.status, 200, JSON.stringify(made.body));
  }
  await until('the request passes', async () => (await status()) === 200);
  const elsewhere = await api.screen(secret, { other: injection.q });
  assert.equal(elsewhere.status, 403, 'only that member is freed');

  const rollBack = { body: { version: 1, comment: 'too much' } };
  const { body } = await api.call('/api/policies/default/rollback', rollBack);
  assert.deepEqual(body.policy.document.exclusions, []);
  await until('the request is blocked again', async () => (await status()) === 403);
  const { entries } = (await api.call('/api/audit')).body;
  assert.equal(entries[0].action, 'policy.roll-back');
});

test('a key with a policy in monitor mode gets 200, and its events say what would be', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const wish = { name: 'watch', document: { mode: 'monitor' } };
  const { policy } = (await api.call('/api/policies', { body: wish })).body;
  const made = await api.call('/api/keys', { body: { name: 'shop', policyId: policy.id } });
  assert.equal(made.body.key.policyName, 'watch');
  const reply = await api.screen(made.body.secret, injection);
  assert.equal(reply.status, 200);
  assert.equal(reply.body.would, 'block');
  const { event } = await blockOf(api);
  assert.equal(event.decision, 'would-block');
  assert.equal(event.policyId, policy.id);
  assert.equal((await api.call('/api/overview')).body.decisions.wouldBlock, 1);
  const used = await api.call(`/api/policies/${policy.id}`, { method: 'DELETE' });
  assert.equal(used.status, 409);
});
