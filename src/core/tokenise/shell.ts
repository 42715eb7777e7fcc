import { limits } from '../../contract/limits.ts';
import { isAlnum, isDigit } from '../text/char-class.ts';
import type { Grammar } from './grammar.ts';

/**
 * Reads text as a shell would: POSIX (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html),
 * with the marks of cmd.exe and PowerShell. The reading is a list of command heads: each place where a
 * command may begin, and the word that stands there with its quoting tricks undone. What follows a head
 * is read on demand by `readArguments`, so that prose full of semicolons costs next to nothing.
 *
 * Quotes do not protect separators here: an injected text starts in an unknown quote context, and the
 * commands inside of a quoted argument are commands too.
 */
export const shell: Grammar<ShellReading> = { name: 'shell', read: readShell };

/** What opens the place of a command. */
export const introducer = {
  /** Start of the text. */
  start: 0,
  semicolon: 1,
  pipe: 2,
  ampersand: 3,
  /** `&&` */
  and: 4,
  /** `||` */
  or: 5,
  lineBreak: 6,
  /** `$(` */
  substitution: 7,
  backtick: 8,
  /** `<(` and `>(` */
  process: 9,
} as const;

export type Introducer = (typeof introducer)[keyof typeof introducer];

/** What was done to a word, as bits. */
export const wordTrait = {
  /** Letters are split by quotes, backslashes, `$@` and the like, which the shell removes. */
  split: 1 << 0,
  /** The same with carets, which cmd.exe removes. */
  caret: 1 << 1,
  /** The word is one quoted string. */
  quoted: 1 << 2,
  /** Holds an expansion whose value is not known: `$x`, `${x}`, `%X%`. */
  expansion: 1 << 3,
  /** Put together from variables that were assigned in the same text, or cut out of known ones. */
  assembled: 1 << 4,
  /** Holds `?`, `*` or `[`. */
  glob: 1 << 5,
  /** Stands in a brace expansion: `{cat,/etc/passwd}`. */
  braced: 1 << 6,
  /** An opening parenthesis follows directly: a call in some programming language. */
  call: 1 << 7,
  /** `$IFS` stands for a blank beside it. */
  ifs: 1 << 8,
} as const;

/** A place where a command may begin. Offsets count in the text that was read. */
export interface CommandHead {
  readonly introducer: Introducer;
  /** Of the introducer. */
  readonly start: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  /** The word as the shell would see it, lower case. */
  readonly name: string;
  readonly traits: number;
}

export interface ShellReading {
  readonly heads: readonly CommandHead[];
  /** False when there were more heads than the token limit. */
  readonly complete: boolean;
}

/** A word after the name of a command. */
export interface ShellWord {
  readonly text: string;
  readonly traits: number;
}

/** What stands between a command's name and the next command. */
export interface Arguments {
  readonly words: readonly ShellWord[];
  /** A redirection with a target: `> /tmp/x`, `2>&1`, `< /etc/passwd`. */
  readonly redirect: boolean;
  /** A substitution stands among the words. */
  readonly substitution: boolean;
  /** Where reading stopped. */
  readonly end: number;
}

const wordsMax = 64;
const lookAheadMax = 256;
const assignmentsMax = 32;
const valueMax = 64;

/** Reads all command heads of a text. */
function readShell(text: string): ShellReading {
  const heads: CommandHead[] = [];
  const variables = new Map<string, string>();
  const scanner = new WordReader(text, variables);
  let inBackticks = false;
  let at = pushHead(scanner, heads, introducer.start, 0, 0);
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const length = code < 128 && mayIntroduce[code] === 1 ? introducerLength(text, at) : 0;
    if (length === 0) {
      at++;
      continue;
    }
    if (heads.length >= limits.tokensMax) return { heads, complete: false };
    if (code === backtick) inBackticks = !inBackticks;
    if (code === backtick && !inBackticks) at += length;
    else at = pushHead(scanner, heads, introducerAt(text, at), at, at + length);
  }
  return { heads, complete: true };
}

/** The first letters of a text, lower case, behind blanks and quotes: a cheap look at what it may be. */
export function firstWord(text: string): string {
  let from = 0;
  while (from < 8 && isLead(text.charCodeAt(from))) from++;
  let end = from;
  while (end - from < 32 && isNamePart(text.charCodeAt(end))) end++;
  return text.slice(from, end).toLowerCase();
}

