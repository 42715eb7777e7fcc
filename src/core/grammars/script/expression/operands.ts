import { containers } from '../../../knowledge/engine-calls.ts';
import { wordSet } from '../../../text/words.ts';
import { call } from './calls.ts';
import { capabilityOf } from './capabilities.ts';
import { constants } from './fold.ts';
import {
  generator,
  readBlockParameters,
  readFunction,
  readInner,
  readNamedFunction,
  readPythonLambda,
  readRubyLambda,
} from './functions.ts';
import { keepMember } from './handed.ts';
import { lexeme } from './lexer.ts';
import { readList } from './lists.ts';
import { level, unary } from './operators.ts';
import { error, placed, type Reader } from './reader.ts';
import { note, noteRead } from './scene.ts';
import {
  bound,
  numeric,
  reference,
  symbolOf,
  text,
  textOf,
  unknown,
  type Value,
  veiled,
} from './value.ts';

/** Reads one operand: a constant, a name, a function, brackets. */
export function readPrefix(reader: Reader): Value {
  const { cursor } = reader;
  switch (cursor.kind) {
    case lexeme.name:
      return readName(reader);
    case lexeme.number: {
      const value = Number(cursor.word);
      cursor.take();
      return numeric(value);
    }
    case lexeme.text:
      return readText(reader);
    case lexeme.command:
      return readCommand(reader);
    case lexeme.edge:
      cursor.take();
      return unknown;
    case lexeme.punctuation:
      return readMark(reader);
    default:
      return unknown;
  }
}

/** A literal, with the expressions in it; `given` gets those of a template that is a function's argument. */
export function readText(reader: Reader, given?: Value[]): Value {
  const { cursor, scene } = reader;
  const { word, from, until, quote, start, end } = cursor;
  cursor.take();
  const isCommand = given === undefined && quote === 96 && word.trim() !== '';
  if (isCommand) noteCommand(reader, word, start, end);
  const holds = from >= 0 && (quote === 34 || quote === 96) && holdsExpression.test(word);
  if (!holds || reader.depth > 20 || scene.budget < 0) {
    return { kind: 'text', text: word, from, to: until };
  }
  return readInterpolated(reader, from, until, given);
}

/** `${…}`, `#{…}` and `{$…}` in a literal; what they give is part of the text where it is known. */
function readInterpolated(
  reader: Reader,
  from: number,
  until: number,
  given: Value[] | undefined,
): Value {
  const { cursor } = reader;
  const { at } = cursor;
  let made: string | undefined = '';
  let plainFrom = from;
  interpolation.lastIndex = from;
  for (;;) {
    const found = interpolation.exec(cursor.text);
    if (found === null || found.index >= until) break;
    cursor.at = found.index + (found[0] === '{$' ? 1 : 2);
    const value = readInner(reader);
    reader.scene.budget -= cursor.at - found.index;
    if (cursor.at > until) break;
    given?.push(value);
    const part = value.kind === 'list' && value.items.length === 0 ? '' : textOf(value);
    if (made !== undefined) made += cursor.text.slice(plainFrom, found.index);
    made = part === undefined || made === undefined ? undefined : made + part;
    plainFrom = cursor.at;
    interpolation.lastIndex = cursor.at;
  }
  cursor.at = at;
  return made === undefined ? unknown : text(made + cursor.text.slice(plainFrom, until));
}

