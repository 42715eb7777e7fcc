import { readExpression, readLead } from '../../grammars/sql/expression.ts';
import { withClauses } from '../../grammars/sql/later-clauses.ts';
import { sql } from '../../grammars/sql/sql.ts';
import {
  isQuote,
  isWordOf,
  type SqlTokens,
  skipComments,
  skipOpening,
  sqlToken,
} from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import { endOfName, isOption, strongCalls } from '../../grammars/sql/statement-parts.ts';
import {
  type Expression,
  endsAsSql,
  hasAny,
  stop,
  trait,
  traitsOf,
} from '../../grammars/sql/traits.ts';
import { classesOf, classSet } from '../../grammars/sql/word-classes.ts';
import { confidence } from '../../placement/confidence.ts';
import { isKeyMember, isNumberMember } from '../../placement/member.ts';
import { isMention } from '../../placement/sql-evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { wordList } from '../../text/words.ts';
import { inMember, type Match, type ValueRule } from '../rule.ts';

/** A number in a member that holds the number of a row, and a condition behind it. */
export const keyExpression: ValueRule = {
  id: 'sqli.key-expression',
  score: confidence.likely,
  message: 'is a condition where the number of a row should stand',
  trigger: { literals: [conditions()], charsMax: 400 },
  judge,
  examples: [
    ...inMember(
      'query.id',
      '/*/*/5--\nOR\nNOT--/*\n/**/id',
      '0 or 1 limit 9',
      '0 or id returning id',
      '3 or id',
      '3 OR NOT 0',
    ),
    ...inMember('query.id', '(3)OR(id)', "3 OR name>''", '5--', '5#', "'5'--", '5/*'),
    ...inMember('query.id', '5-len(pin)', '5-ascii(pg_get_viewdef(5))', '5%len(pin)'),
    ...inMember('query.id', "1-decode(user,'SYS',0,1)", "'x'::regclass", "('{1}'::int[])[1]"),
    ...inMember('query.id', '3 is true or id', '3e0or id', "'3' or id", 'nullif(2,5) or id'),
    ...inMember('query.id', "length('')\nor\nid", '3  or id', '3\ror id', '3 \nregexp id'),
    ...inMember('query.id', '3 rlike id', "''or 1", '{x 1}=1', 'case when 1 then id end'),
    ...inMember('query.id', '1.xor"1"', 'not null or json(1)', 'unixepoch()or 1'),
    { body: { 'body.orderId': '3 or released' } },
    ...[{ body: { 'query.user_id': '3 IS NOT NULL' } }, { body: { 'query.limit': '3<>4' } }],
    { body: { 'query.offset': 'sleep(((CAST(9 AS DECIMAL))))' } },
    ...inMember('body.amount', '5 /*', '5-- -', '5/*a', '(5)--a', '5--a', '5-- e', '(5)#`a'),
    { body: { 'body.amount': "length(convert_from(decode('','hex'),'UTF8'))%9--" } },
    ...inMember('body.amount', '(select distinct 5)/*', '5 --a'),
    { body: { 'body.max': '0 or random()' } },
  ],
  lookalikes: [
    ...inMember('query.id', '3', '3-or-more-ways-to-cook', '3 or-limit-9', 'uuid()', 'uuid(5)'),
    ...inMember('query.id', 'count(5)', 'Product(ID=5)', '5-left(2)', '5---', '12 --no-cache'),
    ...inMember('query.id', '2024-05-07', '5-len-pin', '9f1c-or-2b', '3  of 10', '@ann or @bob'),
    ...inMember('query.id', '{{ a.title }} and {{ b.currency }}', '{3}', 'case-12', '{"id":3}'),
    ...[{ body: { 'query.id': 'null' } }, { body: { 'query.ids': '3,4,5' } }],
    { body: { 'query.page': '5 /* each */' } },
    ...inMember('body.amount', '5--7', '5 -- each', '10 --bulk', '3 or 4'),
    { body: { 'body.number': '12345#' } },
    ...inMember('body.price', '5.--', '5 or best offer'),
    ...[{ body: { 'query.offset': '3 of 10' } }, { body: { 'body.title': '3 or 4' } }],
    ...[{ body: { 'query.path': '5/*' } }, { body: { 'body.grid': '3 and 4' } }],
    ...[{ body: { 'query.q': '1 or 2 bedrooms' } }, { body: { 'query.user_id': '"O\'Neill"' } }],
  ],
};

function judge(subject: Subject): Match | undefined {
  const { text, member } = subject;
  if (!isNumberMember(member)) return undefined;
  const tokens = subject.tokens(sql);
  // `5 or more` is an amount; the number of a row has nothing behind it.
  const isKey = isKeyMember(member);
  const value = text.slice(tokens.start[skipComments(tokens, 0)]);
  if (!mayBegin(value, isKey) && !isComputed(tokens, isKey)) return undefined;
  const expression = withClauses(tokens, readExpression(tokens, 0, stepsMax));
  if (!endsAsSql(expression) || isPlainCall(expression, tokens)) return undefined;
  const { stop: why, end } = expression;
  const isCut = why === stop.comment;
  if (!isCut && why !== stop.end && why !== stop.semicolon) return undefined;
  // `5.--` is also how the Swiss write a price.
  const isPrice = !isKey && text.charCodeAt((tokens.start[end] as number) - 1) === dot;
  const isFound =
    (isKey ? tells(expression, tokens) : asks(expression)) ||
    (isCut && !isPrice && cutsOff(tokens, end));
  return isFound ? { start: 0, end: text.length } : undefined;
}

/** `uuid()`, and not `version()` */
function isPlainCall(expression: Expression, tokens: SqlTokens): boolean {
  return isMention(expression.end, tokens) && !hasAny(expression, trait.infoCall);
}

