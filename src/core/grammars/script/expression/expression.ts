import { limits } from '../../../../contract/limits.ts';
import { isDigit } from '../../../text/char-class.ts';
import { isEscaped } from '../../../text/closing-quote.ts';
import type { Grammar } from '../../grammar.ts';
import { char } from './characters.ts';
import { mayUse } from './gate.ts';
import { Cursor } from './lexer.ts';
import { productions } from './parser.ts';
import type { Reader } from './reader.ts';
import { isCutOff, type Scene, type Use } from './scene.ts';
import { unknown, type Value } from './value.ts';

/** A text read from one place on: its begin, or behind the first quote of a kind. */
export interface Passage {
  readonly start: number;
  /** What stands where no grammar has it. */
  readonly errors: number;
  readonly statements: number;
  /** Of the errors those where a line end parts statements, as it does in a script and in prose. */
  readonly lines: number;
  /** Behind a quote an operand follows: the quote opened a literal and closed none. */
  readonly isOpen: boolean;
  /** The end of the literal that it was in is dealt with, by a comment or another literal; a number has none. */
  readonly isClosed: boolean;
}

/** Capabilities that the code in a text reaches. */
export interface ExpressionReading {
  readonly uses: readonly Use[];
  readonly passages: readonly Passage[];
  readonly isComplete: boolean;
}

/**
 * Reads what PHP, Python, Ruby or ECMAScript would evaluate, with constants folded and names
 * followed, from the begin of the text and from behind the first quote of each kind, as a value may
 * stand in a literal of the application, from behind a number, and in the first `${…}` that no backtick is in front of.
 */
export const expression: Grammar<ExpressionReading> = { name: 'expression', read };

const nothing: ExpressionReading = { uses: [], passages: [], isComplete: true };
/** What may follow a literal: an operator, a bracket, a comment. */
const goingOn = /^\s*[-+*/%|&^?,;.)\]}<>=:!#`$]/;
/** Texts that an evaluator is given are read as deep as this. */
const nestingMax = 4;

function read(text: string): ExpressionReading {
  if (!mayUse(text, 0)) return nothing;
  const uses: Use[] = [];
  const passages: Passage[] = [];
  const end = Math.min(text.length, limits.tokensMax);
  const scene = sceneOf(uses, 1_024 + 4 * end);
  // A whole program, which the first passage is, may touch the page as well.
  if (isCutOff(text)) scene.touched = scene.seen = -1;
  for (const start of startsOf(text)) {
    scene.passage = passages.length;
    scene.sums = 0;
    scene.hasSymbols = false;
    // What holds no use is not read, and keeps its number.
    const isRead = start === 0 || mayUse(text, start);
    passages.push(isRead ? readPassage(scene, new Cursor(text, start, end)) : unread);
  }
  return { uses, passages, isComplete: scene.isComplete && end === text.length };
}

/** Reads a text that a browser runs as a whole, such as the value of a handler: all that it does to the page counts. */
export function readProgram(text: string): ExpressionReading {
  if (!mayUse(text, 0)) return nothing;
  const uses: Use[] = [];
  const end = Math.min(text.length, limits.tokensMax);
  const scene = sceneOf(uses, 1_024 + 4 * end);
  scene.touched = scene.seen = -1;
  return {
    uses,
    passages: [readPassage(scene, new Cursor(text, 0, end))],
    isComplete: scene.isComplete,
  };
}

const unread: Passage = {
  start: 0,
  errors: 0,
  statements: 0,
  lines: 0,
  isOpen: true,
  isClosed: false,
};

function readPassage(scene: Scene, cursor: Cursor): Passage {
  const start = cursor.at;
  const reader = readerOf(scene, cursor, undefined);
  const isInner = isInterpolation(cursor.text, start);
  do productions.statements(reader, isInner);
  while (cursor.resume());
  const { errors, statements, lines } = reader;
  const isOpen = start > 0 && !goingOn.test(cursor.text.slice(start, start + 24));
  const isEnded = cursor.isTail || cursor.isInLiteral || isDigit(cursor.text.charCodeAt(start - 1));
  const isClosed = isInner ? cursor.is('}') : isEnded;
  return { start, errors, statements, lines, isOpen: isInner || isOpen, isClosed };
}

function sceneOf(uses: Use[], budget: number): Scene {
  let nesting = 0;
  const scene: Scene = {
    uses,
    late: [],
    passage: 0,
    isComplete: true,
    budget,
    hasSymbols: false,
    sums: 0,
    touched: 0,
    seen: 0,
    kept: new Map(),
    evaluate(program, place): Value {
      if (nesting >= nestingMax || program.length > scene.budget) return unknown;
      scene.budget -= program.length;
      nesting++;
      const reader = readerOf(scene, new Cursor(program, 0, program.length), place);
      const result = productions.statements(reader, false);
      nesting--;
      return result;
    },
  };
  return scene;
}

function readerOf(scene: Scene, cursor: Cursor, place: Reader['place']): Reader {
  return {
    scene,
    cursor,
    place,
    grammar: productions,
    names: [new Map()],
    depth: 0,
    errors: 0,
    statements: 0,
    lines: 0,
    closers: 0,
    thrown: unknown,
  };
}

/** A number of the application that the value goes on behind: `1;`, `1&&`, and no `1,5`. */
const numberInFront = /^\d{1,12}(?=(?:[,*/|?+-]|&&)[^\s\d]|;)/;

function startsOf(text: string): readonly number[] {
  const starts = [0];
  for (const quote of ['"', "'", '`']) {
    let at = text.indexOf(quote);
    if (at >= 0) starts.push(at + 1);
    // An escaped one closes the literal only where the application escapes once more.
    if (!isEscaped(text, at)) continue;
    while (isEscaped(text, at)) at = text.indexOf(quote, at + 1);
    if (at >= 0) starts.push(at + 1);
  }
  const number = numberInFront.exec(text);
  if (number !== null) starts.push(number[0].length);
  const inner = text.indexOf('${');
  const tick = text.indexOf('`');
  if (inner >= 0 && (tick < 0 || tick > inner)) starts.push(inner + 2);
  return starts;
}

/** Behind `${`, which needs no way out of a template of ECMAScript. */
export function isInterpolation(text: string, start: number): boolean {
  return start > 1 && text.charCodeAt(start - 1) === char.openBrace;
}
