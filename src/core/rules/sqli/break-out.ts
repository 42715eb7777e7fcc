import type { Break, Breaks } from '../../grammars/sql/breaks.ts';
import { connective } from '../../grammars/sql/connectives.ts';
import { sqlToken } from '../../grammars/sql/sql-token.ts';
import { isComment, isWordAt } from '../../grammars/sql/statement-parts.ts';
import { endsAsSql, has, hasAny, stop, trait } from '../../grammars/sql/traits.ts';
import { signTrigger } from '../../grammars/sql/triggers.ts';
import { confidence } from '../../placement/confidence.ts';
import {
  endsStatement,
  isEarlyQuote,
  leavesOpen,
  strongestBreak,
} from '../../placement/sql-evidence.ts';
import type { ValueRule } from '../rule.ts';

/**
 * `'+'`, `' = '`, `aa'^0='0`, `1'*null is null - '`, `x' in boolean mode)`: breaks out of a
 * literal and in again.
 */
export const breakOut: ValueRule = {
  id: 'sqli.break-out',
  score: confidence.strong,
  message: 'ends a literal, computes with it, and takes the rest of the statement into account',
  trigger: signTrigger,
  judge: (subject) => strongestBreak(subject, scoreOf),
  examples: [
    ...["x' is not distinct from 1 or 1--", "home')*case when 1 then 1 end;", "1'rlike'a\\'b'-- "],
    ...["x'||position('a'in'a')||'a", "'+1+interval-1 day||'1", "'like date'1-1-1'-- ", "aa'^1='0"],
    ...["1'*null is null - '", "'not like 0 or'1", "')<1 rlike''-- a", "home')<>date();", "' = ' "],
    ...["x' in ('x') -- ", `"in()in()like"%`, "')+length('a');", "'like{``1}or'1", "'like 1 or'1"],
    ...["'>'\\''-1-- ", "home')<>0;-", "'>1. or'1", "'<1;-- x", "')-0x1;", "'>>a.b#", "'=0#x"],
    "red'<>5#x",
    "'),''),'p')not like 1 or 1#",
    "'<1#'",
    "'=0;#",
    "'+'",
    "'like'.'regexp''<1;-- ",
    "x'not in()<5. *substr('1',1)--",
  ],
  lookalikes: [
    ...["the Joneses' = our neighbours' friends, aren't they?", "a path without the trailing '/'"],
    ...["name = 'O\\'Brien' or name = 'O\\'Neill'", 'Try "%s --help" for more information.', "'*'"],
    "print '' . 'it\\'s' . \"it\\\"s\";",
    'the number of bits in "in"',
    "名前に'='の文字を含んではなりません",
    ...['<a href="/wiki/A-B">A</a>', 'Is it position (a in b)', "use '\\'' or \"'\" in C"],
    ...["a parser for '*-limit='", "Ongeldige lengte '%u'.", "case '\\'': return 1;", "k'~3~+Yp#2"],
    ...["echo '' or 'can\\'t';", "'like this' # heading", "(the boys') - Ann;", '"LIKE" and share'],
    ...["'like it or not'1", "f'=g' and f''=g''", 'mode="<yes|no>"', "don't != do;", "f('a') - 1;"],
    'LdYS?}`=JBd#',
    '=A1&"-"&B1',
    "липсва '>'",
    "'like'. And so on",
    "5'6 - 5'9",
    "y' <= 5;",
    "'a'+'b'",
  ],
};

function scoreOf(one: Break, all: Breaks): number {
  switch (one.connective) {
    case connective.wordOperator:
      if (isFullText(one, all)) return confidence.strong;
      return isEarlyQuote(one, all) ? scoreOperator(one, all) : 0;
    case connective.comparison:
    case connective.operator:
      return isEarlyQuote(one, all) ? scoreOperator(one, all) : 0;
    default:
      return 0;
  }
}

/** `x' in boolean mode)`: the value was the words of a full-text search. */
function isFullText({ at, isBalanced }: Break, { tokens }: Breaks): boolean {
  return isWordAt(tokens, at + 1, 'boolean') && isWordAt(tokens, at + 2, 'mode') && !isBalanced;
}

