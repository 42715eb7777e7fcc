import assert from 'node:assert/strict';
import { it, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { issueKey } from '../../src/access/issue-key.ts';
import { boundsOf, readScopes } from '../../src/access/key-bounds.ts';
import { CountingTally, KeySeriesTable } from '../../src/access/key-tally.ts';
import { type CountedUse, startKeyUsage } from '../../src/access/key-usage.ts';
import { createSqlKeyStore } from '../../src/access/sql-key-store.ts';
import { admitsAddress, networksFrom } from '../../src/contract/key-bounds.ts';
import { limits } from '../../src/contract/limits.ts';
import { answers } from '../../src/contract/live.ts';
import { describeOnEachDatabase } from '../support/databases.ts';
import { keepLog, openKeys, startCache } from './key-fixture.ts';

const hour = 3_600_000;

test('networks of a key let their addresses pass, and those that cannot be read none', () => {
  const from = (networks: readonly string[], address: string) =>
    admitsAddress(boundsOf({ kind: 'live', scopes: ['screen'], networks }), address);
  assert.equal(from([], '203.0.113.7'), true);
  assert.equal(from([], ''), true);
  const both = ['10.0.0.0/8', '2001:db8::/32'];
  for (const inside of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::1']) {
    assert.equal(from(both, inside), true, inside);
  }
  for (const outside of ['11.0.0.1', '2001:db9::1', '', 'unix', 'x']) {
    assert.equal(from(both, outside), false, outside);
  }
  assert.equal(from(['what a later version may write'], '10.1.2.3'), false);
});

test('words that are no scope allow nothing, and an administrator key has none', () => {
  assert.deepEqual(readScopes('screen,fly'), ['screen']);
  const none = { screen: false, forward: false, manage: false, networks: undefined };
  assert.deepEqual(boundsOf({ kind: 'live', scopes: readScopes(''), networks: [] }), none);
  assert.deepEqual(boundsOf({ kind: 'admin', scopes: ['manage'], networks: [] }), none);
});

test('networks are written in one form, once each, and faults are named by their place', () => {
  const given = ['10.0.0.0/8', '2001:DB8:0::/32', '10.0.0.0/8'];
  assert.deepEqual(networksFrom(given), { networks: ['10.0.0.0/8', '2001:db8::/32'] });
  const wrong = networksFrom(['10.0.0.1', '10.0.0.1/8', 'x']);
  const at = 'problems' in wrong ? wrong.problems.map(({ index }) => index) : [];
  assert.deepEqual(at, [1, 2]);
});

test('a key manages by its scope and kind, from its networks only', async (t) => {
  const keys = await openKeys(t);
  const make = (wish: Partial<Parameters<typeof issueKey>[1]>) =>
    issueKey(keys, { name: 'app', now: 0, expiresAt: undefined, ...wish });
  const plain = await make({});
  const editor = await make({ scopes: ['manage'], networks: ['192.0.2.0/24'] });
  const admin = await make({ kind: 'admin', name: 'ops', networks: ['192.0.2.7'] });
  const log = keepLog();
  const cache = await startCache(t, { ...keys, log });
  assert.equal(cache.managerOf(plain.key, '192.0.2.7'), undefined);
  const asEditor = { keyId: editor.id, name: 'app', role: 'editor' };
  assert.deepEqual(cache.managerOf(editor.key, '192.0.2.7'), asEditor);
  const asAdmin = { keyId: admin.id, name: 'ops', role: 'administrator' };
  assert.deepEqual(cache.managerOf(admin.key, '192.0.2.7'), asAdmin);
  for (const elsewhere of ['192.0.3.1', '', '2001:db8::1']) {
    assert.equal(cache.managerOf(editor.key, elsewhere), undefined);
    assert.equal(cache.managerOf(admin.key, elsewhere), undefined);
  }
  const strays = log.told.filter(({ message }) => /outside of its networks/.test(String(message)));
  assert.deepEqual(
    strays.map(({ keyId, address }) => [keyId, address]),
    [
      [editor.id, '192.0.3.1'],
      [admin.id, '192.0.3.1'],
    ],
    'once a minute for each key',
  );
});

test('a bounded number of keys have series of their own', () => {
  const table = new KeySeriesTable();
  const tallies = Array.from({ length: limits.keySeriesMax + 3 }, (_, at) => {
    const tally = new CountingTally(`key${at}`, table);
    tally.under('default');
    return tally;
  });
  assert.equal([...table.own()].length, 0, 'none before the first request');
  for (const tally of tallies) tally.answered(answers.block);
  assert.equal([...table.own()].length, limits.keySeriesMax);
  assert.equal(table.rest.counts[answers.block], 3);
  tallies[0]?.under('strict');
  tallies[0]?.answered(answers.allow);
  assert.equal(table.rest.counts[answers.allow], 1, 'another policy is another series');
  assert.deepEqual(tallies[0]?.take(), {
    requests: 2,
    blocks: 1,
    wouldBlocks: 0,
    errors: 0,
    client: undefined,
  });
  assert.equal(tallies[0]?.take(), undefined);
});

test('the address of a client is asked for now and then', () => {
  const tally = new CountingTally('key', new KeySeriesTable());
  const asked = [0, 1, 4_999, 5_000, 5_001, 9_999, 10_000].filter((now) => {
    tally.now = now;
    return tally.admitted();
  });
  assert.deepEqual(asked, [0, 5_000, 10_000]);
});

describeOnEachDatabase('the use of keys', (make) => {
  it('is added up by the hour, over nodes and outages, and kept for a bounded time', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    let now = 5_000 * 24 * hour;
    const use = (keyId: string, requests: number, client?: string): CountedUse => ({
      keyId,
      requests,
      blocks: 1,
      wouldBlocks: 0,
      errors: 0,
      client,
    });
    const node = async () => {
      const { database } = await fresh.open();
      const counted: CountedUse[] = [];
      const take = () => counted.splice(0);
      const usage = startKeyUsage({ database, take, log: keepLog(), clock: () => now });
      t.after(() => usage.close());
      return { counted, usage, database };
    };
    const [one, other] = [await node(), await node()];
    await createSqlKeyStore(one.database).insert({
      id: 'aaaaaaaa',
      name: 'shop',
      kind: 'live',
      policyId: undefined,
      scopes: ['screen'],
      networks: [],
      digest: 'd',
      createdAt: 0,
      expiresAt: undefined,
    });
    one.counted.push(use('aaaaaaaa', 3, '192.0.2.1'), use('bbbbbbbb', 9));
    other.counted.push(use('aaaaaaaa', 4, '192.0.2.2'));
    await Promise.all([one.usage.flush(), other.usage.flush()]);
    now += hour;
    one.counted.push(use('aaaaaaaa', 5));
    const span = { from: now - hour, to: now + hour };
    const hours = await one.usage.hours('aaaaaaaa', span);
    assert.deepEqual(
      hours.map(({ from, requests, blocks }) => [from, requests, blocks]),
      [
        [now - hour, 7, 2],
        [now, 5, 1],
      ],
    );
    const key = await createSqlKeyStore(one.database).find('aaaaaaaa');
    assert.match(key?.lastClient ?? '', /^192\.0\.2\.[12]$/);

    now += (limits.keyUsageDays - 1) * 24 * hour;
    await one.usage.prune();
    assert.equal((await one.usage.hours('aaaaaaaa', { from: 0, to: now })).length, 2);
    now += 24 * hour;
    await one.usage.prune();
    const left = await one.usage.hours('aaaaaaaa', { from: 0, to: now });
    assert.deepEqual(
      left.map(({ requests }) => requests),
      [],
    );
  });

  it('is kept in a bounded number of rows, the newest, from soon after the start on', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { database } = await fresh.open();
    const now = 5_000 * 24 * hour;
    const newest = now / hour;
    const row = { requests: 1, blocks: 0, would_blocks: 0, errors: 0 };
    const rows = Array.from({ length: 60 }, (_, at) => ({
      key_id: at % 2 === 0 ? 'aaaaaaaa' : 'bbbbbbbb',
      hour: newest - Math.floor(at / 2),
      ...row,
    }));
    await database.insertInto('key_usage').values(rows).execute();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const parts = { take: () => [], log: keepLog(), clock: () => now, rowsMax: 7 };
    const usage = startKeyUsage({ database, ...parts });
    t.after(() => usage.close());
    const hours = async () => {
      const left = await database.selectFrom('key_usage').select('hour').orderBy('hour').execute();
      return left.map((one) => newest - Number(one.hour));
    };
    t.mock.timers.tick(10_000);
    while ((await hours()).length > 7) await nextTurn();
    assert.deepEqual(await hours(), [2, 2, 1, 1, 0, 0], 'an hour goes as a whole');
  });

  it('waits for the database in a bounded number of rows', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { database } = await fresh.open();
    const one = { requests: 2, blocks: 0, wouldBlocks: 0, errors: 0, client: undefined };
    const counted = ['aaaaaaaa', 'bbbbbbbb', 'aaaaaaaa', 'cccccccc', 'bbbbbbbb'];
    const take = () => counted.splice(0).map((keyId) => ({ keyId, ...one }));
    const parts = { take, log: keepLog(), clock: () => hour, waitingMax: 2 };
    const usage = startKeyUsage({ database, ...parts });
    t.after(() => usage.close());
    await usage.flush();
    const rows = database.selectFrom('key_usage').select(['key_id', 'requests']).orderBy('key_id');
    assert.deepEqual(
      (await rows.execute()).map((row) => [row.key_id, Number(row.requests)]),
      [
        ['aaaaaaaa', 4],
        ['bbbbbbbb', 4],
      ],
    );
  });

  it('is stored later when it could not be stored, once', async (t) => {
    const fresh = await make(t);
    if (fresh === undefined) return;
    const { database } = await fresh.open();
    const counted: CountedUse[] = [];
    const log = keepLog();
    const take = () => counted.splice(0);
    const usage = startKeyUsage({ database, take, log, clock: () => hour });
    t.after(() => usage.close());
    await database.schema.alterTable('key_usage').renameTo('away').execute();
    const one = { requests: 2, blocks: 0, wouldBlocks: 0, errors: 1, client: undefined };
    for (let flush = 0; flush < 3; flush += 1) {
      counted.push({ keyId: 'aaaaaaaa', ...one });
      await usage.flush();
    }
    assert.equal(log.lines.filter(({ level }) => level === 'warn').length, 1);
    await database.schema.alterTable('away').renameTo('key_usage').execute();
    const [found] = await usage.hours('aaaaaaaa', { from: 0, to: 2 * hour });
    assert.deepEqual([found?.requests, found?.errors], [6, 3]);
    await usage.flush();
    assert.equal((await usage.hours('aaaaaaaa', { from: 0, to: 2 * hour }))[0]?.requests, 6);
  });
});
