import { isDigit } from '../../text/char-class.ts';
import { createFinder } from '../../text/char-finder.ts';
import { characterSet, characterTable } from '../../text/runs.ts';
import type { Grammar } from '../grammar.ts';
import {
  classAt,
  endOfWord,
  followed,
  isBehind,
  isSpace,
  isWordPart,
  skipSpace,
  skipSpaceBack,
  wordBefore,
  wordMax,
} from './anchor-text.ts';
import { isComparisonPart } from './sql-characters.ts';
import { classOfWord, sqlWord } from './sql-words.ts';
import { opensQuery } from './union-anchor.ts';
import { classesOf, classSet, statementVerbs } from './word-classes.ts';

/**
 * The cheap look before the reading: true when a text holds a place where SQL could go on in it.
 * Prose has quotes, digits and parentheses, yet seldom beside the words and signs that this looks
 * for.
 */
export const sqlAnchor: Grammar<boolean> = { name: 'sql-anchor', read: holdsAnchor };

const action = {
  none: 0,
  comparison: 1,
  quote: 2,
  double: 3,
  semicolon: 4,
  open: 5,
  digit: 6,
  at: 7,
} as const;

/** The characters that have an action. */
const nextSign = createFinder(/[=<>'"`\-#/|&;(0-9@]/g);

const actions: Uint8Array = characterTable([
  [action.comparison, '=<>'],
  [action.quote, '\'"`'],
  [action.double, '-#/|&'],
  [action.semicolon, ';'],
  [action.open, '('],
  [action.digit, '0123456789'],
  [action.at, '@'],
]);

function holdsAnchor(text: string): boolean {
  // A NUL is the end of the statement to SQLite.
  if (leads.test(text) || text.endsWith('\0')) return true;
  for (let at = nextSign(text, 0); at < text.length; at = nextSign(text, at + 1)) {
    if (isAnchor(text, at, text.charCodeAt(at))) return true;
  }
  return false;
}

/** A value that begins with a constant or the end of a parenthesis, and goes on as a condition. */
const leads =
  /^[\s(+~!-]{0,8}(?:[\d.,]{1,30}|'\d{1,20}'|(?=\)))(?:[\s)]{0,8}\)[\s)]{0,8}(?:(?:or|and|xor|is|having)\b|[|&=<>!+*%^-])|\s{0,8}(?:;\s{0,8}[a-z]{2}|(?:or|xor|is)\b)|[\s)]{0,8}(?:select|insert|update|delete|drop|create|alter|truncate|exec|execute|declare|begin|grant|merge)\b)/i;

function isAnchor(text: string, at: number, code: number): boolean {
  switch (actions[code]) {
    case action.comparison:
      return isCompared(text, at);
    case action.quote:
      return goesOn(text, at + 1) || isBehind(text, at, beforeQuote);
    case action.double:
      return isMark(text, at, code);
    case action.semicolon:
      return beginsStatement(text, skipLineComments(text, at + 1));
    case action.open:
      return isCall(text, at);
    case action.digit:
      return at > 0 && isSpace(text.charCodeAt(at - 1)) && isNumbered(text, at);
    default:
      return text.charCodeAt(at + 1) === 64 || beforeVariable[wordBefore(text, at)] === 1;
  }
}

/**
 * A comparison of constants, `1=1`, or behind a word of SQL, `or a.b = c`; addresses, forms and
 * mark-up are full of signs that compare nothing.
 */
function isCompared(text: string, at: number): boolean {
  // The first sign of several has been judged.
  const before = text.charCodeAt(at - 1);
  if (isComparisonPart(before)) return false;
  let end = before === 33 ? at - 1 : at;
  // Bounded, as each sign of a run looks back.
  while (end > at - gapMax && isSpace(text.charCodeAt(end - 1))) end--;
  const last = text.charCodeAt(end - 1);
  if (last === 41 || last === 93) return true;
  for (let words = 0; words < wordsBack; words++) {
    const start = dottedStart(text, end);
    if (start === end) return false;
    const word = end - start > wordMax ? sqlWord.name : classOfWord(text, start, end);
    if (word === sqlWord.constant) return true;
    const isSql =
      words > 0
        ? beforeCompared[word] === 1
        : isDigit(text.charCodeAt(start)) && beginsConstant(text, at);
    if (isSql) return true;
    end = gapStart(text, start);
  }
  return false;
}

