import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { test } from 'node:test';
import type { KeyRecord } from '../src/access/key-store.ts';
import type { AddressEntry } from '../src/contract/address-list.ts';
import { readLastGood, snapshotPath, startSnapshots } from '../src/last-good.ts';
import { keepLog } from './access/key-fixture.ts';
import { tempDir } from './support/temp-dir.ts';

const listed: AddressEntry = {
  id: 'e1',
  network: '203.0.113.0/24',
  action: 'deny',
  policyId: undefined,
  reason: 'scans',
  author: 'ada',
  createdAt: 1,
  expiresAt: 2,
};

test('a start notes what was revoked since a snapshot that it cannot replace', async (t) => {
  const place = { dataDir: tempDir(), pepper: Buffer.alloc(32, 'p'), database: 'SQLite' };
  const noted: (readonly [string, number])[] = [];
  const start = async (time: number, records: readonly Partial<KeyRecord>[]) => {
    const source = { isOfStore: () => true, isReady: () => true, onChange: () => undefined };
    const snapshots = startSnapshots({
      ...place,
      keys: { ...source, records: () => records as readonly KeyRecord[] },
      policies: { ...source, rows: () => [] },
      addresses: { onChange: () => undefined, rows: () => [listed] },
      savedAt: undefined,
      noteRevoked: async (...given) => void noted.push(given),
      log: keepLog(),
      clock: () => time,
    });
    t.after(() => snapshots.close());
    const isSaved = await snapshots.save();
    return { isSaved, savedAt: snapshots.savedAt() };
  };
  const bounds = { scopes: ['forward'], networks: ['10.0.0.0/8'] } as const;
  const keyOf = (id: string, revokedAt?: number) => ({ id, secrets: [], revokedAt, ...bounds });
  const first = await start(10, [keyOf('live'), keyOf('doomed'), keyOf('revoked', 5)]);
  assert.deepEqual(first, { isSaved: true, savedAt: 10 });
  const found = readLastGood(place);
  const kept = found.kind === 'found' ? found.lastGood.addresses : [];
  assert.deepEqual(
    kept.map(({ network, expiresAt }) => [network, expiresAt]),
    [['203.0.113.0/24', 2]],
  );
  for (const key of found.kind === 'found' ? found.lastGood.keys : []) {
    assert.deepEqual({ scopes: key.scopes, networks: key.networks }, bounds);
  }
  // A folder in the place of the new file.
  mkdirSync(`${snapshotPath(place.dataDir)}.${process.pid}.partial`);
  const second = await start(20, [keyOf('live'), keyOf('doomed', 15), keyOf('revoked', 5)]);
  assert.deepEqual(second, { isSaved: false, savedAt: 10 });
  assert.deepEqual(new Map(noted), new Map([['doomed', 15]]));
  // A key with narrower bounds: a start from the old snapshot would let it do more than it may.
  const narrow = { ...keyOf('live'), networks: ['10.1.0.0/16'] };
  const third = await start(30, [narrow, keyOf('doomed', 15), keyOf('revoked', 5)]);
  assert.deepEqual(third, { isSaved: false, savedAt: undefined });
  assert.equal(readLastGood(place).kind, 'none');
});
