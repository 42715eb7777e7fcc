import { limits } from '../../contract/limits.ts';
import { isAlnum } from '../text/char-class.ts';
import { createFinder } from '../text/char-finder.ts';
import { createWordTable, type WordTable } from '../text/word-table.ts';
import {
  closesInWord,
  indexWithin,
  isBraceList,
  markCharacters,
  shellChar,
  WordReader,
  wordTrait,
} from './shell-word.ts';

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

/** What is done with the heads of a text. */
export interface HeadVisitor {
  /** A cheap look at a word without any marks: lower case; `''` when no command has the name. */
  nameBetween(text: string, start: number, end: number): string;
  /** False to stop. */
  visit(head: CommandHead): boolean;
}

const assignmentsMax = 32;
const valueMax = 64;

/**
 * Reads text as a shell would: POSIX
 * (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html), with the marks
 * of cmd.exe and PowerShell. What is read are the heads of commands: each place where a command
 * may begin, and the word that stands there with its quoting tricks undone. What follows a head
 * is read on demand by `readArguments`, so that prose full of semicolons costs next to nothing.
 *
 * Quotes do not protect separators here: an injected text starts in an unknown quote context,
 * and the commands inside of a quoted argument are commands too.
 *
 * False when there were more heads than the token limit, or the visitor stopped.
 */
export function readHeads(text: string, visitor: HeadVisitor): boolean {
  const scanner = new WordReader(text);
  let inBackticks = false;
  let seen = 0;
  let at = readHead(scanner, visitor, introducer.start, 0, 0);
  while (at >= 0 && at < text.length) {
    at = nextMark(text, at);
    if (at >= text.length) break;
    const code = text.charCodeAt(at);
    const length = introducerLength(text, at);
    if (length === 0) {
      at++;
      continue;
    }
    if (seen++ >= limits.tokensMax) return false;
    if (code === shellChar.backtick) inBackticks = !inBackticks;
    if (code === shellChar.backtick && !inBackticks) at += length;
    else at = readHead(scanner, visitor, introducerAt(text, at), at, at + length);
  }
  return at >= 0;
}

/**
 * Where the first word of a text ends, behind blanks and quotes: a cheap look at what it may
 * be.
 */
export function firstWord(text: string): { readonly start: number; readonly end: number } {
  let start = 0;
  while (start < 8 && isLead(text.charCodeAt(start))) start++;
  return wordAt(text, start);
}

/** The part of a word without marks that begins at an offset. */
export function wordAt(
  text: string,
  start: number,
): { readonly start: number; readonly end: number } {
  let end = start;
  while (end - start < 32 && isNamePart(text.charCodeAt(end))) end++;
  return { start, end };
}

function isLead(code: number): boolean {
  return (
    code <= 32 ||
    code === shellChar.singleQuote ||
    code === shellChar.doubleQuote ||
    code === shellChar.openBrace
  );
}

function isNamePart(code: number): boolean {
  return isAlnum(code) || code === 45 || code === 95;
}

/**
 * Reads the head that follows a line break; undefined where no command has its name. They are not
 * among those of `readHeads`, because every line of every text begins with one.
 */
export function readLineHead(
  text: string,
  lineBreak: number,
  nameBetween: HeadVisitor['nameBetween'],
): CommandHead | undefined {
  let found: CommandHead | undefined;
  const visitor = {
    nameBetween,
    visit: (head: CommandHead) => {
      found = head;
      return true;
    },
  };
  const reader = new WordReader(text);
  readHead(reader, visitor, introducer.lineBreak, lineBreak, lineBreak + 1);
  return found;
}

