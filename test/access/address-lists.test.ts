import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import { it, test } from 'node:test';
import fc from 'fast-check';
import { startAddressCache } from '../../src/access/address-cache.ts';
import { createAddressDirectory } from '../../src/access/address-directory.ts';
import { createSqlAddressStore } from '../../src/access/address-store.ts';
import { AddressTables } from '../../src/access/address-tables.ts';
import { networkOf } from '../../src/contract/address.ts';
import type { AddressEntry } from '../../src/contract/address-list.ts';
import { limits } from '../../src/contract/limits.ts';
import { noFeed } from '../../src/storage/change-feed.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { until } from '../support/until.ts';
import { keepLog } from './key-fixture.ts';

const entry = (network: string, rest: Partial<AddressEntry> = {}): AddressEntry => ({
  id: network,
  network,
  action: 'deny',
  policyId: undefined,
  reason: 'scans',
  author: 'ada',
  createdAt: 1,
  expiresAt: undefined,
  ...rest,
});

test('the longest prefix counts, and of the same network that of the policy', () => {
  const tables = new AddressTables([
    entry('10.0.0.0/8'),
    entry('10.1.0.0/16', { action: 'allow' }),
    entry('10.1.2.3'),
    entry('10.1.2.3', { id: 'own', policyId: 'shop', action: 'allow' }),
    entry('2001:db8::/32', { policyId: 'shop' }),
    entry('255.255.255.255'),
  ]);
  const found = (address: string, policy = 'default') => tables.match(address, policy)?.id;
  assert.equal(found('10.0.0.1'), '10.0.0.0/8');
  assert.equal(found('10.1.0.1'), '10.1.0.0/16');
  assert.equal(found('10.1.255.255'), '10.1.0.0/16');
  assert.equal(found('10.2.0.0'), '10.0.0.0/8');
  assert.equal(found('10.1.2.3'), '10.1.2.3');
  assert.equal(found('10.1.2.3', 'shop'), 'own');
  assert.equal(found('::ffff:10.1.2.3'), '10.1.2.3');
  assert.equal(found('2001:db8:ffff::1', 'shop'), '2001:db8::/32');
  for (const none of [
    '2001:db8::1',
    '9.255.255.255',
    '11.0.0.0',
    '',
    'unknown',
    '255.255.255.254',
  ]) {
    assert.equal(found(none), undefined, none);
  }
  assert.equal(found('255.255.255.255'), '255.255.255.255');
});

test('any networks are found as Node finds them', () => {
  const near = fc.integer({ min: 0, max: 0x3ff }).map((low) => 0x0a000000 + low);
  const nets = fc.array(fc.tuple(near, fc.integer({ min: 22, max: 32 })), { maxLength: 30 });
  const dotted = (address: number) => [24, 16, 8, 0].map((by) => (address >>> by) & 255).join('.');
  fc.assert(
    fc.property(nets, near, (list, address) => {
      const blockList = new BlockList();
      const entries = list.map(([start, bits]) => {
        const first = (start & (0xffff_ffff << (32 - bits))) >>> 0;
        blockList.addSubnet(dotted(first), bits);
        const network = networkOf(`${dotted(first)}/${bits}`);
        assert.ok('text' in network);
        return entry(network.text);
      });
      const found = new AddressTables(entries).match(dotted(address), 'default');
      assert.equal(found !== undefined, blockList.check(dotted(address)));
    }),
  );
});

describeOnEachDatabase('address lists', (make) => {
  it('are shared by nodes within a second, replaced, expired, bounded and removed', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    let now = 1_000_000;
    const clock = () => now;
    const node = async () => {
      const { database } = await fresh.open();
      const store = createSqlAddressStore(database);
      const cache = await startAddressCache({ store, feed: noFeed, log: keepLog(), clock });
      t.after(() => cache.close());
      const hasPolicy = async (id: string) => id === 'shop';
      const onChange = () => cache.refresh();
      return { cache, lists: createAddressDirectory({ store, hasPolicy, clock, onChange }) };
    };
    const [one, other] = [await node(), await node()];
    assert.equal(one.cache.isEmpty(), true);
    const deny = {
      networks: ['203.0.113.0/24', ' 203.0.113.0/24'],
      action: 'deny',
      reason: 'scans',
    } as const;
    const done = await one.lists.add({ ...deny, expiresAt: now + 60_000 }, 'ada');
    assert.equal(done.kind === 'done' && done.entries.length, 1, 'the same network once');
    assert.equal(one.cache.match('203.0.113.9', 'x')?.author, 'ada');
    await until(
      'the other node denies it',
      () => other.cache.match('203.0.113.9', 'x') !== undefined,
    );

    await other.lists.add({ ...deny, action: 'allow', expiresAt: now + 60_000 }, 'eve');
    assert.deepEqual(
      (await one.lists.list()).map(({ action }) => action),
      ['allow'],
      'replaced',
    );
    await until(
      'the first allows it',
      () => one.cache.match('203.0.113.9', 'x')?.action === 'allow',
    );
    now += 60_001;
    await until('it is over', () => one.cache.isEmpty());
    assert.equal((await one.lists.list()).length, 1, 'still shown');
    now += 8 * 86_400_000;
    assert.equal((await one.lists.list()).length, 0, 'not for ever');

    const wrong = await one.lists.add(
      { ...deny, networks: ['10.0.0.1/8', '0.0.0.0/0', 'x'] },
      'ada',
    );
    assert.ok(wrong.kind === 'not-valid');
    assert.deepEqual(
      wrong.problems.map(({ pointer }) => pointer),
      ['/networks/0', '/networks/1', '/networks/2'],
    );
    assert.equal((await one.lists.add({ ...deny, policyId: 'gone' }, 'ada')).kind, 'no-policy');
    assert.equal((await one.lists.add({ ...deny, expiresAt: now }, 'ada')).kind, 'not-valid');

    const many = Array.from(
      { length: limits.addressEntriesMax },
      (_, i) => `10.${i >>> 8}.${i & 255}.0/24`,
    );
    assert.equal((await one.lists.add({ ...deny, networks: many }, 'ada')).kind, 'done');
    assert.equal((await one.lists.add({ ...deny, networks: ['192.0.2.1'] }, 'ada')).kind, 'full');
    assert.equal(one.cache.size(), limits.addressEntriesMax, 'nothing of it was stored');
    const first = one.cache.match('10.0.0.1', 'x');
    assert.equal((await one.lists.remove(first?.id ?? ''))?.network, '10.0.0.0/24');
    assert.equal(await one.lists.remove(first?.id ?? ''), undefined);
    assert.equal(one.cache.match('10.0.0.1', 'x'), undefined);
  });
});
