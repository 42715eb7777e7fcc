import { type Break, type Breaks, context } from '../../grammars/sql/breaks.ts';
import { connective } from '../../grammars/sql/connectives.ts';
import { isQuote, type SqlTokens, sqlToken } from '../../grammars/sql/sql-token.ts';
import { strongCalls } from '../../grammars/sql/statement-parts.ts';
import { type Expression, endsAsSql, has, hasAny, trait } from '../../grammars/sql/traits.ts';
import { signTrigger } from '../../grammars/sql/triggers.ts';
import { confidence } from '../../placement/confidence.ts';
import {
  isAtStart,
  isEarlyQuote,
  leavesOpen,
  strongestBreak,
  takesRestIntoAccount,
} from '../../placement/sql-evidence.ts';
import type { ValueRule } from '../rule.ts';

/**
 * `' and ascii(substr((select ...),1,1))>64`, `1 and exists(select 1)`, `' or @@version like '5%`.
 */
export const condition: ValueRule = {
  id: 'sqli.condition',
  severity: 'critical',
  score: confidence.certain,
  message: 'adds a condition on a function, variable or subquery, whose result the answer reveals',
  trigger: signTrigger,
  judge: (subject) => strongestBreak(subject, scoreOf),
  examples: [
    "'+(select 5 where binary 7=binary 7 or exp(~(select*from(select binary 3)x)))+'",
    "pear'-- it's\n||--'\n(--\"\nselect [max](-- '\n[pin]) from [staff] [s])||'",
    ...["h d t h e a a e a'+benchmark(nullif(70000,0),md5(6))+'", "(name='x') and length(pin)=4"],
    ...["' and ascii(substr((select user()),1,1))>64--", '1 and exists(select 1 from accounts)'],
    ...["1' rlike (case when 1=1 then 1 else 0x28 end)", '1 and (select count(*) from staff)>0'],
    ...["'+(select top 1 name from staff)+'", "s t e y t t w'^(sleep(--6))like'"],
    ...["x' and length(password)>5#", "pear' and sleep(3)--\rkiwi", "5 in('x') or length(id)>0"],
    ...["t '<(SLEEP(6))+'", 'name ~ "pin" and length(pin)>4'],
    "x' or (select sum(pin)over w from staff window w as(order by id)limit 1)>5#x",
  ],
  lookalikes: [
    'text ~ "data migration" and created > now("-4w")',
    'space in (OPS, DEV) and (title ~ "run*" or text ~ "select from") and lastmodified > now("-4w")',
    "How do I write SELECT * FROM orders WHERE status = 'open' AND day > NOW() - INTERVAL 7 DAY?",
    "I need: UPDATE staff SET name = 'Bob' WHERE id = 5 AND (SELECT COUNT(*) FROM x) > 0",
    'ok = version.startsWith("1.1") || version.startsWith("1.0") || user.is("admin");',
    ...['The style "left" and (select one) option', "return '.' in num or 'e' in num.lower()"],
    ...["or(has(articles),contains(title,'x'))", 'Use left(x, 3) and right(x, 3) there'],
    ...['`if (a || b) && !c` is hard to read.', '"blade runner" OR alien OR master'],
    ...['assert "closed" in str(e.value)', "he said 'if (only)' and left"],
    'Is it length(a) or size(a)?',
  ],
};

const strong = strongCalls | trait.system | trait.catalogue | trait.infoCall | trait.case;

const called = trait.textCall | trait.flowCall | trait.exists;

function scoreOf(one: Break, all: Breaks): number {
  switch (one.connective) {
    case connective.logical:
    case connective.wordOperator:
      return one.context === context.quote ? scoreAfterQuote(one, all) : scoreBare(one, all);
    case connective.comparison:
    case connective.operator:
    case connective.comma:
    case connective.operand:
      return scoreOperand(one, all);
    default:
      return 0;
  }
}

function scoreAfterQuote(one: Break, all: Breaks): number {
  const { expression } = one;
  const isAfter = endsAsSql(expression);
  if (has(expression, trait.query) && (expression.operands > 1 || (isAfter && !one.isBalanced)))
    return confidence.certain;
  const isCondition = isAfter || has(expression, trait.compare);
  if (hasAny(expression, strong) && isCondition) return confidence.certain;
  if (hasAny(expression, called) && isCondition)
    return isFilter(one, all.tokens) ? confidence.hint : confidence.strong;
  if (!isEarlyQuote(one, all)) return 0;
  if (has(expression, trait.statement) && expression.operands > 0) return confidence.strong;
  return isAfter && has(expression, trait.call) ? confidence.likely : 0;
}

/**
 * `title ~ "a b" and day > now("-4w")`: a filter in another language, as the text that is contained
 * tells, or words in it; where a sign of SQL has a name behind it, and a literal that is ended a sign.
 */
