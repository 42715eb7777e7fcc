import { isWordOf, type SqlTokens, skipComments, sqlToken } from '../../tokenise/sql.ts';
import { sameWord, sqlWord } from '../../tokenise/sql-words.ts';
import type { ValueRule } from '../rule.ts';
import { type Break, type Breaks, connective, context } from './breaks.ts';
import {
  endsAsSql,
  has,
  hasAny,
  isAtStart,
  strongestBreak,
  takesRestIntoAccount,
} from './evidence.ts';
import { readExpression } from './expression.ts';
import { type Expression, stop, trait } from './traits.ts';
import { sqlTrigger } from './trigger.ts';

/** `1 order by 10--`, `' having 1=1#`, `1 procedure analyse()`, `' into outfile '/var/www/x.php'`. */
export const clause: ValueRule = {
  id: 'sqli.clause',
  category: 'sqli',
  cwe: 'CWE-89',
  severity: 'high',
  score: 88,
  message: 'goes on with another clause of the query',
  trigger: sqlTrigger,
  judge: (subject) => strongestBreak(subject, scoreOf),
  examples: [],
  lookalikes: [],
};

const strong =
  trait.query |
  trait.system |
  trait.infoCall |
  trait.textCall |
  trait.errorCall |
  trait.timeCall |
  trait.case |
  trait.constantCompare;

function scoreOf(one: Break, all: Breaks): number {
  const { tokens } = all;
  if (one.connective === connective.waitfor) return scoreWaitfor(one, tokens);
  if (one.connective !== connective.clause) return 0;
  const isBroken =
    (one.context === context.quote && !one.isBalanced) ||
    one.context === context.close ||
    one.context === context.start ||
    (one.context === context.number && (isAtStart(one) || one.closers > 0)) ||
    one.closers > 0;
  const after = skipComments(tokens, one.at + 1);
  switch (tokens.word[one.at]) {
    case sqlWord.order:
    case sqlWord.group:
      return isWordOf(tokens, after, sqlWord.by) ? scoreOrder(one, tokens, after + 1, isBroken) : 0;
    case sqlWord.having:
    case sqlWord.where:
      return scoreCondition(one.expression, isBroken);
    case sqlWord.limit:
    case sqlWord.offset:
      return isBroken ? scoreLimit(one, tokens, after) : 0;
    case sqlWord.procedure:
      return tokens.kind[skipComments(tokens, after + 1)] === sqlToken.open && isBroken ? 90 : 0;
    case sqlWord.into:
      return scoreInto(tokens, after, isBroken);
    case sqlWord.from:
      return one.closers > 0 ? scoreFrom(one.expression) : 0;
    case sqlWord.on:
      return isUpsert(tokens, after) && isBroken ? 85 : 0;
    case sqlWord.as:
      return one.closers > 0 && isBroken ? scoreAlias(tokens, after) : 0;
    default:
      return 0;
  }
}

function scoreOrder(one: Break, tokens: SqlTokens, from: number, isBroken: boolean): number {
  const list = readExpression(tokens, from, 60);
  if (hasAny(list, strong) && list.operands > 0) return isBroken ? 92 : 60;
  if (!isBroken) return 0;
  const isNumber = tokens.kind[skipComments(tokens, from)] === sqlToken.number;
  const isEnd =
    list.stop === stop.end || list.stop === stop.comment || list.stop === stop.semicolon;
  if (isNumber && isEnd) return one.context === context.start ? 60 : 90;
  if (isNumber && list.stop === stop.comma && one.context !== context.start) return 85;
  if (takesRestIntoAccount(list) && list.operands > 0) return 85;
  if (list.stop === stop.clause && one.context !== context.start) return 80;
  return 30;
}

function scoreCondition(expression: Expression, isBroken: boolean): number {
  if (expression.operands === 0) return 0;
  if (has(expression, trait.constantCompare)) return isBroken ? 92 : 80;
  if (hasAny(expression, strong)) return isBroken ? 90 : 60;
  if (!isBroken) return 0;
  if (has(expression, trait.compare) && endsAsSql(expression)) {
    return takesRestIntoAccount(expression) ? 88 : 60;
  }
  if (expression.stop === stop.comment) return 75;
  return has(expression, trait.logical | trait.number) && endsAsSql(expression) ? 75 : 0;
}

function scoreFrom(expression: Expression): number {
  if (hasAny(expression, strong | trait.catalogue)) return 85;
  return has(expression, trait.compare) && endsAsSql(expression) ? 75 : 0;
}

/** ON DUPLICATE KEY UPDATE, ON CONFLICT DO UPDATE. */
function isUpsert(tokens: SqlTokens, at: number): boolean {
  const { text, start, end } = tokens;
  const isDuplicate = sameWord(text, start[at] as number, end[at] as number, 'duplicate');
  return isDuplicate || sameWord(text, start[at] as number, end[at] as number, 'conflict');
}

function scoreLimit(one: Break, tokens: SqlTokens, after: number): number {
  if (tokens.kind[after] !== sqlToken.number) return 0;
  const list = readExpression(tokens, after, 20);
  if (hasAny(list, strong)) return 88;
  if (one.context !== context.quote && one.context !== context.number) return 0;
  return list.stop === stop.comment || list.stop === stop.clause ? 85 : 40;
}

function scoreInto(tokens: SqlTokens, after: number, isBroken: boolean): number {
  if (!isWordOf(tokens, after, sqlWord.outfile)) return 0;
  const target = tokens.kind[skipComments(tokens, after + 1)] as number;
  const isTarget =
    target === sqlToken.single || target === sqlToken.double || target === sqlToken.number;
  if (isTarget) return isBroken ? 95 : 85;
  return isBroken ? 75 : 40;
}

/** `) as x where …`, `) as x;`: the end of a derived table. */
function scoreAlias(tokens: SqlTokens, name: number): number {
  const next = skipComments(tokens, name + 1);
  if (isWordOf(tokens, next, sqlWord.where)) {
    return scoreCondition(readExpression(tokens, next + 1, 100), true);
  }
  return 0;
}

function scoreWaitfor(one: Break, tokens: SqlTokens): number {
  const delay = skipComments(tokens, one.at + 1);
  if (!isWordOf(tokens, delay, sqlWord.delay)) return 0;
  const kind = tokens.kind[skipComments(tokens, delay + 1)];
  return kind === sqlToken.single || kind === sqlToken.double || kind === sqlToken.variable
    ? 95
    : 60;
}
