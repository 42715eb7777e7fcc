import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { limits } from '../../../src/contract/limits.ts';
import { compilePattern, type Meter } from '../../../src/core/match/pattern.ts';

const plenty = 1_000_000_000;

function find(source: string, text: string, meter: Meter = { left: plenty }) {
  const outcome = compilePattern(source);
  assert.ok(outcome.kind === 'pattern', `${source}: ${JSON.stringify(outcome)}`);
  return outcome.pattern.find(text, meter);
}

/** Patterns of our dialect that ECMAScript reads in the same way. */
const atom = fc.oneof(
  fc.constantFrom('a', 'b', 'A', '1', '.', '\\d', '\\w', '\\s', '\\W', '[ab]', '[^a]', '[a-c1]'),
  fc.constantFrom('\\x61', '\\u00e9', '[\\d-]', '[^\\w]', '\\.', 'é'),
);
const { source } = fc.letrec<{ source: string }>((tie) => ({
  source: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.tuple(tie('source'), tie('source')).map(([a, b]) => a + b),
    fc.tuple(tie('source'), tie('source')).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(
        tie('source'),
        fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?', '+?', '??'),
      )
      .map(([a, repeat]) => `(${a})${repeat}`),
    fc.tuple(fc.constantFrom('^', '\\b', '\\B'), tie('source')).map(([a, b]) => a + b),
    fc.tuple(tie('source'), fc.constantFrom('$', '\\b')).map(([a, b]) => a + b),
  ),
}));
const text = fc.string({ unit: fc.constantFrom(...'aabbcABé1. \n-'), maxLength: 14 });

describe('patterns', () => {
  it('find what ECMAScript finds', () => {
    let compared = 0;
    fc.assert(
      fc.property(source, text, fc.boolean(), (pattern, value, ignoresCase) => {
        const outcome = compilePattern(ignoresCase ? `(?i)${pattern}` : pattern);
        if (outcome.kind === 'not-valid') {
          assert.match(outcome.reason, /empty/);
          return;
        }
        compared += 1;
        const expected = new RegExp(pattern, ignoresCase ? 'i' : '').exec(value);
        const found = outcome.pattern.find(value, { left: plenty });
        const { literal } = outcome.pattern;
        if (found !== undefined) {
          const evidence = value.slice(found.start, found.end).toLowerCase();
          assert.ok(evidence.includes(literal.toLowerCase()), `${pattern} waits for ${literal}`);
        }
        assert.deepEqual(
          found,
          expected === null
            ? undefined
            : { start: expected.index, end: expected.index + expected[0].length },
        );
      }),
      { numRuns: 3_000 },
    );
    assert.ok(compared > 1_000, `only ${compared} patterns were compared`);
  });

  it('find the same each time, whatever was searched before', () => {
    const outcome = compilePattern('(?:ab|b)+c');
    assert.ok(outcome.kind === 'pattern');
    for (const value of ['xabbc', '', 'abab', 'xabbc']) {
      const found = outcome.pattern.find(value, { left: plenty });
      assert.deepEqual(found, value === 'xabbc' ? { start: 1, end: 5 } : undefined);
    }
  });

  it('know a text that every match holds', () => {
    const rows: readonly (readonly [pattern: string, literal: string])[] = [
      ['(?i)\\bproject (?:blue|red) \\d{4}', 'project '],
      ['a+bc', 'abc'],
      ['xy(ab)?z+zz', 'zzz'],
      ['[ab]c', 'c'],
      ['(?:one|two)', ''],
      ['(?:abc){2}d', 'd'],
      ['éabc', 'abc'],
      ['\\d+', ''],
    ];
    for (const [pattern, literal] of rows) {
      const outcome = compilePattern(pattern);
      assert.ok(outcome.kind === 'pattern');
      assert.equal(outcome.pattern.literal, literal, pattern);
    }
  });

  it('cost no more than states times characters where others backtrack', () => {
    for (const evil of ['(a+)+b', '(?:a|a)*b', '(?:a?){30}a{30}b', '(?:.+)*x1', '(?:a|aa)+$b']) {
      const meter = { left: plenty };
      find(evil, 'a'.repeat(20_000), meter);
      const work = plenty - meter.left;
      assert.ok(work < 20_001 * 2 * limits.patternStatesMax, `${evil} took ${work}`);
      const half = { left: plenty };
      find(evil, 'a'.repeat(10_000), half);
      assert.ok(work < 2.1 * (plenty - half.left), `${evil} is not linear`);
    }
  });

  it('stop when the meter is used up', () => {
    const meter = { left: 100 };
    assert.equal(find('a+b', 'a'.repeat(1_000), meter), undefined);
    assert.ok(meter.left < 0);
  });

  const refused: readonly (readonly [pattern: string, reason: RegExp])[] = [
    ['(a)\\1', /refers back/],
    ['(?=a)b', /look-around/],
    ['(?<!a)b', /look-around/],
    ['(?<name>a)', /named groups/],
    ['a**', /two repetitions/],
    ['*a', /nothing stands before/],
    ['(a', /no \) after it/],
    ['a)', /no \( before it/],
    ['[a', /no \] after it/],
    ['[b-a]', /ends before it begins/],
    ['[]', /holds nothing/],
    ['a{3,2}', /ends before it begins/],
    ['a{x}', /write \\\{/],
    ['a{0}', /stands for nothing/],
    ['()a', /holds nothing/],
    ['\\', /escapes nothing/],
    ['\\q', /no meaning/],
    ['\\xg1', /form of such an escape/],
    ['a*', /empty text/],
    ['(a*)*b', /repeated can be empty/],
    ['x(?:a|b?){0,2}', /repeated can be empty/],
    ['^$', /empty text/],
    ['\\b*a', /cannot be repeated/],
    ['(?:a{100}){100}', /states/],
    ['a{1001}', /fewer/],
    ['[😀]', /U\+FFFF/],
  ];
  for (const [pattern, reason] of refused) {
    it(`refuse ${pattern} and say why`, () => {
      const outcome = compilePattern(pattern);
      assert.ok(outcome.kind === 'not-valid', 'it was accepted');
      assert.match(outcome.reason, reason);
    });
  }
});
