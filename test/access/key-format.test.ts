import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import {
  isKeyId,
  keyIdOf,
  keyLength,
  keyPattern,
  makeKey,
  makeKeyId,
  randomBase62,
} from '../../src/access/key-format.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base62 = fc.constantFrom(...alphabet);
const id = fc.string({ unit: base62, minLength: 8, maxLength: 8 });

test('a made key has the published shape and gives its id back', () => {
  fc.assert(
    fc.property(id, (wanted) => {
      const key = makeKey(wanted);
      assert.match(key, /^sp_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
      assert.equal(key.length, keyLength);
      assert.equal(keyIdOf(key), wanted);
      assert.deepEqual(key.match(keyPattern), [key]);
    }),
  );
});

test('the last six characters are the CRC-32 of the rest in base62', () => {
  const key = makeKey('AbCdEf12');
  let value = 0;
  for (const digit of key.slice(-6)) value = value * 62 + alphabet.indexOf(digit);
  assert.equal(value, crc32(key.slice(0, -6)));
});

test('a key with one character changed is refused by its checksum', () => {
  fc.assert(
    fc.property(id, fc.nat(keyLength - 1), base62, (wanted, at, character) => {
      const key = makeKey(wanted);
      fc.pre(key[at] !== character);
      assert.equal(keyIdOf(key.slice(0, at) + character + key.slice(at + 1)), undefined);
    }),
  );
});

test('a key with two neighbours swapped is refused', () => {
  fc.assert(
    fc.property(id, fc.nat(keyLength - 2), (wanted, at) => {
      const key = makeKey(wanted);
      const [a = '', b = ''] = key.slice(at, at + 2);
      fc.pre(a !== b);
      assert.equal(keyIdOf(key.slice(0, at) + b + a + key.slice(at + 2)), undefined);
    }),
  );
});

test('any other text is refused', () => {
  fc.assert(fc.property(fc.string(), (text) => keyIdOf(text) === undefined));
  const key = makeKey('AbCdEf12');
  for (const text of ['', key.slice(1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase()]) {
    assert.equal(keyIdOf(text), undefined, text);
  }
});

test('ids and secrets do not repeat', () => {
  const ids = new Set(Array.from({ length: 2_000 }, makeKeyId));
  assert.equal(ids.size, 2_000);
  for (const one of ids) assert.ok(isKeyId(one));
  assert.equal(new Set(Array.from({ length: 2_000 }, () => makeKey('AbCdEf12'))).size, 2_000);
});

test('every character is equally likely', () => {
  const perCharacter = 10_000;
  const counts = new Map<string, number>();
  for (const character of randomBase62(perCharacter * alphabet.length)) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  assert.equal(counts.size, alphabet.length);
  // Ten standard deviations. A plain `byte % 62` would give the first eight 2,100 more.
  for (const [character, count] of counts) {
    assert.ok(Math.abs(count - perCharacter) < 1_000, `${character}: ${count}`);
  }
});
