import { characterSet } from '../../text/runs.ts';
import { createWordTable, type WordTable } from '../../text/word-table.ts';
import { parameterNames } from './shell-assignment.ts';
import { isMark, isNamePart, isQuote, shellChar } from './shell-character.ts';
import { prefixNames } from './shell-prefix.ts';

/** A cheap look at a word without any marks: lower case; `''` when no command has the name. */
export type NameBetween = (text: string, start: number, end: number) => string;

/**
 * A cheap look at what most introducers have behind them: nothing, or a word that no command and no
 * syntax has. Returns its end; -1 for what is to be read.
 */
export function quietEnd(text: string, nameBetween: NameBetween, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === 32) at++;
  if (at >= text.length || endsHead[text.charCodeAt(at)] === 1) return at;
  const end = plainEnd(text, at);
  if (end === at) return quotationEnd(text, at, nameBetween);
  // A function may be defined; a digit may stand in front of a redirection.
  let next = end;
  while (text.charCodeAt(next) === 32 || text.charCodeAt(next) === 9) next++;
  if (mayDefine[text.charCodeAt(next)] === 1) return -1;
  // `;;x)` is a pattern of `case`.
  if (text.charCodeAt(end) === shellChar.closeParen && text.startsWith(';;', from - 2)) return -1;
  const isQuiet =
    nameBetween(text, at, end) === '' && syntaxNames.wordBetween(text, at, end) === '';
  return isQuiet ? end : -1;
}

/**
 * Where a quotation of several words begins, none of them the name of a command: `; "too thin, I
 * think"`. A name with a blank is that of no command, unless it is a path or made by an expansion; -1
 * for all else.
 */
function quotationEnd(text: string, from: number, nameBetween: NameBetween): number {
  let start = from;
  while (isNamePart(text.charCodeAt(start))) start++;
  const quote = text.charCodeAt(start);
  if (!isQuote(quote)) return -1;
  const bound = Math.min(text.length, start + quotationMax);
  let blanks = 0;
  for (let at = start + 1; at < bound && text.charCodeAt(at) !== quote; at++) {
    const code = text.charCodeAt(at);
    if (makesName[code] === 1) return -1;
    if (code === 32) blanks++;
  }
  // A quote behind a command ends the literal that the value was put into; `'sleep 5'`.
  const first = wordAt(text, start + 1);
  const isQuiet =
    blanks > 0 &&
    nameBetween(text, from, start) === '' &&
    nameBetween(text, first.start, first.end) === '';
  return isQuiet ? start + 1 : -1;
}

const quotationMax = 64;
/** Of paths, expansions and escapes. */
const makesName: Uint8Array = characterSet('/\\$`');

/** End of `name=value` where nothing but another introducer or a quiet word follows it; -1 for all else. */
export function assignmentEnd(text: string, nameBetween: NameBetween, from: number): number {
  let at = from;
  while (isNamePart(text.charCodeAt(at))) at++;
  if (at === from || text.charCodeAt(at) !== shellChar.equals) return -1;
  while (at < text.length && isPlainMark(text.charCodeAt(at))) at++;
  if (at >= text.length || endsHead[text.charCodeAt(at)] === 1) return at;
  return text.charCodeAt(at) === 32 ? quietEnd(text, nameBetween, at) : -1;
}

/** No quoting, expansion or end of a word. */
function isPlainMark(code: number): boolean {
  return code < 128 && isMark[code] === 0;
}

/** Behind these comes another introducer, or nothing. */
const endsHead: Uint8Array = characterSet(';|&)');
const mayDefine: Uint8Array = characterSet('(<>');
/** Words that a shell does something with, whether they are commands or not. */
const syntaxNames: WordTable = createWordTable([...prefixNames, ...parameterNames]);

/** End of a word of letters, digits, `-` and `_`; `at` when other characters belong to it. */
export function plainEnd(text: string, at: number): number {
  let end = at;
  while (isNamePart(text.charCodeAt(end))) end++;
  return end >= text.length || endsPlainWord[text.charCodeAt(end)] === 1 ? end : at;
}

const endsPlainWord: Uint8Array = characterSet(' \t\n\r;|&()<>');

/** The part of a word without marks that begins at an offset. */
export function wordAt(
  text: string,
  start: number,
): { readonly start: number; readonly end: number } {
  let end = start;
  while (end - start < 32 && isNamePart(text.charCodeAt(end))) end++;
  return { start, end };
}
