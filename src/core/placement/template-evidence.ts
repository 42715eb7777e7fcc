import { Expressions } from '../grammars/template/expressions.ts';
import type { Match } from '../rules/rule.ts';
import { confidence } from './confidence.ts';
import type { Subject } from './subject.ts';

/** The strongest match over the tokens of a template, the first of several alike; 0 is none. */
export function strongestExpression(
  subject: Subject,
  scoreOf: (expressions: Expressions, index: number) => number,
): Match | undefined {
  const expressions = new Expressions(subject);
  let best: Match | undefined;
  for (let i = 0; i < expressions.tokens.count; i++) {
    const score = scoreOf(expressions, i);
    if (score <= (best?.score ?? 0)) continue;
    best = { ...expressions.evidence(i), score };
    if (score >= confidence.certain) break;
  }
  return best;
}

/** A judge that gives one level where the test holds. */
export function ratedIf(
  level: number,
  holds: (expressions: Expressions, index: number) => boolean,
): (expressions: Expressions, index: number) => number {
  return (expressions, index) => (holds(expressions, index) ? level : 0);
}
