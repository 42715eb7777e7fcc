import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  readSealed,
  removeLeftovers,
  SealError,
  type SealedFile,
  writeSealed,
} from '../../src/storage/sealed-file.ts';
import { tempDir } from '../support/temp-dir.ts';

const lines = Array.from({ length: 1_001 }, (_, index) => ({ index, text: 'line\nä'.repeat(9) }));

function fileIn(folder: string): SealedFile {
  return { path: join(folder, 'a'), key: Buffer.alloc(32, 'k'), bytesMax: 1_000_000 };
}

function refusedWith(pattern: RegExp) {
  return (error: unknown) => error instanceof SealError && pattern.test(error.message);
}

test('what was written is read, by its owner only, and nothing lies beside it', async () => {
  const folder = tempDir();
  const file = fileIn(folder);
  assert.equal(readSealed(file), undefined);
  for (const written of [lines, [{ short: true }], []]) {
    await writeSealed(file, written);
    assert.deepEqual(readSealed(file), written);
  }
  assert.equal(statSync(file.path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['a']);
});

test('each changed, missing or added byte is noticed, and so is another key', async () => {
  const file = fileIn(tempDir());
  await writeSealed(file, [{ keys: 'few' }, { keys: 'more' }]);
  const good = readFileSync(file.path);
  for (let at = 0; at < good.length; at += 1) {
    const bad = Buffer.from(good);
    bad.writeUInt8(bad.readUInt8(at) ^ 1, at);
    writeFileSync(file.path, bad);
    assert.throws(() => readSealed(file), SealError, `byte ${at} changed`);
    writeFileSync(file.path, good.subarray(0, at));
    assert.throws(() => readSealed(file), SealError, `cut off at ${at}`);
  }
  writeFileSync(file.path, Buffer.concat([Buffer.from('{}\n'), good]));
  assert.throws(() => readSealed(file), refusedWith(/changed, or written under another pepper/));
  writeFileSync(file.path, good);
  const other = { ...file, key: Buffer.alloc(32, 'o') };
  assert.throws(() => readSealed(other), refusedWith(/another pepper/));
  assert.equal(readSealed(file)?.length, 2);
});

test('a folder in its place is refused', () => {
  const file = fileIn(tempDir());
  mkdirSync(file.path);
  assert.throws(() => readSealed(file), refusedWith(/it cannot be read \(EISDIR\)/));
});

test('what is too long is neither written nor read, and the old lines stay', async () => {
  const folder = tempDir();
  const file = fileIn(folder);
  await writeSealed(file, [{ old: true }]);
  const tight = { ...file, bytesMax: 10_000 };
  await assert.rejects(writeSealed(tight, lines), refusedWith(/longer than 10000 bytes/));
  assert.deepEqual(readSealed(file), [{ old: true }]);
  assert.deepEqual(readdirSync(folder), ['a']);
  assert.throws(() => readSealed({ ...file, bytesMax: 10 }), refusedWith(/longer than 10 bytes/));
});

test('what a killed process has left is removed once it is old', async () => {
  const folder = tempDir();
  const file = fileIn(folder);
  for (const name of ['a.1.partial', 'a.2.partial', 'b.1.partial']) {
    writeFileSync(join(folder, name), '');
  }
  utimesSync(join(folder, 'a.1.partial'), 1, 1);
  utimesSync(join(folder, 'b.1.partial'), 1, 1);
  await removeLeftovers(file);
  assert.deepEqual(readdirSync(folder), ['a.2.partial', 'b.1.partial']);
});
