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
