import { depthBetween, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';
import { isComment } from './statement-parts.ts';
import { readRest, restEnd, restPart } from './statement-rest.ts';
import { type Expression, stop, trait } from './traits.ts';

/**
 * A condition with the clauses behind it, `… GROUP BY a LIMIT 9--`, which change nothing of what it is:
 * it ends where they end.
 */
export function withClauses(tokens: SqlTokens, condition: Expression): Expression {
  if (condition.stop !== stop.clause || !condition.whole) return condition;
  const rest = readRest(tokens, condition.end);
  if (rest === undefined || (rest.parts & ~laterParts) !== 0) return condition;
  const { end, at, isClosed } = rest;
  // `) or id having (1`: a parenthesis that the statement closes.
  const isOpen = depthBetween(tokens, condition.end, at) !== 0;
  if (isOpen || end === restEnd.literal) return condition;
  if (end === restEnd.semicolon) return { ...condition, end: at, stop: stop.semicolon };
  if (end === restEnd.cut)
    return { ...condition, end: at, stop: stop.comment, traits: condition.traits | trait.cut };
  return isClosed
    ? { ...condition, end: at - 1, stop: stop.semicolon }
    : { ...condition, end: at, stop: stop.end };
}

/** The same where the value leaves parentheses, `1 or id)--`, and a comment or semicolon ends what is left. */
export function withClosers(tokens: SqlTokens, condition: Expression): Expression {
  if (condition.stop !== stop.close || !condition.whole || condition.depth > 0) return condition;
  const { kind, gap } = tokens;
  let end = condition.end;
  for (let closers = 0; kind[end] === sqlToken.close && closers < closersMax; closers++)
    end = skipComments(tokens, end + 1);
  // `(1 or two) -- see below`: a dash between blanks, as prose has it.
  if ((gap[end] as number) > 0 && kind[end + 1] === sqlToken.word) return condition;
  if (isComment(tokens, end))
    return { ...condition, end, stop: stop.comment, traits: condition.traits | trait.cut };
  return kind[end] === sqlToken.semicolon ? { ...condition, end, stop: stop.semicolon } : condition;
}

const closersMax = 8;
const laterParts =
  restPart.other | restPart.tail | restPart.item | restPart.vendor | restPart.condition;
