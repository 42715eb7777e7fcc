import { type Break, type Breaks, context } from '../../grammars/sql/breaks.ts';
import { connective } from '../../grammars/sql/connectives.ts';
import { readExpression } from '../../grammars/sql/expression.ts';
import {
  holdsWord,
  isName,
  isWordOf,
  type SqlTokens,
  skipComments,
  sqlToken,
} from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import { isOneOf, isWordAt } from '../../grammars/sql/statement-parts.ts';
import { readRest, restEnd } from '../../grammars/sql/statement-rest.ts';
import { type Expression, endsAsSql, has, hasAny, stop, trait } from '../../grammars/sql/traits.ts';
import { clauseTrigger } from '../../grammars/sql/triggers.ts';
import { confidence } from '../../placement/confidence.ts';
import {
  isAtStart,
  isInSentence,
  opensQuotation,
  strongestBreak,
  takesRestIntoAccount,
} from '../../placement/sql-evidence.ts';
import type { ValueRule } from '../rule.ts';

/**
 * `1 order by 10--`, `' having 1=1#`, `1 procedure analyse()`, `' into outfile '/var/www/x.php'`.
 */
export const clause: ValueRule = {
  id: 'sqli.clause',
  score: confidence.strong,
  message: 'goes on with another clause of the query',
  trigger: clauseTrigger,
  judge: (subject) => strongestBreak(subject, scoreOf),
  examples: [
    'min(1,10) ORDER BY (CASE WHEN length((SELECT pin FROM staff WHERE id=1))>9 THEN 1 ELSE 2 END);-- ',
    '0+1 order by case when (select pin from staff where id=4)>5 then id else -id end --',
    ...['price LIMIT (SELECT pin FROM staff LIMIT 1)-9', '1 offset convert(int,@@version) rows'],
    ...["x' offset 1 row fetch next 2 rows only--", "1' group by id having count(*)>0--"],
    ...['3 offset (select pin from staff)-7', 'name from users where 1=1+pin+id', "x' limit 9,1--"],
    ...['staff join users on 1=1 -- ', "4; waitfor delay '0:0:5'", '5) procedure analyse()'],
    ...['5) having id and (true', "x') as t where 1=1--", 'where 1=1 for update', "x' limit all--"],
    ...['1 limit db_name()', '1 order by 12--', "' having 3=3#"],
  ],
  lookalikes: [
    "<p>Don't.</p><code>SELECT * FROM posts WHERE state = 'new' ORDER BY day DESC;</code>",
    'project = SHOP AND status in (Open, "In Progress") ORDER BY created DESC',
    'Why `where 1=1`? It is only there so that the rest can begin with and.',
    ...['https://search.example.com/?q=where+1%3D1+meaning+sql&form=Q', '5 limit users to ten'],
    ...['LOG: SELECT count(*) FROM orders WHERE created_at > now()', 'People with limit 1, 2 or 3'],
    ...['Is it fine to write WHERE 1=1 before the others?', 'Over the limit (select one): yes, no'],
    ...['"order by" or "group by", which is first?', "The boys' limit 5 rows of seats -- or so"],
    ...['Rooms 2+1 order by case when booked', 'Sort: order by created_at, then id'],
    ...['where 1=1 why people write it', 'Having 2 kids where 1 = easy', '1 order by 5 people'],
    ...['2+1 order by phone', '10-12 order by 5', 'wait for delay 5'],
  ],
};

/** No number of rows has a reason to ask the server. */
const telling = trait.query | trait.system | trait.infoCall | trait.errorCall | trait.timeCall;
const strong = telling | trait.textCall | trait.case | trait.constantCompare;

