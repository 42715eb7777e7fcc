import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createSqlKeyStore } from '../../src/access/sql-key-store.ts';
import { defaultConfig } from '../../src/config/defaults.ts';
import { snapshotPath } from '../../src/last-good.ts';
import { startSallyport } from '../../src/main.ts';
import { closeDatabase, databasePath, openDatabase } from '../../src/storage/database.ts';
import { keepLog } from '../access/key-fixture.ts';
import { type ApiServer, startApi } from '../http/api/api-server.ts';
import { boundByModes } from '../support/bound-root.ts';
import { runCli } from '../support/cli.ts';
import { lockDatabase } from '../support/lock-holder.ts';
import { freshPostgres, restartPostgres, stopPostgres } from '../support/postgres.ts';
import { startServing } from '../support/serve.ts';
import { smallDisk } from '../support/small-disk.ts';
import { tempDir } from '../support/temp-dir.ts';
import { until } from '../support/until.ts';

const benign = { q: 'a book about gardens' };
const injection = { q: "' OR 1=1 --" };

async function readyz(address: string) {
  const answer = await fetch(`${address}/readyz`);
  const state = (await answer.json()) as Readonly<Record<string, unknown>>;
  return { status: answer.status, degraded: state['degraded'], snapshot: state['snapshot'] };
}

