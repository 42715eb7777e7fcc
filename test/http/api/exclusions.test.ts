import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { type Body, startApi } from './api-server.ts';

const injection = { q: "' OR 1=1 --" };

test('an exclusion has a scope, is refused when malformed, and asks when far too wide', async (t) => {
  const api = await startApi(t);
  await api.setUp();
  const { secret } = await api.newKey();
  const at = (uri: string, method = 'POST') => ({
    'x-forwarded-uri': uri,
    'x-forwarded-method': method,
  });
  assert.equal((await api.screen(secret, injection, at('/articles/7'))).status, 403);
  const wish = { pointer: '/q', category: 'sqli', method: 'POST', path: '/articles/*' };
  const exclude = (body: object) =>
    api.call('/api/policies/default/exclusions', { body: { reason: 'they write SQL', ...body } });
  const preview = (exclusion: object) =>
    api.call('/api/exclusions/preview', { body: { policyId: 'default', exclusion } });

  await until('the event is stored', async () => {
    return (await api.call('/api/events')).body.events.length > 0;
  });
  const seen = (await preview(wish)).body;
  assert.equal(seen.freed.count, 1);
  assert.equal(seen.isWide, false);
  assert.ok(seen.attacksLetPass.count > 0, 'attacks are tried where it counts');
  assert.equal((await preview({ ...wish, path: '/users/*' })).body.freed.count, 0);
  assert.equal((await exclude(wish)).status, 200);
  assert.ok((await preview(wish)).body.excludedBy, 'already excluded');

  assert.equal((await api.screen(secret, injection, at('/articles/7'))).status, 200);
  assert.equal((await api.screen(secret, injection, at('/articles/7', 'PUT'))).status, 403);
  assert.equal((await api.screen(secret, injection, at('/users/7'))).status, 403);
  assert.equal((await api.screen(secret, injection)).status, 403, 'an unknown path');

  const wrong = await exclude({ pointer: 'body.html', category: 'xss', method: 'post', path: 'x' });
  assert.equal(wrong.status, 422);
  assert.deepEqual(
    wrong.body.errors.map(({ pointer }: Body) => pointer),
    ['/pointer', '/method', '/path'],
  );
  assert.match(wrong.body.errors[0].message, /begins with a slash: write \/body\.html$/);
  assert.equal((await preview({ pointer: 'q', category: 'xss' })).status, 422);

  const wide = { pointer: '/**', category: 'xss' };
  assert.equal((await preview(wide)).body.isWide, true);
  const refused = await exclude(wide);
  assert.equal(refused.status, 422);
  assert.match(refused.body.errors[0].message, /every field of every request.*acceptWide/);
  assert.equal(
    (await exclude({ ...wide, path: '/admin/**' })).status,
    200,
    'one place is not wide',
  );
  assert.equal((await exclude({ ...wide, acceptWide: true })).status, 200);
  const { entries } = (await api.call('/api/audit')).body;
  assert.match(entries[2].summary, /excluded sqli at \/q for POST \/articles\/\* in the policy/);
});
