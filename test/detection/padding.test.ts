import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attacks } from '../property/attacks.ts';
import { isBlocked, verdictOn } from '../property/screen.ts';

/** What bounds are reached by: each as often as it takes to fill about 300 kB. */
const padding: readonly (readonly [name: string, unit: string])[] = [
  ['commands', '; ls a'],
  ['URLs', ' http://example.org/a'],
  ['tokens', '( ) '],
  ['tags', '<b>a</b>'],
  ['templates', '${a} {{b}} '],
  ['PHP', '<? '],
  ['server pages', '<% a %>'],
  ['functions', 'a() {'],
  ['arrow functions', ')=>{'],
  ['calls', 'system '],
  ['look-ups', '${a:b} '],
  ['quotes', "a'b "],
  ['line ends', 'a\n'],
  ['percent', '%41'],
  ['entities', '&amp;'],
  ['pictures', '![a](b) '],
  ['base64', 'QUFBQUFBQUFBQUFBQUFBQQ== '],
  ['script', 'script(alert '],
];
const unitsChars = 300_000;

describe('an attack behind padding', () => {
  // A command in backticks is code in a long text, a header behind a long value a letter.
  const inPlaceOnly = /^`|^x%0d%0a/;
  const tail = attacks.filter((one, index) => index % 6 === 0 && !inPlaceOnly.test(one));

  for (const [name, unit] of padding) {
    it(`of ${name} is found, or the verdict says that not all was seen`, () => {
      const filler = unit.repeat(Math.ceil(unitsChars / unit.length));
      const missed = tail.filter((attack) => {
        if (!isBlocked(`a ${attack}`)) return false;
        const { decision, coverage } = verdictOn({ value: `${filler} ${attack}` });
        return decision === 'allow' && coverage.complete;
      });
      // In a long text some attacks are none: they are words in it, or were one as a whole value.
      const alone = tail.filter((attack) => {
        const { decision, coverage } = verdictOn({ value: `${unit} ${unit} ${attack}` });
        return decision === 'allow' && coverage.complete;
      });
      assert.deepEqual(
        missed.filter((attack) => !alone.includes(attack)),
        [],
      );
    });
  }
});
