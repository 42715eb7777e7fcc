import { limits } from '../../../contract/limits.ts';
import { createFinder } from '../../text/char-finder.ts';
import { characterSet } from '../../text/runs.ts';
import { assign, setCallParameters, setLoopVariable, setParameters } from './shell-assignment.ts';
import { carrierBetween, endOfForm, type Passed, passCarrier } from './shell-carrier.ts';
import {
  braceListEnd,
  closesInWord,
  isJoint,
  isQuote,
  shellChar,
  substitutionMark,
  wordTrait,
} from './shell-character.ts';
import { valueMax } from './shell-expansion.ts';
import { type Introducer, introducer, introducerAt, introducerLength } from './shell-introducer.ts';
import { endOfDocument, passPrefix } from './shell-prefix.ts';
import { assignmentEnd, type NameBetween, plainEnd, quietEnd, wordAt } from './shell-quiet.ts';
import { WordReader } from './shell-word.ts';

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
interface HeadVisitor {
  readonly nameBetween: NameBetween;
  /** Assignments behind this offset are not visited where nothing in the text can read them. */
  readonly assignmentsTo?: number;
  /** False to stop. */
  visit(head: CommandHead): boolean;
}

/** Every line of a longer text may be prose, a list or code: its lines are no commands. */
const linesTextMax = 512;
/** Commands that carry one another. */
const carriersMax = 12;

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
  const document = endOfDocument(text);
  const isOfLines = readsLines(text) || document < text.length;
  const { assignmentsTo = text.length } = visitor;
  const idleFrom = text.includes('$') ? text.length : assignmentsTo;
  let seen = 0;
  let kind: Introducer = introducer.start;
  let start = 0;
  let at = readHead(scanner, visitor, kind, 0, 0);
  while (at >= 0) {
    // Where a shell's own syntax was seen, its lines are commands.
    at = isOfLines || scanner.isCode ? nextCodeMark(text, at) : nextMark(text, at);
    if (at >= text.length) return true;
    const code = text.charCodeAt(at);
    const length = introducerLength(text, at);
    if (length === 0) {
      at++;
      continue;
    }
    if (seen++ >= limits.tokensMax) return false;
    if (code === shellChar.backtick) {
      scanner.inBackticks = !scanner.inBackticks;
      if (!scanner.inBackticks) {
        kind = introducer.lineBreak;
        at += length;
        continue;
      }
    }
    if (at > document && !scanner.inDocument) {
      // Whatever stands before: the application's command has ended.
      scanner.inDocument = true;
      scanner.isCode = true;
      kind = introducer.lineBreak;
      start = at;
    } else if (!isContinued(scanner, kind, start, at)) {
      kind = introducerAt(text, at);
      start = at;
    }
    const isIdle = start >= idleFrom && kind <= introducer.or;
    const idle = isIdle ? assignmentEnd(text, visitor.nameBetween, at + length) : -1;
    at = idle >= 0 ? idle : readHead(scanner, visitor, kind, start, at + length);
  }
  return false;
}

/** True when a substitution goes on over the line break at `at`. */
function isContinued(reader: WordReader, kind: Introducer, start: number, at: number): boolean {
  const { text } = reader;
  if (text.charCodeAt(at) !== 10 || !reader.isCode) return false;
  if (kind < introducer.substitution || at - start > valueMax) return false;
  if (kind === introducer.backtick) return true;
  let open = 0;
  for (let i = start; i < at; i++) {
    const code = text.charCodeAt(i);
    if (code === shellChar.openParen) open++;
    else if (code === shellChar.closeParen) open--;
  }
  return open > 0;
}