/** The statuses of a benign request and of an attack. */
async function statuses(address: string, key: string): Promise<readonly number[]> {
  const send = async (body: object) => {
    const answer = await fetch(`${address}/control`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify(body),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  return [await send(benign), await send(injection)];
}

async function untilOfStore(address: string): Promise<void> {
  await until('the database is in force again', async () => {
    const { degraded, snapshot } = await readyz(address);
    const { inForce } = snapshot as { readonly inForce: boolean };
    return !inForce && Array.isArray(degraded) && degraded.length === 0;
  });
}

/** Keys and a policy that an outage must not change. */
async function addKeys(api: ApiServer) {
  await api.setUp();
  const live = await api.newKey('live');
  const doomed = await api.newKey('doomed');
  const revoked = await api.newKey('revoked');
  await api.call(`/api/keys/${revoked.id}/revoke`, { method: 'POST' });
  const document = { mode: 'monitor' };
  const made = await api.call('/api/policies', { body: { name: 'watch', document } });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const body = { name: 'watched', policyId: made.body.policy.id };
  const watched = (await api.call('/api/keys', { body })).body.secret as string;
  const expiresAt = Date.now() + 2_000;
  const expiring = (
    await api.call('/api/keys', {
      body: { name: 'expiring', expiresAt: new Date(expiresAt).toISOString() },
    })
  ).body.secret as string;
  const make = async (wish: object) =>
    (await api.call('/api/keys', { body: { name: 'bound', ...wish } })).body.secret as string;
  const elsewhere = await make({ networks: ['192.0.2.0/24'] });
  const forwards = await make({ scopes: ['forward'], networks: ['127.0.0.1'] });
  const admin = (await api.call('/api/keys', { body: { name: 'ops', kind: 'admin' } })).body.secret;
  await until('a key expires', () => Date.now() > expiresAt);
  const bound = { elsewhere, forwards };
  return {
    live,
    doomed,
    revoked,
    watched,
    expiring,
    bound,
    admin: { 'x-api-key': admin as string },
  };
}

test('a node starts while PostgreSQL is unavailable, and changes over by itself', async (t) => {
  const databaseUrl = await freshPostgres(t);
  if (databaseUrl === undefined) return;
  const dataDir = tempDir();
  const first = await startApi(t, { databaseUrl, dataDir });
  const { live, doomed, revoked, watched, expiring, bound, admin } = await addKeys(first);
  await first.running.stop();
  await stopPostgres();

  const second = await startApi(t, { databaseUrl, dataDir });
  const address = second.origin;
  assert.ok(second.running.lastGoodOf !== undefined);
  assert.equal(second.running.setUpToken, undefined);
  const said = second.log.lines.filter(({ level }) => level === 'error');
  assert.match(said[0]?.message ?? '', /starting with the last good snapshot/);
  assert.deepEqual(await statuses(address, live.secret), [200, 403]);
  assert.deepEqual(await statuses(address, watched), [200, 200], 'its policy is in force');
  assert.deepEqual(await statuses(address, revoked.secret), [401, 401]);
  // The database may know of another expiry: the caller is to try again.
  assert.deepEqual(await statuses(address, expiring), [503, 503]);
  assert.deepEqual(await statuses(address, bound.elsewhere), [503, 503], 'as an unknown key');
  assert.deepEqual(await statuses(address, bound.forwards), [401, 401], 'its scopes are in force');
  const { status, degraded, snapshot } = await readyz(address);
  assert.equal(status, 200);
  // The check of the database itself comes a moment later.
  const parts = (degraded as readonly string[]).filter((part) => part !== 'database');
  assert.deepEqual(parts, ['keys', 'policies']);
  assert.equal((snapshot as { readonly inForce: boolean }).inForce, true);
  const metrics = await (await fetch(`${address}/metrics`)).text();
  assert.match(metrics, /^sallyport_snapshot_in_force 1$/m);
  assert.match(metrics, /^sallyport_snapshot_age_seconds \d+$/m);
  for (const path of ['/api/keys', '/api/events']) {
    const refused = await second.call(path, { headers: admin });
    assert.equal(refused.status, 503, path);
    assert.match(refused.body.type, /storage-not-available$/);
  }

  const revoking = `/api/keys/${doomed.id}/revoke`;
  const refused = await second.call(revoking, { method: 'POST', headers: admin });
  assert.equal(refused.status, 503);
  assert.match(refused.body.detail, /refused on this machine from now on/);
  assert.deepEqual(await statuses(address, doomed.secret), [401, 401]);
  await second.running.stop();

  const third = await startApi(t, { databaseUrl, dataDir });
  assert.deepEqual(await statuses(third.origin, live.secret), [200, 403]);
  assert.deepEqual(await statuses(third.origin, doomed.secret), [401, 401], 'not forgotten');
  await restartPostgres();
  await untilOfStore(third.origin);
  assert.deepEqual(await statuses(third.origin, live.secret), [200, 403]);
  const opened = await openDatabase({ dataDir, databaseUrl, busyTimeoutMs: 2_000 });
  t.after(() => closeDatabase(opened));
  await until('the revocation is stored', async () => {
    const found = await createSqlKeyStore(opened.database).find(doomed.id);
    return found?.revokedAt !== undefined;
  });
  const made = await third.call('/api/keys', { body: { name: 'new' }, headers: admin });
  assert.deepEqual(await statuses(third.origin, made.body.secret), [200, 403]);
});

test('what is revoked while no snapshot can be saved is not forgotten', async (t) => {
  const databaseUrl = await freshPostgres(t);
  const disk = smallDisk(t);
  if (databaseUrl === undefined || disk === undefined) return;
  const dataDir = join(disk.folder, 'd');
  const first = await startApi(t, { databaseUrl, dataDir });
  await first.setUp();
  const { id, secret } = await first.newKey();
  const { secret: other } = await first.newKey();
  const isSaved = () => String(readFileSync(snapshotPath(dataDir))).includes(id);
  await until('the key is in the snapshot', isSaved);
  disk.fill();
  assert.equal((await first.call(`/api/keys/${id}/revoke`, { method: 'POST' })).status, 200);
  const noted = join(dataDir, 'revocations');
  await until('the revocation is noted', () => readdirSync(noted).length === 1);
  await first.running.stop();
  await stopPostgres();
  assert.ok(isSaved(), 'the old snapshot takes the key for a live one');
  const second = await startApi(t, { databaseUrl, dataDir });
  assert.deepEqual(await statuses(second.origin, secret), [401, 401]);
  assert.deepEqual(await statuses(second.origin, other), [200, 403]);
  await restartPostgres();
});

for (const [how, empty] of [
  ['deleted', (path: string) => rmSync(path)],
  ['cut to nothing', (path: string) => truncateSync(path)],
] as const) {
  test(`a database that was ${how} is not taken for a new one`, async (t) => {
    const dataDir = tempDir();
    const first = await startApi(t, { dataDir });
    await first.setUp();
    const { secret } = await first.newKey();
    await first.running.stop();
    const backup = join(tempDir(), 'backup.db');
    cpSync(databasePath(dataDir), backup);
    empty(databasePath(dataDir));

    const second = await startApi(t, { dataDir });
    assert.deepEqual(await statuses(second.origin, secret), [200, 403]);
    assert.equal(second.running.setUpToken, undefined, 'there is an administrator already');
    const start = /starting with the last good snapshot/;
    const said = second.log.told.find(({ message }) => start.test(String(message)));
    const reason = said?.['err'];
    assert.ok(reason instanceof Error);
    assert.match(
      reason.message,
      /has no keys, but had 1 when .* Restore it from a backup\. To begin anew/,
    );
    const { degraded, snapshot } = await readyz(second.origin);
    assert.ok(Array.isArray(degraded) && degraded.includes('keys'));
    assert.equal((snapshot as { readonly inForce: boolean }).inForce, true);
    await second.running.stop();

    cpSync(backup, databasePath(dataDir));
    const third = await startApi(t, { dataDir });
    assert.deepEqual(await statuses(third.origin, secret), [200, 403]);
    assert.equal(third.running.lastGoodOf, undefined);
    await third.running.stop();

    empty(databasePath(dataDir));
    rmSync(snapshotPath(dataDir));
    const anew = await startApi(t, { dataDir });
    assert.deepEqual(await statuses(anew.origin, secret), [401, 401], 'as was asked for');
    assert.notEqual(anew.running.setUpToken, undefined);
  });
}

test('a snapshot that proves nothing is refused with advice', async (t) => {
  const dataDir = tempDir();
  const first = await startApi(t, { dataDir });
  await first.setUp();
  await first.newKey();
  await first.running.stop();
  writeFileSync(databasePath(dataDir), 'no database at all '.repeat(1_000));
  const start = (settings: object) => {
    const config = { ...defaultConfig(), port: 0, workers: 1, dataDir, ...settings };
    return startSallyport(config, keepLog());
  };
  const good = readFileSync(snapshotPath(dataDir));
  const other = join(tempDir(), 'pepper');
  writeFileSync(other, 'another pepper '.repeat(4));
  const advised = /not an SQLite database; move it away.*The last good snapshot .* cannot stand in/;
  await assert.rejects(start({ pepperFile: other }), (error: Error) => {
    assert.match(error.message, advised);
    assert.match(error.message, /it was changed, or written under another pepper\.$/);
    return true;
  });
  writeFileSync(snapshotPath(dataDir), String(good).replace('live', 'Live'));
  await assert.rejects(start({}), advised);
  rmSync(snapshotPath(dataDir));
  await assert.rejects(start({}), /There is no last good snapshot in .* to start with/);
  const databaseUrl = 'postgresql://a:hush@127.0.0.1:1/other';
  writeFileSync(snapshotPath(dataDir), good);
  await assert.rejects(start({ databaseUrl }), (error: Error) => {
    assert.match(error.message, /ECONNREFUSED.*cannot stand in: it is of the database SQLite\.$/);
    assert.ok(!error.message.includes('hush'));
    return true;
  });
});

/** A data directory with two keys, of which one is revoked. */
async function storedKeys(t: TestContext, dataDir: string) {
  const api = await startApi(t, { dataDir });
  await api.setUp();
  const live = await api.newKey('live');
  const revoked = await api.newKey('revoked');
  await api.call(`/api/keys/${revoked.id}/revoke`, { method: 'POST' });
  await api.running.stop();
  return { live: live.secret, revoked: revoked.secret };
}

async function checkRunsFromSnapshot(
  address: string,
  keys: { readonly live: string; readonly revoked: string },
): Promise<void> {
  assert.deepEqual(await statuses(address, keys.live), [200, 403]);
  assert.deepEqual(await statuses(address, keys.revoked), [401, 401]);
  const { status, snapshot } = await readyz(address);
  assert.equal(status, 200);
  assert.equal((snapshot as { readonly inForce: boolean }).inForce, true);
}

const damages: Readonly<Record<string, (path: string) => void>> = {
  'is no database': (path) => writeFileSync(path, 'garbage '.repeat(4_000)),
  'is cut off': (path) => truncateSync(path, 12_288),
  'has garbage in each page but the first': (path) => {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(statSync(path).size - 4_096, 'garbage '), 0, undefined, 4_096);
  },
};

test('a node starts whatever became of its database, and takes a restored one', async (t) => {
  const dataDir = tempDir();
  const keys = await storedKeys(t, dataDir);
  const good = join(tempDir(), 'good.db');
  cpSync(databasePath(dataDir), good);
  for (const [name, damage] of Object.entries(damages)) {
    damage(databasePath(dataDir));
    const api = await startApi(t, { dataDir });
    await checkRunsFromSnapshot(api.origin, keys);
    const args = ['restore', good, '--data-dir', dataDir];
    const restored = await runCli(args, { cwd: dataDir });
    assert.equal(restored.code, 0, `${name}: ${restored.err}`);
    await untilOfStore(api.origin);
    assert.deepEqual(await statuses(api.origin, keys.live), [200, 403], name);
    assert.deepEqual(await statuses(api.origin, keys.revoked), [401, 401], name);
    await api.running.stop();
  }
});

test('a node starts while another process locks its database', async (t) => {
  const dataDir = tempDir();
  const keys = await storedKeys(t, dataDir);
  const letGo = await lockDatabase(t, databasePath(dataDir));
  const api = await startApi(t, { dataDir });
  await checkRunsFromSnapshot(api.origin, keys);
  await letGo();
  await untilOfStore(api.origin);
  assert.deepEqual(await statuses(api.origin, keys.live), [200, 403]);
});

test('a node starts on a full disk', async (t) => {
  const disk = smallDisk(t);
  if (disk === undefined) return;
  const dataDir = join(disk.folder, 'd');
  const keys = await storedKeys(t, dataDir);
  disk.fill();
  const api = await startApi(t, { dataDir });
  await checkRunsFromSnapshot(api.origin, keys);
  const outage = api.log.told.find(({ message }) => /last good snapshot/.test(String(message)));
  assert.match(String(outage?.['err']), /the disk is full; free some space/);
  disk.free();
  await untilOfStore(api.origin);
  assert.deepEqual(await statuses(api.origin, keys.live), [200, 403]);
});

test('a node that was killed starts in a read-only data directory', async (t) => {
  const prefix = boundByModes(t);
  if (prefix === undefined) return;
  const cwd = tempDir();
  const keys = await storedKeys(t, join(cwd, 'd'));
  const killed = await startServing(t, cwd, ['serve']);
  killed.child.kill('SIGKILL');
  await killed.ended;
  for (const name of readdirSync(join(cwd, 'd'))) {
    if (/-(wal|shm)$/.test(name)) rmSync(join(cwd, 'd', name));
  }
  chmodSync(join(cwd, 'd'), 0o500);
  chmodSync(databasePath(join(cwd, 'd')), 0o400);
  const served = await startServing(t, cwd, ['serve'], {}, prefix);
  await checkRunsFromSnapshot(served.address, keys);
  assert.match(served.err(), /The database cannot be used: keys and policies are those of \d{4}-/);
  chmodSync(databasePath(join(cwd, 'd')), 0o600);
  chmodSync(join(cwd, 'd'), 0o700);
  await untilOfStore(served.address);
  served.child.kill('SIGTERM');
  assert.equal(await served.ended, 0);
});
