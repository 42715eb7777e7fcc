import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createSqlKeyStore } from '../../src/access/sql-key-store.ts';
import type { NewVersion } from '../../src/policies/policy-store.ts';
import { createSqlPolicyStore } from '../../src/policies/sql-policy-store.ts';
import { describeOnEachDatabase } from '../support/databases.ts';

function version(parts: Partial<NewVersion> = {}): NewVersion & { readonly name: string } {
  return {
    id: 'shop',
    document: { mode: 'block', sensitivity: 2 },
    at: 1_700_000_000_000,
    by: 'ada',
    comment: 'first',
    ...parts,
    name: parts.name ?? 'Shop',
  };
}

describeOnEachDatabase('a policy store', (make) => {
  it('keeps every version of a policy', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const store = createSqlPolicyStore((await fresh.open()).database);
    assert.equal(await store.insert(version()), true);
    assert.equal(await store.insert(version()), false);
    const next = { ...version({ document: { mode: 'monitor' }, by: 'bob', comment: 'second' }) };
    const appended = await store.append({ ...next, baseVersion: 1, endsCandidate: false });
    assert.deepEqual(appended, { kind: 'appended' });
    const found = await store.find('shop');
    assert.deepEqual(found?.document, { mode: 'monitor' });
    assert.deepEqual([found?.version, found?.changedBy, found?.changedAt], [2, 'bob', next.at]);
    const versions = await store.versions('shop');
    assert.deepEqual(
      versions?.map((one) => [one.version, one.comment, one.document]),
      [
        [2, 'second', { mode: 'monitor' }],
        [1, 'first', { mode: 'block', sensitivity: 2 }],
      ],
    );
    assert.equal(await store.versions('other'), undefined);
    assert.equal(await store.find('other'), undefined);
  });

  it('gives the same document the same hash, whatever the order of its members', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const store = createSqlPolicyStore((await fresh.open()).database);
    await store.insert(version());
    await store.insert(version({ id: 'b', document: { sensitivity: 2, mode: 'block' } }));
    await store.insert(version({ id: 'c', document: { sensitivity: 3, mode: 'block' } }));
    const hashes = (await store.list()).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const [b, c, shop] = hashes.map(({ hash }) => hash);
    assert.equal(shop, b);
    assert.notEqual(shop, c);
  });

  it('refuses a version that was not made from the newest', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const store = createSqlPolicyStore((await fresh.open()).database);
    await store.insert(version());
    const wish = { ...version(), baseVersion: 1, endsCandidate: false };
    const outcomes = await Promise.all([store.append(wish), store.append(wish)]);
    assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['appended', 'stale']);
    assert.deepEqual(await store.append(wish), { kind: 'stale', version: 2 });
    assert.deepEqual(await store.append({ ...wish, id: 'gone' }), { kind: 'unknown' });
  });

  it('names the keys of a policy, and keeps a policy that has some', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { database } = await fresh.open();
    const store = createSqlPolicyStore(database);
    const keys = createSqlKeyStore(database);
    await store.insert(version());
    await store.insert(version({ id: 'default', name: 'Default' }));
    const bounds = { scopes: [], networks: [] };
    const key = {
      kind: 'live',
      digest: 'd',
      createdAt: 0,
      expiresAt: undefined,
      ...bounds,
    } as const;
    await keys.insert({ ...key, id: 'aaaaaaaa', name: 'a', policyId: 'shop' });
    await keys.insert({ ...key, id: 'bbbbbbbb', name: 'b', policyId: undefined });
    assert.deepEqual((await store.find('shop'))?.keys, [{ id: 'aaaaaaaa', name: 'a' }]);
    assert.deepEqual((await store.find('default'))?.keys, [{ id: 'bbbbbbbb', name: 'b' }]);
    assert.equal(await store.remove('shop'), 'in-use');
    await keys.revoke('aaaaaaaa', 1);
    assert.equal(await store.remove('shop'), 'removed');
    assert.equal(await store.remove('shop'), 'unknown');
    assert.equal(await store.versions('shop'), undefined);
  });

  it('keeps a candidate until it is dropped or promoted', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const store = createSqlPolicyStore((await fresh.open()).database);
    await store.insert(version());
    const candidate = { document: { mode: 'monitor' }, since: 1_700_000_000_001 };
    assert.equal(await store.setCandidate('gone', candidate), false);
    assert.equal(await store.setCandidate('shop', candidate), true);
    assert.deepEqual((await store.find('shop'))?.candidate, candidate);
    const wish = { ...version(), baseVersion: 1, endsCandidate: true };
    assert.deepEqual(await store.append(wish), { kind: 'appended' });
    assert.equal((await store.find('shop'))?.candidate, undefined);
    await store.setCandidate('shop', candidate);
    assert.equal(await store.setCandidate('shop', undefined), true);
    assert.equal((await store.find('shop'))?.candidate, undefined);
  });

  it('raises its revision with each change', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const store = createSqlPolicyStore((await fresh.open()).database);
    const seen = [await store.revision()];
    const acts = [
      () => store.insert(version()),
      () => store.append({ ...version(), baseVersion: 1, endsCandidate: false }),
      () => store.setCandidate('shop', { document: {}, since: 1 }),
      () => store.remove('shop'),
    ];
    for (const act of acts) {
      await act();
      seen.push(await store.revision());
    }
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(seen).size, seen.length);
  });
});
