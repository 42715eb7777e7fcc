import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isBlocked } from '../../property/screen.ts';
import { decodedTexts } from './views-of.ts';

const attack = "x' UNION SELECT password FROM users --";
const longAttack = `${'A comment about the weather, which was fine. '.repeat(40)}${attack}`;
const foreign = [
  ' ',
  '\n',
  '\r\n',
  '\t',
  '*',
  '!',
  ',',
  '.',
  "'",
  '"',
  'é',
  '–',
  '😀',
  '\u0000',
  ':',
];

/** Puts a string behind every so many characters. */
function spread(text: string, every: number, inserted: string): string {
  return text.replaceAll(new RegExp(`.{${every}}`, 'g'), (part) => part + inserted);
}

describe('base64 with foreign characters in it', () => {
  for (const plain of [attack, longAttack]) {
    for (const encoding of ['base64', 'base64url'] as const) {
      const encoded = Buffer.from(plain).toString(encoding);
      for (const inserted of foreign) {
        it(`is found: ${encoding}, ${plain.length} characters, ${JSON.stringify(inserted)}`, () => {
          for (const every of [1, 2, 3, 7, 19, 76]) {
            const sent = spread(encoded, every, inserted);
            assert.ok(isBlocked(sent), `every ${every}: ${sent}`);
            assert.ok(isBlocked(inserted + sent), `in front: ${sent}`);
            assert.ok(isBlocked(encodeURIComponent(sent)), `URL-encoded: ${sent}`);
            assert.ok(isBlocked(JSON.stringify({ token: sent })), `in JSON: ${sent}`);
            assert.ok(isBlocked(`data:text/plain;base64,${sent}`), `in a data URL: ${sent}`);
          }
        });
      }
    }
  }

  it('is found between noise, however short it is', () => {
    const noise = Buffer.from([0xff, 0xfe, 0x81]);
    const text = Buffer.from(`${'fine weather '.repeat(8)}\xff'or 1=1`, 'latin1');
    const sent = Buffer.concat([text, noise]).toString('base64');
    assert.ok(isBlocked(sent), sent);
    assert.ok(isBlocked(spread(sent, 19, '.')), sent);
  });

  it('is found where decoders end at padding, and where they go on', () => {
    const ended = Buffer.from(attack).toString('base64');
    assert.match(ended, /=$/);
    const noise = 'Zk3X9Q2wYq8Zr4+7Hc1v'.repeat(20);
    assert.ok(isBlocked(spread(ended, 3, '*') + noise), 'Node ends at the first padding');
    assert.ok(isBlocked(spread(ended, 3, '=').slice(0, -1)), 'PHP skips padding');
  });

  it('is found in the alphabet of the decoder alone', () => {
    const encoded = Buffer.from(attack).toString('base64');
    assert.ok(isBlocked(spread(encoded, 3, '-')), 'PHP and Python skip a dash');
    assert.ok(isBlocked(spread(encoded, 5, '_')), 'PHP and Python skip an underscore');
    const wide = encoded.replaceAll(/[A-Z]/g, (letter) =>
      String.fromCharCode(letter.charCodeAt(0) + 0x100),
    );
    assert.ok(isBlocked(wide), 'Node takes the low byte');
  });

  it('reads what Node reads', () => {
    for (const sent of [
      'PHN*jcmlwdD5hbGVydCgx KTwvc2NyaXB0Pg==',
      'PHNjcmlwdD5hbG.VydCgxKTwvc2Ny!aXB0Pg',
    ]) {
      assert.ok(decodedTexts(sent).includes(Buffer.from(sent, 'base64').toString()), sent);
    }
  });

  it('is not seen in prose, words and tokens', () => {
    for (const text of [
      'The quick brown fox jumps over the lazy dog, and then it goes home to sleep.',
      'internationalisation and localisation of all the texts that we have written',
      'd42ae384a6dc225022c09a62525da89c d42ae384a6dc225022c09a62525da89c',
      'Die Würde des Menschen ist unantastbar. Sie zu achten ist Verpflichtung.',
    ]) {
      assert.deepEqual(decodedTexts(text), [], text);
    }
  });
});
