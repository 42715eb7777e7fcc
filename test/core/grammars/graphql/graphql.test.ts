import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { graphqlGrammar } from '../../../../src/core/grammars/graphql/graphql.ts';
import { graphqlFragment } from '../../../../src/core/grammars/graphql/graphql-fragment.ts';
import {
  opensArguments,
  skipIgnored,
  stringEnd,
} from '../../../../src/core/grammars/graphql/graphql-lexical.ts';

describe('graphql tokens', () => {
  it('pass over what the language ignores', () => {
    assert.equal(skipIgnored(' \t\r\n,\ufeff# a { "\n#b\r,x', 0), 18);
    assert.equal(skipIgnored('# to the end', 0), 12);
  });

  const strings: readonly (readonly [text: string, end: number])[] = [
    ['"a" b', 3],
    ['"a\\"" b', 5],
    ['"""a" b""" c', 10],
    ['"""a\\"""b""" c', 12],
    ['"a', 2],
    ['"""a"', 5],
  ];
  for (const [text, end] of strings) {
    it(`end the string of ${text}`, () => assert.equal(stringEnd(text, 0), end));
  }

  it('tell arguments by their name', () => {
    assert.ok(opensArguments(' # (\n( , $a # b\n: 1)', 0));
    assert.ok(!opensArguments('(1)', 0));
    assert.ok(!opensArguments('(a, b)', 0));
    assert.ok(!opensArguments('a: 1', 0));
  });
});

describe('graphql grammar', () => {
  const documents: readonly (readonly [text: string, isDocument: boolean])[] = [
    ['{ a }', true],
    [',{,...F}', true],
    ['# one\nquery # { }\nQ($a: Int) # "\n{ a }', true],
    ['fragment F on T { a }', true],
    ['query of a list', false],
    ['query "a" { b }', false],
    ['queries { a }', false],
    ['{ 1: a }', false],
    ['{ "a": 1 }', false],
    ['', false],
  ];
  for (const [text, isDocument] of documents) {
    it(text, () => assert.equal(graphqlGrammar.read(text).isDocument, isDocument));
  }

  it('finds what asks for the schema behind comments', () => {
    assert.equal(graphqlGrammar.read('{ # __schema\n__schema { a } }').introspectionAt, 13);
    assert.equal(graphqlGrammar.read('{ __type # x\n, (name: "A") { a } }').introspectionAt, 2);
    assert.equal(graphqlGrammar.read('{ _service,{,sdl } }').introspectionAt, 2);
    assert.equal(graphqlGrammar.read('{ __type _service { a } }').introspectionAt, -1);
  });

  it('finds a page too large, and a fragment without a selection', () => {
    assert.equal(graphqlGrammar.read('{ a(first # 1\n: 100000) }').hugePageAt, 4);
    assert.equal(graphqlGrammar.read('{ a(first: 99999, id: 100000) }').hugePageAt, -1);
    assert.equal(graphqlGrammar.read('{ ...F } fragment F on T # x').openFragmentAt, 9);
    assert.equal(graphqlGrammar.read('{ ...F } fragment F on T { a }').openFragmentAt, -1);
  });
});

describe('graphql-fragment grammar', () => {
  const rows: readonly (readonly [text: string, closesAt: number])[] = [
    ['7) { a } b(c: 1) { d } } #', 1],
    ['7 # 8)\n) { a } b(c: 1) { d } } #', 7],
    ['a # }\n} b(c: 1) { d', 6],
    ['Q # {\n, { a(b: "c") { d } } #', 0],
    ['7) { a } b(c: 1) { d }', -1],
    ['1) {a} 2) {b} # the rest', -1],
    ['a } b', -1],
    ['', -1],
  ];
  for (const [text, closesAt] of rows) {
    it(text, () => assert.equal(graphqlFragment.read(text).closesAt, closesAt));
  }
});