function isLead(code: number): boolean {
  return code <= 32 || code === singleQuote || code === doubleQuote || code === openBrace;
}

function isNamePart(code: number): boolean {
  return isAlnum(code) || code === 45 || code === 95;
}

/**
 * Reads the head that follows a line break. They are not part of the reading, because every line of
 * every text begins with one.
 */
export function readLineHead(text: string, lineBreak: number): CommandHead | undefined {
  const heads: CommandHead[] = [];
  const reader = new WordReader(text, noVariables);
  pushHead(reader, heads, introducer.lineBreak, lineBreak, lineBreak + 1);
  return heads[0];
}

/** Reads the words of a command up to the next separator. */
export function readArguments(text: string, head: CommandHead): Arguments {
  const reader = new WordReader(text, noVariables);
  reader.braced = (head.traits & wordTrait.braced) !== 0;
  const words: ShellWord[] = [];
  let redirect = false;
  let substitution = false;
  let at = head.nameEnd;
  const end = Math.min(text.length, at + 4 * lookAheadMax);
  while (at < end && words.length < wordsMax) {
    at = reader.skipBlanks(at);
    const code = text.charCodeAt(at);
    if (code === less || code === greater) {
      redirect ||= isRedirect(text, at);
      at = skipRedirect(text, at);
    } else if (code === singleQuote || code === doubleQuote) {
      const last = words[words.length - 1];
      const isAttached = at > 0 && !isBlank(text.charCodeAt(at - 1));
      // A quote after a word closes what the text was put into; after an option it opens.
      if (isAttached && (last === undefined || !optionMark.test(last.text))) break;
      const close = closingQuote(text, at);
      if (close < 0) at++;
      else words.push({ text: text.slice(at + 1, close), traits: wordTrait.quoted });
      if (close >= 0) at = close + 1;
    } else if (code === backtick || (code === dollar && text.charCodeAt(at + 1) === openParen)) {
      substitution = true;
      break;
    } else {
      reader.read(at);
      const isComment = at > head.nameEnd && comments.has(reader.word);
      if (reader.end === at || isComment) break;
      words.push({ text: reader.word, traits: reader.traits });
      at = reader.end;
    }
  }
  return { words, redirect, substitution, end: Math.min(at, text.length) };
}

const singleQuote = 39;
const doubleQuote = 34;
const backtick = 96;
const backslash = 92;
const dollar = 36;
const openParen = 40;
const closeParen = 41;
const less = 60;
const greater = 62;
const ampersand = 38;
const pipe = 124;
const semicolon = 59;
const openBrace = 123;
const closeBrace = 125;
const caret = 94;
const percent = 37;
const plus = 43;

/** What ends a command for the shell, or for the query that the text came through. */
const comments: ReadonlySet<string> = new Set(['#', '//', '--', '::']);
const optionMark = /^[-/]|[=:,]$/;

function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 11 || code === 12 || code === closeBrace;
}

const noVariables: ReadonlyMap<string, string> = new Map();

const mayIntroduce: Uint8Array = markCharacters(';|&`$<>');
/** Characters that end a word. */
const endsWord: Uint8Array = markCharacters(' \t\n\r\v\f;|&`()<>');
/** Characters that need a look inside of a word. */
const isSpecial: Uint8Array = markCharacters('\'"\\^$%?*[}{,');