/** What may introduce a command. */
const nextMark = createFinder(/[;|&`$<>]/g);

/** Length of the introducer at `at`, 0 when there is none. */
function introducerLength(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  switch (text.charCodeAt(at)) {
    case shellChar.semicolon:
      return endsEntity(text, at) ? 0 : 1;
    case shellChar.pipe:
      return next === shellChar.pipe || next === shellChar.ampersand ? 2 : 1;
    case shellChar.ampersand: {
      const before = text.charCodeAt(at - 1);
      if (before === shellChar.greater || before === shellChar.less || next === shellChar.greater)
        return 0;
      if (next === shellChar.ampersand) return 2;
      return startsEntity(text, at) ? 0 : 1;
    }
    case shellChar.backtick:
      return fenceLength(text, at) === 1 ? 1 : 0;
    case shellChar.dollar:
      return next === shellChar.openParen ? 2 : 0;
    default:
      return next === shellChar.openParen ? 2 : 0;
  }
}

function introducerAt(text: string, at: number): Introducer {
  const next = text.charCodeAt(at + 1);
  switch (text.charCodeAt(at)) {
    case shellChar.semicolon:
      return introducer.semicolon;
    case shellChar.pipe:
      return next === shellChar.pipe ? introducer.or : introducer.pipe;
    case shellChar.ampersand:
      return next === shellChar.ampersand ? introducer.and : introducer.ampersand;
    case shellChar.backtick:
      return introducer.backtick;
    case shellChar.dollar:
      return introducer.substitution;
    default:
      return introducer.process;
  }
}

/** Number of backticks in a row around `at`: more than one is Markdown, not a shell. */
function fenceLength(text: string, at: number): number {
  const isAlone =
    text.charCodeAt(at + 1) !== shellChar.backtick &&
    (at === 0 || text.charCodeAt(at - 1) !== shellChar.backtick);
  return isAlone ? 1 : 2;
}

const entityNames: WordTable = createWordTable(
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
  return entityNames.wordBetween(text, at + 1, end) !== '';
}

/** True when the semicolon at `at` ends an HTML character reference. */
function endsEntity(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0 && at - i <= 9; i--) {
    const code = text.charCodeAt(i);
    if (code === shellChar.ampersand) return startsEntity(text, i);
    if (!isAlnum(code) && code !== 35) return false;
  }
  return false;
}

/** Reads the name that follows an introducer; returns where scanning goes on, -1 to stop. */
function readHead(
  reader: WordReader,
  visitor: HeadVisitor,
  kind: Introducer,
  start: number,
  from: number,
): number {
  const { text } = reader;
  const at = nameStart(reader, kind, from);
  const plain = plainEnd(text, at);
  if (plain > at && !reader.braced) {
    const name = visitor.nameBetween(text, at, plain);
    if (name === '') return plain;
    const isCall = text.charCodeAt(plain) === shellChar.openParen;
    const traits = isCall ? wordTrait.call : 0;
    const head = { introducer: kind, start, nameStart: at, nameEnd: plain, name, traits };
    return visitor.visit(head) ? plain : -1;
  }
  reader.read(at);
  if (reader.end === at) return Math.max(at, from);
  assign(reader);
  const goesOn = visitor.visit({
    introducer: kind,
    start,
    nameStart: at,
    nameEnd: reader.end,
    name: reader.word.toLowerCase(),
    traits: reader.traits,
  });
  return goesOn ? reader.end : -1;
}

/** End of a word of letters, digits, `-` and `_`; `at` when other characters belong to it. */
function plainEnd(text: string, at: number): number {
  let end = at;
  while (isNamePart(text.charCodeAt(end))) end++;
  return end >= text.length || endsPlainWord[text.charCodeAt(end)] === 1 ? end : at;
}

const endsPlainWord: Uint8Array = markCharacters(' \t\n\r;|&()<>');

/** Skips what may stand between an introducer and the name. */
function nameStart(reader: WordReader, kind: Introducer, from: number): number {
  const { text } = reader;
  reader.braced = false;
  let at = from;
  for (;;) {
    at = reader.skipBlanks(at);
    const code = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    if (code === shellChar.openBrace && isBraceList(text, at)) reader.braced = true;
    else if (
      code === shellChar.openParen ||
      code === 64 ||
      (code === shellChar.plus && kind !== introducer.start) ||
      (code === shellChar.openBrace && next === 32)
    ) {
      // Subshell, cmd.exe's echo-off mark, a blank of a form, group: the command comes after.
    } else if (
      (code === shellChar.singleQuote || code === shellChar.doubleQuote) &&
      closesInWord(text, at) < 0
    ) {
      if (kind !== introducer.start) return at;
    } else return at;
    at++;
  }
}

/** Remembers `name=value`, so that `$name` can be read later in the text. */
function assign(reader: WordReader): void {
  const equals = reader.word.indexOf('=');
  if (equals < 1 || equals > 32) return;
  const name = reader.word.slice(0, equals);
  if (!identifier.test(name)) return;
  reader.variables ??= new Map();
  if (reader.variables.size >= assignmentsMax) return;
  reader.variables.set(name, reader.word.slice(equals + 1, equals + 1 + valueMax));
}

const identifier = /^[A-Za-z_][A-Za-z0-9_]{0,31}$/;
