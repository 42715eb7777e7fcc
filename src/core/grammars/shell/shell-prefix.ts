import { characterSet } from '../../text/runs.ts';
import { createWordTable, type WordTable } from '../../text/word-table.ts';
import { wordList } from '../../text/words.ts';
import { carrierNames, endOfForm, type Passed } from './shell-carrier.ts';
import { shellChar } from './shell-character.ts';

/**
 * What may stand in front of the name of a command: POSIX.1-2017, Shell Command Language 2.3
 * (comments), 2.4 (reserved words), 2.7 (redirection), 2.9 (compound commands, functions).
 */

const reservedNames: readonly string[] = wordList(
  'for foreach select while until if elif case function then do else',
);
const reserved: WordTable = createWordTable(reservedNames);

/** Passes one comment, redirection, reserved word or header; undefined where there is none. */
export function passPrefix(text: string, at: number): Passed | undefined {
  const code = text.charCodeAt(at);
  if (startsPrefix[code] !== 1) return undefined;
  const first = laterPattern(text, at);
  if (first >= 0) return passedLater(text, at, first);
  if (code === hash) return passed(text, at, comment);
  if (code === 60 || code === 62 || (code >= 48 && code <= 57)) {
    return passed(text, at, redirection);
  }
  if (code === bang) return passed(text, at, negation);
  if (code === openParen) return passed(text, at, unnamed);
  if (code === openBrace) return passed(text, at, group);
  const end = endOfWord(text, at);
  if (mayDefine(text, at, end)) {
    const opened = passed(text, at, definition);
    if (opened !== undefined) return { ...opened, isDefinition: true };
  }
  return passReserved(text, at, end);
}

/** What a pattern, a comment, a redirection, a negation, a group, or a name begins with. */
const startsPrefix: Uint8Array = characterSet('*?[\'"#<>!({0123456789_abcdefghijklmnopqrstuvwxyz');

function passReserved(text: string, at: number, end: number): Passed | undefined {
  const next = text.charCodeAt(end);
  if (!(next <= 32 || next === openParen || next === 33)) return undefined;
  switch (reserved.wordBetween(text, at, end)) {
    case '':
    case 'function':
      return undefined;
    case 'for':
    case 'foreach':
    case 'select':
      return passed(text, at, forHeader);
    case 'case':
      return passedCase(text, at);
    case 'while':
    case 'until':
      return { end, isStructured: endsList(text, end, 'do', body) };
    case 'if':
    case 'elif':
      return { end, isStructured: endsList(text, end, 'then', branch) };
    default:
      return { end, isStructured: false };
  }
}

/**
 * To a plain pattern a parameter is not equal that a script has: in an injected text it is empty, where
 * nothing in front may set it.
 */
function passedCase(text: string, at: number): Passed | undefined {
  const header = passed(text, at, caseHeader);
  const isPlain = header !== undefined && ownCase.test(text.slice(at, header.end));
  const isOther = isPlain && at < ownCaseMax && !setting.test(text.slice(0, at));
  return isOther ? { ...header, isDead: true } : header;
}