/** The same as `startOfWord`, of names with dots too. */
function dottedStart(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start <= wordMax && isNameOrDot(text.charCodeAt(start - 1))) start--;
  return start;
}

/** Start of the white space and parentheses in front of a place. */
function gapStart(text: string, end: number): number {
  const bound = Math.max(0, end - gapMax);
  let start = end;
  while (start > bound && isSpaceOrOpen(text.charCodeAt(start - 1))) start--;
  return start;
}

const signsMax = 3;
const gapMax = 64;

/** A connective, NOT and BINARY may stand before a name. */
const wordsBack = 4;

function beginsConstant(text: string, at: number): boolean {
  let from = at;
  while (from < at + signsMax && isComparisonSign(text.charCodeAt(from))) from++;
  while (from < at + gapMax && isSpace(text.charCodeAt(from))) from++;
  const code = text.charCodeAt(from);
  return isDigit(code) || isOperandSign(code) || classAt(text, from) === sqlWord.constant;
}

function isOperandSign(code: number): boolean {
  return code === 39 || code === 34 || code === 40 || code === 45 || code === 64 || code === 126;
}

function isComparisonSign(code: number): boolean {
  return isComparisonPart(code) || code === 33;
}

function isSpaceOrOpen(code: number): boolean {
  return code === 40 || isSpace(code);
}

function isNameOrDot(code: number): boolean {
  return isWordPart(code) || code === 46;
}

/** What stands here can follow an operand in SQL; comments of whole lines do not count. */
function goesOn(text: string, from: number): boolean {
  const at = skipLineComments(text, from);
  if (at < 0) return true;
  const code = text.charCodeAt(at);
  // The end of a tag, `">` and `"/>`, is in all mark-up.
  if (code === 62 || code === 47) return isSignAfterQuote(text, at, at > from);
  // A plus is white space here, and the sign itself when no word follows.
  const isPlus = at > from && text.charCodeAt(at - 1) === 43;
  if ((code < 128 && signsAfterQuote[code] === 1) || (isPlus && !isWordPart(code))) return true;
  if (code === 44) return text.charCodeAt(skipSpace(text, at + 1)) === 40;
  return goesOnInWords(text, at);
}

/**
 * Behind white space, parentheses and comments; -1 where a comment may have the last line, which
 * cuts the statement.
 */
function skipLineComments(text: string, from: number): number {
  let at = from;
  for (let comments = 0; at >= 0; comments++) {
    let code = text.charCodeAt(at);
    while (isSpace(code) || code === 41) code = text.charCodeAt(++at);
    if (!isLineComment(text, at, code)) break;
    at = comments < commentsMax ? lineEnd(text, at) : -1;
  }
  return at;
}

function isLineComment(text: string, at: number, code: number): boolean {
  return code === 35 || (code === 45 && text.charCodeAt(at + 1) === 45);
}

/** `' and she said` goes on in words too, but two names in a row are no operand. */
function goesOnInWords(text: string, at: number): boolean {
  const word = classAt(text, at);
  if (neverAfterQuote[word] === 1) return false;
  if (word === sqlWord.union) return opensQuery(text, endOfWord(text, at));
  if (beforeOperand[word] === 0) return true;
  const next = nextPlainWord(text, endOfWord(text, at));
  if (next < 0 || classAt(text, next) !== sqlWord.name) return true;
  const last = nextPlainWord(text, endOfWord(text, next));
  return last < 0 || classAt(text, last) !== sqlWord.name;
}

/** Start of the word of letters behind a blank, -1 when another character stands there. */
function nextPlainWord(text: string, from: number): number {
  const at = skipSpace(text, from);
  const code = text.charCodeAt(at) | 32;
  return at > from && code >= 97 && code <= 122 ? at : -1;
}

