import { skipComments, sqlToken } from '../../tokenise/sql.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { endsAsSql, has, hasAny, readBreaks, spanOfTokens } from './evidence.ts';
import { readExpression } from './expression.ts';
import { type Expression, stop, trait } from './traits.ts';
import { sqlTrigger } from './trigger.ts';

/** A value that is an expression: `(select 1 from dual)`, `(case when 1=1 then 1 else 0 end)`, `if(1=1,1,0)`. */
export const valueExpression: ValueRule = {
  id: 'sqli.value-expression',
  category: 'sqli',
  cwe: 'CWE-89',
  severity: 'high',
  score: 85,
  message: 'is an SQL expression that a database would compute',
  trigger: sqlTrigger,
  judge,
  examples: [],
  lookalikes: [],
};

function judge(subject: Subject): Match | undefined {
  const all = readBreaks(subject);
  const from = skipComments(all.tokens, 0);
  const kind = all.tokens.kind[from];
  if (
    kind !== sqlToken.open &&
    kind !== sqlToken.word &&
    kind !== sqlToken.operator &&
    kind !== sqlToken.number
  ) {
    return undefined;
  }
  const expression = readExpression(all.tokens, from, 400);
  const score = scoreOf(expression);
  return score === 0 ? undefined : { ...spanOfTokens(all, from, expression.end), score };
}

function scoreOf(expression: Expression): number {
  if (has(expression, trait.query) && expression.operands > 0) {
    return endsAsSql(expression) || hasAny(expression, called | trait.constantCompare) ? 88 : 60;
  }
  if (!endsAsSql(expression)) return 0;
  if (hasAny(expression, trait.timeCall) && expression.stop !== stop.end) return 85;
  if (has(expression, trait.case)) return 85;
  if (hasAny(expression, called | trait.flowCall) && has(expression, trait.constantCompare))
    return 85;
  if (has(expression, trait.infoCall) && expression.calls > 1) return 75;
  if (has(expression, trait.constantCompare | trait.truthValue)) return 75;
  if (has(expression, trait.constantCompare)) return 55;
  if (has(expression, trait.system)) return 75;
  return has(expression, trait.infoCall | trait.call) ? 60 : 0;
}

const called = trait.textCall | trait.infoCall | trait.errorCall;
