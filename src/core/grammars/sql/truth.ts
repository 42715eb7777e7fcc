import type { Break } from './breaks.ts';
import { isName, type SqlTokens, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { classesOf, classSet } from './word-classes.ts';

// What is true or false as it stands, and so says nothing of what a database holds.

/** `true or false`: nothing but such words. */
export function isTruth({ kind, word, count }: SqlTokens): boolean {
  for (let at = 0; at < count; at++)
    if (kind[at] !== sqlToken.word || truthWords[word[at] as number] !== 1) return false;
  return true;
}

const truthWords = classSet(classesOf('constant or and'));

/** `A'or'B`: a text that is no number is false to MySQL and SQLite, and to PostgreSQL unless it says true. */
export function isFalse({ at, expression }: Break, { text, kind, end, word }: SqlTokens): boolean {
  // A name between double quotes is true where its column is.
  if (kind[at + 1] !== sqlToken.single) return false;
  if (expression.openAt !== at + 1 || word[at] !== sqlWord.or) return false;
  return !truth.test(text.slice(end[at + 1]));
}

const truth = /^\s{0,20}(?:[+-]?\.?\d|(?:t(?:r(?:ue?)?)?|y(?:es?)?|on?)?\s{0,20}$)/i;

const { comparison, open, close } = sqlToken;
const signs: readonly number[] = [comparison, open, close];

/** `a or b = b or a`: names of one letter on both sides of a law. */
export function isLaw(tokens: SqlTokens): boolean {
  const { kind, start, end, count } = tokens;
  for (let at = 0; at < count; at++) {
    const isLetter = (end[at] as number) - (start[at] as number) === 1;
    const isWord = kind[at] === sqlToken.word;
    if (isWord ? isName(tokens, at) && !isLetter : !signs.includes(kind[at] as number))
      return false;
  }
  // `or a=a` is no law.
  const isJoined = kind[count - 2] === sqlToken.word && !isName(tokens, count - 2);
  return isJoined && isName(tokens, 0) && isName(tokens, count - 1);
}
