import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../support/until.ts';
import { type ApiServer, type Body, startApi } from './api-server.ts';

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
  await askEverywhere(api);
});

/** The same holds for a whole document, wherever it is stored; what is in force already is not asked about. */
async function askEverywhere(api: ApiServer): Promise<void> {
  const { policy } = (await api.call('/api/policies/default')).body;
  const why = { reason: 'a trial', author: 'ada', createdAt: '2030-01-01T00:00:00Z' };
  const wide = { id: 'w', pointer: '/*', path: '/**', rule: 'sqli.tautology', ...why };
  const exclusions = [...policy.document.exclusions, wide];
  const document = { ...policy.document, exclusions };
  const place = `/document/exclusions/${exclusions.length - 1}/pointer`;
  const change = { baseVersion: policy.version, comment: 'wide' };
  const ways: readonly [string, string, object][] = [
    ['POST', '/api/policies', { name: 'Wide' }],
    ['PUT', '/api/policies/default/candidate', {}],
    ['PUT', '/api/policies/default', change],
  ];
  const diff = { body: { document } };
  assert.equal((await api.call('/api/policies/default/diff', diff)).body.isWide, true);
  for (const [method, path, more] of ways) {
    const refused = await api.call(path, { method, body: { ...more, document } });
    assert.equal(refused.status, 422, path);
    assert.deepEqual(
      refused.body.errors.map(({ pointer }: Body) => pointer),
      [place],
      path,
    );
  }
  const accepted = { ...change, document, acceptWide: true };
  const stored = await api.call('/api/policies/default', { method: 'PUT', body: accepted });
  assert.equal(stored.status, 200);
  assert.equal((await api.call('/api/policies/default/diff', diff)).body.isWide, false);
  const again = { document: { ...document, mode: 'monitor' } };
  const path = '/api/policies/default/candidate';
  assert.equal((await api.call(path, { method: 'PUT', body: again })).status, 200);
  const copy = { name: 'Copy', document };
  assert.equal((await api.call('/api/policies', { body: copy })).status, 201);
}
