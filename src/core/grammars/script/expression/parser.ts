import { wordSet } from '../../../text/words.ts';
import { assign, bindEach, withMembers } from './assign.ts';
import { call } from './calls.ts';
import { capabilityOf, shellCommand } from './capabilities.ts';
import { memberOfPage, memberOfWindow } from './computed.ts';
import { foldMethod, isTextMethod } from './fold.ts';
import { readFunction } from './functions.ts';
import { isWindow } from './handed.ts';
import { lexeme } from './lexer.ts';
import { readList, skipItem } from './lists.ts';
import { readBraces, readPrefix, readText } from './operands.ts';
import { binary, level, levelOf } from './operators.ts';
import { error, errorBehind, type Productions, placed, type Reader } from './reader.ts';
import { noteRead } from './scene.ts';
import { memberOf, symbolOf, text, textOf, truthOf, unknown, type Value, veiled } from './value.ts';

const depthMax = 120;

/** The productions, from statements down. */
export const productions: Productions = { expression: readExpression, statements: readStatements };

/** Reads statements up to the end, or to the brace that closes them; returns the last value. */
function readStatements(reader: Reader, isInner: boolean): Value {
  const { cursor } = reader;
  let last: Value = unknown;
  for (;;) {
    cursor.read(true);
    if (cursor.kind === lexeme.end) return last;
    if (cursor.is('}') && isInner) return last;
    if (cursor.is(';') || cursor.is(',')) cursor.take();
    else if (isCloser(cursor.word) && cursor.kind === lexeme.punctuation) {
      if (!cursor.isTail) reader.closers++;
      cursor.take();
      readMore(reader);
    } else {
      last = readStatement(reader);
      if (!isInner && cursor.isAfterBreak && cursor.kind !== lexeme.end) reader.statements++;
    }
  }
}

function isCloser(mark: string): boolean {
  return mark === ')' || mark === ']' || mark === '}';
}

/** Goes on behind a bracket that the application opened: what stands there is its operand. */
function readMore(reader: Reader): void {
  // A function that stands there has statements, in which a bracket may close again.
  if (reader.depth >= depthMax) return;
  reader.depth++;
  readTail(reader, unknown, { first: reader.cursor.at, least: 0 });
  reader.depth--;
}

function readStatement(reader: Reader): Value {
  const { cursor } = reader;
  const before = cursor.at;
  const isBlock = cursor.is('{') || (cursor.kind === lexeme.name && blockWords.has(cursor.word));
  const value = readExpression(reader, level.assignment);
  if (cursor.at === before) {
    error(reader);
    cursor.read(true);
    cursor.take();
    return unknown;
  }
  cursor.read(false);
  if (!(isBlock && cursor.isBehindBrace) && !isSeparated(reader)) errorBehind(reader);
  return value;
}

/** Statements that end with a brace need nothing behind it. */
const blockWords: ReadonlySet<string> = wordSet(
  'function class if for while switch try do else catch finally with async',
);

/** What follows begins a statement of its own, or ends this one. */
function isSeparated({ cursor }: Reader): boolean {
  if (cursor.kind === lexeme.end || cursor.isAfterBreak) return true;
  if (cursor.kind !== lexeme.punctuation) {
    return cursor.kind === lexeme.name && isStatementWord(cursor.word);
  }
  const { word } = cursor;
  if (word === ':') {
    // A label, or a case of a statement.
    cursor.take();
    return true;
  }
  return word === ';' || word === ',' || isCloser(word) || word === '{';
}

function isStatementWord(name: string): boolean {
  return name === 'else' || name === 'catch' || name === 'finally' || name === 'end';
}

/** Reads an expression of operators that bind at least so tightly. */
function readExpression(reader: Reader, least: number): Value {
  if (reader.depth >= depthMax) return skipItem(reader);
  reader.depth++;
  reader.cursor.read(true);
  const first = reader.cursor.start;
  const value = readTail(reader, readPrefix(reader), { first, least });
  reader.depth--;
  return value;
}

interface Place {
  /** Where the operand begins. */
  readonly first: number;
  readonly least: number;
}

/** Reads what stands behind an operand: members, arguments, operators. */
function readTail(reader: Reader, operand: Value, { first, least }: Place): Value {
  const { cursor } = reader;
  let value = operand;
  for (;;) {
    cursor.read(false);
    if (cursor.kind === lexeme.end) return value;
    const next = readPostfix(reader, value, first);
    if (next !== undefined) {
      value = next;
      continue;
    }
    if (cursor.kind !== lexeme.punctuation && cursor.kind !== lexeme.name) return value;
    const mark = cursor.word;
    if (mark === '.') {
      if (level.sum < least) return value;
      cursor.take();
      value = binary('+', value, readExpression(reader, level.product));
      continue;
    }
    const own = levelOf(mark);
    if (own === 0 || own < least) return value;
    const isAhead = cursor.isAfterBreak || own === 0 || beginsStatement(reader, mark);
    if (cursor.kind === lexeme.name && isAhead) return value;
    cursor.take();
    value = readOperator(reader, value, { mark, own, first });
  }
}

