import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compileTester } from '../../../src/core/match/pattern.ts';

const plenty = 1_000_000_000;

function test(source: string, text: string, left = plenty): boolean {
  const outcome = compileTester(source);
  assert.ok(outcome.kind === 'tester', `${source}: ${JSON.stringify(outcome)}`);
  return outcome.tester.test(text, { left });
}

function reasonOf(source: string): string {
  const outcome = compileTester(source);
  assert.ok(outcome.kind === 'not-valid', `${source} is taken`);
  return outcome.reason;
}

const atom = fc.constantFrom(
  ...['a', 'b', '1', '.', '\\d', '\\w', '\\S', '[ab]', '[^a]', '[a-c1]', '\\u00e9', '\\p{L}'],
  ...['[\\p{Lu}1]', '\\P{L}', '\\.', '😀'],
);
const { source } = fc.letrec<{ source: string }>((tie) => ({
  source: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc.tuple(tie('source'), tie('source')).map(([a, b]) => a + b),
    fc.tuple(tie('source'), tie('source')).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie('source'), tie('source')).map(([a, b]) => `^(${a}|${b}|)$`),
    fc
      .tuple(tie('source'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?'))
      .map(([a, repeat]) => `(?:${a})${repeat}`),
    fc.tuple(fc.constantFrom('^', '\\b', '\\B'), tie('source')).map(([a, b]) => a + b),
    tie('source').map((a) => `^(?<name>${a})$`),
    tie('source').map((a) => `${a}$`),
  ),
}));
/** `^[a-c1]+-{1,3}$`: sets and nothing else, one after the other. */
const whole = fc
  .array(
    fc.tuple(
      fc.constantFrom('a', 'b', '1', '-', '[ab]', '[a-c1]', '[^a]', '\\d', '\\w', 'é'),
      fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '{0,2}', '{2,}'),
    ),
    { maxLength: 5 },
  )
  .map((parts) => `^${parts.flat().join('')}$`);
const text = fc.string({ unit: fc.constantFrom(...'aabÉ1. \n-', '😀'), maxLength: 12 });

describe('patterns of schemas', () => {
  it('say what ECMAScript says with the flag u', () => {
    let found = 0;
    fc.assert(
      fc.property(source, text, (pattern, value) => {
        // A second group of the same name is no pattern.
        if (pattern.split('(?<').length > 2) return;
        const expected = new RegExp(pattern, 'u').test(value);
        if (expected) found += 1;
        assert.equal(test(pattern, value), expected);
      }),
      { numRuns: 4_000 },
    );
    assert.ok(found > 500, `only ${found} texts matched`);
  });

  it('say so of whole texts of sets as well', () => {
    const written = fc.string({ unit: fc.constantFrom(...'aab1-É'), maxLength: 8 });
    let found = 0;
    fc.assert(
      fc.property(whole, written, (pattern, value) => {
        const expected = new RegExp(pattern, 'u').test(value);
        if (expected) found += 1;
        assert.equal(test(pattern, value), expected, `${pattern} on ${value}`);
      }),
      { numRuns: 4_000 },
    );
    assert.ok(found > 100, `only ${found} texts matched`);
  });

  it('may match nothing, and count a character beyond U+FFFF as one', () => {
    const rows: readonly (readonly [pattern: string, text: string, expected: boolean])[] = [
      ['^$', '', true],
      ['^$', 'a', false],
      ['^[a-z]*$', '', true],
      ['^[a-z]*$', 'A', false],
      ['\\b', ' a', true],
      ['^.$', '😀', true],
      ['^[^a]{2}$', '😀', false],
      ['^\\p{Lu}\\p{Ll}+$', 'Élodie', true],
      ['^(?<year>\\d{4})-\\d\\d$', '2030-01', true],
      ['^\\w{1,3000}$', 'a'.repeat(3_000), true],
    ];
    for (const [pattern, value, expected] of rows) {
      assert.equal(test(pattern, value), expected, `${pattern} on ${value.slice(0, 20)}`);
    }
  });

  it('are refused where they would need backtracking', () => {
    assert.match(reasonOf('^(?=.*\\d).{8,}$'), /look-around/);
    assert.match(reasonOf('(a)\\1'), /refers back/);
    assert.match(reasonOf('(?<!a)b'), /look-around/);
    assert.match(reasonOf('^.{5000}$'), /more than 4096 repetitions/);
    assert.match(reasonOf('(?:a{4000}){4000}'), /states/);
    assert.match(reasonOf('a'.repeat(3_000)), /longer than/);
    assert.match(reasonOf('['), /has no \]/);
  });

  it('cost what the text is long, times their states', () => {
    const evil = compileTester('^(?:(?:a+)+)+$');
    assert.ok(evil.kind === 'tester');
    const meter = { left: plenty };
    assert.equal(evil.tester.test(`${'a'.repeat(50_000)}!`, meter), false);
    assert.ok(plenty - meter.left < 50_000 * 40, `${plenty - meter.left} steps`);
    assert.equal(test('^(?:a|b)*$', 'a'.repeat(10_000), 1_000), false);
  });

  it('tell identifiers from what may be more', () => {
    const isIdentifier = (pattern: string): boolean => {
      const outcome = compileTester(pattern);
      assert.ok(outcome.kind === 'tester');
      return outcome.tester.isIdentifier;
    };
    for (const pattern of ['^[a-z0-9-]+$', '^usr_[A-Za-z0-9]{8}$', '^(?:asc|desc)$', '^\\w+$']) {
      assert.ok(isIdentifier(pattern), pattern);
    }
    for (const pattern of [
      '[a-z]+',
      '^[a-z]+',
      '^a|b$',
      '^[a-z.]+$',
      '^[^<]+$',
      '^.*$',
      '^\\S+$',
    ]) {
      assert.ok(!isIdentifier(pattern), pattern);
    }
  });
});
