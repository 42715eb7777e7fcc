import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { code, codeToken } from '../../../../src/core/grammars/code/code.ts';

const { name, number, mark } = codeToken;

function read(text: string): readonly (readonly [number, string])[] {
  const { count, kinds, starts, ends } = code.read(text);
  return [...kinds.slice(0, count)].map((kind, i) => [kind, text.slice(starts[i], ends[i])]);
}

function words(text: string): string {
  return read(text)
    .map(([, word]) => word)
    .join(' ');
}

describe('code grammar', () => {
  it('tells names, numbers and marks apart', () => {
    assert.deepEqual(read('$a1 = f(7);'), [
      [name, '$a1'],
      [mark, '='],
      [name, 'f'],
      [mark, '('],
      [number, '7'],
      [mark, ')'],
      [mark, ';'],
    ]);
  });

  const rows: readonly (readonly [text: string, words: string])[] = [
    // Comments and blanks do not split a call.
    ["system/**/ ( 'id')", "system ( ' id ' )"],
    // The text in quotes is code too, and an escaped quote is a quote.
    ['eval("a(\\"b\\")")', 'eval ( " a ( " b " ) " )'],
    ['@java.lang.Runtime@x', '@ java . lang . Runtime @ x'],
    ['a /* never closed', 'a / * never closed'],
    ['größe_1', 'größe_1'],
    ['', ''],
  ];
  for (const [text, expected] of rows) {
    it(JSON.stringify(text), () => assert.equal(words(text), expected));
  }
});
