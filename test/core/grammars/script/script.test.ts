import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { limits } from '../../../../src/contract/limits.ts';
import {
  isAdjacent,
  kindAt,
  script,
  scriptKind,
  tokenIndexAt,
  wordAt,
} from '../../../../src/core/grammars/script/script.ts';

function check(text: string, expected: readonly string[]): void {
  const tokens = script.read(text);
  const words = Array.from({ length: tokens.count }, (_, i) =>
    text.slice(tokens.starts[i], tokens.ends[i]),
  );
  assert.deepEqual(words, expected, text);
}

describe('script', () => {
  it('reads names, numbers and punctuation', () => {
    check('a1.$_(0x1f)', ['a1', '.', '$_', '(', '0x1f', ')']);
    check('größe=ß', ['größe', '=', 'ß']);
  });

  it('reads what is between quotation marks like code', () => {
    check("';f('x", ["'", ';', 'f', '(', "'", 'x']);
    check('`${a}`', ['`', '$', '{', 'a', '}', '`']);
  });

  it('leaves out comments up to the end of a line between a callee and its arguments', () => {
    check('a//b\n(1)', ['a', '(', '1', ')']);
    check('a<!--b\n-->c\n(1)', ['a', '(', '1', ')']);
    check('a<!--b\u2028\n//c\r/*d*/`1`', ['a', '`', '1', '`']);
    check('http://a\n(1)', ['http', ':', '/', '/', 'a', '(', '1', ')']);
    check('a//b\nc', ['a', '/', '/', 'b', 'c']);
  });

  it('leaves out comments that are closed, and only these', () => {
    check('a/* b */(c)', ['a', '(', 'c', ')']);
    check('a/* b', ['a', '/', '*', 'b']);
    check('http://a', ['http', ':', '/', '/', 'a']);
  });

  it('reads a member of an optional chain as a plain one', () => {
    check('a?.b?.$c', ['a', '.', 'b', '.', '$c']);
    check('a?.(b)', ['a', '?', '.', '(', 'b', ')']);
    check('a?.5:b', ['a', '?', '.', '5', ':', 'b']);
    check('what?... a', ['what', '?', '.', '.', '.', 'a']);
    assert.equal(isAdjacent(script.read('a?.b'), 1), true);
  });

  it('takes typographic quotation marks and Unicode spaces for no part of a name', () => {
    check('“a”\u2003b', ['“', 'a', '”', 'b']);
  });

  it('tells the kinds of tokens apart', () => {
    const tokens = script.read('a 1(');
    assert.equal(kindAt(tokens, 0), scriptKind.word);
    assert.equal(kindAt(tokens, 1), scriptKind.number);
    assert.equal(kindAt(tokens, 2), 40);
    assert.equal(kindAt(tokens, 3), scriptKind.none);
    assert.equal(kindAt(tokens, -1), scriptKind.none);
  });

  it('finds tokens by offset', () => {
    const tokens = script.read('ab (cd)');
    assert.equal(tokenIndexAt(tokens, 0), 0);
    assert.equal(tokenIndexAt(tokens, 1), 1);
    assert.equal(tokenIndexAt(tokens, 4), 2);
    assert.equal(tokenIndexAt(tokens, 99), 4);
  });

  it('knows what stands side by side', () => {
    const tokens = script.read('a(/**/b c');
    assert.equal(isAdjacent(tokens, 0), false);
    assert.equal(isAdjacent(tokens, 1), true);
    assert.equal(isAdjacent(tokens, 2), true);
    assert.equal(isAdjacent(tokens, 3), false);
  });

  it('gives words in lower case, and none for very long ones', () => {
    const tokens = script.read(`AlErT ${'x'.repeat(50)}`);
    assert.equal(wordAt(tokens, 0), 'alert');
    assert.equal(wordAt(tokens, 1), '');
    assert.equal(wordAt(tokens, 2), '');
  });

  it('stops at the limit of tokens and says so', () => {
    const tokens = script.read('('.repeat(limits.tokensMax + 1));
    assert.equal(tokens.isComplete, false);
    assert.equal(tokens.count, limits.tokensMax);
  });
});
