import { sqlToken } from './sql-token.ts';
import { classesOf, verbs } from './word-classes.ts';

/** How a statement goes on after a break. */
export const connective = {
  /** OR, AND, XOR, `||`, `&&` */
  logical: 0,
  /** LIKE, RLIKE, IN, IS, BETWEEN, DIV, MOD, COLLATE, NOT */
  wordOperator: 1,
  /** `= < > <> !=` */
  comparison: 2,
  /** `+ - * / % ^ & |` */
  operator: 3,
  comma: 4,
  union: 5,
  semicolon: 6,
  comment: 7,
  /** ORDER, GROUP, HAVING, LIMIT, PROCEDURE, INTO, WHERE, AS */
  clause: 8,
  waitfor: 9,
  /** A parenthesis, or a word that begins an operand, right after an operand. */
  operand: 10,
  /** A verb: SELECT, EXEC, DECLARE ... right after an operand. */
  statement: 11,
} as const;

/** Goes on with nothing. */
export const noConnective = 255;

export const wordConnectives: Uint8Array = toTable([
  [connective.logical, classesOf('or and xor')],
  [connective.union, classesOf('union')],
  [connective.wordOperator, classesOf('like in is between arithmetic suffix not')],
  [connective.clause, classesOf('order group having limit offset procedure into where as from on')],
  [connective.waitfor, classesOf('waitfor')],
]);

/** Verbs that can follow an operand without a semicolon in some servers. */
export const nextVerbs: ReadonlySet<number> = new Set([
  ...verbs,
  ...classesOf('shutdown truncate begin grant set statement'),
]);

export const signConnectives: Uint8Array = toTable([
  [connective.logical, [sqlToken.pipes, sqlToken.ampersands]],
  [connective.semicolon, [sqlToken.semicolon]],
  [connective.comparison, [sqlToken.comparison]],
  [connective.operator, [sqlToken.operator]],
  [connective.comma, [sqlToken.comma]],
  [connective.comment, [sqlToken.blockComment, sqlToken.lineComment]],
  [connective.operand, [sqlToken.open]],
]);

function toTable(rows: readonly (readonly [type: number, keys: readonly number[]])[]): Uint8Array {
  const table = new Uint8Array(256).fill(noConnective);
  for (const [type, keys] of rows) for (const key of keys) table[key] = type;
  return table;
}
