import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { limits } from '../../../../src/contract/limits.ts';
import { sql } from '../../../../src/core/grammars/sql/sql.ts';
import { skipComments, sqlToken } from '../../../../src/core/grammars/sql/sql-token.ts';
import { classOfWord, sqlWord, wordsOf } from '../../../../src/core/grammars/sql/sql-words.ts';
import { readStatement } from '../../../../src/core/grammars/sql/statement-shape.ts';

const kindNames = new Map(Object.entries(sqlToken).map(([name, kind]) => [kind as number, name]));

/** Tokens as `kind:text`, in the order of the text. */
function read(text: string): string[] {
  const { count, kind, start, end } = sql.read(text);
  return Array.from({ length: count }, (_, i) => {
    const name = kindNames.get(kind[i] as number) ?? '?';
    return `${name}:${text.slice(start[i], end[i])}`;
  });
}

function check(text: string, expected: string): void {
  assert.deepEqual(read(text).join(' '), expected, JSON.stringify(text));
}

describe('sql tokens', () => {
  it('reads quotes as tokens of their own', () => {
    check('a\' or "b`', 'word:a single:\' word:or double:" word:b backtick:`');
  });

  it('ends with the NUL of a C string, where nothing but an end stands before or behind it', () => {
    check('1;\0x', 'number:1 semicolon:; lineComment:\0 word:x');
    check('a\0b\0', 'word:a word:b lineComment:\0');
    check('a \0x', 'word:a lineComment:\0 word:x');
  });

  it('reads quoted names that are called or part of a name as words', () => {
    check('"sleep"(5)', 'word:sleep open:( number:5 close:)');
    check('"a".b `c` ("d")', 'word:a dot:. word:b word:c open:( double:" word:d double:" close:)');
    check('U&"\\0061\\+000062"', 'word:U&"\\0061\\+000062"');
    check("U&'x'", "single:' word:x single:'");
    // What may end a literal as well: a word of the grammar, a sentence, no parenthesis.
    check('"or"(1)', 'double:" word:or double:" open:( number:1 close:)');
    check('"a". B', 'double:" word:a double:" dot:. word:B');
  });

  it('reads numbers in all spellings', () => {
    check(
      '1 .5 1.,1e5 1.e-1 0x3A',
      'number:1 number:.5 number:1. comma:, number:1e5 number:1.e-1 number:0x3A',
    );
    check('6_048 0x1_0 5_x', 'number:6_048 number:0x1_0 number:5 word:_x');
    // A dot before white space ends a sentence; the suffix of a float needs no space behind it.
    check('0. In', 'number:0 dot:. word:In');
    check('1fUNION 2d', 'number:1f word:UNION number:2 word:d');
    // What is no exponent and no hexadecimal number is a word behind the number.
    check('1or 0xz 5e', 'number:1 word:or number:0 word:xz number:5 word:e');
  });

  it('reads a literal between dollars as one constant', () => {
    check('$$a$$=1', 'number:$$a$$ comparison:= number:1');
    check('$$ a', 'other:$ other:$ word:a');
    check('$b$red$b$,.7e1', 'number:$b$red$b$ comma:, number:.7e1');
    check('$b$ red', 'other:$ word:b$ word:red');
  });

  it('reads variables', () => {
    check('@a @@version @', 'variable:@a variable:@@version variable:@');
    check('@a#b @@c#', 'variable:@a#b variable:@@c lineComment:#');
    check('@@`a b`', 'variable:@@`a b`');
  });

  it('reads comparisons and operators of several characters', () => {
    check('a<=>b!=c<>d', 'word:a comparison:<=> word:b comparison:!= word:c comparison:<> word:d');
    check('a||b&&c', 'word:a pipes:|| word:b ampersands:&& word:c');
    check("a @> b <@ 'c'", "word:a comparison:@> word:b comparison:<@ single:' word:c single:'");
    check("a->>'$.b'", "word:a operator:->> single:' other:$ dot:. word:b single:'");
    check('a::int', 'word:a cast::: word:int');
  });

  it('takes every white space of a server for a space', () => {
    check('or\u00a01\t=\u000b1\u3000and', 'word:or number:1 comparison:= number:1 word:and');
  });

  it('takes a plus beside a reserved word for the space of a form', () => {
    check("'+or+1=1", "single:' word:or number:1 comparison:= number:1");
    check("'+(select+1)", "single:' operator:+ open:( word:select number:1 close:)");
    check('a+b', 'word:a operator:+ word:b');
  });

  it('reads \\N as a constant', () => {
    const tokens = sql.read('is \\N');
    assert.equal(tokens.word[1], sqlWord.constant);
  });

  it('reads the content of executable comments as code', () => {
    check('/*!50000union*//*!select*/1', 'word:union word:select number:1');
    check('/*M!100 or*/', 'word:or');
  });

  it('keeps the tokens of comments and tells where they end', () => {
    const tokens = sql.read("a/* ' or */b");
    assert.equal(tokens.kind[1], sqlToken.blockComment);
    const after = skipComments(tokens, 1);
    assert.equal(tokens.text.slice(tokens.start[after], tokens.end[after]), 'b');
  });

  it('ends a line comment with its line, and a row of comments at once', () => {
    const tokens = sql.read('or-- x\n# y\n/* z */1');
    const after = skipComments(tokens, 1);
    assert.equal(tokens.text.slice(tokens.start[after], tokens.end[after]), '1');
  });

  it('lets an open comment stand, for it cuts the statement', () => {
    for (const text of ['1--', '1 # x', '1 /* x']) {
      const tokens = sql.read(text);
      assert.equal(skipComments(tokens, 1), 1, text);
      assert.equal(tokens.jump[1], -1, text);
    }
  });

  it('reads a star and a slash outside of comments as operators', () => {
    check('a*/b', 'word:a operator:* operator:/ word:b');
  });

  it('links each quote with the next of its kind', () => {
    const tokens = sql.read('\'a"b\'c"');
    assert.deepEqual([tokens.jump[0], tokens.jump[2]], [4, 6]);
    assert.deepEqual([tokens.jump[4], tokens.jump[6]], [-1, -1]);
  });

  it('stops at its bound and says so', () => {
    const tokens = sql.read('('.repeat(limits.tokensMax + 1));
    assert.equal(tokens.count, limits.tokensMax);
    assert.equal(tokens.complete, false);
    assert.equal(sql.read('(').complete, true);
  });

  it('keeps tokens in order and inside the text, whatever the text', () => {
    const pieces = fc.constantFrom("'", '"', '`', '/*', '*/', '/*!5', '--', '#', '\n', ' ', '+');
    const text = fc
      .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 4 })))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (value) => {
        const { count, start, end, jump } = sql.read(value);
        let last = 0;
        for (let i = 0; i < count; i++) {
          assert.ok((start[i] as number) >= last && (end[i] as number) > (start[i] as number));
          assert.ok((end[i] as number) <= value.length);
          const target = jump[i] as number;
          assert.ok(target === -1 || (target > i && target < count));
          last = end[i] as number;
        }
      }),
    );
  });
});

describe('sql tokens of one text after the other', () => {
  it('shows no token of an earlier text behind the end', () => {
    sql.read(']'.repeat(64));
    const { count, kind } = sql.read('select [');
    assert.equal(count, 2);
    assert.deepEqual([...kind.subarray(count, count + 6)], Array(6).fill(sqlToken.end));
  });
});

describe('sql words', () => {
  it('are found in any case and nowhere inside longer words', () => {
    const text = 'xUnIoNx';
    assert.equal(classOfWord(text, 1, 6), sqlWord.union);
    assert.equal(classOfWord(text, 0, 6), sqlWord.name);
    assert.equal(classOfWord(text, 1, 7), sqlWord.name);
  });

  it('are all found under the class that lists them', () => {
    for (const wordClass of Object.values(sqlWord)) {
      for (const word of wordsOf(wordClass)) {
        assert.equal(classOfWord(word, 0, word.length), wordClass, word);
      }
    }
  });
});

it('reads any number of blocks in blocks', () => {
  for (const word of ['if 1 then ', 'case 1 when 1 then ', 'while 1 do ', 'repeat ', 'begin ']) {
    assert.doesNotThrow(() => readStatement(sql.read(word.repeat(10_000)), 0));
  }
});
