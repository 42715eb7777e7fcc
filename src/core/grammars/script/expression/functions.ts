import { assign } from './assign.ts';
import { dialogIn } from './handed.ts';
import { lexeme } from './lexer.ts';
import { readList } from './lists.ts';
import { level } from './operators.ts';
import type { Reader } from './reader.ts';
import { holding, type Lambda, type LateCall, reference, unknown, type Value } from './value.ts';

/** `function(…){…}`, `function* name(…){…}`, `fn(…)=>…` */
export function readNamedFunction(reader: Reader, name: string): Value {
  const { cursor, names } = reader;
  cursor.read(true);
  const isGenerator = cursor.is('*');
  if (isGenerator || cursor.is('&')) cursor.take();
  cursor.read(true);
  const own = cursor.kind === lexeme.name ? cursor.word.toLowerCase() : '';
  if (own !== '') {
    reader.statements++;
    cursor.take();
    cursor.read(true);
  }
  if (!cursor.is('(')) return reference(name);
  cursor.take();
  const parameters = readList(reader, ')');
  cursor.read(false);
  if (cursor.isName('use')) {
    cursor.take();
    cursor.read(true);
    if (cursor.is('(')) {
      cursor.take();
      readList(reader, ')');
    }
    cursor.read(false);
  }
  const isArrow = cursor.is('=>');
  if (isArrow) cursor.take();
  const body = readFunction(reader, parameters, isArrow);
  const made = isGenerator ? generator(body) : body;
  if (own !== '') names.at(-1)?.set(own, made);
  return made;
}

/** What it yields last is what its iterator gives. */
export function generator(body: Lambda): Lambda {
  const held = dialogIn(body);
  return held === undefined ? body : { ...body, result: holding('iterator()', held) };
}

/** Python's `lambda a, b: …`, Ruby's `lambda { … }`. */
export function readPythonLambda(reader: Reader): Value {
  const { cursor } = reader;
  const parameters: Value[] = [];
  for (;;) {
    cursor.read(false);
    if (cursor.kind === lexeme.name) parameters.push(reference(cursor.word.toLowerCase()));
    else if (cursor.is('{')) return readFunction(reader, parameters, false);
    else if (!cursor.is(',') && !cursor.is('*') && !cursor.is('=')) break;
    cursor.take();
  }
  if (cursor.is(':')) cursor.take();
  return readFunction(reader, parameters, true);
}

/** The body of a function: an expression, or statements in braces. */
export function readFunction(
  reader: Reader,
  parameters: readonly Value[],
  isExpression: boolean,
): Lambda {
  const { scene, names, cursor } = reader;
  const own = new Map<string, Value>();
  names.push(own);
  if (!isExpression) own.set('arguments', { kind: 'parameter', index: -1, keys: [] });
  const calls: LateCall[] = [];
  scene.late.push(calls);
  parameters.forEach((parameter, index) => {
    const isRest = parameter.kind === 'reference' && parameter.isRest === true;
    const value: Value = { kind: 'parameter', index: isRest ? -1 - index : index, keys: [] };
    assign(reader, parameter, value, cursor.at);
  });
  cursor.read(true);
  let result: Value;
  if (cursor.is('{')) {
    cursor.take();
    readBlockParameters(reader);
    result = readInner(reader);
  } else if (isExpression) result = reader.grammar.expression(reader, level.assignment);
  else result = unknown;
  scene.late.pop();
  names.pop();
  return { kind: 'function', result, calls };
}

/** Ruby's `{|x| …}` */
export function readBlockParameters(reader: Reader): void {
  const { cursor } = reader;
  cursor.read(true);
  if (!cursor.is('|')) return;
  do {
    cursor.take();
    cursor.read(false);
    if (cursor.kind === lexeme.name) reader.names.at(-1)?.set(cursor.word.toLowerCase(), unknown);
  } while (cursor.kind === lexeme.name || cursor.is(','));
  if (cursor.is('|')) cursor.take();
}

/** `->{…}`, `->(x){…}`, `-> x {…}` */
export function readRubyLambda(reader: Reader): Value {
  const { cursor } = reader;
  cursor.take();
  cursor.read(true);
  let parameters: Value[] = [];
  if (cursor.is('(')) {
    cursor.take();
    parameters = readList(reader, ')');
  } else if (cursor.kind === lexeme.name) {
    parameters = [reference(cursor.word.toLowerCase())];
    cursor.take();
  }
  return readFunction(reader, parameters, false);
}

/** Statements up to a closing brace, and behind it. */
export function readInner(reader: Reader): Value {
  const { cursor } = reader;
  const value = reader.grammar.statements(reader, true);
  cursor.read(false);
  if (cursor.is('}')) cursor.take();
  return value;
}
