import { isName, type SqlTokens, sqlToken } from '../../tokenise/sql.ts';
import { sqlWord } from '../../tokenise/sql-words.ts';
import type { ValueRule } from '../rule.ts';
import { has, hasAny } from './evidence.ts';
import { type Call, hasArguments, strongestCall } from './function-call.ts';
import { stop, trait } from './traits.ts';
import { sqlTrigger } from './trigger.ts';

/** `benchmark(5000000,md5(1))`, `pg_sleep(5)`, `dbms_pipe.receive_message('a',5)`. */
export const timeDelay: ValueRule = {
  id: 'sqli.time-delay',
  category: 'sqli',
  cwe: 'CWE-89',
  severity: 'critical',
  score: 90,
  message: 'makes the database wait, so that the time of the answer tells a secret',
  trigger: sqlTrigger,
  judge: (subject) => strongestCall(subject, classes, scoreOf),
  examples: [],
  lookalikes: [],
};

const classes: ReadonlySet<number> = new Set([
  sqlWord.timeCall,
  sqlWord.sharedTimeCall,
  sqlWord.package,
]);

function scoreOf(call: Call, tokens: SqlTokens): number {
  const { expression } = call;
  if (call.wordClass === sqlWord.package) return has(expression, trait.call) ? 90 : 0;
  if (!hasArguments(tokens, call.at)) return 0;
  if (call.wordClass === sqlWord.timeCall) return isMember(call, tokens) ? 50 : 90;
  return scoreShared(call, tokens);
}

/** SLEEP is a function of many languages: it needs SQL around it. */
function scoreShared(call: Call, tokens: SqlTokens): number {
  const { expression, before } = call;
  if (isMember(call, tokens)) return 0;
  if (
    before >= 0 &&
    tokens.word[before] === sqlWord.select &&
    tokens.kind[before] === sqlToken.word
  )
    return 95;
  const isCut = expression.stop === stop.comment || has(expression, trait.openText);
  if (isCut && before < 0) return 85;
  return hasAny(expression, trait.query) ? 85 : 0;
}

/** `time.sleep(1)`: a method of something else. */
function isMember(call: Call, tokens: SqlTokens): boolean {
  return (
    call.before >= 1 && tokens.kind[call.before] === sqlToken.dot && isName(tokens, call.before - 1)
  );
}