/** `function f(){…}if(x)`: right behind a brace it is no modifier of Ruby. */
function beginsStatement({ cursor }: Reader, mark: string): boolean {
  return (
    cursor.text.charCodeAt(cursor.at - 1) === 125 &&
    (mark === 'if' || mark === 'for' || mark === 'while')
  );
}

interface Operator {
  readonly mark: string;
  readonly own: number;
  readonly first: number;
}

function readOperator(reader: Reader, left: Value, { mark, own, first }: Operator): Value {
  const { cursor } = reader;
  if (mark === '=>') return readFunction(reader, [left], true);
  if (mark === '?') return readChoice(reader, left);
  if (own === level.assignment) {
    cursor.read(true);
    const right = readExpression(reader, level.assignment);
    assign(reader, left, right, first);
    return right;
  }
  const right = readExpression(reader, own + 1);
  if (mark === 'of' || mark === 'in') bindEach(reader, mark, { left, right, first });
  return binary(mark, left, right);
}

/** `a ? b : c` */
function readChoice(reader: Reader, condition: Value): Value {
  const { cursor } = reader;
  cursor.read(true);
  // PHP's `a ?: b`, and Ruby's names that end in a question mark.
  const yes = cursor.is(':') || isCloser(cursor.word) ? condition : readExpression(reader, 1);
  cursor.read(false);
  if (!cursor.is(':')) return yes;
  cursor.take();
  const no = readExpression(reader, level.assignment);
  return truthOf(condition) === false ? no : yes;
}

const functionName = /^[\w\\:]+$/;

/** A member, arguments, an index or a block behind an operand; undefined when there is none. */
function readPostfix(reader: Reader, value: Value, first: number): Value | undefined {
  const { cursor } = reader;
  if (cursor.kind === lexeme.text) return readTextBehind(reader, value, first);
  if (cursor.kind !== lexeme.punctuation) return undefined;
  switch (cursor.word) {
    case '(':
      return opensArguments(reader, value) ? readCall(reader, value, first) : undefined;
    case '[':
      return readIndex(reader, value, first);
    case '.':
    case '?.':
    case '->':
    case '?->':
    case '::':
      return readMember(reader, value, first);
    case '{': {
      const isBlock = value.kind === 'reference' || value.kind === 'method';
      if (!isBlock || cursor.isAfterBreak) return undefined;
      readBraces(reader);
      return value;
    }
    case '++':
    case '--':
      cursor.take();
      return value;
    default:
      return undefined;
  }
}

/** A template behind a function, a text behind a text (Python) or behind a name (Ruby). */
function readTextBehind(reader: Reader, value: Value, first: number): Value | undefined {
  const { cursor } = reader;
  const isName = value.kind === 'reference' && value.path !== '?';
  if (!isName && value.kind !== 'text' && cursor.quote !== 96) return undefined;
  if (cursor.isAfterBreak) return undefined;
  if (value.kind === 'text') {
    const joined = text(value.text + cursor.word);
    cursor.take();
    return joined;
  }
  const { end } = cursor;
  const given: Value[] = [];
  const argument = readText(reader, given);
  return call(reader.scene, value, [argument, ...given], placed(reader, first, end));
}

/** A text that names no function ended where another literal of the page begins. */
function opensArguments({ cursor }: Reader, callee: Value): boolean {
  if (cursor.isAfterBreak && callee.kind !== 'reference') return false;
  return callee.kind !== 'text' || (functionName.test(callee.text) && !isRemark(cursor));
}

/** `'print' (or 'echo')`: a word in brackets behind a blank, where no constant of PHP's is meant. */
function isRemark({ text: whole, start }: Reader['cursor']): boolean {
  if (whole.charCodeAt(start - 1) > 32) return false;
  const word = remark.exec(whole.slice(start, start + 32))?.[1];
  return word !== undefined && !shellCommand.test(word);
}

