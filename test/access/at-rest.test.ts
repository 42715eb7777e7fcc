import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rotateKey } from '../../src/access/issue-key.ts';
import { digestOf, pepperMark } from '../../src/access/key-digest.ts';
import { loadPepper, PepperError, pepperPath } from '../../src/access/pepper.ts';
import { databasePath } from '../../src/storage/database.ts';
import { runCli } from '../support/cli.ts';
import { tempDir } from '../support/temp-dir.ts';
import { addKey, openKeys } from './key-fixture.ts';

test('the database holds the digest of a key and never its secret', async (t) => {
  const keys = await openKeys(t);
  const { id, key } = await addKey(keys);
  const rotated = await rotateKey(keys, { id, now: 1, sunsetAt: 9 });
  const path = databasePath(keys.dataDir);
  assert.ok(existsSync(`${path}-wal`));
  const bytes = Buffer.concat([readFileSync(path), readFileSync(`${path}-wal`)]);
  for (const one of [key, rotated.key]) {
    assert.ok(bytes.includes(digestOf(one, keys.pepper).toString('hex')));
    for (let at = 17; at + 8 <= one.length; at += 1) {
      assert.ok(!bytes.includes(one.slice(at, at + 8)), `characters ${at} to ${at + 8}`);
    }
  }
  assert.ok(!bytes.includes(keys.pepper));
});

test('the digest depends on the pepper and on every part of the key', () => {
  const pepper = Buffer.alloc(32, 1);
  const one = digestOf('sp_live_a', pepper);
  assert.equal(one.length, 32);
  assert.notDeepEqual(digestOf('sp_live_b', pepper), one);
  assert.notDeepEqual(digestOf('sp_live_a', Buffer.alloc(32, 2)), one);
  assert.notEqual(pepperMark(pepper), pepperMark(Buffer.alloc(32, 2)));
});

test('the pepper is made once, for its owner only', () => {
  const dataDir = tempDir();
  const made: string[] = [];
  const place = { dataDir, pepperFile: undefined };
  const first = loadPepper(place, (path) => made.push(path));
  const second = loadPepper(place, (path) => made.push(path));
  assert.deepEqual(second, first);
  assert.ok(first.length >= 32);
  assert.deepEqual(made, [pepperPath(dataDir)]);
  assert.equal(statSync(pepperPath(dataDir)).mode & 0o777, 0o600);
  assert.notDeepEqual(loadPepper({ dataDir: tempDir(), pepperFile: undefined }), first);
});

test('a pepper file that a setting names must be there and long enough', () => {
  const folder = tempDir();
  const pepperFile = join(folder, 'secret');
  const load = () => loadPepper({ dataDir: folder, pepperFile });
  assert.throws(load, (error) => error instanceof PepperError && error.message.includes('openssl'));
  writeFileSync(pepperFile, `${'p'.repeat(31)}\n`);
  assert.throws(load, /31 bytes/);
  writeFileSync(pepperFile, `${'p'.repeat(32)}\n`);
  assert.equal(load().toString(), 'p'.repeat(32));
  chmodSync(pepperFile, 0o400);
  assert.equal(load().length, 32);
  assert.ok(!existsSync(pepperPath(folder)));
});

test('a pepper that does not belong to the stored keys is refused', async (t) => {
  const keys = await openKeys(t);
  const right = pepperMark(keys.pepper);
  await keys.store.bindPepper('0123456789abcdef');
  await keys.store.bindPepper(right);
  await addKey(keys);
  await keys.store.bindPepper(right);
  await assert.rejects(keys.store.bindPepper('0123456789abcdef'), PepperError);
});

test('the command line refuses to make keys under another pepper', async () => {
  const cwd = tempDir();
  const create = ['keys', 'create', '--name', 'a', '--data-dir', 'd'];
  assert.equal((await runCli(create, { cwd })).code, 0);
  writeFileSync(join(cwd, 'd', 'pepper'), 'q'.repeat(64));
  const refused = await runCli(create, { cwd });
  assert.equal(refused.code, 1);
  assert.equal(refused.out, '');
  assert.match(refused.err, /put the old pepper file back/);
});

test('a link that leads nowhere is in the way of a pepper, and none is reported as made', () => {
  const place = { dataDir: tempDir(), pepperFile: undefined };
  symlinkSync('/nowhere/pepper', pepperPath(place.dataDir));
  const made: string[] = [];
  assert.throws(() => loadPepper(place, (path) => made.push(path)), PepperError);
  assert.deepEqual(made, []);
});
