import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFinder } from '../../../src/core/text/char-finder.ts';

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
