import { characterSet } from '../../text/runs.ts';
import type { Grammar } from '../grammar.ts';
import { classAt, endOfWord, isWordPart, skipSpace } from './anchor-text.ts';
import { sqlWord } from './sql-words.ts';
import { classSet } from './word-classes.ts';

/**
 * The cheap look for UNION: true when one stands where a query may follow it. Most texts with the
 * word speak of a union, and of a table somewhere else.
 */
export const unionAnchor: Grammar<boolean> = { name: 'union-anchor', read: holdsUnion };

const unions = /(?:union|except|intersect|minus)(?![A-Za-z0-9_$])/gi;

function holdsUnion(text: string): boolean {
  unions.lastIndex = 0;
  while (unions.test(text)) {
    if (opensQuery(text, unions.lastIndex)) return true;
  }
  return false;
}

/**
 * `union all (select`, `union values`, `union/*…`: signs, comments and quantifiers may stand before
 * the query.
 */
export function opensQuery(text: string, from: number): boolean {
  let at = skipSpace(text, from);
  for (let skipped = 0; skipped < openingMax; skipped++) {
    const code = text.charCodeAt(at);
    if (code === 35 || code >= 128) return true;
    if (!isWordPart(code)) {
      if (!(code < 128 && opensOperand[code] === 1)) return false;
      if ((code === 45 && text.charCodeAt(at + 1) === 45) || isBlockComment(text, at)) return true;
      at = skipSpace(text, at + 1);
      continue;
    }
    const word = classAt(text, at);
    if (word !== sqlWord.quantifier) return queries[word] === 1 || isSelect(text, at);
    at = skipSpace(text, endOfWord(text, at));
  }
  return true;
}

const openingMax = 40;

const opensOperand = characterSet('!%&(*+-/^|~');

const queries = classSet([sqlWord.select, sqlWord.values, sqlWord.exec, sqlWord.table]);

function isBlockComment(text: string, at: number): boolean {
  return text.charCodeAt(at) === 47 && text.charCodeAt(at + 1) === 42;
}

/** `selectchar(73)`: a filter took the blank out. */
function isSelect(text: string, at: number): boolean {
  return text.slice(at, at + 6).toLowerCase() === 'select';
}