/** True for a text whose line breaks are read as what they are to a shell. */
export function readsLines(text: string): boolean {
  return text.length <= linesTextMax;
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

function isLead(code: number): boolean {
  return code <= 32 || isQuote(code) || code === shellChar.openBrace;
}

/**
 * Reads the head that follows a line break, and those that it carries. They are not among those of
 * `readHeads`, because every line of every text begins with one.
 */
export function readLineHeads(
  text: string,
  lineBreak: number,
  nameBetween: NameBetween,
): readonly CommandHead[] {
  const found: CommandHead[] = [];
  if (quietEnd(text, nameBetween, lineBreak + 1) >= 0) return found;
  const visit = (head: CommandHead): boolean => found.push(head) > 0;
  const reader = new WordReader(text);
  readHead(reader, { nameBetween, visit }, introducer.lineBreak, lineBreak, lineBreak + 1);
  return found;
}

/** Words and headers in front of one name. */
const prefixesMax = 16;

/** What may introduce a command. */
const nextMark = createFinder(/[;|&`$<>]/g);
const nextCodeMark = createFinder(/[;|&`$<>\n]/g);

/**
 * Reads the name that follows an introducer, and those of the commands that it carries; returns
 * where scanning goes on, -1 to stop.
 */
function readHead(
  reader: WordReader,
  visitor: HeadVisitor,
  kind: Introducer,
  start: number,
  from: number,
): number {
  const { text } = reader;
  reader.beginHead(kind === introducer.substitution && isSum(text, from));
  reader.skipped = -1;
  const quiet = reader.aliases === undefined ? quietEnd(text, visitor.nameBetween, from) : -1;
  if (quiet >= 0) return quiet;
  let at = from;
  // Where a substitution within the words is read: they may be folded, and are commands too.
  let resume = Number.POSITIVE_INFINITY;
  for (let carriers = 0; carriers < carriersMax; carriers++) {
    at = nameStart(reader, kind, at);
    const plain = plainEnd(text, at);
    const isPlain = plain > at && !reader.braced && !reader.isNamed(at, plain);
    if (isPlain) reader.takePlain(plain);
    else reader.read(at);
    const nameEnd = reader.end;
    resume = Math.min(resume, reader.firstNested());
    const name = isPlain ? visitor.nameBetween(text, at, plain) : reader.word.toLowerCase();
    if (name !== '' || (!isPlain && nameEnd > at) || isHeaded(reader, carriers)) {
      const traits = reader.traits | reader.passed;
      const head = { introducer: kind, start, nameStart: at, nameEnd, name, traits };
      if (!visitor.visit(head)) return -1;
    }
    if (nameEnd === at) return Math.min(resume, Math.max(at, from));
    const next = afterName(reader, kind, name, at);
    setParameters(reader, at, nameEnd, isPlain);
    if (next < 0) return Math.min(resume, nameEnd);
    // A quoted value holds separators, and commands behind them.
    if (reader.end > nameEnd) resume = Math.min(resume, nameEnd);
    at = next;
  }
  return Math.min(resume, at);
}

/** A loop or the like stands in front: whatever the name is, it is one of a script. */
function isHeaded({ passed }: WordReader, carriers: number): boolean {
  return carriers === 0 && (passed & wordTrait.structured) !== 0;
}

/** Behind an assignment stands a command, or a redirection in front of it. */
const goesOn: Uint8Array = characterSet(' \t<>');

/** `$((`, where the command of a substitution would begin. */
function isSum(text: string, from: number): boolean {
  return text.charCodeAt(from) === shellChar.openParen;
}

/** Where the command begins that stands behind an assignment or in an argument; -1 without. */
function afterName(reader: WordReader, kind: Introducer, name: string, start: number): number {
  const { text, end } = reader;
  const isAssignment = assign(reader);
  if (kind === introducer.start) return -1;
  if ((reader.traits & wordTrait.call) !== 0) {
    reader.passed |= wordTrait.structured;
    return endOfForm(text, functionBody, end);
  }
  if (isAssignment) {
    reader.isCode ||= kind >= introducer.substitution;
    const next = text.charCodeAt(reader.end);
    const isQuery =
      kind === introducer.ampersand && text.charCodeAt(start - 1) === shellChar.ampersand;
    return !isQuery && goesOn[next] === 1 ? reader.end : -1;
  }
  const carrier = name === '' ? carrierBetween(text, start, end) : name;
  const carried = carrier === '' ? undefined : passCarrier(text, carrier, end);
  if (carried === undefined) return -1;
  if (carried.isStructured) reader.passed |= wordTrait.structured;
  if (carried.isWord === true) reader.passed |= wordTrait.whole;
  return carried.end;
}

/** Behind a name in quotes, as one without is passed with its body. */
const functionBody = /\(\)\s{0,8}(?=\{\s|\()/y;
const comma = 44;

/** Separators that cmd.exe has: `,`, `=` and `;` are blanks to it. */
function isOfCmd(kind: Introducer): boolean {
  return kind >= introducer.pipe && kind <= introducer.or;
}

/** `names ||= list`: of a program's source, where blanks stand around the operator. */
function isAssignment(text: string, at: number): boolean {
  return text.charCodeAt(at + 1) === 32 && assignment.test(text.slice(Math.max(0, at - 3), at + 1));
}

const assignment = / [&|]{1,2}=$/;

/** Subshell, cmd.exe's echo-off mark and blanks, a blank of a form, group: the command comes after. */
function isPassed(text: string, at: number, kind: Introducer): boolean {
  switch (text.charCodeAt(at)) {
    case shellChar.openParen:
    case 64:
      return true;
    case shellChar.plus:
      return kind !== introducer.start;
    case comma:
      return isOfCmd(kind);
    case shellChar.equals:
      return (isOfCmd(kind) && !isAssignment(text, at)) || isZshName(text, at, kind);
    case shellChar.openBrace:
      return text.charCodeAt(at + 1) <= 32;
    case 10:
    case 13:
      return kind >= introducer.substitution;
    default:
      return false;
  }
}

/** `{cat,/etc/passwd}`: the command and its arguments; words of nothing in front of it are none. */
function opensList(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== shellChar.openBrace) return false;
  const end = braceListEnd(text, at);
  return end > 0 && !isJoint(text.charCodeAt(end));
}

/** `=ls`, `=(ls)`: to zsh the path of a command, and a file with its output. */
function isZshName(text: string, at: number, kind: Introducer): boolean {
  if (kind === introducer.start || kind === introducer.lineBreak) return false;
  const next = text.charCodeAt(at + 1);
  return next === shellChar.openParen || (next >= 97 && next <= 122);
}

function passStructure(reader: WordReader, at: number, { end, ...before }: Passed): void {
  reader.passed |= wordTrait.structured;
  reader.isCode = true;
  // Nothing runs there: it is no command.
  if (before.isDead === true) reader.passed |= wordTrait.call;
  if (reader.skipped < 0) reader.skipped = substitutionMark(reader.text, at, end);
  setLoopVariable(reader, at, end);
  if (before.isDefinition === true) setCallParameters(reader, at, end);
}

/** Skips what may stand between an introducer and the name. */
function nameStart(reader: WordReader, kind: Introducer, from: number): number {
  const { text } = reader;
  reader.braced = false;
  let at = from;
  let prefixes = kind === introducer.start ? prefixesMax : 0;
  for (;;) {
    at = reader.skipBlanks(at);
    const code = text.charCodeAt(at);
    const before = prefixes++ < prefixesMax ? passPrefix(text, at) : undefined;
    if (before !== undefined) {
      if (before.isStructured) passStructure(reader, at, before);
      at = before.end;
      continue;
    }
    if (opensList(text, at)) reader.braced = true;
    else if (isQuote(code) && closesInWord(text, at) < 0) {
      if (kind !== introducer.start) return at;
    } else if (!isPassed(text, at, kind)) return at;
    at++;
  }
}