function isComputed(tokens: SqlTokens, isKey: boolean): boolean {
  return readLead(tokens).isComputed || (isKey && comparesColumn(tokens));
}

function mayBegin(text: string, isKey: boolean): boolean {
  return opening.test(text) || (isKey && sign.test(text));
}

/**
 * `a.b not between 3 and 4`, `id<>(values(1))`: a column, and what compares it with no other word: "what
 * is love" and "cat like dog" have one.
 */
function comparesColumn(tokens: SqlTokens): boolean {
  const { kind, word, gap } = tokens;
  let at = skipOpening(tokens, skipComments(tokens, 0));
  while (kind[at] === sqlToken.operator || isWordOf(tokens, at, sqlWord.prefix)) at++;
  let next = skipComments(tokens, endOfName(tokens, at));
  if (next === at) return false;
  const isSign = kind[next] === sqlToken.operator && !slugSigns.includes(word[next] as number);
  if (isSign || kind[next] === sqlToken.comparison) next++;
  else if (kind[next] !== sqlToken.word || comparing[word[next] as number] !== 1) return false;
  while (kind[next] === sqlToken.word && comparing[word[next] as number] === 1)
    next = skipComments(tokens, next + 1);
  // `why?' and then`
  if (isQuote(kind[next] as number)) return (tokens.jump[next] as number) > next;
  if (kind[next] !== sqlToken.word || isWordOf(tokens, next, sqlWord.constant)) return true;
  return kind[next + 1] === sqlToken.open && gap[next + 1] === 0;
}

/** `+ - /` */
const slugSigns = [43, 45, 47];
const comparing = classSet(classesOf('is not between in like arithmetic quantifier from prefix'));

/** Of a remark in one piece. */
const tailMax = 4;

/** Nothing but the mark of a comment, `--` or `-- -`, or a block comment that does not end. */
function cutsOff(tokens: SqlTokens, at: number): boolean {
  const { text, kind, start, gap, count } = tokens;
  if (kind[at] === sqlToken.lineComment) {
    const behind = count - at - 1;
    const isSaid = kind[at + 1] === sqlToken.word || kind[at + 1] === sqlToken.number;
    if (behind < 2 && (behind === 0 || gap[at + 1] === 1))
      return behind === 0 || !isSaid || gap[at] === 0;
    // `5 --x`, `5--x`, and not `5--7`, `5 --x y` nor `5 --bulk`
    const isNumber = kind[at - 1] === sqlToken.number;
    const isGlued = !isNumber || kind[at + 1] === sqlToken.word;
    const isRemark = gap[at] === 0 ? isGlued : !isOption(tokens, at);
    return isRemark && behind <= tailMax && !gap.subarray(at + 1, count).includes(1);
  }
  return !text.includes('*/', (start[at] as number) + 2);
}

/**
 * The rows that come back depend on a condition or on what the value does not hold itself:
 * `5-len(pin)`. What one function makes of a number, `count(5)`, is a number.
 */
function tells({ end, traits }: Expression, { kind }: SqlTokens): boolean {
  let calls = 0;
  for (let at = 1; at < end; at++) {
    // `'x'::regclass`
    if (kind[at] === sqlToken.cast && (traits & trait.text) !== 0) return true;
    if (kind[at] === sqlToken.open && kind[at - 1] === sqlToken.word) calls++;
  }
  const isNumber = calls < 2 && (traits & ~plain) === 0;
  return !isNumber && (traits & condition) !== 0;
}

/** `0 or random()`: no amount has a condition and a call in it, nor what the server tells of itself. */
function asks({ traits }: Expression): boolean {
  if ((traits & (trait.infoCall | trait.system)) !== 0) return true;
  return (traits & trait.call) !== 0 && (traits & (trait.logical | trait.compare)) !== 0;
}

const plain =
  trait.number | trait.arithmetic | trait.call | trait.textCall | trait.flowCall | trait.cut;
const condition =
  strongCalls | traitsOf('textCall flowCall infoCall logical compare case query system');

/**
 * A number, and a condition or two blanks right behind it: to read each text with a digit and an
 * `or` would cost more than all else.
 */
function conditions(): readonly string[] {
  const signs = wordList('= < > ! - :: * ^ | & / + %');
  const words = wordList('or and is in not like bet xor div mod glob rlike regexp');
  const calls = ['(', 'case', 'null', '}', '@@', ' between', '\nis', 'distinct'];
  const blanks = [' ', '\t', '\n', '\r'];
  const apart = blanks.flatMap((blank) =>
    [...signs, ...words, ...blanks].map((text) => blank + text),
  );
  const glued = ['or', 'and', 'xor', 'is', '#', ...signs];
  const quoted = ['.', "'", '"'].flatMap((last) =>
    ['or', 'xor', 'is', 'and', '=', '<', '>', ...blanks, '--', '#', '/*', '|', '&', '::'].map(
      (text) => last + text,
    ),
  );
  return [...'0123456789)']
    .flatMap((last) => [...apart, ...glued].map((text) => last + text))
    .concat(quoted, calls);
}

const opening = /^[\s(+~'"-]{0,8}\.?\d/;
/** A text, a variable of the server, an escape of ODBC or a constant, which is no number of a row. */
const sign =
  /^[\s(+~!-]{0,8}(?:['"\\?]|@@|\(@|\{(?!\{)|_\w{1,20}\s{0,8}['"0]|[nbx]'|\w{1,40}\s{0,8}\([^()]{0,60}(?:\([^()]{0,40}\)[^()]{0,40}){0,2}\)\s{0,8}[^\s,;)]|(?:null|not|true|false|case|binary)\b)/i;
const dot = 46;
const stepsMax = 100;
