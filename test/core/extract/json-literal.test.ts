import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pointerOf } from '../../../src/core/extract/field.ts';
import { jsonLiteralAt } from '../../../src/core/extract/json-literal.ts';

/** Text with the place marked by `^`; what the string there says and its place. */
const cases: readonly (readonly [string, string | undefined, string?])[] = [
  ['{"a":"x ^y"}', 'x y', 'a'],
  ['{"scripts":{"test":"xo && ^nz"}}', 'xo && nz', 'scripts/test'],
  ['{"scripts":{"a":"1"},"b":"c^d"}', 'cd', 'b'],
  ['{"a":[1,true,"b",{"c":"d \\" ^e"}]}', 'd " e', 'a/3/c'],
  ['["a^b"]', 'ab', '0'],
  ['{"a":"1"}\n{"b":[{},{"c":"d^e"}]}', 'de', 'b/1/c'],
  ['[["a","b"],"c^d"]', 'cd', '1'],
  ['{"a":"\\x^y"}', '\\xy', 'a'],
  ['{"n^ame":"x"}', undefined],
  ['{"a":^"x"}', 'x', 'a'],
  ['{"a":"x^"}', undefined],
  ['{"a":"x"^}', undefined],
  ['{"a":"x"} and "b^c"', undefined],
  ['"a^b"', undefined],
  ['{"a":x or "b^c"}', undefined],
  ['plain ^text', undefined],
];

describe('the string of a JSON text that a place is in', () => {
  for (const [marked, text, place] of cases) {
    it(marked, () => {
      const found = jsonLiteralAt(marked.replace('^', ''), marked.indexOf('^'));
      assert.equal(found?.text, text);
      if (found !== undefined) assert.equal(pointerOf(found.node).slice(1), place);
    });
  }
});