function isFilter(one: Break, { text, start }: SqlTokens): boolean {
  if (!one.isBalanced || one.leavesParenthesis) return false;
  const end = start[one.at] as number;
  const before = text.slice(Math.max(0, end - containedMax), end);
  if (one.closers > 0) return contained.test(before);
  return containedWords.test(before) && !joining.test(before);
}

const contained = /~\s?"[^"]{1,80}"[\s)]{1,20}$/;
const containedWords = /^\w{1,20} ~ "\w[\w .*-]{0,79}" $/;
/** One word may be the name of a column (PostgreSQL); an operator at an end joins what stands on its sides. */
const joining = /"(?:\w{1,80}"|(?:x?or|and|div|mod|is|not|r?like|in) )|[ .-]" $/i;
const containedMax = 110;

/** After an arithmetic sign, a comparison or nothing at all: `'+(select …)+'`, `'=sleep(5)='`. */
function scoreOperand(one: Break, all: Breaks): number {
  const { expression } = one;
  const isBare = one.context !== context.quote;
  if (has(expression, trait.query) && expression.operands > 1)
    return isBare ? confidence.strong : confidence.certain;
  if (!endsAsSql(expression)) return 0;
  if (one.connective === connective.comma && hasAny(expression, trait.case | trait.flowCall)) {
    return hasAny(expression, trait.constantCompare | trait.query | trait.timeCall)
      ? confidence.strong
      : 0;
  }
  if (isBare) return 0;
  return isStrongCall(one, all) ? confidence.strong : scoreEarly(one, all);
}

function scoreEarly(one: Break, all: Breaks): number {
  const { expression } = one;
  if (!isEarlyQuote(one, all)) return 0;
  if (hasAny(expression, strong & ~trait.case & ~trait.catalogue)) return confidence.strong;
  if (one.connective === connective.comma || !hasAny(expression, called)) return 0;
  return has(expression, trait.compare) || takesRestIntoAccount(expression) ? confidence.strong : 0;
}

/** `long data'<sleep(6)+'`: no text in quotation marks begins with a sign and waits. */
function isStrongCall(one: Break, all: Breaks): boolean {
  const isSign = one.connective <= connective.operator && one.connective >= connective.comparison;
  return isSign && !one.isBalanced && hasAny(one.expression, strongCalls) && leavesOpen(one, all);
}

/**
 * `or(has(a),contains(b,'x'))`: a filter of an API, where the connective is a function of conditions.
 * In SQL that would be a row, which is no condition.
 */
function isFunction(one: Break, tokens: SqlTokens): boolean {
  if (one.context !== context.start) return false;
  const { kind, jump, gap, count } = tokens;
  let depth = 0;
  let conditions = 0;
  for (let at = one.at + 1; at < count; at++) {
    const type = kind[at] as number;
    if (isQuote(type)) at = (jump[at] as number) > at ? (jump[at] as number) : count;
    else if (type === sqlToken.close) depth--;
    else if (type === sqlToken.open) depth++;
    if (depth === 0) return conditions > 1 && at + 1 === count;
    const begins = depth === 1 && (type === sqlToken.open || type === sqlToken.comma);
    if (!begins) continue;
    const isCall = kind[at + 1] === sqlToken.word && kind[at + 2] === sqlToken.open;
    if (!isCall || gap[at + 2] === 1) return false;
    conditions++;
  }
  return false;
}

function scoreBare(one: Break, all: Breaks): number {
  if (isSentence(one) || isFunction(one, all.tokens)) return 0;
  return isAtStart(one, all) ? scoreAtStart(one) : scoreWithin(one.expression);
}

/** "X is version()" */
function isSentence(one: Break): boolean {
  const isBehindName = one.context === context.word && one.closers === 0;
  const isOperator = one.connective === connective.wordOperator;
  return isOperator && (isBehindName || one.context === context.start);
}

function scoreAtStart(one: Break): number {
  const { expression } = one;
  const isFirst = one.context === context.start;
  const isLogical = one.connective === connective.logical;
  if (has(expression, trait.query) && expression.operands > (isLogical ? 0 : 1))
    return confidence.certain;
  const isEnd = endsAsSql(expression);
  if (has(expression, trait.timeCall) && (isFirst || isEnd)) return confidence.certain;
  if (!isEnd) return expression.calls > 1 ? confidence.likely : 0;
  if (hasAny(expression, strong)) return confidence.strong;
  const isCalled = hasAny(expression, called);
  if (isCalled && has(expression, trait.compare)) return confidence.strong;
  const isCall = isFirst
    ? isCalled && expression.calls > 0
    : one.context === context.number && has(expression, trait.call | trait.compare);
  return isCall ? confidence.likely : 0;
}

/** Behind other text, of which it may be a part. */
function scoreWithin(expression: Expression): number {
  if (has(expression, trait.query) && expression.operands > 1) return confidence.strong;
  if (!endsAsSql(expression)) return 0;
  if (hasAny(expression, strong)) return confidence.likely;
  return hasAny(expression, called) && has(expression, trait.compare) ? confidence.hint : 0;
}
