import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { LocalRevocations } from '../../src/access/local-revocations.ts';
import { startRevocationWatch } from '../../src/access/revocation-watch.ts';
import { createSqlAuditStore } from '../../src/access/sql-audit-store.ts';
import { closeDatabase, openDatabase } from '../../src/storage/database.ts';
import { makeReserve } from '../../src/storage/reserve.ts';
import { StorageError } from '../../src/storage/storage-error.ts';
import { smallDisk } from '../support/small-disk.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';
import { addKey, keepLog, openKeys, startCache } from './key-fixture.ts';

const pepper = Buffer.alloc(32, 'p');

test('revocations are read by all who have the pepper, and are empty files', async () => {
  const dataDir = tempDir();
  const local = new LocalRevocations({ dataDir, pepper });
  assert.equal((await local.read()).size, 0);
  await local.add('abcdEF12', 1_700_000_000_000);
  await local.add('abcdEF12', 1_600_000_000_000);
  await local.add('ABCDef12', 5);
  const expected = new Map([
    ['ABCDef12', 5],
    ['abcdEF12', 1_600_000_000_000],
  ]);
  const again = new LocalRevocations({ dataDir, pepper });
  assert.deepEqual(new Map([...(await again.read())].toSorted()), expected);
  await again.remove('abcdEF12');
  assert.deepEqual([...(await local.read()).keys()], ['ABCDef12']);

  const stranger = new LocalRevocations({ dataDir, pepper: Buffer.alloc(32, 'x') });
  assert.equal((await stranger.read()).size, 0, 'another pepper proves nothing');
  const [name = ''] = readdirSync(join(dataDir, 'revocations'));
  for (const forged of [name.replace('ABCD', 'ABCE'), 'ABCDef12-5-', 'note.txt', `${name}0`]) {
    writeFileSync(join(dataDir, 'revocations', forged), '');
  }
  assert.deepEqual([...(await local.read()).keys()], ['ABCDef12']);
});

test('where not one file more fits, the reserve makes room for a revocation', async (t) => {
  const disk = smallDisk(t, 40);
  if (disk === undefined) return;
  const dataDir = disk.folder;
  const local = new LocalRevocations({ dataDir, pepper });
  await local.prepare();
  await makeReserve(dataDir);
  const fill = () => {
    for (let count = 0; count < 40; count += 1) writeFileSync(join(dataDir, `${count}`), '');
  };
  assert.throws(fill, { code: 'ENOSPC' });
  await local.add('abcdEF12', 5);
  assert.deepEqual([...(await local.read())], [['abcdEF12', 5]]);
  assert.ok(!existsSync(join(dataDir, 'reserve')));
  await assert.rejects(local.add('ABCDef12', 5), { code: 'ENOSPC' }, 'there is no second reserve');
});

test('a key is refused at once, stored when the database takes it, and then forgotten', async (t) => {
  const keys = await openKeys(t);
  const { dataDir } = keys;
  const { id, key } = await addKey(keys);
  const { key: other } = await addKey(keys);
  const cache = await startCache(t, keys);
  const local = new LocalRevocations({ dataDir, pepper: keys.pepper });
  const opened = await openDatabase({ dataDir, busyTimeoutMs: 2_000 });
  t.after(() => closeDatabase(opened));
  const audit = createSqlAuditStore(opened.database);
  let isFull = true;
  let saves = 0;
  const watch = await startRevocationWatch({
    dataDir,
    local,
    keys: cache,
    store: {
      revoke: async (...given) => {
        if (isFull) throw new StorageError('full');
        return keys.store.revoke(...given);
      },
    },
    audit,
    save: async () => ++saves > 1,
    log: keepLog(),
  });
  t.after(() => watch.close());
  assert.ok(cache.verify(key));
  await local.add(id, 1_000);
  await until('the key is refused', () => cache.verify(key) === undefined);
  assert.ok(cache.verify(other));
  assert.equal((await keys.store.find(id))?.revokedAt, undefined);
  // What is read from the store later does not bring it back.
  await keys.store.change(id, { name: 'renamed' });
  await cache.refresh();
  assert.equal(cache.nameOf(id), 'renamed');
  assert.equal(cache.verify(key), undefined);

  isFull = false;
  await until('it is stored', async () => (await keys.store.find(id))?.revokedAt === 1_000);
  assert.equal((await local.read()).size, 1, 'kept until a snapshot knows');
  await until('it is forgotten', async () => (await local.read()).size === 0);
  assert.equal(saves, 2);
  const acts = (await audit.list({ limit: 10 })).entries;
  assert.deepEqual(
    acts.map(({ action, target }) => [action, target]),
    [['key.revoke', id]],
  );
  assert.equal(cache.verify(key), undefined);
});

test('a folder that cannot be read is reported once, and obeyed as soon as it can be', async (t) => {
  const keys = await openKeys(t);
  const { dataDir } = keys;
  const { id, key } = await addKey(keys);
  const cache = await startCache(t, keys);
  const local = new LocalRevocations({ dataDir, pepper: keys.pepper });
  const log = keepLog();
  // A file in its place.
  writeFileSync(join(dataDir, 'revocations'), '');
  const watch = await startRevocationWatch({
    dataDir,
    local,
    keys: cache,
    store: keys.store,
    audit: { append: async () => undefined },
    save: async () => false,
    log,
  });
  t.after(() => watch.close());
  await watch.refresh();
  const unread = log.told.filter(({ message }) => message === 'local revocations cannot be read');
  assert.equal(unread.length, 1);
  assert.match(String(unread[0]?.['err']), /revocations cannot be read \(ENOTDIR\): give the user/);
  assert.ok(cache.verify(key));
  rmSync(join(dataDir, 'revocations'));
  await local.add(id, 1_000);
  await watch.refresh();
  assert.equal(cache.verify(key), undefined);
  assert.ok(log.lines.some(({ message }) => message === 'local revocations can be read again'));
});
