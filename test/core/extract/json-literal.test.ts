import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonLiteralAt } from '../../../src/core/extract/json-literal.ts';

/** Text with the place marked by `^`; what the string there says and the member above it. */
const cases: readonly (readonly [string, string | undefined, string?])[] = [
  ['{"a":"x ^y"}', 'x y', ''],
  ['{"scripts":{"test":"xo && ^nz"}}', 'xo && nz', 'scripts'],
  ['{"scripts":{"a":"1"},"b":"c^d"}', 'cd', ''],
  ['{"a":[1,true,"b",{"c":"d \\" ^e"}]}', 'd " e', 'a'],
  ['["a^b"]', 'ab', ''],
  ['{"a":"\\x^y"}', '\\xy', ''],
  ['{"n^ame":"x"}', undefined],
  ['{"a":^"x"}', undefined],
  ['{"a":"x^"}', undefined],
  ['{"a":"x"^}', undefined],
  ['{"a":"x"} and "b^c"', undefined],
  ['"a^b"', undefined],
  ['{"a":x or "b^c"}', undefined],
  ['plain ^text', undefined],
];

describe('the string of a JSON text that a place is in', () => {
  for (const [marked, text, parent] of cases) {
    it(marked, () => {
      const found = jsonLiteralAt(marked.replace('^', ''), marked.indexOf('^'));
      assert.equal(found?.text, text);
      if (text !== undefined) assert.equal(found?.parent, parent);
    });
  }
});