function scoreOf(one: Break, all: Breaks): number {
  const { tokens } = all;
  if (one.connective === connective.waitfor) return scoreWaitfor(one, tokens);
  if (one.connective !== connective.clause) return 0;
  const isBroken = leavesValue(one, all);
  const after = skipComments(tokens, one.at + 1);
  switch (tokens.word[one.at]) {
    case sqlWord.order:
    case sqlWord.group:
      return isWordOf(tokens, after, sqlWord.by) ? scoreOrder(one, all, after + 1, isBroken) : 0;
    case sqlWord.having:
    case sqlWord.where:
      return scoreWhere(one, all, isBroken);
    case sqlWord.limit:
    case sqlWord.offset:
      return scoreLimit(one, tokens, after, isBroken);
    case sqlWord.procedure:
      return scoreProcedure(tokens, after, isBroken);
    case sqlWord.from:
      return scoreFrom(one, tokens);
    case sqlWord.on:
      return isBroken && isUpsert(tokens, after) ? confidence.strong : scoreJoin(one);
    case sqlWord.as:
      return scoreAlias(one, tokens, after);
    default:
      return 0;
  }
}

/** True when the value ends its own literal, operand or parenthesis here. */
function leavesValue(one: Break, all: Breaks): boolean {
  if (one.leavesParenthesis) return true;
  switch (one.context) {
    case context.quote:
      return !one.isBalanced && !opensQuotation(one, all);
    case context.close:
    case context.start:
      return true;
    case context.number:
      return isAtStart(one, all) || isBehindSum(one, all);
    default:
      return false;
  }
}

/** `0+1 ORDER BY …`: all that stands in front is one sum of numbers. */
function isBehindSum({ at }: Break, { tokens }: Breaks): boolean {
  const { end, traits, whole } = readExpression(tokens, skipComments(tokens, 0), 60);
  return whole && end === at && (traits & ~(trait.number | trait.arithmetic)) === 0;
}

function scoreOrder(one: Break, all: Breaks, from: number, isBroken: boolean): number {
  const { tokens } = all;
  const list = readList(tokens, from);
  const { last } = list;
  if ((list.traits & strong) !== 0 && last.operands > 0) {
    if (isBroken) return confidence.certain;
    return one.closers > 0 && isCutOff(last, tokens) ? confidence.strong : confidence.hint;
  }
  const takesRest = takesRestIntoAccount(last);
  // After a parenthesis of the value's own a query may go on, or a filter of another language.
  if (!isBroken && (one.closers === 0 || !takesRest)) return 0;
  const isStart = one.context === context.start;
  if (isPosition(list, tokens, from)) {
    return isPhrase(list, one, all) ? confidence.hint : confidence.certain;
  }
  const isClause = last.stop === stop.clause && !isStart;
  return isClause || (takesRest && last.operands > 0) ? confidence.strong : confidence.trace;
}

/** `12`, `1, 2--`: columns by their numbers, and the end of the statement behind. */
function isPosition({ last, count }: List, tokens: SqlTokens, from: number): boolean {
  if (tokens.kind[skipComments(tokens, from)] !== sqlToken.number) return false;
  const isEnd =
    last.stop === stop.end || last.stop === stop.comment || last.stop === stop.semicolon;
  return isEnd || count === listMax;
}

/** `order by 5`, `10-12 order by 5` */
function isPhrase({ last, count }: List, one: Break, all: Breaks): boolean {
  const isSum = one.context === context.number && !isAtStart(one, all);
  return (isSum || one.context === context.start) && count < 3 && last.stop === stop.end;
}

/** A comment follows, with a semicolon before it or without. */
function isCutOff({ stop: why, end }: Expression, { kind }: SqlTokens): boolean {
  if (why === stop.comment) return true;
  return why === stop.semicolon && kind[end + 1] === sqlToken.lineComment;
}

/** `Is it fine to write WHERE 1=1 before the others?`: no table stands in front, words follow. */
function isTalk(one: Break, all: Breaks): boolean {
  const { expression } = one;
  if (isCode(one, all)) return true;
  if (expression.stop !== stop.other || !isInSentence(one, all)) return false;
  const from = Math.max(0, one.before - talkTokens);
  const isAsked = holdsWord(all.tokens, from, one.before, sqlWord.from);
  return !isAsked && !holdsWord(all.tokens, from, one.before, sqlWord.update);
}

