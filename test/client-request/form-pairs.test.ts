import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formPairs, type Pair } from '../../src/client-request/form-pairs.ts';

/** What `formPairs` must make of a value, in the words of the language. */
function decodedOrLeft(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

test('a value is decoded where all of it is the encoding of UTF-8, and left where it is not', () => {
  const piece = fc.constantFrom('a', 'é', '+', '%', '%4', '%41', '%c3', '%A9', '%e6%97%a5', '%ff');
  const special = fc.constantFrom('%c0%ae', '%ed%a0%80', '%f0%9f%98%80', '%25', '%zz', '\ud800');
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, special), { maxLength: 8 }), (pieces) => {
      const text = pieces.join('');
      const [first] = formPairs(`q=${text}`);
      assert.deepEqual(first, ['q', decodedOrLeft(text)]);
    }),
    { numRuns: 5_000 },
  );
});

test('a pair has each reading that a parser makes of it', () => {
  const rows: readonly (readonly [text: string, pairs: readonly Pair[]])[] = [
    ['a=b', [['a', 'b']]],
    ['=b', [['', 'b']]],
    ['a', [['a', '']]],
    // Decoded once, and not once more: nothing was left as it was.
    ['a=%2541', [['a', '%41']]],
    [
      'a=1]=b',
      [
        ['a', '1]=b'],
        ['a=1]', 'b'],
      ],
    ],
    ['a[b]=c', [['a[b]', 'c']]],
    [
      'a=%ff\u0127+x',
      [
        ['a', '%ff\u0127 x'],
        ['a', '\ufffd\u0127 x', true],
        ['a', "\ufffd' x", true],
      ],
    ],
  ];
  for (const [text, pairs] of rows) assert.deepEqual([...formPairs(text)], pairs);
});
