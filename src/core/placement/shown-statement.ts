import { type Break, type Breaks, context } from '../grammars/sql/breaks.ts';
import { isName, isQuote, isWordOf, type SqlTokens, sqlToken } from '../grammars/sql/sql-token.ts';
import { sqlWord } from '../grammars/sql/sql-words.ts';
import type { Statement } from '../grammars/sql/statement-parts.ts';
import { has, stop, trait } from '../grammars/sql/traits.ts';
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
  return (
    text.length <= plainCharsMax && reading.test(text) && !storing.test(text) && !telling.test(text)
  );
}

const plainCharsMax = 4_000;
const reading = /^\s{0,8}(?:select|with)\s/i;
const subquery = /\b(?:select|union|with)\b/i;
const storing = /\binto\b/i;
const telling =
  /information_schema|sqlite_master|\b(?:sys(?:\w{0,9}objects|columns|databases|users|logins|comments|processes|servers|tables)?|mysql|pg_\w{1,30}|dba_\w{1,30}|all_\w{1,30}|v\$\w{1,20})\b|pass(?:word|wd)?|secret|token|sleep|benchmark|load_file|@@|--|#|\/\*|;\s{0,8}[^\s;]/i;

/**
 * A plain query that changes nothing, does not ask who is signed in, and calls only what counts,
 * rounds and takes times apart: as people write them in a console.
 */
export function isConsoleQuery(text: string): boolean {
  return isPlainQuery(text) && !changing.test(text) && callsPlainly(text) && isBalanced(text);
}

/**
 * A statement that changes rows of an application. No expression begins with its verbs: in a
 * statement of the application's it is an error.
 */
export function isRowChange(text: string): boolean {
  return writing.test(text) && isPlainChange(text);
}

/** The same for tables and columns. */
export function isTableChange(text: string): boolean {
  return shaping.test(text) && isPlainChange(text);
}

function isPlainChange(text: string): boolean {
  if (text.length > plainCharsMax || telling.test(text)) return false;
  return !asking.test(text) && callsPlainly(text.replace(table, ' ,')) && isBalanced(text);
}

/** An expression of columns that asks nothing of the server. */
export function isPlainExpression(text: string): boolean {
  if (text.length > plainCharsMax || telling.test(text) || changing.test(text)) return false;
  return !subquery.test(text) && callsPlainly(text) && isBalanced(text);
}

/** No parenthesis closes one of the application's: `SELECT 1) OR (1=1` goes on with its statement. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [mark] of text.matchAll(groupMarks)) {
    if (mark === '(') depth++;
    else if (mark === ')' && --depth < 0) return false;
  }
  return depth === 0;
}

function callsPlainly(text: string): boolean {
  for (const [, name = ''] of text.matchAll(call)) {
    if (!plainCalls.has(name.toLowerCase())) return false;
  }
  return true;
}

const writing =
  /^\s{0,8}(?:(?:insert|replace|merge)\s{1,8}into|update\s{1,8}["`[\]\w.]{1,80}\s{1,8}(?:as\s{1,8}\w{1,40}\s{1,8})?set|delete\s{1,8}from)\s/i;
const shaping =
  /^\s{0,8}(?:create|alter|drop)\s{1,8}(?:unique\s{1,8})?(?:table|index|view|column)\s/i;
/** The name in front of a list of columns. */
const table = /\s(?:into|table|on)\s{1,8}["`[\]\w.]{1,80}(?=\s{0,8}\()/i;
const asking =
  /(?<![$\w])(?:exec\w{0,4}|procedure|current_user|session_user|system_user|waitfor|outfile|dumpfile)\b/i;
const changing =
  /(?<![$\w])(?:insert|update|delete|merge|drop|alter|create|truncate|grant|exec\w{0,4}|call|procedure|(?<!\.)user(?!\.)|current_(?!date\b|time\b|timestamp\b)\w{1,20}|session_user|system_user|version|waitfor)\b/i;
/** Parentheses, and literals, which hold none. */
const groupMarks = /[()]|'[^']*'|"[^"]*"|`[^`]*`/g;
const call = /([\w.$]{1,40})["`\]]?\s{0,4}\(/g;
/** Calls, and the words that a parenthesis stands behind. */
const plainCalls: ReadonlySet<string> = new Set(
  wordList(
    'count sum min max avg median round floor ceil abs coalesce nullif ifnull isnull lower upper trim length',
    'date date_trunc date_part date_diff datediff dateadd date_add date_sub extract year month week day hour',
    'now today getdate todate to_char interval timestamp to_date cast try_cast row_number rank dense_rank lag lead over',
    'percentile_cont percentile_disc within filter first_value last_value ntile uniq approx_count_distinct stddev',
    'concat concat_ws replace initcap split_part string_agg group_concat json_extract json_value match',
    'and or not in as from join on using where having by when then else case any all distinct between exists',
    'values into top union except intersect with varchar decimal numeric',
  ),
);

/** `name = x`, `type union`: words that programs begin with are columns of an application as well. */
export function beginsWithColumn(line: string): boolean {
  return column.test(line);
}

const column =
  /^\s{0,40}(?:name|type|version|services?|output|on|jobs|run|resource|provider|variable|server|upstream|template|module|package|class|public|private|protected|static|final|abstract|my|our|local|int|char|unsigned|extern|let|var|async|sub|func|fn|print|raise)\s{0,40}(?:$|[-=<>!|&^%*/+,);]|(?:x?or|and|not|is|in|r?like|ilike|regexp|glob|match|between|div|mod|collate|escape|union|except|intersect|order|group|having|limit|offset)(?!\w))/i;