/** ``Why `where 1=1`?``: in marks of code behind a word, and all that is in them. */
function isCode({ at, before, expression }: Break, { tokens }: Breaks): boolean {
  const { kind, gap, jump } = tokens;
  const isMark = kind[before] === sqlToken.backtick && jump[before] === expression.end;
  const isApart = kind[before - 1] === sqlToken.word && gap[before] === 1;
  return isMark && isApart && gap[at] === 0 && gap[expression.end] === 0;
}

/**
 * `where 1=1 why do people write it`, or with `+` for blanks: three words in a row are no SQL, nor are
 * two at the end, `where 1=1 meaning sql`.
 */
function isQuestion(one: Break, { tokens }: Breaks): boolean {
  const { end } = one.expression;
  return isFollowedByWords(tokens, end) || holdsPlusWords(tokens, one.at, end);
}

function isFollowedByWords(tokens: SqlTokens, from: number): boolean {
  const { kind, gap } = tokens;
  let names = 0;
  let at = from;
  for (; kind[at] === sqlToken.word && gap[at] === 1 && at < from + questionTokens; at++) {
    if (isName(tokens, at) && ++names === 3) return true;
  }
  const isTail = names === 2 && at === from + 2 && endsParameter(tokens, at);
  return isTail && !isOneOf(tokens, from, lastClauses);
}

/** `q=where+1=1+meaning+sql`: what stands in front of a clause is an error, where it is no blank. */
function holdsPlusWords(tokens: SqlTokens, from: number, end: number): boolean {
  const { kind, word, gap, text, end: ends } = tokens;
  const before = kind[from - 1];
  const isStart = from === 0 && text.charCodeAt(ends[0] as number) === plus;
  if (!isStart && before !== sqlToken.operator && before !== sqlToken.comparison) return false;
  let names = 0;
  for (let at = from + 1; at < end + questionTokens; at++) {
    const isPlus = kind[at] === sqlToken.operator && word[at] === plus && gap[at + 1] === 0;
    if (!isPlus || !isName(tokens, at + 1)) continue;
    names++;
    if (names === 3 || (names === 2 && endsParameter(tokens, at + 2))) return true;
  }
  return false;
}

/** The end of the text, or the `&` of a query string. */
function endsParameter({ kind, word, gap }: SqlTokens, at: number): boolean {
  return kind[at] === sqlToken.end || (word[at] === ampersand && gap[at] === 0);
}

const ampersand = 38;
/** Begin a clause behind the condition: `option`, `for share`. */
const lastClauses = ['allow', 'emit', 'fetch', 'for', 'lock', 'option', 'skip', 'window', 'with'];
const plus = 43;
const questionTokens = 6;
const talkTokens = 12;

interface List {
  readonly last: Expression;
  readonly traits: number;
  readonly count: number;
}

const listMax = 40;

/** Expressions with commas between. */
function readList(tokens: SqlTokens, from: number): List {
  let last = readExpression(tokens, from, 60);
  let traits = last.traits;
  let count = 1;
  for (; count < listMax && last.stop === stop.comma; count++) {
    last = readExpression(tokens, last.end + 1, 60);
    traits |= last.traits;
  }
  // A longer list is cut off by the bound, not by other text.
  return { last, traits, count };
}

function scoreWhere(one: Break, all: Breaks, isBroken: boolean): number {
  if (!isBroken && isTalk(one, all)) return 0;
  const score = scoreCondition(one.expression, isBroken || one.before === 0 || one.closers > 0);
  const mayBeTalk = score > confidence.trace && (!isBroken || one.context === context.start);
  return mayBeTalk && isQuestion(one, all) ? confidence.trace : score;
}

