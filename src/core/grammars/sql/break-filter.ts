import { endOfGroup } from './clause-tail.ts';
import { isNegated } from './expression-places.ts';
import { isQuote, isWordOf, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { endOfName, isOneOf } from './statement-parts.ts';
import { type Expression, endsAsSql, stop, trait, traitsOf } from './traits.ts';

/**
 * True when nothing that any rule asks for follows: most quotes and words of benign text end here.
 */
export function isSilent(expression: Expression, isEarly: boolean): boolean {
  if (expression.operands === 0 && expression.stop === stop.other) {
    return (expression.traits & trait.call) === 0;
  }
  return !isEarly && (expression.traits & telling) === 0 && !endsAsSql(expression);
}

/** What counts even in an expression that does not end as SQL. */
const telling = ~traitsOf(
  'number text name constant variable logical arithmetic openText alias pipes',
);

/**
 * `x' NOTNULL OR …`, `x' IS TRUE OR …`, `x'::text = …`, `1 BETWEEN 0 AND 9 OR …`: first token behind what
 * makes another operand of the one before; `at` itself where none stands.
 */
export function endOfPostfix(tokens: SqlTokens, at: number, before: number): number {
  const { kind, word } = tokens;
  if (isNextLiteral(tokens, at, before)) return (tokens.jump[at] as number) + 1;
  if (kind[at] === sqlToken.cast) return endOfName(tokens, skipComments(tokens, at + 1));
  if (kind[at] !== sqlToken.word) return at;
  const next = skipComments(tokens, at + 1);
  switch (word[at]) {
    case sqlWord.is: {
      const tested = endOfIs(tokens, at);
      const isConstant = isWordOf(tokens, tested, sqlWord.constant);
      return isConstant || isOneOf(tokens, at, ['isnull', 'notnull']) ? tested + +isConstant : at;
    }
    case sqlWord.not: {
      if (isWordOf(tokens, next, sqlWord.constant)) return next + 1;
      const end = isNegated(tokens, at) ? endOfPostfix(tokens, next, before) : next;
      return end > next ? end : at;
    }
    case sqlWord.suffix:
      return Math.max(endOfName(tokens, next), at);
    case sqlWord.in:
      // `in (the team)`: a list has a comma between two words.
      return isPhrase(tokens, next + 1) ? at : endOfGroup(tokens, next, at);
    case sqlWord.between:
      return endOfRange(tokens, next, at);
    default:
      return at;
  }
}

/** `x"''or 1`: literals side by side are one to MySQL. */
function isNextLiteral({ kind, jump }: SqlTokens, at: number, before: number): boolean {
  const closing = jump[at] as number;
  const isNext = before === at - 1 && isQuote(kind[before] as number) && kind[before] !== kind[at];
  return isNext && isQuote(kind[at] as number) && closing > at && closing <= at + 2;
}

/** Behind `a AND b`; `none` where no such range stands. */
function endOfRange(tokens: SqlTokens, from: number, none: number): number {
  const and = skipComments(tokens, endOfConstant(tokens, from));
  if (!isWordOf(tokens, and, sqlWord.and)) return none;
  const end = endOfConstant(tokens, skipComments(tokens, and + 1));
  return end > and + 1 ? end : none;
}

function isPhrase({ kind, word }: SqlTokens, at: number): boolean {
  const isWord = kind[at] === sqlToken.word && kind[at + 1] === sqlToken.word;
  return isWord && word[at] !== sqlWord.select;
}

/** Behind a sign and a number, a text or a name. */
function endOfConstant(tokens: SqlTokens, from: number): number {
  const { kind, jump } = tokens;
  const at = isWordOf(tokens, from, sqlWord.prefix) ? skipComments(tokens, from + 1) : from;
  const first = kind[at] === sqlToken.operator ? at + 1 : at;
  if (kind[first] === sqlToken.number || kind[first] === sqlToken.variable) return first + 1;
  const closing = isQuote(kind[first] as number) ? (jump[first] as number) : -1;
  return closing > 0 ? closing + 1 : endOfName(tokens, first);
}

/** Behind IS, IS NOT and IS NOT DISTINCT FROM. */
export function endOfIs(tokens: SqlTokens, at: number): number {
  const next = skipComments(tokens, at + 1);
  const not = isWordOf(tokens, next, sqlWord.not) ? skipComments(tokens, next + 1) : next;
  const from = isWordOf(tokens, not, sqlWord.quantifier) ? skipComments(tokens, not + 1) : -1;
  return isWordOf(tokens, from, sqlWord.from) ? from + 1 : not;
}