/** End of the line of a comment; -1 when it may be the last, whose comment cuts the statement. */
function lineEnd(text: string, from: number): number {
  const bound = Math.min(text.length, from + lineMax);
  for (let at = from; at < bound; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return -1;
}

/** Bounded, as each comment of a text may ask. */
const lineMax = 200;
const commentsMax = 8;

/** Behind white space a `>` may compare: `x' > id`. */
function isSignAfterQuote(text: string, at: number, isApart: boolean): boolean {
  const next = text.charCodeAt(at + 1);
  if (text.charCodeAt(at) === 47) return next !== 62;
  if (next === 61 || next === 62 || (isApart && isSpace(next))) return true;
  const operand = text.charCodeAt(skipSpace(text, at + 1));
  return isDigit(operand) || isOperandSign(operand);
}

const signsAfterQuote = characterSet('!#%&(*+-;<=^|~\\');

/** `||`, `&&`, or a comment where an operand ends. */
function isMark(text: string, at: number, code: number): boolean {
  const next = text.charCodeAt(at + 1);
  if (code === 124 || code === 38) return next === code;
  if (code === 47) return next === 42;
  if (!isLineComment(text, at, code)) return false;
  // A comment at the very end cuts a statement that the value does not show.
  if (code === 45 && skipSpace(text, at + 2) >= text.length) return true;
  return isBehindOperand(text, at) && goesOn(text, at);
}

function isBehindOperand(text: string, at: number): boolean {
  const last = text.charCodeAt(skipSpaceBack(text, at) - 1);
  const isEnd = last < 128 && operandEnds[last] === 1;
  return isEnd || wordBefore(text, at) === sqlWord.constant;
}

const operandEnds = characterSet('0123456789\'"`);');

/** A parenthesis right after a word of SQL, or before a query. */
function isCall(text: string, at: number): boolean {
  const from = skipLineComments(text, at + 1);
  const inner = from < 0 ? sqlWord.name : classAt(text, from);
  if (inner === sqlWord.select || inner === sqlWord.case) return true;
  const word = wordBefore(text, at);
  if (word === sqlWord.name) return isOwned(text, at);
  const isGlued = !isSpace(text.charCodeAt(at - 1));
  return isGlued || callsAfterSpace[word] === 1;
}

/** `dbms_java.runjava(`: a function of a package of the server. */
function isOwned(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && at - start <= wordMax && isWordPart(text.charCodeAt(start - 1))) start--;
  return text.charCodeAt(start - 1) === 46 && packages[wordBefore(text, start - 1)] === 1;
}

const packages = classSet([sqlWord.package, sqlWord.outsideCall, sqlWord.errorCall]);

const callsAfterSpace = classSet(classesOf('timeCall sharedTimeCall values having exists'));

/** `order by 1`, `having 1`, `limit 1`; a rise `by 1` and a time `between 9:30` are none. */
function isNumbered(text: string, at: number): boolean {
  if (!isBehind(text, at, beforeDigit)) return false;
  const word = wordBefore(text, at);
  if (word === sqlWord.by) return isSorted(text, at);
  return word !== sqlWord.between || !isTime(text, at);
}

/** True when ORDER or GROUP stands before the BY of a number, or no word at all. */
function isSorted(text: string, at: number): boolean {
  const start = skipSpaceBack(text, at) - 2;
  const end = skipSpaceBack(text, start);
  if (end === start || !isWordPart(text.charCodeAt(end - 1))) return true;
  const word = text.slice(end - 5, end).toLowerCase();
  return word === 'order' || word === 'group';
}

function isTime(text: string, from: number): boolean {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return text.charCodeAt(at) === 58 && isDigit(text.charCodeAt(at + 1));
}

function beginsStatement(text: string, start: number): boolean {
  const code = text.charCodeAt(start);
  // A block comment, a parenthesis or a plus may stand before the verb.
  if (code === 47 || code === 40 || code === 43) return true;
  return start >= 0 && afterSemicolon[classAt(text, start)] === 1;
}

/** Words that say nothing after a quotation. */
const neverAfterQuote = classSet(
  classesOf('name to for with by end branch table object call show delay join quantifier'),
);

/** Words with an operand behind them, and nothing that their rules know by its name. */
const beforeOperand = classSet(classesOf('or and xor not like is as from'));

const beforeCompared = classSet(classesOf('or and xor where having on set branch like is not'));

const beforeQuote = followed(classesOf('like delay outfile exec case branch serverProcedure'));

const beforeDigit = followed(
  classesOf('by having limit offset between union select like outfile xor case'),
);

const beforeVariable = classSet(classesOf('declare exec set select or and union'));

const afterSemicolon = classSet([
  ...statementVerbs,
  ...classesOf('values timeCall sharedTimeCall table end'),
]);
