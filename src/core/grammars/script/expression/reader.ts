import type { Cursor } from './lexer.ts';
import type { Scene } from './scene.ts';
import type { Value } from './value.ts';

/** The productions that call each other. */
export interface Productions {
  /** An expression of operators that bind at least so tightly. */
  expression(reader: Reader, least: number): Value;
  /** Statements up to the end or to a closing brace; the value of the last. */
  statements(reader: Reader, isInner: boolean): Value;
}

/** What is read, and what is known of it so far. */
export interface Reader {
  readonly scene: Scene;
  readonly cursor: Cursor;
  /** Names that were given a value, innermost function last. */
  readonly names: Map<string, Value>[];
  /** Set where the text is no piece of the value: all evidence has this place. */
  readonly place: { readonly start: number; readonly end: number } | undefined;
  readonly grammar: Productions;
  depth: number;
  /** What stands where no grammar has it: words side by side, punctuation of another kind. */
  errors: number;
  /** Declarations and statements that a program has and an expression has not. */
  statements: number;
  /** Of the errors those where a line end parts statements, as it does in a script and in prose. */
  lines: number;
  /** Brackets and braces that close what the application opened. */
  closers: number;
  /** What the last `throw` throws. */
  thrown: Value;
}

/** Notes what no grammar has, unless it may be behind a comment. */
export function error(reader: Reader): void {
  if (!reader.cursor.isTail) reader.errors++;
}

/** What stands behind a statement does not go on with it. */
export function errorBehind(reader: Reader): void {
  error(reader);
  if (reader.cursor.isOnNewLine && !reader.cursor.isTail) reader.lines++;
}

/** Where evidence stands. */
export function placed(reader: Reader, start: number, end: number): { start: number; end: number } {
  return reader.place ?? { start, end };
}
