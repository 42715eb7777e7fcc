import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newRecoveryCodes, plainCode, recoveryDigest } from '../../src/access/recovery-codes.ts';
import { newTotpSecret, totpStep, totpUri } from '../../src/access/totp.ts';

/** The secret of RFC 6238, appendix B: `12345678901234567890` in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** RFC 6238, appendix B, SHA-1: seconds since 1970, and the last six of its eight digits. */
const vectors = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

test('codes are those of RFC 6238', () => {
  for (const [seconds, code] of vectors) {
    const step = Math.floor(seconds / 30);
    assert.equal(totpStep(secret, code, seconds * 1_000), step, code);
    for (const [off, found] of [
      [-60, undefined],
      [-30, step],
      [30, step],
      [60, undefined],
    ] as const) {
      assert.equal(totpStep(secret, code, (seconds + off) * 1_000), found, `${code} ${off} s off`);
    }
  }
});

test('what has not the form of a code is none', () => {
  for (const code of ['', '28708', '2870822', '94287082', ' 287082', '28708a', '２８７０８２']) {
    assert.equal(totpStep(secret, code, 59_000), undefined, code);
  }
});

test('a secret has 160 random bits, and apps read it from an address', () => {
  const one = newTotpSecret();
  assert.match(one, /^[A-Z2-7]{32}$/);
  assert.notEqual(newTotpSecret(), one);
  const uri = new URL(totpUri(one, 'ada: x&secret=y'));
  assert.equal(
    decodeURIComponent(uri.pathname.split('/').at(-1) ?? ''),
    'Sallyport:ada: x&secret=y',
  );
  assert.deepEqual(Object.fromEntries(uri.searchParams), {
    issuer: 'Sallyport',
    secret: one,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

test('recovery codes have 80 random bits, and are read however they are typed', () => {
  const codes = newRecoveryCodes();
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) assert.match(code, /^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  assert.equal(plainCode(' abcd-efgh ijkl-mnop '), 'ABCDEFGHIJKLMNOP');
  const key = Buffer.alloc(32, 1);
  const digest = recoveryDigest('abcd-efgh-ijkl-mnop', key, 'ada');
  assert.equal(recoveryDigest('ABCDEFGHIJKLMNOP', key, 'ada'), digest);
  assert.notEqual(recoveryDigest('ABCDEFGHIJKLMNOP', key, 'eve'), digest);
  assert.notEqual(recoveryDigest('ABCDEFGHIJKLMNOP', Buffer.alloc(32, 2), 'ada'), digest);
});
