import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  family,
  template,
  templateToken,
} from '../../../../src/core/grammars/template/template.ts';

const { open, close, name, number, string, mark } = templateToken;

/** The tokens without what the reused arrays hold beyond them. */
function readKinds(text: string) {
  const { count, kinds, families, complete } = template.read(text);
  return { complete, kinds: [...kinds.slice(0, count)], families: [...families.slice(0, count)] };
}

/** Tokens as `[kind, text]`. */
function read(text: string): readonly (readonly [number, string])[] {
  const { starts, ends } = template.read(text);
  return readKinds(text).kinds.map((kind, i) => [kind, text.slice(starts[i], ends[i])] as const);
}

describe('template grammar', () => {
  it('reads nothing outside of delimiters', () => {
    assert.deepEqual(read('plain text, {7*7}, $5 and a < b'), []);
    assert.deepEqual(read(`{"a": 1, 'b'|c}`), []);
    assert.deepEqual(read('a {{ b }} c'), [
      [open, '{{'],
      [name, 'b'],
      [close, '}}'],
    ]);
  });

  it('reads names, numbers, strings and marks', () => {
    assert.deepEqual(read(`{{ a.b|c('d\\'e', 7.5) == x }}`), [
      [open, '{{'],
      [name, 'a'],
      [mark, '.'],
      [name, 'b'],
      [mark, '|'],
      [name, 'c'],
      [mark, '('],
      [string, `'d\\'e'`],
      [mark, ','],
      [number, '7.5'],
      [mark, ')'],
      [mark, '=='],
      [name, 'x'],
      [close, '}}'],
    ]);
  });

  const families: readonly (readonly [text: string, family: number])[] = [
    ['{{x}}', family.mustache],
    ['${{x}}', family.mustache],
    ['{%x%}', family.statement],
    ['${x}', family.dollar],
    ['$!{x}', family.dollar],
    ['[=x]', family.dollar],
    ["{'x'|y}", family.single],
    ['#{x}', family.hash],
    ['*{x}', family.star],
    ['%{x}', family.percent],
    ['@{x}', family.at],
    ['~{x}', family.tilde],
    ['<%x%>', family.angle],
    ['@(x)', family.razor],
    ['[[x]]', family.inline],
    ['[(x)]', family.inline],
    ['<#x>', family.directive],
    ['[#x]', family.directive],
    ['#[b= x]', family.hash],
    ['#[a.b-c!=x]', family.hash],
    ['#set(x)', family.velocity],
    ['#{set}\t(x)', family.velocity],
    ['{if x}', family.single],
    ["{system('x')}", family.single],
    ['{$x}', family.single],
  ];
  for (const [text, one] of families) {
    it(`knows the family of ${text}`, () => {
      const tokens = readKinds(text);
      assert.equal(tokens.kinds[0], open);
      assert.equal(tokens.kinds.at(-1), close);
      assert.deepEqual(new Set(tokens.families), new Set([one]));
    });
  }

  it('keeps nested delimiters and brackets apart', () => {
    const tokens = readKinds('[[${a({b: 1})}]]');
    const closes = tokens.kinds.flatMap((kind, i) => (kind === close ? [tokens.families[i]] : []));
    assert.deepEqual(closes, [family.dollar, family.inline]);
  });

  it('closes a tag of Pug behind the lists within it', () => {
    assert.equal(read('#[b= [1][0]] c').length, 8);
  });

  it('leaves an expression open that nothing closes', () => {
    const kinds = read('{{ a').map(([kind]) => kind);
    assert.deepEqual(kinds, [open, name]);
  });

  it('reads a quote that nothing closes as a mark', () => {
    assert.deepEqual(read(`{{ it's }}`).at(2), [mark, "'"]);
  });

  it('reads what is nested too deep as marks', () => {
    const tokens = readKinds('${'.repeat(1_000));
    assert.equal(tokens.kinds.filter((kind) => kind === open).length, 32);
    assert.equal(tokens.complete, true);
  });
});
