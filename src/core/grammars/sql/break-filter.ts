import { isWordOf, type SqlTokens, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { type Expression, endsAsSql, stop, trait } from './traits.ts';

/**
 * True when nothing that any rule asks for follows: most quotes and words of honest text end here.
 */
export function isSilent(expression: Expression, isEarly: boolean): boolean {
  if (expression.operands === 0 && expression.stop === stop.other) {
    return (expression.traits & trait.call) === 0;
  }
  return !isEarly && (expression.traits & telling) === 0 && !endsAsSql(expression);
}

/** What counts even in an expression that does not end as SQL. */
const telling = ~(
  trait.number |
  trait.text |
  trait.name |
  trait.constant |
  trait.variable |
  trait.logical |
  trait.arithmetic |
  trait.openText |
  trait.alias |
  trait.pipes
);

/**
 * `x' NOTNULL OR …`, `x' IS TRUE OR …`, `x'::text = …`: what stands behind an operand and makes
 * another of it.
 */
export function isPostfix(tokens: SqlTokens, at: number, before: number): boolean {
  const { kind, word, start, end } = tokens;
  if (kind[at] === sqlToken.cast) return true;
  if (kind[at] !== sqlToken.word) return false;
  if (kind[at - 1] === sqlToken.cast && before === at - 2) return true;
  const isConstant = (one: number): boolean => isWordOf(tokens, one, sqlWord.constant);
  switch (word[at]) {
    case sqlWord.is: {
      if ((end[at] as number) - (start[at] as number) > 2) return true;
      return isConstant(isWordOf(tokens, at + 1, sqlWord.not) ? at + 2 : at + 1);
    }
    case sqlWord.not:
      return isConstant(at + 1);
    default: {
      const isTested = word[at - 1] === sqlWord.not || word[at - 1] === sqlWord.is;
      return isConstant(at) && isTested && before < at - 1;
    }
  }
}

/** For breaks whose rules read on by themselves. */
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