function scoreOperator(one: Break, all: Breaks): number {
  if (isWildcard(one, all) || isQuotedName(one, all)) return confidence.hint;
  const { expression } = one;
  if (!endsAsSql(expression)) return 0;
  const isClosed = isClosedOff(one, all);
  const isCut = expression.stop === stop.comment || isClosed;
  if (isCut && !isClosed && !cutsRest(one, all)) return confidence.trace;
  if (!isCut && !opensShort(one, all))
    return has(expression, trait.constantCompare) ? confidence.likely : confidence.trace;
  // Who does not know the statement compares with constants and functions, not with columns.
  if (hasAny(expression, trait.logical | trait.compare)) return confidence.strong;
  const isNamed = has(expression, trait.name) && !hasAny(expression, trait.call | trait.number);
  const isDense = all.tokens.gap[one.at] === 0 && expression.operands > 1;
  return isNamed && isDense && !isCut ? confidence.hint : confidence.likely;
}

/** `' = name like '%';`: a condition, and a semicolon that ends the statement; `'=0;#` needs none. */
function isClosedOff(one: Break, all: Breaks): boolean {
  const isCondition =
    one.connective === connective.wordOperator ||
    isUnequal(one, all) ||
    (one.closers > 0 && !has(one.expression, trait.name)) ||
    hasAny(one.expression, trait.logical | trait.compare);
  const { stop: why, end } = one.expression;
  const isCut = why === stop.semicolon && isComment(all.tokens, end + 1);
  return (
    (isCondition || isCut) && (endsStatement(one, all) || (isCut && isMarked(one, all, end + 2)))
  );
}

/** `x'<>1;`, `x'!=pi();`: no formula says so, and no tag ends so. */
function isUnequal({ at, connective: type, expression }: Break, { tokens }: Breaks): boolean {
  const sign = tokens.text.slice(tokens.start[at], tokens.end[at]);
  const isUnlike = sign === '<>' || sign === '!=' || sign === '==' || sign === '<=>';
  return type === connective.comparison && isUnlike && !has(expression, trait.name);
}

/** `'=0#x`, `'*0#2)`: a constant, and a remark in one piece; a drawn password has names. */
function isMarked(one: Break, all: Breaks, from: number): boolean {
  const { expression, before } = one;
  const { gap, count } = all.tokens;
  const isFirst = before === 0 || (before === 1 && isUnequal(one, all));
  const isShort = isFirst && !has(expression, trait.name) && count <= from + markedMax;
  return isShort && !gap.subarray(from + 1, count).includes(1);
}

const markedMax = 3;

/** "x`=y#": a name in backticks is compared with spaces around it, or not at all. */
function isQuotedName({ before }: Break, { tokens }: Breaks): boolean {
  if (tokens.kind[before] !== sqlToken.backtick) return false;
  return !tokens.gap.subarray(1, tokens.count).includes(1);
}

/** `'*'`: everything, in the rules of many programs. */
function isWildcard(one: Break, { tokens }: Breaks): boolean {
  return tokens.count === 3 && one.at === 1 && tokens.word[1] === 42;
}

/** True for a comment at the end or with white space after it; `%s --help` and `Yp#2` have none. */
function cutsRest(one: Break, all: Breaks): boolean {
  const { expression, connective: type } = one;
  const { tokens } = all;
  const next = expression.end + 1;
  const isCompared = type === connective.wordOperator || has(expression, trait.constantCompare);
  if (isCompared || tokens.kind[next - 2] === sqlToken.close) return true;
  if (isMarked(one, all, next)) return true;
  if (next >= tokens.count || tokens.gap[next] === 1) return true;
  return tokens.kind[next] === sqlToken.operator && next === tokens.count - 1;
}

/** True when it ends in a literal of a word at most that the statement's own quote would close. */
function opensShort(one: Break, all: Breaks): boolean {
  return leavesOpen(one, all) && all.tokens.count - one.expression.openAt <= openTokensMax;
}

const openTokensMax = 2;