function scoreCondition(expression: Expression, isBroken: boolean): number {
  if (expression.operands === 0) return 0;
  if (hasAny(expression, strong)) {
    if (isBroken) return confidence.certain;
    const isPlain = has(expression, trait.constantCompare) && !has(expression, trait.text);
    return isPlain ? confidence.strong : confidence.hint;
  }
  if (!isBroken) return 0;
  const isEnd = endsAsSql(expression);
  if (isEnd && has(expression, trait.compare)) {
    return takesRestIntoAccount(expression) ? confidence.strong : confidence.hint;
  }
  if (expression.stop === stop.comment) return confidence.likely;
  const isReopened = expression.depth > 0 && expression.stop === stop.end;
  if (isReopened && has(expression, trait.logical | trait.constant)) return confidence.likely;
  const isConstant = has(expression, trait.logical | trait.number) && !has(expression, trait.name);
  return isEnd && isConstant ? confidence.likely : 0;
}

/** `) from users where name='admin'`: the value was in the list of columns. */
function scoreFrom(one: Break, tokens: SqlTokens): number {
  if (!one.leavesParenthesis) return 0;
  const table = one.expression;
  if (hasAny(table, strong | trait.catalogue)) return confidence.strong;
  if (!isWordOf(tokens, table.end, sqlWord.where)) return 0;
  const expression = readExpression(tokens, table.end + 1, 100);
  return has(expression, trait.compare) && endsAsSql(expression) ? confidence.strong : 0;
}

/** `staff join users on 1=1 --`: the value was the name of a table. */
function scoreJoin({ expression }: Break): number {
  if (!has(expression, trait.constantCompare)) return 0;
  return expression.stop === stop.comment ? confidence.strong : confidence.hint;
}

/** ON DUPLICATE KEY UPDATE, ON CONFLICT DO UPDATE. */
function isUpsert(tokens: SqlTokens, at: number): boolean {
  if (isWordAt(tokens, at, 'duplicate')) return true;
  // PostgreSQL says `ON CONFLICT is not supported` itself.
  const isDone = tokens.kind[at + 1] === sqlToken.open || isWordAt(tokens, at + 1, 'do');
  return isDone && isWordAt(tokens, at, 'conflict');
}

/** PROCEDURE ANALYSE(…), which MySQL takes after LIMIT. */
function scoreProcedure(tokens: SqlTokens, name: number, isBroken: boolean): number {
  if (tokens.kind[skipComments(tokens, name + 1)] !== sqlToken.open) return 0;
  if (isWordAt(tokens, name, 'analyse')) return confidence.certain;
  return isBroken ? confidence.strong : 0;
}

function scoreLimit(one: Break, tokens: SqlTokens, after: number, isBroken: boolean): number {
  // `price LIMIT (SELECT …)`: a sentence has a number there, if any.
  if (tokens.kind[after] === sqlToken.open) {
    const counted = readExpression(tokens, after, 60);
    return has(counted, trait.query) && counted.operands > 1 ? confidence.strong : 0;
  }
  if (!isBroken) return 0;
  const list = readExpression(tokens, after, 60);
  // `limit all`, `1 offset convert(int,@@version) rows`
  if (tokens.kind[after] !== sqlToken.number && !isWordOf(tokens, after, sqlWord.quantifier)) {
    return hasAny(list, telling) && list.operands > 0 ? confidence.strong : 0;
  }
  if (hasAny(list, strong)) return confidence.strong;
  if (one.context !== context.quote && one.context !== context.number) return 0;
  const isCut = readRest(tokens, one.at)?.end === restEnd.cut;
  return isCut || list.stop === stop.clause ? confidence.strong : confidence.trace;
}

/** `) as x where …`, `) as x;`: the end of a derived table. */
function scoreAlias(one: Break, tokens: SqlTokens, name: number): number {
  const next = skipComments(tokens, name + 1);
  if (!one.leavesParenthesis || !isWordOf(tokens, next, sqlWord.where)) return 0;
  return scoreCondition(readExpression(tokens, next + 1, 100), true);
}

function scoreWaitfor(one: Break, tokens: SqlTokens): number {
  const delay = skipComments(tokens, one.at + 1);
  if (!isWordOf(tokens, delay, sqlWord.delay)) return 0;
  const kind = tokens.kind[skipComments(tokens, delay + 1)];
  return kind === sqlToken.single || kind === sqlToken.double || kind === sqlToken.variable
    ? confidence.certain
    : confidence.hint;
}
