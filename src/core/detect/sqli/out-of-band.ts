import { isQuote, type SqlTokens, skipComments, sqlToken } from '../../tokenise/sql.ts';
import type { ValueRule } from '../rule.ts';
import { hasAny } from './evidence.ts';
import { type Call, outsideClasses, sqlArgument, strongestCall } from './function-call.ts';
import { sqlTrigger } from './trigger.ts';

/** `load_file('/etc/passwd')`, `utl_http.request('http://x/'||user)`, `xp_dirtree '\\x\a'`. */
export const outOfBand: ValueRule = {
  id: 'sqli.out-of-band',
  category: 'sqli',
  cwe: 'CWE-89',
  severity: 'critical',
  score: 90,
  message: 'makes the database read or write a file or reach another machine',
  trigger: sqlTrigger,
  judge: (subject) => strongestCall(subject, outsideClasses, scoreOf),
  examples: [],
  lookalikes: [],
};

function scoreOf(call: Call, tokens: SqlTokens): number {
  const next = skipComments(tokens, call.at + 1);
  if (tokens.kind[next] === sqlToken.dot)
    return hasAny(call.expression, sqlArgument) || call.expression.operands > 0 ? 90 : 60;
  const first = tokens.kind[skipComments(tokens, next + 1)] as number;
  if (isQuote(first) || first === sqlToken.number) return 90;
  return hasAny(call.expression, sqlArgument) ? 90 : 50;
}