/** The statement that a sentence shows first, and those in marks of code behind it. */
function isExample({ at, before }: Break, all: Breaks): boolean {
  const { kind, jump, count } = all.tokens;
  const verb = shownVerb(all);
  if (at === verb) return true;
  return verb < count && at > verb && kind[before] === sqlToken.backtick && jump[before] !== -1;
}

/** `query('SELECT now()')`: a literal that a program passes, on the same line or the next. */
function isArgument({ before }: Break, { tokens }: Breaks): boolean {
  const { kind, gap, jump } = tokens;
  if (before < 2 || !isQuote(kind[before] as number) || (jump[before] as number) < 0) return false;
  // `execute` is a word of SQL, and a method behind a dot all the same.
  const isMethod = kind[before - 2] === sqlToken.word && kind[before - 3] === sqlToken.dot;
  const isCall = isMethod || isName(tokens, before - 2);
  if (isCall && kind[before - 1] === sqlToken.open) return gap[before - 1] === 0;
  // `=QUERY(Sheet1!A:C,"select A …")`: what a formula asks of its cells.
  const { text, start } = tokens;
  return kind[before - 1] === sqlToken.comma && cells.test(text.slice(0, start[before]));
}

const cells = /^=(?:[A-Z]{2,20}\()?QUERY\([\w!:$'{};., ]{1,80},\s?$/;

/**
 * `'select * from staff'`: the quote behind the name of a table would begin a literal, which no
 * statement has there.
 */
function isQuotation({ before }: Break, tokens: SqlTokens, { end }: Statement): boolean {
  const { kind } = tokens;
  const close = kind[end] === kind[before] ? end : end - 1;
  if (kind[close] !== kind[before]) return false;
  return isWordOf(tokens, close - 1, sqlWord.from) || isWordOf(tokens, close - 2, sqlWord.from);
}

/** What a sentence or a program shows. */
export function isCited(one: Break, all: Breaks, statement: Statement): boolean {
  if (isExample(one, all) || isArgument(one, all)) return true;
  return isQuotation(one, all.tokens, statement);
}

/**
 * `&& strcmp(a, "-d") == 0`: no dialect has a call behind `&&` and `==`; `if [[ … = "yes" ]]`: no
 * statement ends two lists that it has not begun. Shells and C do.
 */
export function isOfProgram({ at, expression }: Break, { text, kind, start }: SqlTokens): boolean {
  const { end } = expression;
  if (kind[end] === sqlToken.bracketEnd && kind[end + 1] === sqlToken.bracketEnd)
    return opensTest(text, start[end] as number);
  const isOfC =
    kind[at] === sqlToken.ampersands ||
    compares.test(text.slice(start[at], (start[at] as number) + 24));
  if (!isOfC || !has(expression, trait.call)) return false;
  for (let i = at + 1; i < end; i++) {
    if (kind[i] === sqlToken.comparison && text.startsWith('==', start[i])) return true;
  }
  return false;
}

/** MySQL alone has the first of these, and no `==`. */
const compares = /^\|\|\s{0,4}str(?:n|case|ncase)?cmp\(/i;

/** A test of a shell on one line (SQLite goes on with a comment behind CR), without other brackets. */
function opensTest(text: string, to: number): boolean {
  const from = to - testMax;
  return shellTest.test(from > 0 ? text.slice(from, to) : `;${text.slice(0, to)}`);
}

const testMax = 400;
const shellTest = /(?:;|\b(?:if|elif|while|until))\s{0,8}(?:!\s{1,8})?\[\[\s[^[\p{Cc}]{0,400}$/u;
