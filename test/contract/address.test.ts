import assert from 'node:assert/strict';
import { isIP, isIPv6 } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalAddress, networkOf, readAddress } from '../../src/contract/address.ts';

const words = new Uint32Array(4);
const read = (text: string) => (readAddress(text, words) ? [...words] : undefined);

test('addresses are read in every form that they are written in', () => {
  assert.deepEqual(read('203.0.113.7'), [0, 0, 0xffff, 0xcb007107]);
  assert.deepEqual(read('::ffff:203.0.113.7'), read('203.0.113.7'));
  assert.deepEqual(read('2001:db8::1'), [0x20010db8, 0, 0, 1]);
  assert.deepEqual(read('2001:0DB8:0:0:0:0:0:0001'), read('2001:db8::1'));
  assert.deepEqual(read('::'), [0, 0, 0, 0]);
  assert.deepEqual(read('1::'), [0x10000, 0, 0, 0]);
  for (const text of [
    '',
    '1',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    ':',
    ':::',
    '1:',
    ':1',
  ]) {
    assert.equal(read(text), undefined, text);
  }
  for (const text of [
    '1::2::3',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7',
    '::1%eth0',
    '::12345',
    '[::1]',
  ]) {
    assert.equal(read(text), undefined, text);
  }
});

test('what is an address to Node is one here, and nothing else is', () => {
  const isHere = (text: string) => read(text) !== undefined;
  fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => isHere(text) && isIP(text) > 0));
  const odd = fc.string({ unit: fc.constantFrom(...'0123456789abcfF:.:'), maxLength: 40 });
  fc.assert(
    fc.property(odd, (text) => isHere(text) === isIP(text) > 0),
    { numRuns: 5_000 },
  );
});

test('an address has one written form, that of RFC 5952', () => {
  for (const [given, written] of [
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:0db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['0:0:0:0:0:0:0:1', '::1'],
    ['::', '::'],
    ['unknown', undefined],
  ] as const) {
    assert.equal(canonicalAddress(given), written, given);
  }
  fc.assert(
    fc.property(fc.ipV6(), (given) => {
      const written = canonicalAddress(given) ?? '';
      assert.deepEqual(read(written), read(given));
      assert.ok(written.includes('.') || new URL(`http://[${given}]`).hostname === `[${written}]`);
    }),
  );
});

test('a network has one written form, which is read as itself', () => {
  const text = (given: string) => {
    const network = networkOf(given);
    return 'problem' in network ? network.problem : network.text;
  };
  assert.equal(text(' 203.0.113.7 '), '203.0.113.7');
  assert.equal(text('203.0.113.7/32'), '203.0.113.7');
  assert.equal(text('10.0.0.0/8'), '10.0.0.0/8');
  assert.equal(text('2001:0DB8::/32'), '2001:db8::/32');
  assert.equal(text('1:0:0:2:0:0:0:3'), '1:0:0:2::3');
  assert.match(text('10.1.0.0/8'), /beyond its prefix; write 10\.0\.0\.0\/8$/);
  assert.match(text('10.0.0.0/33'), /from 0 to 32$/);
  assert.match(text('::/129'), /from 0 to 128$/);
  for (const bad of ['example.com', '10.0.0.0/8/8', '', '10.0.0.0/']) {
    assert.match(text(bad), /such as|as a number/, bad);
  }
  fc.assert(
    fc.property(fc.ipV6(), (given) => {
      const shown = text(given);
      return (isIPv6(shown) || isIP(shown) === 4) && text(shown) === shown;
    }),
  );
});