const ownCaseMax = 2_000;
const setting = /(?:^|[^\w-])set(?![\w-])|\(\)|function|['"\\$`]/;
const ownCase = /^case[ \t]{1,8}["']?\$\{?[1-9]\}?["']?\s{1,8}in\s{1,8}[\w|-]{1,64}\)$/;

/** True when the list of a loop or a condition ends as it must. */
function endsList(text: string, from: number, word: string, form: RegExp): boolean {
  const list = text.slice(from, from + listMax);
  return list.includes(word) && form.test(list);
}

const listMax = 300;
const body = /[;\n&]\s{0,8}do\s/;
const branch = /[;\n&]\s{0,8}then\s/;

function passed(text: string, at: number, form: RegExp): Passed | undefined {
  const end = endOfForm(text, form, at);
  return end < 0 ? undefined : { end, isStructured: form !== comment };
}

const hash = 35;
const bang = 33;
const openParen = 40;
const openBrace = 123;

const comment = /#[^\n]{0,200}\n\s{0,16}/y;
const group = /\{\s{1,8}(?=[^{}]{1,200}[;\n]\s{0,4}\})/y;
const negation = /!(?=[ \t])/y;
const redirection = /\d{0,2}(?:[<>]&|<>|>>|>\||[<>])[ \t]{0,4}[\w./~${}-]{1,64}(?=[ \t])/y;
/** Also over a sum, `for ((;;))`, and in the short forms of zsh. */
const forHeader =
  /(?:for|select)[ \t]{1,8}[A-Za-z_]\w{0,31}(?:\s{1,8}in(?:[ \t]{1,8}[^;&|\n]{0,120})?)?\s{0,4}[;\n]\s{0,8}(?:do(?=\s)|\{(?=\s))|for[ \t]{0,8}\(\([^()\n]{0,60}\)\)\s{0,4};?\s{0,8}(?:do(?=\s)|\{)|(?:for|foreach|select)[ \t]{1,8}[A-Za-z_]\w{0,31}[ \t]{1,8}\([^()\n]{1,60}\)\s{0,4}(?:[;{]\s{0,8}|(?=\$))/y;
const caseHeader =
  /case[ \t]{1,8}(?:[^\s;&|()]|\$\([^()\n]{1,60}\)){1,64}\s{1,8}in\s{1,8}\(?(?:[^\s;&()]|\$\([^()\n]{1,60}\)){1,64}\)/y;
const patternHeader =
  /(?:[^\s;&()]|\$\([^()\n]{1,60}\)){1,64}\)(?=[^;\n]{1,200};;|[^;]{1,200};?\s{0,4}esac)/y;
/** A body that is a command alone is read where the name comes again. */
const definition =
  /(?:function[ \t]{1,8}[A-Za-z_][\w.-]{0,31}(?:[ \t]{0,4}\(\))?|[A-Za-z_][\w.-]{0,31}[ \t]{0,4}\(\))\s{0,8}(?=\{\s|\()|([A-Za-z_]\w{0,31})[ \t]{0,4}\(\)\s{1,8}(?=[a-z][^\n]{0,120}[;\n&|]\s{0,4}\1(?:$|[\s;&|)'"]))/y;
/** The function without a name of zsh, which runs at once. */
const unnamed = /\(\)\s{0,8}\{(?=\s{0,4}[a-z])/y;

/**
 * Behind `;;`, which ends the commands of one pattern of a `case`, stands the next: where the `case`
 * is, or -1.
 */
function laterPattern(text: string, at: number): number {
  let end = at - 1;
  while (text.charCodeAt(end) <= 32 && at - end < 12) end--;
  // `;;`, and `;&` and `;;&` of others.
  if (text.charCodeAt(end) === shellChar.ampersand) end--;
  else if (text[end - 1] !== ';') return -1;
  if (text.charCodeAt(end) !== shellChar.semicolon) return -1;
  const from = Math.max(0, end - listMax);
  const found = text.slice(from, end).lastIndexOf('case ');
  return found < 0 ? -1 : from + found;
}

function passedLater(text: string, at: number, first: number): Passed | undefined {
  const pattern = passed(text, at, patternHeader);
  const isOther = passedCase(text, first)?.isDead === true;
  if (pattern === undefined || !isOther || !plainPattern.test(text.slice(at, pattern.end)))
    return pattern;
  return { ...pattern, isDead: true };
}

const plainPattern = /^[\w|-]{1,64}\)$/;

function endOfWord(text: string, at: number): number {
  let end = at;
  while (end - at < 32 && isWordPart(text.charCodeAt(end))) end++;
  return end;
}

function isWordPart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
}

/** A cheap look: `name (`, `function name`. */
function mayDefine(text: string, at: number, end: number): boolean {
  let next = end;
  while (text.charCodeAt(next) === 32 || text.charCodeAt(next) === 9) next++;
  return text.charCodeAt(next) === openParen || (next > end && text.startsWith('function', at));
}

/**
 * Offset of the line that ends a here-document (2.7.4) which began before the text: what follows
 * are commands. The length of the text without one.
 */
export function endOfDocument(text: string): number {
  if (!text.includes('OF')) return text.length;
  const match = documentWord.exec(text);
  if (match === null || text.slice(0, match.index).includes('<<')) return text.length;
  return match.index;
}

const documentWord = /(?:^|\n)[ \t]{0,4}_{0,2}E(?:\\\n)?O(?:\\\n)?F_{0,2}[ \t]{0,4}\r?\n/;

/** All words that may stand in front of the name of a command. */
export const prefixNames: readonly string[] = [...reservedNames, ...carrierNames];