const holdsExpression = /[$#]\{|\{\$/;
const interpolation = /[$#]\{|\{\$/g;

/** Ruby's `%x(id)` */
function readCommand(reader: Reader): Value {
  const { cursor } = reader;
  const { word, start, end } = cursor;
  cursor.take();
  if (word.trim() !== '')
    note(reader.scene, reference('system', 1), [text(word)], {
      ...placed(reader, start, end),
      how: 'called',
    });
  return unknown;
}

/** A literal in backticks is a command in PHP, Ruby and Perl, a text in ECMAScript. */
function noteCommand(reader: Reader, command: string, start: number, end: number): void {
  const span = placed(reader, start, end);
  note(reader.scene, reference('`', 0), [text(command)], { ...span, how: 'called' });
}

/** Words that stand in front of an expression and change nothing of it. */
const leads: ReadonlySet<string> = wordSet(
  'new return typeof void delete await yield not echo raise else do begin try finally ensure case',
  'then async static get set puts and or break continue',
);
const declarations: ReadonlySet<string> = wordSet(
  'var let const my global import from include use def class package namespace',
);

function readName(reader: Reader): Value {
  const { cursor, names } = reader;
  const name = cursor.word;
  cursor.take();
  const read = names.at(-1)?.has(name) === true ? undefined : readers.get(name);
  if (read !== undefined) return read(reader, name);
  if (declarations.has(name)) return readDeclared(reader, name);
  if (leads.has(name)) return isFollowed(reader) ? readLed(reader, name) : reference(name);
  if (name === 'end' || name === 'pass') return unknown;
  const key = name.toLowerCase();
  for (let at = names.length - 1; at >= 0; at--) {
    const value = names[at]?.get(key);
    if (value !== undefined) return value;
  }
  const start = Math.max(0, cursor.at - name.length);
  return (
    constants.get(name) ?? noteRead(reader.scene, reference(key), placed(reader, start, cursor.at))
  );
}

/** What begins a construct of its own; `fn` may be a name as well. */
const readers: ReadonlyMap<string, (reader: Reader, name: string) => Value> = new Map([
  ['function', readNamedFunction],
  ['fn', readNamedFunction],
  ['def', readNamedFunction],
  ['lambda', readPythonLambda],
  ['class', readClass],
  ['throw', readThrow],
  ['for', readFor],
]);

function readThrow(reader: Reader): Value {
  reader.thrown = reader.grammar.expression(reader, level.assignment);
  return unknown;
}

/** `for await (…)` */
function readFor({ cursor }: Reader): Value {
  cursor.read(true);
  if (cursor.isName('await')) cursor.take();
  return reference('for');
}

function readDeclared(reader: Reader, name: string): Value {
  const { cursor } = reader;
  cursor.read(false);
  // `import('…')` is a call.
  if (name !== 'import' || !cursor.is('(')) reader.statements++;
  const isName = name === 'import' || !isFollowed(reader);
  return isName ? reference(name) : reader.grammar.expression(reader, level.assignment);
}

function readLed(reader: Reader, name: string): Value {
  const first = reader.cursor.start;
  const value = reader.grammar.expression(
    reader,
    name === 'new' || name === 'yield' ? 8 : level.condition,
  );
  if (name === 'typeof' || name === 'void') return unknown;
  // `(new Image).src=`
  const isMade = name === 'new' && value.kind === 'reference' && isMaker(value.path);
  return isMade ? call(reader.scene, value, [], placed(reader, first, reader.cursor.at)) : value;
}

/** What the page loads with, and what keeps values: brackets may be left out behind `new`. */
function isMaker(path: string): boolean {
  return capabilityOf(path) === 'touch' || containers.has(path);
}

/** An operand follows a word, so that it is no name itself. */
function isFollowed({ cursor }: Reader): boolean {
  // `{get:alert}` is a name; a symbol of Ruby stands apart.
  if (cursor.text.charCodeAt(cursor.at) === 58) return false;
  cursor.read(true);
  // What a literal of the application goes on with is an operand: `";void"`.
  if (cursor.kind === lexeme.edge) return cursor.isInLiteral;
  if (cursor.kind === lexeme.end) return false;
  if (cursor.kind !== lexeme.punctuation) return true;
  return operandMarks.has(cursor.word);
}

const operandMarks: ReadonlySet<string> = wordSet('( [ { + - ! ~ @ * -> &');

function readClass(reader: Reader): Value {
  const { cursor } = reader;
  cursor.read(true);
  while (cursor.kind === lexeme.name) {
    cursor.take();
    cursor.read(true);
  }
  return cursor.is('{') ? readBraces(reader) : unknown;
}

/** Braces: members of an object, a block of statements or of Ruby. */
export function readBraces(reader: Reader): Value {
  const { cursor } = reader;
  cursor.read(false);
  cursor.take();
  readBlockParameters(reader);
  const keys: string[] = [];
  const values: Value[] = [];
  cursor.read(true);
  const isEmpty = cursor.is('}');
  for (;;) {
    cursor.read(true);
    if (cursor.kind === lexeme.end || cursor.is(')') || cursor.is(']')) break;
    if (cursor.is('}')) {
      cursor.take();
      break;
    }
    if (cursor.is(',') || cursor.is(';')) cursor.take();
    else readEntry(reader, keys, values);
  }
  return keys.length === 0 && !isEmpty ? unknown : { kind: 'entries', keys, values };
}

/** `toString`, `'toString'`, `['toString']`, `[Symbol.iterator]` */
function memberName(key: Value, word: string): string {
  const named = key.kind === 'list' ? key.items[0] : key;
  if (named?.kind === 'text') return named.text;
  return (named === key ? undefined : symbolOf(named)) ?? word;
}

interface Method {
  readonly isGetter: boolean;
  readonly isGenerator: boolean;
  readonly name: string;
  /** Behind the bracket of its parameters. */
  readonly behind: number;
}

/** `get a() {`, `set a(x) {`, `*a() {`, `async a() {`, `a() {` (ECMA-262, 15.4). */
function methodAt(text: string, start: number): Method | undefined {
  methodHead.lastIndex = start;
  const found = methodHead.exec(text);
  if (found === null) return undefined;
  const [head, kind = '', name = ''] = found;
  return {
    isGetter: kind === 'get',
    isGenerator: head.includes('*'),
    name,
    behind: start + head.length,
  };
}

const methodHead =
  /(?:(get|set|async)\s{1,8})?\*?\s{0,8}(?!(?:if|for|while|switch|with|function|catch)\b)([A-Za-z_$][\w$]{0,40})\s{0,8}\((?=[\w$\s,={}[\].]{0,80}\)\s{0,8}\{)/y;

function readMethod(reader: Reader, keys: string[], values: Value[]): boolean {
  const { cursor } = reader;
  const method = methodAt(cursor.text, cursor.start);
  if (method === undefined) return false;
  cursor.at = method.behind;
  cursor.read(true);
  const body = readFunction(reader, readList(reader, ')'), false);
  const made = method.isGenerator ? generator(body) : body;
  keys.push(method.name);
  values.push(method.isGetter ? bound(body.result, []) : made);
  return true;
}

function readEntry(reader: Reader, keys: string[], values: Value[]): void {
  const { cursor } = reader;
  // A case of a statement, a field or a block of a class.
  const isCase = cursor.isName('case');
  if (isCase || cursor.isName('static')) cursor.take();
  cursor.read(true);
  const { at, word } = cursor;
  if (readMethod(reader, keys, values)) return;
  const key = reader.grammar.expression(reader, level.assignment);
  if (cursor.at === at) {
    error(reader);
    cursor.take();
    return;
  }
  cursor.read(false);
  const name = memberName(key, word);
  if (cursor.is(':') || cursor.is('=>')) {
    cursor.take();
    if (isCase) return;
    keys.push(name);
    const value = reader.grammar.expression(reader, level.assignment);
    values.push(value);
    keepMember(reader.scene, name, value, placed(reader, at, cursor.at));
    cursor.read(false);
  } else if (cursor.is(',') || cursor.is('}') || cursor.is(';')) {
    keys.push(name);
    values.push(key);
  }
  if (!isEntryEnd(reader)) error(reader);
}

function isEntryEnd({ cursor }: Reader): boolean {
  if (cursor.isAfterBreak || cursor.isBehindBrace || cursor.kind === lexeme.end) return true;
  return cursor.kind === lexeme.punctuation && entryEnds.has(cursor.word);
}

const entryEnds: ReadonlySet<string> = new Set([',', ';', '}', '{']);

/** Marks in front of an operand that change no name: `@` of PHP, `&` of Ruby, `...`. */
const prefixes: ReadonlySet<string> = wordSet('+ - ! ~ @ & * ** ... ++ -- \\ . && =>');

function readMark(reader: Reader): Value {
  const { cursor } = reader;
  const mark = cursor.word;
  if (mark === '(') return readGroup(reader);
  if (mark === '[') {
    cursor.take();
    cursor.read(true);
    const isSpread = cursor.is('...');
    const items = readList(reader, ']');
    const [first] = items;
    if (symbolOf(first) !== undefined) reader.scene.hasSymbols = true;
    return isSpread && items.length === 1 && first?.kind === 'list'
      ? first
      : { kind: 'list', items };
  }
  if (mark === '{') return readBraces(reader);
  if (mark === '->') return readRubyLambda(reader);
  if (mark === '::') {
    cursor.take();
    return reader.grammar.expression(reader, 8);
  }
  if (!prefixes.has(mark)) return unknown;
  const { at } = cursor;
  cursor.take();
  cursor.read(true);
  // `- - x` is `x`: a line that a table is ruled with is not nested.
  let times = 1;
  for (; cursor.word === mark && cursor.kind === lexeme.punctuation; times++) {
    cursor.take();
    cursor.read(true);
  }
  const value = reader.grammar.expression(reader, 8);
  // Ruby's `&method(:system)` is the block of a call.
  if (mark === '&' && value.kind === 'reference' && value.veil === 2) {
    const span = placed(reader, at, cursor.end);
    note(reader.scene, veiled(value), [value], { ...span, how: 'handed' });
  }
  return unary(mark, times % 2 === 1 ? value : unary(mark, value));
}

/** Brackets: one value, the last of several, or the parameters of a function. */
function readGroup(reader: Reader): Value {
  const { cursor } = reader;
  cursor.take();
  const items = readList(reader, ')');
  cursor.read(false);
  if (cursor.is('=>')) {
    cursor.take();
    return readFunction(reader, items, true);
  }
  const last = items.at(-1);
  return last === undefined ? unknown : veiled(last);
}
