import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createWordTable } from '../../../src/core/text/word-table.ts';

function check(words: readonly string[], text: string, expected: string): void {
  const table = createWordTable(words);
  assert.equal(table.wordBetween(`(${text})`, 1, 1 + text.length), expected, text);
}

describe('word table', () => {
  it('finds its words in any case', () => {
    check(['alert', '$eval', 'a'], 'alert', 'alert');
    check(['alert', '$eval', 'a'], '$EvaL', '$eval');
    check(['alert', '$eval', 'a'], 'A', 'a');
  });

  it('finds no part of a word, no longer word and no look-alike', () => {
    check(['alert'], 'aler', '');
    check(['alert'], 'alerts', '');
    check(['$eval'], '\u0004eval', '');
    check(['alert'], 'ⓐlert', '');
    check(['alert'], '', '');
    check([], 'alert', '');
  });

  it('tells many words apart', () => {
    const words = Array.from({ length: 500 }, (_, i) => `w${i}`);
    for (const word of words) check(words, word, word);
    check(words, 'w500', '');
  });
});
