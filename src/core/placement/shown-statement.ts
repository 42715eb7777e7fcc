import type { Break } from '../grammars/sql/break-list.ts';
import { type Breaks, context } from '../grammars/sql/breaks.ts';
import { isQuote, isWordOf, type SqlTokens, sqlToken } from '../grammars/sql/sql-token.ts';
import { sqlWord } from '../grammars/sql/sql-words.ts';
import { stop, trait } from '../grammars/sql/traits.ts';
import { classesOf } from '../grammars/sql/word-classes.ts';

/**
 * Token of the verb of a statement that a sentence shows, `how do I write SELECT …`; the count of
 * tokens where there is none. A value that is put into a statement has closed something before its
 * own verb, or begins with it.
 */
export function shownVerb({ tokens }: Breaks): number {
  const { kind, jump, gap, count } = tokens;
  let words = 0;
  for (let at = 0; at < count && at < leadMax; at++) {
    const type = kind[at] as number;
    if (words >= leadWords) {
      if (isVerb(tokens, at)) return at;
      // You can use `SELECT …` to find them.
      const isCode = type === sqlToken.backtick && (jump[at] as number) > at;
      if (isCode && isVerb(tokens, at + 1)) return at + 1;
    }
    if (type === sqlToken.word) {
      if (joining.has(tokens.word[at] as number)) return count;
      words = at === 0 || gap[at] === 1 ? words + 1 : 0;
    } else if (!isMark(tokens, at)) return count;
  }
  return count;
}

/** Is the break a part of the statement that a sentence shows from `verb` on? */
export function isShown(one: Break, { tokens }: Breaks, verb: number): boolean {
  if (verb >= tokens.count || one.before <= verb) return false;
  const { expression } = one;
  // What cuts a statement off, or opens a literal for it, is no example.
  if (expression.stop === stop.comment || (expression.traits & trait.openText) !== 0) return false;
  return one.context !== context.quote || one.isBalanced;
}

const leadMax = 60;
const leadWords = 2;

function isVerb(tokens: SqlTokens, at: number): boolean {
  return tokens.kind[at] === sqlToken.word && verbs.has(tokens.word[at] as number);
}

const verbs: ReadonlySet<number> = new Set(classesOf('select update delete insert'));

/** Words that go on with a query instead of showing one. */
const joining: ReadonlySet<number> = new Set(classesOf('union where having from and or'));

/** Marks of a sentence, and the apostrophe in `don't`. */
function isMark(tokens: SqlTokens, at: number): boolean {
  const { kind, gap } = tokens;
  const type = kind[at] as number;
  if (type === sqlToken.comma || type === sqlToken.dot || type === sqlToken.other) return true;
  const isInside = isQuote(type) && gap[at] === 0 && gap[at + 1] === 0;
  return isInside && isWordOf(tokens, at - 1, sqlWord.name) && kind[at + 1] === sqlToken.word;
}
