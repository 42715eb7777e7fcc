import type { SqlTokens } from '../../tokenise/sql.ts';
import type { ValueRule } from '../rule.ts';
import { endsAsSql, hasAny } from './evidence.ts';
import {
  type Call,
  errorClasses,
  hasArguments,
  sqlArgument,
  strongestCall,
} from './function-call.ts';
import { sqlTrigger } from './trigger.ts';

/** `extractvalue(1,concat(0x7e,version()))`, `updatexml(1,concat(0x5c,(select user())),1)`. */
export const errorBased: ValueRule = {
  id: 'sqli.error-based',
  category: 'sqli',
  cwe: 'CWE-89',
  severity: 'critical',
  score: 92,
  message: 'provokes an error of the database whose text carries data',
  trigger: sqlTrigger,
  judge: (subject) => strongestCall(subject, errorClasses, scoreOf),
  examples: [],
  lookalikes: [],
};

function scoreOf(call: Call, tokens: SqlTokens): number {
  if (!hasArguments(tokens, call.at)) return 0;
  if (hasAny(call.expression, sqlArgument)) return 92;
  return endsAsSql(call.expression) ? 60 : 30;
}
