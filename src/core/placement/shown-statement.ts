import type { Break } from '../grammars/sql/break-list.ts';
import { type Breaks, context } from '../grammars/sql/breaks.ts';
import { isQuote, isWordOf, type SqlTokens, sqlToken } from '../grammars/sql/sql-token.ts';
import { sqlWord } from '../grammars/sql/sql-words.ts';
import { stop, trait } from '../grammars/sql/traits.ts';
import { classesOf } from '../grammars/sql/word-classes.ts';
import { wordList } from '../text/words.ts';

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

/** A query that reads tables of an application, and nothing that tells about the server or its accounts. */
export function isPlainQuery(text: string): boolean {
  return text.length <= plainCharsMax && reading.test(text) && !telling.test(text);
}

const plainCharsMax = 4_000;
const reading = /^\s{0,8}(?:select|with)\s/i;
const telling =
  /information_schema|sqlite_master|\b(?:sys(?:\w{0,9}objects|columns|databases|users|logins|comments|processes|servers|tables)?|mysql|pg_\w{1,30}|dba_\w{1,30}|all_\w{1,30}|v\$\w{1,20})\b|pass(?:word|wd)?|secret|token|\bunion\b|\binto\b|sleep|benchmark|load_file|@@|--|#|\/\*|;\s{0,8}[^\s;]/i;

/**
 * A plain query that changes nothing, does not ask who is signed in, and calls only what counts,
 * rounds and takes times apart: as people write them in a console.
 */
export function isConsoleQuery(text: string): boolean {
  if (!isPlainQuery(text) || changing.test(text)) return false;
  for (const [, name = ''] of text.matchAll(call))
    if (!plainCalls.has(name.toLowerCase())) return false;
  return true;
}

const changing =
  /(?<![$\w])(?:insert|update|delete|merge|drop|alter|create|truncate|grant|exec\w{0,4}|call|procedure|user|current_\w{1,20}|session_user|system_user|version|waitfor)\b/i;
const call = /([\w.$]{1,40})["`\]]?\s{0,4}\(/g;
/** Calls, and the words that a parenthesis stands behind. */
const plainCalls: ReadonlySet<string> = new Set(
  wordList(
    'count sum min max avg median round floor ceil abs coalesce nullif lower upper trim length',
    'date date_trunc date_part date_diff datediff date_add date_sub extract year month week day hour',
    'now today interval timestamp to_date cast try_cast match row_number rank dense_rank lag lead over',
    'and or not in as from join on where having by when then else any all distinct between',
  ),
);
