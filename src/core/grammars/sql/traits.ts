import { wordList } from '../../text/words.ts';

/** What an expression holds, as bits. */
export const trait = {
  number: 1 << 0,
  text: 1 << 1,
  name: 1 << 2,
  constant: 1 << 3,
  variable: 1 << 4,
  /** `@@name` */
  system: 1 << 5,
  /** A call of any function. */
  call: 1 << 6,
  textCall: 1 << 7,
  infoCall: 1 << 8,
  timeCall: 1 << 9,
  errorCall: 1 << 10,
  outsideCall: 1 << 11,
  flowCall: 1 << 12,
  /** `(SELECT` */
  query: 1 << 13,
  /** `CASE … WHEN` */
  case: 1 << 14,
  logical: 1 << 15,
  arithmetic: 1 << 16,
  compare: 1 << 17,
  /** Two constants are compared. */
  constantCompare: 1 << 18,
  /** A name is compared with itself. */
  sameCompare: 1 << 19,
  nullTest: 1 << 20,
  /** A literal that begins and does not end: the rest of the statement closes it. */
  openText: 1 << 21,
  /** A comment cuts the rest off. */
  cut: 1 << 22,
  /** A table or schema of the server itself. */
  catalogue: 1 << 23,
  hex: 1 << 24,
  /** `IN (…)`, `BETWEEN … AND …`, LIKE and its relatives. */
  wordCompare: 1 << 25,
  pipes: 1 << 26,
  exists: 1 << 27,
  /** Two names in a row: a column or table and its alias. */
  alias: 1 << 30,
  /** Computes with the outcome of a comparison: `(1=1)*5`. */
  truthValue: 1 << 29,
  /** SELECT without a parenthesis before it. */
  statement: 1 << 28,
} as const;

/** Traits as bits, by their names in rows. */
export function traitsOf(...rows: readonly string[]): number {
  return wordList(...rows).reduce((bits, name) => {
    const bit = (trait as Readonly<Record<string, number>>)[name];
    if (bit === undefined) throw new Error(`${name} is no trait of an expression`);
    return bits | bit;
  }, 0);
}

/** Why an expression ends where it ends. */
export const stop = {
  end: 0,
  comment: 1,
  semicolon: 2,
  /** A quote where an operator should stand. */
  quote: 3,
  close: 4,
  /** A word that begins another clause: UNION, ORDER, LIMIT. */
  clause: 5,
  comma: 6,
  /** What follows is no SQL. */
  other: 7,
  /** The look-ahead is used up. */
  bound: 8,
} as const;

/** The longest SQL expression that begins at a token. */
export interface Expression {
  /** First token after it. */
  readonly end: number;
  readonly stop: number;
  readonly traits: number;
  /** False when it ends where an operand should follow. */
  readonly whole: boolean;
  /** Parentheses that it opens and does not close. */
  readonly depth: number;
  /** Token of the quote whose literal does not end; -1 when there is none. */
  readonly openAt: number;
  /** Calls of functions that SQL knows. */
  readonly calls: number;
  /** Operands read. */
  readonly operands: number;
  /** Steps taken: the measure of work. */
  readonly steps: number;
}

/** Nothing read: for breaks whose rules read on by themselves. */
export const noExpression: Expression = {
  end: 0,
  stop: stop.other,
  traits: 0,
  whole: false,
  depth: 0,
  openAt: -1,
  calls: 0,
  operands: 0,
  steps: 0,
};

/**
 * True when nothing but SQL follows: the text ends with the expression, a comment or semicolon
 * cuts it, a parenthesis of the statement or another clause takes over.
 */
export function endsAsSql(expression: Expression): boolean {
  const { stop: why } = expression;
  if (why === stop.comment || why === stop.semicolon) return expression.whole;
  return expression.whole && (why === stop.end || why === stop.close || why === stop.clause);
}

/** True when all of the traits are present. */
export function has(expression: Expression, traits: number): boolean {
  return (expression.traits & traits) === traits;
}

/** True when one of the traits is present. */
export function hasAny(expression: Expression, traits: number): boolean {
  return (expression.traits & traits) !== 0;
}
