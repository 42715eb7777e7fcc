import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { NewKey } from '../../src/access/key-store.ts';
import { PepperError } from '../../src/access/pepper.ts';
import { createSqlKeyStore } from '../../src/access/sql-key-store.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { until } from '../support/until.ts';

function newKey(id: string, parts: Partial<NewKey> = {}): NewKey {
  return {
    id,
    name: `key ${id}`,
    kind: 'live',
    policyId: undefined,
    digest: `digest of ${id}`,
    createdAt: 1_700_000_000_000,
    expiresAt: undefined,
    scopes: ['screen', 'forward'],
    networks: [],
    ...parts,
  };
}

describeOnEachDatabase('a key store', (make) => {
  it('keeps keys as they are', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const store = createSqlKeyStore((await fresh.open()).database);
    assert.deepEqual(await store.list(), []);
    await store.insert(newKey('aaaaaaaa', { expiresAt: 4_000_000_000_000, policyId: 'strict' }));
    await store.insert(newKey('bbbbbbbb', { createdAt: 1_800_000_000_000, kind: 'admin' }));
    const [first, second] = await store.list();
    assert.deepEqual(first, {
      id: 'aaaaaaaa',
      name: 'key aaaaaaaa',
      kind: 'live',
      createdAt: 1_700_000_000_000,
      expiresAt: 4_000_000_000_000,
      lastUsedAt: undefined,
      revokedAt: undefined,
      policyId: 'strict',
      scopes: ['screen', 'forward'],
      networks: [],
      lastClient: undefined,
      secrets: [
        { digest: 'digest of aaaaaaaa', createdAt: 1_700_000_000_000, sunsetAt: undefined },
      ],
    });
    assert.equal(second?.kind, 'admin');
    assert.deepEqual(await store.find('aaaaaaaa'), first);
    assert.equal(await store.find('cccccccc'), undefined);
    await assert.rejects(store.insert(newKey('aaaaaaaa')));
    assert.equal((await store.list()).length, 2);
  });

  it('changes, revokes and says when there was nothing to do', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const store = createSqlKeyStore((await fresh.open()).database);
    await store.insert(newKey('aaaaaaaa'));
    assert.equal(await store.change('aaaaaaaa', { name: 'new', policyId: 'strict' }), true);
    assert.equal(await store.change('cccccccc', { name: 'new' }), false);
    const bounds = { scopes: ['manage'], networks: ['10.0.0.0/8', '2001:db8::/32'] } as const;
    assert.equal(await store.change('aaaaaaaa', bounds), true);
    assert.equal(await store.revoke('aaaaaaaa', 5), true);
    assert.equal(await store.revoke('aaaaaaaa', 6), false);
    const key = await store.find('aaaaaaaa');
    assert.deepEqual([key?.name, key?.policyId, key?.revokedAt], ['new', 'strict', 5]);
    assert.deepEqual({ scopes: key?.scopes, networks: key?.networks }, bounds);
  });

  it('tells what changed after a revision, and nothing twice', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const store = createSqlKeyStore((await fresh.open()).database);
    await store.insert(newKey('aaaaaaaa'));
    await store.insert(newKey('bbbbbbbb'));
    const all = await store.changedSince(0);
    assert.equal(all.keys.length, 2);
    assert.equal(all.revision, await store.revision());
    assert.deepEqual(await store.changedSince(all.revision), { revision: all.revision, keys: [] });
    await store.change('bbbbbbbb', { name: 'new' });
    const changed = await store.changedSince(all.revision);
    assert.deepEqual(
      changed.keys.map(({ name }) => name),
      ['new'],
    );
    await store.recordUse(new Map([['aaaaaaaa', 77]]));
    await store.recordUse(new Map([['aaaaaaaa', 66]]));
    assert.equal((await store.find('aaaaaaaa'))?.lastUsedAt, 77);
    assert.equal(await store.revision(), changed.revision);
  });

  it('lets one of two rotations at once through', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const here = await fresh.open();
    // SQLite would wait for itself: two connections of one thread cannot take turns.
    const there = fresh.options.databaseUrl === undefined ? here : await fresh.open();
    const stores = [here, there].map(({ database }) => createSqlKeyStore(database));
    await stores[0]?.insert(newKey('aaaaaaaa'));
    const outcomes = await Promise.all(
      stores.map((store, index) =>
        store.rotate({ id: 'aaaaaaaa', digest: `new ${index}`, now: 10, sunsetAt: 20 }),
      ),
    );
    assert.deepEqual(outcomes.map(({ kind }) => kind).sort(), ['rotated', 'under-way']);
    assert.equal((await stores[0]?.find('aaaaaaaa'))?.secrets.length, 2);
  });

  it('refuses another pepper once there are keys', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const store = createSqlKeyStore((await fresh.open()).database);
    await store.bindPepper('one');
    await store.bindPepper('two');
    await store.insert(newKey('aaaaaaaa'));
    await store.bindPepper('two');
    await assert.rejects(store.bindPepper('one'), PepperError);
  });

  it('tells other nodes of a change where the database can', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const [here, there] = [await fresh.open(), await fresh.open()];
    const topics: (string | undefined)[] = [];
    there.feed.onChange((topic) => topics.push(topic));
    if (fresh.options.databaseUrl === undefined) {
      assert.equal(there.feed.isLive(), false);
      return;
    }
    await until('the feed is live', () => there.feed.isLive());
    await createSqlKeyStore(here.database).insert(newKey('aaaaaaaa'));
    await until('the change is told', () => topics.includes('keys'));
  });
});
