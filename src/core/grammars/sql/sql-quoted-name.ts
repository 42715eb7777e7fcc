import { hexValue, isDigit } from '../../text/char-class.ts';
import { isNamePart } from './sql-characters.ts';
import { sqlToken } from './sql-token.ts';
import { classOfWord, sqlWord } from './sql-words.ts';

/**
 * Offset of the mark that ends a quoted name which begins at `at`: one that is called, `"sleep"(5)`,
 * or part of a longer name, `"main".users`. -1 for all else: without a parenthesis or a dot a quote
 * may end a literal as well.
 */
export function quotedName(text: string, at: number, kind: number): number {
  switch (kind) {
    case sqlToken.double:
    case sqlToken.backtick:
      return quotedNameEnd(text, at, text.charCodeAt(at));
    case sqlToken.bracket:
      return calledNameEnd(text, at);
    default:
      return -1;
  }
}

function quotedNameEnd(text: string, at: number, quote: number): number {
  let end = at + 1;
  while (end - at <= nameMax && isNamePart(text.charCodeAt(end))) end++;
  if (end === at + 1 || text.charCodeAt(end) !== quote || isDigit(text.charCodeAt(at + 1))) {
    return -1;
  }
  const next = skipGap(text, end + 1);
  const code = text.charCodeAt(next);
  if (code === 40) return end;
  if (code !== 46) return -1;
  // A dot that ends a sentence has a blank behind it, and none before.
  const isSentence = next === end + 1 && !isNameStart(text.charCodeAt(next + 1), quote);
  return isSentence ? -1 : end;
}

/** In brackets, as SQL Server and SQLite have it, if it is called; behind a name it is an index. */
function calledNameEnd(text: string, at: number): number {
  if (isNamePart(text.charCodeAt(at - 1))) return -1;
  const end = quotedNameEnd(text, at, 93);
  return end > 0 && text.charCodeAt(skipGap(text, end + 1)) === 40 ? end : -1;
}

/** White space and comments, as far as a name looks for what follows it. */
function skipGap(text: string, from: number): number {
  gap.lastIndex = from;
  return gap.test(text) ? gap.lastIndex : from;
}

const gap =
  /[\0-\x20]{0,128}(?:(?:--[^\n\r]{0,64}[\n\r]|#[^\n\r]{0,64}[\n\r]|\/\*[^*]{0,64}\*\/)[\0-\x20]{0,128}){0,8}/y;

/** A quoted name that is no word of the grammar, so that no literal can end before it. */
export function isFreeName(text: string, from: number, to: number): boolean {
  const word = classOfWord(text, from, to);
  const isFunction = word === sqlWord.flow || word === sqlWord.replace || word === sqlWord.insert;
  return word === sqlWord.name || isFunction || word >= sqlWord.timeCall;
}

const nameMax = 64;

function isNameStart(code: number, quote: number): boolean {
  return isNamePart(code) || code === quote || code === 42;
}

/**
 * `U&"\0070in"`, a name of SQL:2003 and PostgreSQL with escaped characters: its text and the offset
 * behind it. Undefined where none begins.
 */
export function escapedName(
  text: string,
  at: number,
): { readonly text: string; readonly end: number } | undefined {
  if (text.charCodeAt(at + 2) !== 34) return undefined;
  const close = text.indexOf('"', at + 3);
  if (close < 0 || close - at > escapedMax) return undefined;
  let name = '';
  for (let i = at + 3; i < close; ) {
    const isLong = text.charCodeAt(i + 1) === 43;
    const digits = isLong ? text.slice(i + 2, i + 8) : text.slice(i + 1, i + 5);
    const isEscape = text.charCodeAt(i) === 92 && isHexadecimal(digits);
    const value = isEscape ? Number.parseInt(digits, 16) : text.charCodeAt(i);
    name += value <= 0x10ffff ? String.fromCodePoint(value) : '';
    i += isEscape ? digits.length + (isLong ? 2 : 1) : 1;
  }
  return { text: name, end: close + 1 };
}

const escapedMax = 600;

function isHexadecimal(digits: string): boolean {
  if (digits.length < 4) return false;
  for (let i = 0; i < digits.length; i++) if (hexValue(digits.charCodeAt(i)) < 0) return false;
  return true;
}

/** Offset behind `@name`, `@@name`, `` @`name` `` and `` @@`name` ``. */
export function variableEnd(text: string, at: number): number {
  const isSystem = text.charCodeAt(at + 1) === 64;
  let end = isSystem ? at + 2 : at + 1;
  if (text.charCodeAt(end) === 96) {
    const close = text.indexOf('`', end + 1);
    if (close > 0 && close - at <= nameMax) return close + 1;
  }
  while (end < text.length && (isNamePart(text.charCodeAt(end)) || isHash(text, end, isSystem))) {
    end++;
  }
  return end;
}

/** `@a#b`, a name of Transact-SQL; to MySQL, and behind the variables of a server, a comment. */
function isHash(text: string, at: number, isSystem: boolean): boolean {
  return text.charCodeAt(at) === 35 && !isSystem && isNamePart(text.charCodeAt(at + 1));
}
