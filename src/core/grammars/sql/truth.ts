import type { Break } from './breaks.ts';
import { type SqlTokens, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { classesOf, classSet } from './word-classes.ts';

// What is true or false as it stands, and so says nothing of what a database holds.

/** `true or false`: nothing but such words, and none behind OR that makes all rows true. */
export function isTruth({ kind, word, count, text, start }: SqlTokens): boolean {
  if (count > saidMax) return false;
  for (let at = 0; at < count; at++) {
    if (kind[at] !== sqlToken.word || truthWords[word[at] as number] !== 1) return false;
    if (word[at] === sqlWord.or && !falsehood.test(text.slice(start[at + 1]))) return false;
  }
  return true;
}

/** Tokens: each end of a constant asks. */
const saidMax = 16;
const truthWords = classSet(classesOf('constant or and'));
const falsehood = /^(?:false|null)\b/i;

/** `A'or'B`: a text that is no number is false to MySQL and SQLite, and to PostgreSQL unless it says true. */
export function isFalse({ at, expression }: Break, { text, kind, end, word }: SqlTokens): boolean {
  // A name between double quotes is true where its column is.
  if (kind[at + 1] !== sqlToken.single) return false;
  if (expression.openAt !== at + 1 || word[at] !== sqlWord.or) return false;
  const literal = text.slice(end[at + 1]).trim();
  // `\1` is `1` to MySQL.
  return !literal.includes('\\') && !truth.test(literal);
}

const truth = /^(?:[+-]?\.?\d|(?:t(?:r(?:ue?)?)?|y(?:es?)?|on?)?$)/i;
