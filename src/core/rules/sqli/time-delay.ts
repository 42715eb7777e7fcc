import {
  isName,
  isQuote,
  isWordOf,
  type SqlTokens,
  skipComments,
  sqlToken,
} from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import { isWordAt } from '../../grammars/sql/statement-parts.ts';
import { has, hasAny, stop, trait } from '../../grammars/sql/traits.ts';
import { timeTrigger } from '../../grammars/sql/triggers.ts';
import { classesOf } from '../../grammars/sql/word-classes.ts';
import { confidence } from '../../placement/confidence.ts';
import { type Call, hasArguments, isMentioned, strongestCall } from '../../placement/sql-call.ts';
import type { ValueRule } from '../rule.ts';

/** `benchmark(5000000,md5(1))`, `pg_sleep(5)`, `dbms_pipe.receive_message('a',5)`. */
export const timeDelay: ValueRule = {
  id: 'sqli.time-delay',
  severity: 'critical',
  score: confidence.certain,
  message: 'makes the database wait, so that the response time reveals a secret',
  trigger: timeTrigger,
  judge: (subject) => strongestCall(subject, classes, scoreOf),
  examples: [
    ...['We asked for 4 rlike sleep(7) by mistake and then went home.', "'||pg_sleep(5)||'"],
    ...['I want (select(0)from(select(sleep(6)))v) of them, please.', 'select sleep(9)'],
    ...["'||benchmark((5+(2))*1000000,md5(1))||'", "dbms_advisor.create_file('a','b','c')"],
    ...["1=dbms_pipe.receive_message('a',5)", '1 and benchmark(5000000,md5(1))', ')-sleep(9'],
    ...['1 and randomblob(900000000)', "name,dbms_java.runjava('a')"],
  ],
  lookalikes: [
    ...['In Postgres, SELECT pg_sleep(5) is handy to test a timeout.', 'INFO ## Benchmark (+9ms)'],
    ...['When I select sleep (5 min), nothing happens.', 'Things like sleep(5) in tests are slow.'],
    ...["benchmark('sort', () => sort(list))", 'A benchmark(5) runs for a minute.'],
    ...['await sleep(1000); // then go on', 'I like sleep (8 hours), and you?', 'time.sleep(5)'],
    'What does pg_sleep do?',
  ],
};

const classes: ReadonlySet<number> = new Set(classesOf('timeCall sharedTimeCall package'));

function scoreOf(call: Call, tokens: SqlTokens): number {
  if (call.wordClass === sqlWord.package)
    return has(call.expression, trait.call) ? confidence.certain : 0;
  if (!hasArguments(tokens, call.at) || isQuantity(call, tokens)) return 0;
  if (call.wordClass === sqlWord.sharedTimeCall) return scoreShared(call, tokens);
  if (isMember(call, tokens) || isMentioned(call, tokens) || isTold(call, tokens))
    return confidence.hint;
  const isBenchmark = isWordAt(tokens, call.at, 'benchmark');
  return isBenchmark && !countsFirst(call, tokens) ? confidence.trace : confidence.certain;
}

/** `sleep (5 min)`: a number and its unit, which no argument of SQL has. */
function isQuantity({ at }: Call, { text, end }: SqlTokens): boolean {
  const from = end[at] as number;
  return quantity.test(text.slice(from, from + quantityMax));
}

const quantityMax = 30;
const quantity = /^ ?\(\d{1,4} (?!(?:is|not)null)[a-z]{1,12}\)/;

/** `SELECT pg_sleep(5) is handy to test`: words that no clause begins with follow the call. */
function isTold({ at }: Call, { text, end }: SqlTokens): boolean {
  const from = text.slice(end[at] as number, (end[at] as number) + toldMax);
  return told.test(from);
}

const toldMax = 60;
/** Behind a verb of English, which SQL takes for an alias, no word that a query goes on with. */
const told =
  /^\(\d{1,4}\) (?:is|was|takes|makes|waits|runs|does|can|will|works?) (?!(?:null|not|true|false|unknown|distinct|json|document|union|select|from|where|and|or|xor|as|on|join|order|group|having|limit|into|for)\b)[a-z]{2,15} [a-z]{2,15}/;

/** BENCHMARK of MySQL takes a count first; functions of other languages a name or a function. */
function countsFirst(call: Call, tokens: SqlTokens): boolean {
  const first = skipComments(tokens, skipComments(tokens, call.at + 1) + 1);
  const kind = tokens.kind[first];
  // `benchmark(5) runs`: without an expression there is nothing to repeat.
  const isAlone = kind === sqlToken.number && tokens.kind[first + 1] === sqlToken.close;
  if (isAlone) return false;
  const isCount = counts.has(kind as number) || isWordOf(tokens, first, sqlWord.case);
  return isCount && !isSingle(tokens, first);
}

const counts: ReadonlySet<number> = new Set([
  ...[sqlToken.number, sqlToken.variable, sqlToken.open, sqlToken.operator],
]);

/** `benchmark (+9ms)`: the call ends without the expression that is repeated. */
function isSingle({ kind }: SqlTokens, first: number): boolean {
  let depth = 1;
  for (let at = first; at < first + argumentTokens; at++) {
    if (kind[at] === sqlToken.open) depth++;
    else if (kind[at] === sqlToken.comma && depth === 1) return false;
    else if (kind[at] === sqlToken.close && --depth === 0) return true;
  }
  return false;
}

const argumentTokens = 40;

/** SLEEP is a function of many languages: it needs SQL around it. */
function scoreShared(call: Call, tokens: SqlTokens): number {
  const { expression, before } = call;
  if (isMember(call, tokens)) return 0;
  if (isSelected(call, tokens)) return confidence.certain;
  // `) or sleep(5)=`: the value closes a parenthesis that it did not open.
  if (tokens.kind[0] === sqlToken.close && call.at <= 3) return confidence.strong;
  if (isMatched(call, tokens)) return confidence.strong;
  const isCut = expression.stop === stop.comment || has(expression, trait.openText);
  if (isCut && before < 0) return confidence.strong;
  return hasAny(expression, trait.query) ? confidence.strong : 0;
}

/** `(select(sleep(6)))`: right behind SELECT, or within parentheses there. */
function isSelected({ before }: Call, tokens: SqlTokens): boolean {
  let at = before;
  while (at > before - 3 && tokens.kind[at] === sqlToken.open) at--;
  return isWordOf(tokens, at, sqlWord.select);
}

/** `1 rlike sleep(5)`: the result of the wait is compared, which is SQL in a sentence as well. */
function isMatched({ at, before }: Call, tokens: SqlTokens): boolean {
  if (before < 1 || !isWordOf(tokens, before, sqlWord.like)) return false;
  const seconds = skipComments(tokens, skipComments(tokens, at + 1) + 1);
  if (tokens.kind[seconds] !== sqlToken.number) return false;
  const operand = tokens.kind[before - 1] as number;
  return operand === sqlToken.number || operand === sqlToken.close || isQuote(operand);
}

/** `time.sleep(1)`: a method of something else. */
function isMember(call: Call, tokens: SqlTokens): boolean {
  return (
    call.before >= 1 && tokens.kind[call.before] === sqlToken.dot && isName(tokens, call.before - 1)
  );
}
