import type { ValueRule } from '../rule.ts';
import { type Break, type Breaks, connective } from './breaks.ts';
import { endsAsSql, has, hasAny, isEarlyQuote, leavesOpen, strongestBreak } from './evidence.ts';
import { stop, trait } from './traits.ts';
import { sqlTrigger } from './trigger.ts';

/** `'+'`, `' = '`, `aa'^0='0`, `1'*null is null - '`, `x' in boolean mode)`: breaks out of a literal and in again. */
export const breakOut: ValueRule = {
  id: 'sqli.break-out',
  category: 'sqli',
  cwe: 'CWE-89',
  severity: 'high',
  score: 80,
  message: 'ends a literal, computes with it, and takes the rest of the statement into account',
  trigger: sqlTrigger,
  judge: (subject) => strongestBreak(subject, scoreOf),
  examples: [],
  lookalikes: [],
};

function scoreOf(one: Break, all: Breaks): number {
  switch (one.connective) {
    case connective.wordOperator:
    case connective.comparison:
    case connective.operator:
      return isEarlyQuote(one, all) ? scoreOperator(one, all) : 0;
    default:
      return 0;
  }
}

function scoreOperator(one: Break, all: Breaks): number {
  const { expression } = one;
  if (!endsAsSql(expression)) return 0;
  const isCut = expression.stop === stop.comment;
  if (!isCut && !leavesOpen(one, all)) return has(expression, trait.constantCompare) ? 75 : 30;
  return hasAny(expression, trait.logical | trait.compare) ? 85 : 75;
}
