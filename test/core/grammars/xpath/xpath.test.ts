import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { xpathGrammar } from '../../../../src/core/grammars/xpath/xpath.ts';
import {
  type XPathPiece,
  xpathEnd,
  xpathTrait,
} from '../../../../src/core/grammars/xpath/xpath-piece.ts';

/** The end and the traits of a piece, by name. */
function shown({ traits, end }: XPathPiece): string {
  const names = Object.entries(xpathTrait).filter(([, bit]) => (traits & bit) > 0);
  const ending = Object.entries(xpathEnd).find(([, value]) => value === end)?.[0];
  if (end === xpathEnd.broken) return 'broken';
  return [`${ending}:`, ...names.map(([name]) => name)].join(' ');
}

describe('xpath grammar: a text from its beginning', () => {
  const rows: readonly (readonly [text: string, piece: string])[] = [
    ['7', 'complete: number'],
    ['7 or last()', 'complete: connective contextCall number'],
    [
      '-floor(1.5) or @a>=1',
      'complete: connective call attribute attributeTest compare name number',
    ],
    ['4 orattribute::node()|node()', 'complete: connective union axis nodeTest number'],
    ['x\tor\r/ \n*', 'complete: connective anyNode step name'],
    ['/ = 2 * 3', 'complete: step compare number'],
    ['1] | //a[7', 'open: union excess deep predicate name number'],
    ['or position()=2 or', 'open: connective contextCall compare number'],
    ['(: one :) a (: two :) = .5', 'complete: formal compare name number'],
    ['ns:a/ns:*', 'complete: step name'],
    ["some $x in //a satisfies $x='b'", 'complete: deep clause compare name literal'],
    ['a (: b', 'cut: formal name'],
    ['5/6/2020', 'broken'],
    ['see a', 'broken'],
    ['size(a)', 'broken'],
    ['count()', 'broken'],
    ['(a]', 'broken'],
    ['a | replace(b, 1, 2)', 'broken'],
    ['text(a)', 'broken'],
    ['b::a', 'broken'],
    ['', 'open:'],
  ];
  for (const [text, piece] of rows) {
    it(text, () => assert.equal(shown(xpathGrammar.read(text).bare), piece));
  }

  it('says what stands before the first connective, union or excess bracket', () => {
    const { lead, connectives } = xpathGrammar.read('(1 or 2)=x or /a or b').bare;
    assert.equal(connectives, 2);
    assert.equal(lead & (xpathTrait.compare | xpathTrait.step), xpathTrait.compare);
  });
});

describe('xpath grammar: behind a quote that closes', () => {
  const rows: readonly (readonly [text: string, quoteAt: number, piece: string])[] = [
    ["x' or //a or '", 1, 'literal: connective deep name literal'],
    [
      "ann'or/*][true() or '",
      3,
      'literal: connective excess contextCall anyNode step predicate literal',
    ],
    ["a','b')) or c or d(e,'f", -1, ''],
    ["a','b')) or c or concat(e,'f", 1, 'literal: connective call name literal'],
    ["' or 1]\u0000", 0, 'cut: connective excess number'],
    ["' or 'a", 0, 'literal: connective literal'],
    ["' return doc('a') (: '", 0, 'cut: call formal clause literal'],
    ["'a', 'b', count('c", -1, ''],
    ["it's 5' or 6' tall", -1, ''],
    ["'x' or //a", -1, ''],
    ["x' or //a", 1, 'complete: connective deep name'],
    ['x\' or //a or "', -1, ''],
  ];
  for (const [text, quoteAt, piece] of rows) {
    it(text, () => {
      const reading = xpathGrammar.read(text);
      assert.equal(reading.quoteAt, quoteAt);
      assert.equal(reading.quoted === undefined ? '' : shown(reading.quoted), piece);
    });
  }

  it('reads a literal of any length, and up to 600 tokens', () => {
    const padded = xpathGrammar.read(`' or //a or '${'b'.repeat(100_000)}`);
    assert.equal(padded.quoted?.end, xpathEnd.literal);
    const long = xpathGrammar.read(`' or //a or ${'1+'.repeat(1_000)}'`);
    assert.equal(long.quoted?.end, xpathEnd.cut);
  });
});
