import { verbs } from './sql-reserved.ts';
import { sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { classesOf } from './word-classes.ts';

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

export const wordConnectives: Uint8Array = toTable({
  [sqlWord.or]: connective.logical,
  [sqlWord.and]: connective.logical,
  [sqlWord.xor]: connective.logical,
  [sqlWord.union]: connective.union,
  [sqlWord.like]: connective.wordOperator,
  [sqlWord.in]: connective.wordOperator,
  [sqlWord.is]: connective.wordOperator,
  [sqlWord.between]: connective.wordOperator,
  [sqlWord.arithmetic]: connective.wordOperator,
  [sqlWord.suffix]: connective.wordOperator,
  [sqlWord.not]: connective.wordOperator,
  [sqlWord.order]: connective.clause,
  [sqlWord.group]: connective.clause,
  [sqlWord.having]: connective.clause,
  [sqlWord.limit]: connective.clause,
  [sqlWord.offset]: connective.clause,
  [sqlWord.procedure]: connective.clause,
  [sqlWord.into]: connective.clause,
  [sqlWord.where]: connective.clause,
  [sqlWord.as]: connective.clause,
  [sqlWord.from]: connective.clause,
  [sqlWord.on]: connective.clause,
  [sqlWord.waitfor]: connective.waitfor,
});

/** Verbs that can follow an operand without a semicolon in some servers. */
export const nextVerbs: ReadonlySet<number> = new Set([
  ...verbs,
  ...classesOf('shutdown truncate begin grant set statement'),
]);

export const signConnectives: Uint8Array = toTable({
  [sqlToken.pipes]: connective.logical,
  [sqlToken.ampersands]: connective.logical,
  [sqlToken.semicolon]: connective.semicolon,
  [sqlToken.comparison]: connective.comparison,
  [sqlToken.operator]: connective.operator,
  [sqlToken.comma]: connective.comma,
  [sqlToken.blockComment]: connective.comment,
  [sqlToken.lineComment]: connective.comment,
  [sqlToken.open]: connective.operand,
});

function toTable(entries: Readonly<Record<number, number>>): Uint8Array {
  const table = new Uint8Array(256).fill(noConnective);
  for (const [key, value] of Object.entries(entries)) table[Number(key)] = value;
  return table;
}
