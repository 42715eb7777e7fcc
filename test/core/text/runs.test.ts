import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CharBuffer } from '../../../src/core/text/char-buffer.ts';
import { characterSet, findRun, runEnd } from '../../../src/core/text/runs.ts';

const set = characterSet('ab');

describe('findRun', () => {
  it('finds every run that is long enough, from left to right', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'b', 'a', '-', 'é'), maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 7 }), (value, lengthMin) => {
        const found: [number, number][] = [];
        let end = 0;
        for (;;) {
          const start = findRun(value, end, lengthMin, set);
          if (start < 0) break;
          end = runEnd(value, start, set);
          found.push([start, end]);
        }
        const expected = [...value.matchAll(/[ab]+/g)]
          .filter(([run]) => run.length >= lengthMin)
          .map((match) => [match.index, match.index + match[0].length]);
        assert.deepEqual(found, expected);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('CharBuffer', () => {
  it('gives back what was appended, whatever the capacity was', () => {
    const pieces = fc.array(fc.string({ unit: 'binary', maxLength: 40 }));
    fc.assert(
      fc.property(pieces, fc.nat(64), (texts, capacity) => {
        const buffer = new CharBuffer(capacity);
        buffer.push(120);
        buffer.clear();
        texts.forEach((text, index) => {
          if (index % 2 === 0) buffer.pushSlice(`<${text}>`, 1, text.length + 1);
          else for (const character of text) buffer.pushCodePoint(character.codePointAt(0) ?? 0);
        });
        assert.equal(buffer.toString(), texts.join(''));
      }),
    );
  });

  it('holds long texts, lone surrogates, and no code point beyond Unicode', () => {
    const text = `${'é＜\ud800'.repeat(20_000)}x`;
    const buffer = new CharBuffer(0);
    buffer.pushSlice(text, 0, text.length);
    buffer.pushCodePoint(0x110000);
    buffer.pushCodePoint(0x10ffff);
    assert.equal(buffer.toString(), `${text}\ufffd\u{10ffff}`);
  });
});
