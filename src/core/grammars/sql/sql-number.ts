import { hexValue, isDigit } from '../../text/char-class.ts';
import { isNamePart } from './sql-characters.ts';
import { sameWord } from './sql-words.ts';

/** Offset behind `0x…`, `0b…` or `0o…`, -1 where no number of another base begins. */
export function prefixedNumberEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== 48) return -1;
  const base = bases[String.fromCharCode(text.charCodeAt(at + 1) | 32)];
  if (base === undefined) return -1;
  let end = at + 2;
  // `0x1_f`, and of PostgreSQL `0x_1f`
  while (
    isDigitOf(base, text.charCodeAt(end)) ||
    (text.charCodeAt(end) === 95 && isDigitOf(base, text.charCodeAt(end + 1)))
  )
    end++;
  // `0x` is the empty value of Transact-SQL.
  const isEmpty = base === 16 && end === at + 2 && !isNamePart(text.charCodeAt(end));
  return end > at + 2 || isEmpty ? end : -1;
}

const bases: Readonly<Record<string, number>> = { x: 16, b: 2, o: 8 };

function isDigitOf(base: number, code: number): boolean {
  const value = hexValue(code);
  return value >= 0 && value < base;
}

/** Offset behind a decimal number with its fraction and exponent. */
export function numberEnd(text: string, at: number): number {
  let end = digitsEnd(text, at);
  // A dot before white space ends a sentence.
  if (text.charCodeAt(end) === 46 && !isBlank(text.charCodeAt(end + 1))) {
    end = digitsEnd(text, end + 1);
  }
  if ((text.charCodeAt(end) | 32) === 101) {
    const sign = text.charCodeAt(end + 1);
    const digits = sign === 43 || sign === 45 ? end + 2 : end + 1;
    if (isDigit(text.charCodeAt(digits))) end = digitsEnd(text, digits);
  }
  // 1fUNION: the suffix of a float, and no space needed after it.
  const suffix = text.charCodeAt(end) | 32;
  return (suffix === 102 || suffix === 100) && startsUnion(text, end + 1) ? end + 1 : end;
}

/** Offset behind `$$…$$`, `$a$…$a$` or `$1`, an amount or a parameter; -1 where none begins or it does not end soon. */
export function dollarTextEnd(text: string, at: number): number {
  const bound = Math.min(text.length, at + dollarTagMax);
  let end = at + 1;
  if (isDigit(text.charCodeAt(end))) return numberEnd(text, end);
  while (end < bound && isNamePart(text.charCodeAt(end)) && text.charCodeAt(end) !== 36) end++;
  if (text.charCodeAt(end) !== 36) return -1;
  const tag = text.slice(at, end + 1);
  const close = text.slice(end + 1, end + 1 + dollarTextMax).indexOf(tag);
  return close < 0 ? -1 : end + 1 + close + tag.length;
}

const dollarTagMax = 18;
/** Longer texts between dollars are not followed. */
const dollarTextMax = 80;

function digitsEnd(text: string, from: number): number {
  let end = from;
  while (isDigit(text.charCodeAt(end)) || isSeparator(text, end)) end++;
  return end;
}

/** `6_048`: an underscore between digits, of SQL:2023, SQLite and PostgreSQL. */
function isSeparator(text: string, at: number): boolean {
  return (
    text.charCodeAt(at) === 95 &&
    isDigit(text.charCodeAt(at - 1)) &&
    isDigit(text.charCodeAt(at + 1))
  );
}

function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

function startsUnion(text: string, at: number): boolean {
  return sameWord(text, at, at + 5, 'union') && !isNamePart(text.charCodeAt(at + 5));
}
