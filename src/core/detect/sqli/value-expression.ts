import { skipComments, sqlToken } from '../../tokenise/sql-token.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { endsAsSql, findBreaks, has, hasAny, spanOfTokens } from './evidence.ts';
import { readExpression } from './expression.ts';
import { type Expression, trait } from './traits.ts';
import { expressionTrigger } from './trigger.ts';

/**
 * A value that is an expression: `(select 1 from dual)`, `(case when 1=1 then 1 else 0 end)`,
 * `if(1=1,1,0)`.
 */
export const valueExpression: ValueRule = {
  id: 'sqli.value-expression',
  category: 'sqli',
  cwe: 'CWE-89',
  severity: 'high',
  score: 85,
  message: 'is an SQL expression that a database would compute',
  trigger: expressionTrigger,
  judge,
  examples: [
    '(select password from staff limit 1)',
    '(case when 1=1 then 1 else 0 end)',
    'if(now()=sysdate(),sleep(5),0)',
    'elt(3=3,7)',
    '(4=4)*9',
  ],
  lookalikes: [
    '(see above) or (see below)',
    '(35 + 63) * 2 / 3 = 65.33',
    'choice (select one)',
    'f(x) = x^2',
    '=IF(A1="x",1,0)',
  ],
};

function judge(subject: Subject): Match | undefined {
  const all = findBreaks(subject);
  if (all === undefined) return undefined;
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
    if (hasAny(expression, called | trait.constantCompare | trait.timeCall)) return 88;
    return endsAsSql(expression) && expression.operands > 1 ? 88 : 50;
  }
  if (!endsAsSql(expression)) return 0;
  if (has(expression, trait.timeCall)) return has(expression, trait.name) ? 60 : 75;
  if (has(expression, trait.case)) return 85;
  if (hasAny(expression, called | trait.flowCall) && has(expression, trait.constantCompare))
    return 85;
  if (has(expression, trait.flowCall | trait.compare | trait.hex)) return 80;
  if (has(expression, trait.infoCall) && expression.calls > 1) return 75;
  if (has(expression, trait.constantCompare | trait.truthValue)) return 75;
  if (has(expression, trait.constantCompare)) return 55;
  if (has(expression, trait.system)) {
    return has(expression, trait.name) && !has(expression, trait.call) ? 55 : 75;
  }
  return has(expression, trait.infoCall | trait.call) ? 60 : 0;
}

const called = trait.textCall | trait.infoCall | trait.errorCall;
