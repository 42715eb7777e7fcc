import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wordList, wordSet } from '../../../src/core/text/words.ts';

describe('tables of words', () => {
  it('hold the words of all rows in their order', () => {
    assert.deepEqual(wordList('a bc', 'd'), ['a', 'bc', 'd']);
    assert.deepEqual([...wordSet('a bc', 'd a')], ['a', 'bc', 'd']);
  });

  it('hold no empty word, however the rows are indented', () => {
    assert.deepEqual(wordList(' a  bc\n   d\n'), ['a', 'bc', 'd']);
    assert.deepEqual(wordList(''), []);
  });
});
