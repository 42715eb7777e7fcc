import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isBlocked, verdictOn } from '../property/screen.ts';
import { lotOf, uploadOf } from './uploads.ts';

/**
 * Benign uploads in JSON: files, keys and messages in the encodings that clients use. 10,000 of 1
 * to 6 kB with some of 60 kB and a few of 750 kB; UPLOADS=full takes all sizes up to 750 kB alike,
 * which is 1 MB of base64.
 *
 * What chance may find, for n characters of base64 by lot: such a text is screened as text when a
 * stretch reads as words, which has a probability below 2^-15 whatever n is (`text/wordiness.ts`).
 * Before that was asked for, rules blocked 1 of 8 texts of 500 kB, nearly all of them for a pickle
 * in the middle, which no longer counts; 2^-15 · 1/50 is below 10^-6. A stream counts at the start
 * only, where the heads of all formats together have a probability below 10^-7.
 */
const count = 10_000;
const isFull = process.env['UPLOADS'] === 'full';
const seedStart = Number(process.env['UPLOADS_SEED'] ?? 0);

function sizeOf(index: number): number {
  if (isFull) return Math.round(1_000 * 750 ** (((index * 7_919) % count) / count));
  if (index % 1_009 === 1_008) return 750_000;
  return index % 100 === 99 ? 60_000 : 700 + ((index * 37) % 5_000);
}

describe('honest uploads', () => {
  it(`none of ${count} is blocked, and all are screened to their end`, () => {
    const wrong: string[] = [];
    for (let index = 0; index < count; index++) {
      const { name, value } = uploadOf(seedStart + index, sizeOf(index));
      const { decision, findings, coverage } = verdictOn({ file: value });
      if (decision === 'allow' && coverage.complete) continue;
      const found = findings.map((one) => `${one.rule} ${one.decoded.join('>')} ${one.evidence}`);
      wrong.push(`${name}: ${decision} ${coverage.reasons.join()} ${found.join('; ')}`);
    }
    assert.deepEqual(wrong, []);
  });
});

describe('attacks in encoded text and beside noise', () => {
  const attack = "x' UNION SELECT password FROM users --";
  const noise = (length: number, seed = 7): string =>
    lotOf(seed).bytes(length).toString('base64').slice(0, length);

  it('are found in base64 and hex of text, whatever the length', () => {
    for (const length of [0, 200, 5_000, 100_000]) {
      const plain = `${'The weather was fine. '.repeat(length / 22)}${attack}`;
      const bytes = Buffer.from(plain);
      for (const value of [
        bytes.toString('base64'),
        bytes.toString('base64url'),
        bytes.toString('hex'),
        `data:application/octet-stream;base64,${bytes.toString('base64')}`,
        `/${bytes.toString('base64')}`,
        bytes.toString('base64').replaceAll('+', '%2B').replaceAll('=', '%3D'),
      ]) {
        assert.ok(isBlocked(value), `${length}: ${value.slice(0, 60)}`);
      }
    }
  });

  it('are found when they have no other characters than base64 has, in noise of any length', () => {
    for (const words of [
      '1+union+select+password+from+users',
      '1+UnIoN+sElEcT+pAsSwOrD+fRoM+uSeRs',
      '1/union/select/password/from/users+union+select+1+from+users',
    ]) {
      if (!isBlocked(words)) continue;
      for (const length of [100, 1_000, 10_000, 300_000]) {
        assert.ok(isBlocked(`${words}+${noise(length)}`), `${words} in front of ${length}`);
      }
    }
  });

  it('are found in binary strings, at both ends and in the middle', () => {
    for (const length of [200, 2_000, 50_000]) {
      const bytes = lotOf(11).bytes(length);
      for (const encoding of ['latin1', 'utf8'] as const) {
        const binary = bytes.toString(encoding);
        const half = binary.length / 2;
        for (const value of [
          `${attack}${binary}`,
          `${binary}${attack}`,
          `${binary.slice(0, half)}${attack}${binary.slice(half)}`,
          `${binary.slice(0, half)}<script>alert(document.cookie)</script>${binary.slice(half)}`,
          `${binary}${encodeURIComponent(attack)}`,
        ]) {
          assert.ok(isBlocked(value), `${encoding}, ${length}`);
        }
      }
    }
  });

  it('are found where a serialised object begins, and not where three bytes agree', () => {
    const pickle = Buffer.concat([
      Buffer.from('gASVJQAAAAAAAACMBXBvc2l4lIwGc3lzdGVt', 'base64'),
      lotOf(3).bytes(400),
    ]);
    const java = Buffer.concat([
      Buffer.from('rO0ABXNyABFqYXZhLnV0aWwuSGFzaE1hcA', 'base64'),
      lotOf(5).bytes(400),
    ]);
    for (const bytes of [pickle, java]) {
      assert.ok(isBlocked(bytes.toString('base64')));
      assert.ok(isBlocked(`data:application/octet-stream;base64,${bytes.toString('base64')}`));
      assert.ok(isBlocked(bytes.toString('latin1')));
    }
    for (const part of [
      '+gASZsVbjfiY81eE',
      '/gAJTfJTR7TFCdL0',
      '_gASOzWYp2lNmrxM',
      '/qx/HptmbZMUGyw+1yrN',
    ]) {
      assert.ok(!isBlocked(noise(400) + part + noise(400, 9)), part);
    }
  });
});