function markCharacters(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** Length of the introducer at `at`, 0 when there is none. */
function introducerLength(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  switch (text.charCodeAt(at)) {
    case semicolon:
      return endsEntity(text, at) ? 0 : 1;
    case pipe:
      return next === pipe || next === ampersand ? 2 : 1;
    case ampersand: {
      const before = text.charCodeAt(at - 1);
      if (before === greater || before === less || next === greater) return 0;
      if (next === ampersand) return 2;
      return startsEntity(text, at) ? 0 : 1;
    }
    case backtick:
      return fenceLength(text, at) === 1 ? 1 : 0;
    case dollar:
      return next === openParen ? 2 : 0;
    default:
      return next === openParen ? 2 : 0;
  }
}

function introducerAt(text: string, at: number): Introducer {
  const next = text.charCodeAt(at + 1);
  switch (text.charCodeAt(at)) {
    case semicolon:
      return introducer.semicolon;
    case pipe:
      return next === pipe ? introducer.or : introducer.pipe;
    case ampersand:
      return next === ampersand ? introducer.and : introducer.ampersand;
    case backtick:
      return introducer.backtick;
    case dollar:
      return introducer.substitution;
    default:
      return introducer.process;
  }
}

/** Number of backticks in a row around `at`: more than one is Markdown, not a shell. */
function fenceLength(text: string, at: number): number {
  const isAlone =
    text.charCodeAt(at + 1) !== backtick && (at === 0 || text.charCodeAt(at - 1) !== backtick);
  return isAlone ? 1 : 2;
}

const entityNames: ReadonlySet<string> = new Set(
  'amp lt gt quot apos nbsp copy reg euro pound hellip mdash ndash laquo raquo ldquo rdquo lsquo rsquo bull middot times trade'.split(
    ' ',
  ),
);

/** True when the ampersand at `at` starts an HTML character reference. */
function startsEntity(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  const isNumeric = next === 35;
  if (!isAlnum(isNumeric ? text.charCodeAt(at + 2) : next)) return false;
  const end = indexWithin(text, ';', at + 1, 9);
  if (end < 0 || isNumeric) return end >= 0;
  return entityNames.has(text.slice(at + 1, end).toLowerCase());
}

/** True when the semicolon at `at` ends an HTML character reference. */
function endsEntity(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0 && at - i <= 9; i--) {
    const code = text.charCodeAt(i);
    if (code === ampersand) return startsEntity(text, i);
    if (!isAlnum(code) && code !== 35) return false;
  }
  return false;
}

/** Reads the name that follows an introducer; returns where scanning goes on. */
function pushHead(
  reader: WordReader,
  heads: CommandHead[],
  kind: Introducer,
  start: number,
  from: number,
): number {
  const { text } = reader;
  reader.braced = false;
  let at = from;
  for (;;) {
    at = reader.skipBlanks(at);
    const code = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    if (code === openBrace && isBraceList(text, at)) reader.braced = true;
    else if (
      code === openParen ||
      code === 64 ||
      (code === plus && kind !== introducer.start) ||
      (code === openBrace && next === 32)
    ) {
      // Subshell, cmd.exe's echo-off mark, a blank of a form, group: the command comes after.
    } else if ((code === singleQuote || code === doubleQuote) && closesInWord(text, at) < 0) {
      if (kind !== introducer.start) break;
    } else break;
    at++;
  }
  reader.read(at);
  if (reader.end === at) return Math.max(at, from);
  assign(reader);
  heads.push({
    introducer: kind,
    start,
    nameStart: at,
    nameEnd: reader.end,
    name: reader.word.toLowerCase(),
    traits: reader.traits,
  });
  return reader.end;
}

/** Remembers `name=value`, so that `$name` can be read later in the text. */
function assign(reader: WordReader): void {
  const equals = reader.word.indexOf('=');
  if (equals < 1 || equals > 32 || reader.variables === noVariables) return;
  if (reader.variables.size >= assignmentsMax) return;
  const name = reader.word.slice(0, equals);
  if (identifier.test(name)) {
    const value = reader.word.slice(equals + 1, equals + 1 + valueMax);
    (reader.variables as Map<string, string>).set(name, value);
  }
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]{0,31}$/;

/** `{cat,/etc/passwd}`: a comma and the closing brace before any blank. */
function isBraceList(text: string, at: number): boolean {
  let comma = false;
  const end = Math.min(text.length, at + lookAheadMax);
  for (let i = at + 1; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 44) comma = i > at + 1;
    else if (code === closeBrace) return comma;
    else if (code <= 32 || code === 58 || code === semicolon) return false;
  }
  return false;
}

/** Offset of the quote that closes the one at `at` before the word ends, -1 when none does. */
function closesInWord(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  const end = Math.min(text.length, at + 65);
  for (let i = at + 1; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) return i;
    if (code < 128 && endsWord[code] === 1) return -1;
  }
  return -1;
}

function closingQuote(text: string, at: number): number {
  return indexWithin(text, text.charAt(at), at + 1, lookAheadMax);
}

/** Like `indexOf`, but looks at no more than `count` characters. */
function indexWithin(text: string, character: string, from: number, count: number): number {
  const found = text.slice(from, from + count).indexOf(character);
  return found < 0 ? -1 : from + found;
}

/** A redirection has a target; a lone `<` or `->` has none that a shell would take. */
function isRedirect(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (before === 45 || before === 61) return false;
  const target = text.charCodeAt(skipRedirect(text, at));
  return isAlnum(target) || targetMarks.includes(target);
}

