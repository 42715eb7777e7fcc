import { readExpression } from '../grammars/sql/expression.ts';
import { isName, type SqlTokens, skipComments, sqlToken } from '../grammars/sql/sql-token.ts';
import { type Expression, trait } from '../grammars/sql/traits.ts';
import { classesOf } from '../grammars/sql/word-classes.ts';
import type { Match } from '../rules/rule.ts';
import { certain, readBreaks, spanOfTokens } from './sql-evidence.ts';
import type { Subject } from './subject.ts';

/** A call of a known function: the token of its name, and the expression that begins with it. */
export interface Call {
  readonly at: number;
  readonly wordClass: number;
  readonly expression: Expression;
  /** Token before the name; -1 at the beginning. */
  readonly before: number;
}

const lookAhead = 80;

/** Judges the calls of the wanted classes; the strongest counts, the first of equals. */
export function strongestCall(
  subject: Subject,
  wanted: ReadonlySet<number>,
  score: (call: Call, tokens: SqlTokens) => number,
): Match | undefined {
  const all = readBreaks(subject);
  let best: Match | undefined;
  let budget = 200;
  for (const at of all.calls) {
    const wordClass = all.tokens.word[at] as number;
    if (!wanted.has(wordClass)) continue;
    const expression = readExpression(all.tokens, at, budget > 0 ? lookAhead : 8);
    budget--;
    const value = score({ at, wordClass, expression, before: at - 1 }, all.tokens);
    if (value <= (best?.score ?? 0)) continue;
    best = { ...spanOfTokens(all, at, expression.end), score: value };
    if (value >= certain) break;
  }
  return best;
}

/** True when the call passes something. */
export function hasArguments(tokens: SqlTokens, at: number): boolean {
  const open = skipComments(tokens, at + 1);
  const first = skipComments(tokens, open + 1);
  return tokens.kind[open] === sqlToken.open && tokens.kind[first] !== sqlToken.close;
}

/** `I use pg_sleep(5) in tests`: a name right before the call, as a sentence has it. */
export function isMentioned(call: Call, tokens: SqlTokens): boolean {
  const { before } = call;
  return before >= 0 && isName(tokens, before) && tokens.gap[call.at] === 1;
}

/** What only SQL says in an argument list. */
export const sqlArgument =
  trait.query | trait.textCall | trait.infoCall | trait.hex | trait.system | trait.case;

export const errorClasses: ReadonlySet<number> = new Set(classesOf('errorCall'));
export const outsideClasses: ReadonlySet<number> = new Set(
  classesOf('outsideCall serverProcedure'),
);
