import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFinder } from '../../../src/core/text/char-finder.ts';
import { signIndex } from '../../../src/core/text/sign-index.ts';

describe('character finder', () => {
  it('finds what a look at each character finds, near and far', () => {
    const next = createFinder(/[;|<]/g);
    const filler = fc.string({ unit: fc.constantFrom('a', ' ', 'é', '漢'), maxLength: 80 });
    const parts = fc.array(fc.tuple(filler, fc.constantFrom(';', '|', '<', '>')), { maxLength: 6 });
    fc.assert(
      fc.property(parts, filler, (list, end) => {
        const text = list.flat().join('') + end;
        for (let from = 0; from <= text.length; from++) {
          const places = [';', '|', '<'].map((one) => text.indexOf(one, from));
          const expected = Math.min(text.length, ...places.filter((at) => at >= 0));
          assert.equal(next(text, from), expected);
        }
      }),
    );
  });
});

describe('character finder over the index of a text', () => {
  const next = createFinder(/[;|<0-9]/g);
  const filler = fc.string({ unit: fc.constantFrom(...'aZ .,+7;<>\n'), maxLength: 60 });
  const long = fc
    .array(fc.tuple(filler, fc.constantFrom('x'.repeat(100), 'y'.repeat(3_000), '')), {
      minLength: 3,
      maxLength: 6,
    })
    .map((list) => `${list.flat().join('')}${'z'.repeat(128)}`);

  it('finds the same signs, and digits behind a blank', () => {
    const isFound = (text: string, at: number) =>
      /[;|<]/.test(text.charAt(at)) ||
      (/\d/.test(text.charAt(at)) && (at === 0 || /[ +\n]/.test(text.charAt(at - 1))));
    fc.assert(
      fc.property(long, fc.array(fc.nat(9_000), { maxLength: 12 }), (text, starts) => {
        signIndex.offer(text);
        for (const start of [0, ...starts]) {
          const from = Math.min(start, text.length);
          let expected = from;
          while (expected < text.length && !isFound(text, expected)) expected++;
          assert.equal(next(text, from), expected, `from ${from} of ${JSON.stringify(text)}`);
        }
        signIndex.offer('');
      }),
    );
  });

  it('finds the same among characters beyond ASCII, which may be blanks', () => {
    const text = `é;ä1 2\u00a03<${'ü'.repeat(200)}4;`;
    signIndex.offer(text, false);
    assert.deepEqual(
      [0, 2, 5, 7, 9].map((from) => next(text, from)),
      [1, 3, 5, 7, 209],
    );
    assert.equal(createFinder(/[;\u0080-\uffff]/g)(text, 2), 2);
    signIndex.offer('');
  });

  it('is used for the offered text only', () => {
    const one = `a7${'b'.repeat(200)};`;
    const other = `7${'c'.repeat(201)};`;
    signIndex.offer(one);
    assert.equal(next(one, 0), 202);
    assert.equal(next(other, 0), 0);
    assert.equal(next(other, 1), 202);
    signIndex.offer('');
    assert.equal(next(one, 0), 1);
  });
});