/** `/ . ~ & $ % \ " '` */
const targetMarks: readonly number[] = [47, 46, 126, 38, 36, 37, 92, 34, 39];

function skipRedirect(text: string, at: number): number {
  let i = at;
  while (text.charCodeAt(i) === less || text.charCodeAt(i) === greater) i++;
  if (text.charCodeAt(i) === ampersand) i++;
  while (text.charCodeAt(i) === 32) i++;
  return i;
}

/** Reads single words; one object serves a whole text. */
class WordReader {
  readonly text: string;
  readonly variables: ReadonlyMap<string, string>;
  /** Commas and the closing brace end words too. */
  braced = false;
  /** The last word as the shell would see it. */
  word = '';
  end = 0;
  traits = 0;
  private isDone = false;

  constructor(text: string, variables: ReadonlyMap<string, string>) {
    this.text = text;
    this.variables = variables;
  }

  /** Offset of the next character that is no blank; `$IFS` and escaped line ends are blanks. */
  skipBlanks(from: number): number {
    const text = this.text;
    let at = from;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === 32 || code === 9 || code === 11 || code === 12 || code === 160) at++;
      else if (this.braced && (code === 44 || code === closeBrace)) at++;
      else if (code === dollar && ifsLength(text, at) > 0) at += ifsLength(text, at);
      else return at;
    }
  }

  /** Reads the word at `from`; an empty word leaves `end` at `from`. */
  read(from: number): void {
    const text = this.text;
    this.word = '';
    this.traits = this.braced ? wordTrait.braced : 0;
    this.isDone = false;
    let plainFrom = from;
    let at = from;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code >= 128 || (endsWord[code] === 0 && isSpecial[code] === 0)) {
        at++;
        continue;
      }
      if (endsWord[code] === 1 && !this.isEmptyBackticks(at, from)) break;
      this.word += text.slice(plainFrom, at);
      at = this.special(code, at, from);
      plainFrom = at;
      if (this.isDone) break;
    }
    this.word += text.slice(plainFrom, at);
    this.end = at;
    if (text.charCodeAt(at) === openParen) this.traits |= wordTrait.call;
  }

  /** Ends the word at `at`. */
  private finish(at: number): number {
    this.isDone = true;
    return at;
  }

  /** ``wh``oami``: what stands between is nothing. */
  private isEmptyBackticks(at: number, from: number): boolean {
    const { text } = this;
    return at > from && text.charCodeAt(at) === backtick && text.charCodeAt(at + 1) === backtick;
  }

  /** Skips ```` `` ```` and `$()` inside of a word; any other substitution ends the word. */
  private emptySubstitution(at: number, length: number): number {
    const isEmpty = length === 2 || this.text.charCodeAt(at + 2) === closeParen;
    const goesOn = isAlnum(this.text.charCodeAt(at + length));
    if (!isEmpty || !goesOn) return this.finish(at);
    this.traits |= wordTrait.split;
    return at + length;
  }

  /** Reads one construct; returns where the word goes on. */
  private special(code: number, at: number, from: number): number {
    switch (code) {
      case singleQuote:
      case doubleQuote:
        return this.quote(at, from);
      case backslash:
        return this.escape(at, from);
      case caret:
        return this.caretMark(at, from);
      case dollar:
        return this.expansion(at, from);
      case percent:
        return this.percentMark(at);
      case backtick:
        return this.emptySubstitution(at, 2);
      case closeBrace:
      case 44:
        if (this.braced) return this.finish(at);
        break;
      case 63:
      case 42:
      case 91:
        this.traits |= wordTrait.glob;
        break;
    }
    this.word += String.fromCharCode(code);
    return at + 1;
  }

  private quote(at: number, from: number): number {
    const close = closesInWord(this.text, at);
    if (close < 0) return this.finish(at);
    const isWhole = at === from && this.endsAt(close + 1);
    this.traits |= isWhole ? wordTrait.quoted : wordTrait.split;
    this.word += this.text.slice(at + 1, close);
    return close + 1;
  }

  private endsAt(at: number): boolean {
    const code = this.text.charCodeAt(at);
    return at >= this.text.length || (code < 128 && endsWord[code] === 1);
  }

  private escape(at: number, from: number): number {
    const next = this.text.charCodeAt(at + 1);
    if (next === 10 || next === 13) {
      this.traits |= wordTrait.split;
      return at + 2;
    }
    const before = this.text.charCodeAt(at - 1);
    // Windows paths keep their backslashes: after a drive, a variable, or at the start of a share.
    const isPath = before === 58 || before === percent || next === backslash;
    const isInPath = this.word.includes(':') || this.word.includes('%') || this.word.includes('\\');
    if (isPath || isInPath || at + 1 >= this.text.length) {
      this.word += '\\';
      return at + 1;
    }
    if (at > from && isAlnum(next)) this.traits |= wordTrait.split;
    return at + 1;
  }

  private caretMark(at: number, from: number): number {
    const next = this.text.charCodeAt(at + 1);
    if (at > from && isAlnum(next) && !isDigit(next)) this.traits |= wordTrait.caret;
    return at + 1;
  }

  private percentMark(at: number): number {
    const close = indexWithin(this.text, '%', at + 1, 40);
    const isVariable = close > at + 1 && isAlnum(this.text.charCodeAt(at + 1));
    if (!isVariable) {
      this.word += '%';
      return at + 1;
    }
    this.traits |= wordTrait.expansion;
    this.word += this.text.slice(at, close + 1);
    return close + 1;
  }

  private expansion(at: number, from: number): number {
    const { text } = this;
    const next = text.charCodeAt(at + 1);
    const ifs = ifsLength(text, at);
    if (ifs > 0) {
      this.traits |= wordTrait.ifs;
      return this.finish(at);
    }
    if (next === openParen) return this.emptySubstitution(at, 3);
    if (next === singleQuote || next === doubleQuote) return this.ansiQuote(at + 1, from);
    if (next === openBrace) return this.braceExpansion(at);
    if (emptyParameters.includes(next) || isDigit(next)) {
      if (at > from || isAlnum(text.charCodeAt(at + 2))) this.traits |= wordTrait.split;
      return at + 2;
    }
    let end = at + 1;
    while (isAlnum(text.charCodeAt(end)) || text.charCodeAt(end) === 95) end++;
    this.substitute(text.slice(at + 1, end), text.slice(at, end));
    return end;
  }

  /** `$'…'` and `$"…"`; escapes of the former are undone by the decoders. */
  private ansiQuote(at: number, from: number): number {
    const close = closesInWord(this.text, at);
    if (close < 0) return this.finish(at - 1);
    this.traits |= at - 1 === from && this.endsAt(close + 1) ? wordTrait.quoted : wordTrait.split;
    this.word += this.text.slice(at + 1, close);
    return close + 1;
  }

  /** `${name}`, `${name:0:1}`. */
  private braceExpansion(at: number): number {
    const end = indexWithin(this.text, '}', at, 40);
    if (end < 0) {
      this.word += '${';
      return at + 2;
    }
    const inner = this.text.slice(at + 2, end);
    const colon = inner.indexOf(':');
    const name = colon < 0 ? inner : inner.slice(0, colon);
    if (inner.endsWith(':0:1') && pathVariables.has(name)) {
      this.word += '/';
      this.traits |= wordTrait.assembled;
    } else this.substitute(name, this.text.slice(at, end + 1));
    return end + 1;
  }

  private substitute(name: string, raw: string): void {
    // Bounded, because a variable may be made of itself, twice.
    const value = this.word.length > lookAheadMax ? undefined : this.variables.get(name);
    this.traits |= value === undefined ? wordTrait.expansion : wordTrait.assembled;
    this.word += value ?? raw;
  }
}

/** Parameters that are empty in an injected command: `$@ $* $# $! $- $?` and `$$` less its number. */
const emptyParameters: readonly number[] = [64, 42, 33, 45, 63];

/** Variables whose value starts with a slash. */
const pathVariables: ReadonlySet<string> = new Set(['PATH', 'HOME', 'PWD', 'SHELL', 'OLDPWD']);

/** Length of `$IFS`, `${IFS}`, `$IFS$9`, `${IFS%??}`; 0 when there is none. */
function ifsLength(text: string, at: number): number {
  const braced = text.charCodeAt(at + 1) === openBrace;
  const name = braced ? at + 2 : at + 1;
  if (text.slice(name, name + 3).toUpperCase() !== 'IFS') return 0;
  let end = name + 3;
  if (braced) {
    const close = indexWithin(text, '}', end, 12);
    if (close < 0) return 0;
    end = close + 1;
  }
  const isDigitParameter = text.charCodeAt(end) === dollar && isDigit(text.charCodeAt(end + 1));
  return (isDigitParameter ? end + 2 : end) - at;
}