/** Not `(end ($list))`: what stands behind the word computes nothing with it. */
const remark = /^\((\p{L}\p{Ll}{1,24}|\d{1,4}(?= \p{L}))(?:[),]|\s{1,4}(?=[\p{L}\d'"]))/u;

function readCall(reader: Reader, callee: Value, first: number): Value {
  const { cursor, scene } = reader;
  cursor.take();
  const path = callee.kind === 'reference' ? callee.path : '';
  if (path === 'catch' && reader.thrown !== unknown) bindCaught(reader);
  const args = readList(reader, ')');
  const value = call(scene, callee, args, placed(reader, first, cursor.end));
  if (!heads.has(path) || cursor.isAfterBreak) return value;
  return withMembers(reader, path === 'with' ? args[0] : undefined, () =>
    readExpression(reader, level.assignment),
  );
}

/** `for(;;)f(1)`: behind the brackets of these a statement follows. */
const heads: ReadonlySet<string> = wordSet('with for while if');

/** `catch(name)` has what `throw` threw. */
function bindCaught(reader: Reader): void {
  const { cursor, names } = reader;
  cursor.read(true);
  if (cursor.kind === lexeme.name)
    names.at(-1)?.set(cursor.word.toLowerCase(), veiled(reader.thrown));
}

function readIndex(reader: Reader, base: Value, first: number): Value {
  const { cursor } = reader;
  cursor.take();
  cursor.read(false);
  if (cursor.is('::') || cursor.is(':')) return readSlice(reader, base);
  const isPlain = cursor.kind === lexeme.text;
  const { end } = cursor;
  const items = readList(reader, ']');
  const key = items.at(-1);
  const name = key === undefined ? undefined : (textOf(key) ?? symbolOf(key));
  if (name === undefined) {
    // `self[x]`, where the name is one of all that the window has.
    if (base.kind !== 'reference') return unknown;
    return isWindow(base) ? memberOfWindow(key) : memberOfPage(base);
  }
  if (isMethodObject(base))
    return call(reader.scene, base, items, placed(reader, first, cursor.end));
  const isWritten = isPlain && reader.cursor.text.charCodeAt(end) === 93;
  const member = memberOf(base, name, isWritten ? 1 : 2);
  return noteRead(reader.scene, member, placed(reader, first, cursor.end));
}

/** Ruby's `method(:system)`, which brackets call as well. */
function isMethodObject(value: Value): boolean {
  return value.kind === 'reference' && value.veil === 2 && capabilityOf(value.path) === 'run';
}

/** Python's `[::-1]` */
function readSlice(reader: Reader, base: Value): Value {
  const { cursor } = reader;
  while (cursor.is('::') || cursor.is(':')) {
    cursor.take();
    cursor.read(false);
  }
  const step = readList(reader, ']')[0];
  const isReversed = step?.kind === 'number' && step.number === -1;
  return isReversed ? call(reader.scene, memberOf(base, 'reverse', 2), [], noPlace) : unknown;
}

const noPlace = { start: 0, end: 0 };

/** A member by its name, Ruby's `f.()`, or texts that PHP joins. */
function readMember(reader: Reader, value: Value, first: number): Value | undefined {
  const { cursor } = reader;
  const mark = cursor.word;
  const { at } = cursor;
  cursor.take();
  cursor.read(true);
  if (cursor.kind === lexeme.name && !isJoined(reader, value, mark)) {
    const name = cursor.word;
    cursor.take();
    return readProperty(reader, memberOf(value, name, 0), first);
  }
  if (cursor.is('(') && (mark === '?.' || value.kind === 'function')) {
    return readCall(reader, value, first);
  }
  if (cursor.is('[') && mark === '?.') return readIndex(reader, value, first);
  if (cursor.is('*') && mark === '.') return undefined;
  if (mark === '.') {
    // Not a member: the dot joins, and the caller reads it again.
    cursor.at = at;
    cursor.read(false);
    return undefined;
  }
  return unknown;
}

/** Ruby calls a method without brackets, and its `ENV` is all that the process was given. */
function readProperty(reader: Reader, member: Value, first: number): Value {
  const { cursor, scene } = reader;
  noteRead(scene, member, placed(reader, first, cursor.at));
  if (member.kind !== 'method') return member;
  cursor.read(false);
  const isHanded =
    cursor.is('.') && functionMember.test(cursor.text.slice(cursor.end, cursor.end + 12));
  const isUsed = cursor.is('(') || cursor.is('=') || cursor.kind === lexeme.text || isHanded;
  return isUsed || !isConstant(member.base) ? member : (foldMethod(member, []) ?? member);
}

/** `[].at.call(`: a member of the function, not of what it gives. */
const functionMember = /^(?:call|apply|constructor)\b/;

/** A dot behind a text joins unless a method of texts follows. */
function isJoined({ cursor }: Reader, value: Value, mark: string): boolean {
  if (mark !== '.' || value.kind === 'reference') {
    return cursor.word.charCodeAt(0) === 36 && mark === '.';
  }
  return (
    isConstant(value) &&
    value.kind !== 'list' &&
    !isTextMethod(cursor.word) &&
    !isObjectMember(cursor.word)
  );
}

function isObjectMember(name: string): boolean {
  return name.startsWith('__') || objectMembers.has(name);
}

const objectMembers: ReadonlySet<string> = wordSet(
  'constructor then send length public_send method source instance_eval',
);

function isConstant({ kind }: Value): boolean {
  return kind === 'text' || kind === 'number' || kind === 'word' || kind === 'list';
}
