import type { Break, Breaks } from '../grammars/sql/breaks.ts';
import { connective } from '../grammars/sql/connectives.ts';
import { isName, isWordOf, type SqlTokens, sqlToken } from '../grammars/sql/sql-token.ts';
import { sqlWord } from '../grammars/sql/sql-words.ts';
import { has, trait } from '../grammars/sql/traits.ts';
import { isContraction } from '../text/closing-quote.ts';

/**
 * `Don't … state = 'new' ORDER`: the quote has its partner, where the one in `don't` counts for
 * none: a name behind it that no clause follows is an error, but in another literal.
 */
export function isOwnLiteral(one: Break, all: Breaks, quotes: QuoteCount): boolean {
  const { before, connective: kindOf, expression } = one;
  if (all.tokens.kind[before] !== sqlToken.single) return false;
  countQuotes(quotes, all.tokens, before);
  // `don't select … ORDER BY day`
  const isSorted = kindOf === connective.clause && !has(expression, trait.query);
  const isSpoken = quotes.isSpoken || (isSorted && quotes.isBeforeVerb);
  return isSpoken && !quotes.isNested && quotes.count % 2 === 0;
}

/** The quotes up to a token, counted once for all breaks of a text. */
interface QuoteCount {
  next: number;
  count: number;
  literalEnd: number;
  /** A contraction that a name follows, or a verb. */
  isSpoken: boolean;
  isBeforeVerb: boolean;
  /** The first contraction is within a literal or name: `q'[don't x]'` of Oracle, `[don't x]` of SQL Server. */
  isNested: boolean;
  isInBrackets: boolean;
}

export function startCount(): QuoteCount {
  const flags = { isSpoken: false, isBeforeVerb: false, isNested: false, isInBrackets: false };
  return { next: 0, count: 0, literalEnd: -1, ...flags };
}

function countQuotes(quotes: QuoteCount, tokens: SqlTokens, last: number): void {
  const { text, kind, start, jump } = tokens;
  if (last < quotes.next - 1) Object.assign(quotes, startCount());
  for (; quotes.next <= last; quotes.next++) {
    const at = quotes.next;
    const type = kind[at] as number;
    if (type === sqlToken.double || type === sqlToken.backtick) {
      if (at > quotes.literalEnd) quotes.literalEnd = jump[at] as number;
    } else if (type === sqlToken.bracket) quotes.isInBrackets = true;
    // Two of them are one character of the name.
    else if (type === sqlToken.bracketEnd) quotes.isInBrackets = !quotes.isInBrackets;
    else if (type !== sqlToken.single) continue;
    else if (at < quotes.literalEnd || !isContraction(text, start[at] as number)) quotes.count++;
    else addContraction(quotes, tokens, at);
  }
}

function addContraction(quotes: QuoteCount, tokens: SqlTokens, at: number): void {
  const isFirst = !quotes.isSpoken && !quotes.isBeforeVerb;
  quotes.isNested ||= isFirst && (quotes.count > 0 || quotes.isInBrackets);
  quotes.isSpoken ||= isName(tokens, at + 2) || noClause.has(tokens.kind[at + 2] as number);
  quotes.isBeforeVerb ||= isWordOf(tokens, at + 2, sqlWord.select);
}

const noClause: ReadonlySet<number> = new Set([sqlToken.dot, sqlToken.double]);
