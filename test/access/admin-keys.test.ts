import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issueKey, rotateKey } from '../../src/access/issue-key.ts';
import { createKeyDirectory } from '../../src/access/key-directory.ts';
import { keyIdOf, makeKey } from '../../src/access/key-format.ts';
import { runCli } from '../support/cli.ts';
import { tempDir } from '../support/temp-dir.ts';
import { addKey, openKeys, startCache } from './key-fixture.ts';

test('an administrator key manages and does not screen, a live key the reverse', async (t) => {
  const keys = await openKeys(t);
  const live = await addKey(keys);
  const wanted = { name: 'ops', kind: 'admin', now: 0, expiresAt: undefined } as const;
  const admin = await issueKey(keys, wanted);
  assert.match(admin.key, /^sp_admin_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
  assert.equal(keyIdOf(admin.key), admin.id);
  const cache = await startCache(t, keys);
  assert.equal(cache.managerOf(admin.key, '')?.keyId, admin.id);
  assert.equal(cache.verify(admin.key), undefined);
  assert.equal(cache.managerOf(live.key, ''), undefined);
  assert.ok(cache.verify(live.key));
  for (const other of ['', admin.key.slice(0, -1), makeKey(admin.id, 'admin')]) {
    assert.equal(cache.managerOf(other, ''), undefined);
  }
  // The secret of one kind under the prefix of the other proves nothing.
  assert.equal(cache.verify(admin.key.replace('admin', 'live')), undefined);

  const rotated = await rotateKey(keys, { id: admin.id, now: 1, sunsetAt: 1 });
  assert.match(rotated.key, /^sp_admin_/);
  await keys.store.revoke(live.id, 2);
  await cache.refresh();
  assert.equal(cache.managerOf(admin.key, ''), undefined);
  assert.equal(cache.managerOf(rotated.key, '')?.keyId, admin.id);
  await keys.store.revoke(admin.id, 3);
  await cache.refresh();
  assert.equal(cache.managerOf(rotated.key, ''), undefined);
});

test('the directory makes, changes, rotates and revokes keys', async (t) => {
  const keys = await openKeys(t);
  const clock = () => 5_000;
  const cache = await startCache(t, { ...keys, clock });
  const onChange = () => cache.refresh();
  const directory = createKeyDirectory({ ...keys, clock, onChange, revokeHere: assert.fail });
  const wish = { name: 'shop', kind: 'live', expiresAt: undefined, policyId: 'strict' } as const;
  const { key, secret } = await directory.create(wish);
  assert.ok(cache.verify(secret), 'good at once');
  assert.equal(key.policyId, 'strict');
  assert.equal(key.state, 'active');

  const changed = await directory.change(key.id, { name: 'till', expiresAt: 9_000 });
  assert.deepEqual(changed, { ...key, name: 'till', expiresAt: 9_000 });
  assert.equal(await directory.change('00000000', { name: 'x' }), undefined);

  const rotated = await directory.rotate(key.id, 60);
  assert.equal(rotated.kind, 'rotated');
  assert.ok(rotated.kind === 'rotated' && cache.verify(rotated.secret));
  assert.equal((await directory.list())[0]?.sunsetAt, 65_000);
  assert.equal((await directory.rotate(key.id, 60)).kind, 'under-way');
  assert.equal((await directory.rotate('00000000', 60)).kind, 'unknown');

  const revoked = { ...(await directory.list())[0], state: 'revoked', revokedAt: 5_000 };
  assert.deepEqual(await directory.revoke(key.id), revoked);
  assert.equal(cache.verify(secret), undefined);
  assert.deepEqual(await directory.revoke(key.id), revoked);
  assert.equal(await directory.revoke('00000000'), undefined);
  assert.equal((await directory.rotate(key.id, 60)).kind, 'revoked');
});

test('keys create --admin makes an administrator key', async () => {
  const cwd = tempDir();
  const made = await runCli(['keys', 'create', '--admin', '--name', 'ops', '--data-dir', 'd'], {
    cwd,
  });
  assert.equal(made.code, 0, made.err);
  assert.match(made.out, /^sp_admin_/);
  const list = await runCli(['keys', 'list', '--json', '--data-dir', 'd'], { cwd });
  assert.equal(JSON.parse(list.out)[0].kind, 'admin');
});
