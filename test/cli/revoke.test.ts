import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createSqlKeyStore } from '../../src/access/sql-key-store.ts';
import { snapshotPath } from '../../src/last-good.ts';
import {
  closeDatabase,
  type DatabaseOptions,
  databasePath,
  openDatabase,
} from '../../src/storage/database.ts';
import { type ApiServer, startApi } from '../http/api/api-server.ts';
import { boundByModes } from '../support/bound-root.ts';
import { runCli } from '../support/cli.ts';
import { lockDatabase } from '../support/lock-holder.ts';
import { freshPostgres, restartPostgres, stopPostgres } from '../support/postgres.ts';
import { smallDisk } from '../support/small-disk.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

/** A running server with two keys. */
async function startWithKeys(t: TestContext, place: { dataDir: string; databaseUrl?: string }) {
  const api = await startApi(t, place);
  await api.setUp();
  const [key, other] = [await api.newKey('shop'), await api.newKey('till')];
  return { api, key, other };
}

function revoke(dataDir: string, id: string, options: Partial<Parameters<typeof runCli>[1]> = {}) {
  return runCli(['keys', 'revoke', id, '--data-dir', dataDir], { cwd: dataDir, ...options });
}

async function untilRefused(api: ApiServer, secret: string): Promise<void> {
  await until('the key is refused', async () => {
    return (await api.screen(secret, { q: 'benign' })).status === 401;
  });
}

async function untilStored(
  t: TestContext,
  options: Omit<DatabaseOptions, 'busyTimeoutMs'>,
  id: string,
) {
  const opened = await openDatabase({ busyTimeoutMs: 2_000, ...options });
  t.after(() => closeDatabase(opened));
  const store = createSqlKeyStore(opened.database);
  await until('the revocation is stored', async () => {
    return (await store.find(id))?.revokedAt !== undefined;
  });
}

test('a key is revoked while another process locks the database', async (t) => {
  const dataDir = tempDir();
  const { api, key, other } = await startWithKeys(t, { dataDir });
  // The lock of a second process cannot be had while the server reads.
  await api.running.stop();
  const letGo = await lockDatabase(t, databasePath(dataDir));
  const again = await startApi(t, { dataDir });
  assert.equal((await again.screen(key.secret, { q: 'benign' })).status, 200);
  const { code, err } = await revoke(dataDir, key.id);
  assert.equal(code, 0, err);
  assert.match(err, new RegExp(`^Key ${key.id} \\(shop\\) is revoked on this machine: `));
  assert.match(err, /not in the database yet: Another process holds the database/);
  await untilRefused(again, key.secret);
  assert.equal((await again.screen(other.secret, { q: 'benign' })).status, 200);
  const missing = await revoke(dataDir, 'unknown0');
  assert.match(missing.err, /No key had this id at \d{4}-.*: check the id\./);
  await letGo();
  await untilStored(t, { dataDir }, key.id);
  await until(
    'nothing waits any more',
    () => readdirSync(join(dataDir, 'revocations')).length === 0,
  );
  await untilRefused(again, key.secret);
});

test('a key is revoked on a full disk: the reserve makes room', async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return;
  const dataDir = join(disk.folder, 'd');
  const { api, key, other } = await startWithKeys(t, { dataDir });
  const reserve = join(dataDir, 'reserve');
  await until('the reserve is made', () => existsSync(reserve));
  disk.fill();
  const stored = await revoke(dataDir, key.id, { cwd: disk.folder });
  assert.deepEqual([stored.code, stored.err], [0, `Key ${key.id} is revoked.\n`]);
  assert.ok(!existsSync(reserve));
  await untilRefused(api, key.secret);

  // Without a reserve the machine remembers, on a disk that takes no byte.
  disk.fill();
  const { code, err } = await revoke(dataDir, other.id, { cwd: disk.folder });
  assert.equal(code, 0, err);
  assert.match(err, /is revoked on this machine/);
  assert.match(err, /the disk is full; free some space/);
  await untilRefused(api, other.secret);
  disk.free();
  await untilStored(t, { dataDir }, other.id);
});

test('a key is revoked on a machine that cannot reach PostgreSQL', async (t) => {
  const databaseUrl = await freshPostgres(t);
  if (databaseUrl === undefined) return;
  const dataDir = tempDir();
  const { api, key, other } = await startWithKeys(t, { dataDir, databaseUrl });
  const snapshot = () => readFileSync(snapshotPath(dataDir), 'utf8');
  await until('the key is in the snapshot', () => snapshot().includes(key.id));
  await stopPostgres();
  const environment = { SALLYPORT_DATABASE_URL: databaseUrl };
  const { code, err } = await revoke(dataDir, key.id, { environment });
  assert.equal(code, 1, 'other machines accept it still');
  assert.match(err, /\(shop\) is revoked on this machine/);
  assert.match(err, /other machines accept the key: run this command there as well/);
  assert.ok(!err.includes('hush-hush'));
  await untilRefused(api, key.secret);
  assert.equal((await api.screen(other.secret, { q: 'benign' })).status, 200);
  await restartPostgres();
  await untilStored(t, { dataDir, databaseUrl }, key.id);
});

test('where nothing can be written, the advice is to ask the server', async (t) => {
  const prefix = boundByModes(t);
  if (prefix === undefined) return;
  const dataDir = tempDir();
  const { api, key } = await startWithKeys(t, { dataDir });
  await api.running.stop();
  rmSync(join(dataDir, 'revocations'), { recursive: true });
  chmodSync(databasePath(dataDir), 0o400);
  chmodSync(dataDir, 0o500);
  const { code, err } = await revoke(dataDir, key.id, { prefix });
  assert.equal(code, 1);
  assert.match(err, new RegExp(`key ${key.id} is still accepted.*POST /api/keys/${key.id}/revoke`));
  chmodSync(dataDir, 0o700);
});
