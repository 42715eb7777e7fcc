import { readExpression, readLead } from '../../grammars/sql/expression.ts';
import { isAbsolute, isNameGlued } from '../../grammars/sql/expression-places.ts';
import { introducesText } from '../../grammars/sql/expression-words.ts';
import { withClauses, withClosers } from '../../grammars/sql/later-clauses.ts';
import { sql } from '../../grammars/sql/sql.ts';
import {
  isName,
  isQuote,
  isStar,
  isWordOf,
  type SqlTokens,
  skipComments,
  skipOpening,
  sqlToken,
} from '../../grammars/sql/sql-token.ts';
import { sqlWord, wordsOf } from '../../grammars/sql/sql-words.ts';
import { endOfName, isComment, isOption, strongCalls } from '../../grammars/sql/statement-parts.ts';
import {
  type Expression,
  endsAsSql,
  hasAny,
  stop,
  trait,
  traitsOf,
} from '../../grammars/sql/traits.ts';
import { classesOf, classSet } from '../../grammars/sql/word-classes.ts';
import { characterSets, sqlTypes } from '../../knowledge/sql-types.ts';
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
  trigger: { literals: [conditions()], charsMax: 4_000 },
  judge,
  examples: [
    ...inMember('query.id', '(goods.*).id', '(goods)."id"::"int4"', 'binary id'),
    ...inMember('query.id', '/*/*/5--\nOR\nNOT--/*\n/**/id', '5-ascii(pg_get_viewdef(5))', "'5'--"),
    ...inMember('query.id', "1-decode(user,'SYS',0,1)", 'case when 1 then id end', "'x'::regclass"),
    ...inMember('query.id', '0 or id returning id', 'rowid collate nocase', 'not null or json(1)'),
    ...inMember('query.id', "length('')\nor\nid", "('{1}'::int[])[1]", 'nullif(2,5) or id', '5--'),
    ...inMember('query.id', '3 is true or id', 'unixepoch()or 1', '0 or 1 limit 9', "3 OR name>''"),
    ...inMember('query.id', '3 \nregexp id', '3 OR NOT 0', '5-len(pin)', '5%len(pin)', '(3)OR(id)'),
    ...inMember(
      'query.id',
      '3 rlike id',
      '1 || 1',
      "`a`.id<>''",
      "'3' or id",
      '@a<=>null',
      '3e0or id',
      '5#',
    ),
    ...inMember('query.id', '3  or id', '3\ror id', '1.xor"1"', '3 or id', '{x 1}=1', 'id or 0'),
    ...inMember('query.id', "''or 1", '5/*'),
    ...inMember('body.amount', "length(convert_from(decode('','hex'),'UTF8'))%9--", '(5)--a'),
    ...inMember('body.amount', '(select distinct 5)/*', '(~#a\n-6*1);#', '(5)#`a', '5-- -', '5 /*'),
    ...inMember('body.amount', '5-- e', '5 --a', '5/*a', '5--a', '5--;'),
    ...inMember('query.id', '.goods.id|elt(1,1)', '@(goods).id', 'operator(pg_catalog.-)1 is true'),
    ...inMember('query.id', 'id like case when 1 then 1 end', 'price or(1)', '_rowid_', '[a].[id]'),
    ...inMember('query.id', "int'1'is not true", "current_date or not''", "1 or _utf8mb4 x'31'"),
    ...inMember('query.id', 'a.price is not~0', 'price collate rtrim notnull'),
    ...inMember('query.max', '0 or random()', '5/*!or*/price', '0--\nor\n1'),
    ...inMember(
      'query.id',
      '2\nor\n0x1_f',
      'id+(- id)',
      'id or sold::bool is false',
      '0 or id!=9)--',
    ),
    ...inMember('query.id', "id xor _big5'1'", "price||ascii('a')", "id and name like'%a%';#"),
    ...inMember('query.id', 'id<>9', 'goods.price is not 5', 'price or id<>9', "price or bool't'"),
    { body: { 'query.offset': 'sleep(((CAST(9 AS DECIMAL))))' } },
    ...[{ body: { 'query.user_id': '3 IS NOT NULL' } }, { body: { 'query.limit': '3<>4' } }],
    { body: { 'body.orderId': '3 or released' } },
  ],
  lookalikes: [
    ...inMember('query.id', '.goods.id', '@(ann).smith', 'operator(s) 5', 'in case 5', 'rowid'),
    ...inMember('query.id', 'current_user', 'tea or(coffee)', 'id-5', 'price or rating'),
    ...inMember('query.id', 'tea or (coffee)', '[id]', 'what is current', "Ann's [a]"),
    ...inMember('query.id', '(foo).bar', 'binary search', '(see a.id)'),
    ...inMember('query.id', '{{ a.title }} and {{ b.currency }}', '3-or-more-ways-to-cook', '5---'),
    ...inMember('query.id', 'ID or passport', 'Product(ID=5)', '12 --no-cache', '3 or-limit-9'),
    ...inMember('query.id', '@ann or @bob', '2024-05-07', '9f1c-or-2b', '5-left(2)', '5-len-pin'),
    ...inMember('query.id', 'key=value', 'count(5)', '3  of 10', '{"id":3}', 'uuid(5)', 'case-12'),
    ...inMember('query.id', 'id=ge=5', 'uuid()', 'grid&2', 'null', 'id=5', '{3}', 'a>5', '3'),
    ...inMember('body.amount', '5 -- each', '10 --bulk', '3 or 4', '5--7'),
    ...inMember('body.price', '5 or best offer', '5.--'),
    ...[{ body: { 'query.user_id': '"O\'Neill"' } }, { body: { 'query.page': '5 /* each */' } }],
    ...[{ body: { 'query.q': '1 or 2 bedrooms' } }, { body: { 'query.offset': '3 of 10' } }],
    ...[{ body: { 'body.number': '12345#' } }, { body: { 'body.title': '3 or 4' } }],
    ...[{ body: { 'body.grid': '3 and 4' } }, { body: { 'query.ids': '3,4,5' } }],
    { body: { 'query.path': '5/*' } },
  ],
};

function judge(subject: Subject): Match | undefined {
  const { text, member } = subject;
  if (!isNumberMember(member)) return undefined;
  const tokens = subject.tokens(sql);
  // `5 or more` is an amount; the number of a row has nothing behind it.
  const isKey = isKeyMember(member);
  const isColumn = isKey && comparesColumn(tokens);
  if (!isColumn && !mayBegin(tokens, isKey)) return undefined;
  const whole = readExpression(tokens, 0, stepsMax);
  const expression = withClosers(tokens, withClauses(tokens, whole));
  const { stop: why, end } = expression;
  const mayEnd = endsAsSql(expression) && why !== stop.close && why !== stop.clause;
  if (!mayEnd || isPlainCall(expression, tokens)) return undefined;
  // `5;#`
  const cut = why === stop.semicolon ? end + 1 : end;
  const isCut = isComment(tokens, cut);
  // `5.--` is also how the Swiss write a price.
  const isPrice = !isKey && text.charCodeAt((tokens.start[end] as number) - 1) === dot;
  const isAsked = isColumn || (isKey ? tells : asks)(expression, tokens);
  const isFound = isAsked || (isCut && !isPrice && cutsOff(tokens, cut));
  return isFound ? { start: 0, end: text.length } : undefined;
}

/** `uuid()`, and not `version()` */
function isPlainCall(expression: Expression, tokens: SqlTokens): boolean {
  return isMention(expression.end, tokens) && !hasAny(expression, trait.infoCall);
}

/** A number, in quotes, behind signs and comments or computed; where the number of a row stands also another constant. */
function mayBegin(tokens: SqlTokens, isKey: boolean): boolean {
  const { text, kind, start } = tokens;
  const from = skipComments(tokens, 0);
  let at = from;
  while (openings[kind[at] as number] === 1) at = skipComments(tokens, at + 1);
  if (kind[at] === sqlToken.number || readLead(tokens).isComputed) return true;
  if (isKey && isWordOf(tokens, from, sqlWord.niladic)) return tokens.count > from + 1;
  return isKey && sign.test(text.slice(start[from]));
}

const openings = classSet([
  ...[sqlToken.open, sqlToken.operator, sqlToken.single, sqlToken.double],
]);

/**
 * `a.b not between 3 and 4`, `id<>(values(1))`: a column, and what compares it with no other word: "what
 * is love" and "cat like dog" have one. The number of a row, `id`, says more: `id or 0`, `id&1`.
 */
function comparesColumn(tokens: SqlTokens): boolean {
  const { kind, count } = tokens;
  const first = skipOpening(tokens, skipComments(tokens, 0));
  const at = skipSigns(tokens, first);
  const name = kind[at] === sqlToken.variable ? at + 1 : endOfName(tokens, at);
  const next = skipComments(tokens, name);
  if (next === at) return false;
  const isVariable = kind[at] === sqlToken.variable && kind[next] === sqlToken.comparison;
  const isRow = isVariable || isRowColumn(tokens, at, name);
  const isAlone =
    next >= count && (isNamed(tokens, at, name) || (kind[first] === sqlToken.word && at > first));
  if (isRow && (goesOn(tokens, next) || isAlone)) return true;
  return isCompared(tokens, next) || takesField(tokens, next);
}

/** Behind signs, BINARY, and the dot or `@` in front of a name. */
function skipSigns(tokens: SqlTokens, from: number): number {
  const { kind } = tokens;
  let at = from;
  while (
    kind[at] === sqlToken.operator ||
    isWordOf(tokens, at, sqlWord.prefix) ||
    (kind[at] === sqlToken.dot && isNameGlued(tokens, at)) ||
    (kind[at] === sqlToken.variable && isAbsolute(tokens, at + 1))
  )
    at = skipOpening(tokens, skipComments(tokens, at + 1));
  return at;
}

/** `(goods).id`, `(goods.*).id`: a column of a row of PostgreSQL. */
function takesField(tokens: SqlTokens, at: number): boolean {
  const { kind } = tokens;
  const close = skipComments(tokens, isStar(tokens, at) ? at + 1 : at);
  const column = skipComments(tokens, close + 2);
  const isField = kind[close] === sqlToken.close && kind[close + 1] === sqlToken.dot;
  return isField && isRowColumn(tokens, column, endOfName(tokens, column));
}

/** A comparison with a constant, a call or what is in parentheses. */
function isCompared(tokens: SqlTokens, at: number): boolean {
  const { kind, word, gap } = tokens;
  let next = at;
  // `price collate rtrim notnull`
  if (isWordOf(tokens, at, sqlWord.suffix))
    next = skipComments(tokens, endOfName(tokens, skipComments(tokens, at + 1)));
  if (isJoined(tokens, next)) return true;
  if (kind[next] === sqlToken.comparison && !isFilter(tokens, next, false)) next++;
  else if (kind[next] !== sqlToken.word || comparing[word[next] as number] !== 1) return false;
  while (kind[next] === sqlToken.word && comparing[word[next] as number] === 1)
    next = skipComments(tokens, next + 1);
  if (isWordOf(tokens, next - 1, sqlWord.from)) return true;
  // `why?' and then`
  if (isQuote(kind[next] as number)) return (tokens.jump[next] as number) > next;
  if (kind[next] !== sqlToken.word || constants[word[next] as number] === 1) return true;
  return kind[next + 1] === sqlToken.open && gap[next + 1] === 0;
}

/** `price or~0`, `price or(1)`, `price||ascii(1)`: no word behind the connective. */
function isJoined(tokens: SqlTokens, at: number): boolean {
  const { kind, word, gap } = tokens;
  if (kind[at] === sqlToken.pipes || kind[at] === sqlToken.ampersands)
    return kind[at + 1] === sqlToken.number || kind[at + 2] === sqlToken.open;
  if (kind[at] !== sqlToken.word || connecting[word[at] as number] !== 1) return false;
  const next = at + 1;
  if (kind[next] === sqlToken.word && isName(tokens, next)) return isComputed(tokens, next);
  const isGroup = kind[next] === sqlToken.open && kind[at + 2] !== sqlToken.word;
  return (isGroup || kind[next] === sqlToken.operator) && gap[next] === 0;
}

/** `id`, `a.rowid`, `` `user_id` `` */
function isRowColumn({ text, start, end }: SqlTokens, from: number, to: number): boolean {
  return rowColumn.test(text.slice(start[from], end[to - 1]));
}

/** `_rowid_`, `"a"."id"`, `[a].[id]`: no client calls a row so. */
function isNamed({ text, start, end }: SqlTokens, from: number, to: number): boolean {
  return namedColumn.test(text.slice(start[from], end[to - 1]));
}

const namedColumn = /^_rowid_$|["`\]]\s{0,8}\.\s{0,8}["`[]/i;
const rowColumn = /(?:^|[._`"[])(?:id|rowid|oid|ctid)[`"\]_]?$/i;

/** An operator or connective that no slug has, and no plain `id=5` nor "ID or passport". */
function goesOn(tokens: SqlTokens, at: number): boolean {
  const { kind, word } = tokens;
  const type = kind[at] as number;
  const next = skipComments(tokens, at + 1);
  // `id+(5)`
  if (type === sqlToken.operator)
    return !slugSigns.includes(word[at] as number) || kind[at + 1] === sqlToken.open;
  if (type === sqlToken.comparison) return !isFilter(tokens, at, true);
  if (type !== sqlToken.word) return type === sqlToken.pipes || type === sqlToken.ampersands;
  const isValue = kind[next] !== sqlToken.word || !isName(tokens, next) || isComputed(tokens, next);
  return connecting[word[at] as number] === 1 && (isValue || word[at] === sqlWord.suffix);
}

/** `released::bool`, `name like'a'`, `_big5'1'`: more than a word. */
function isComputed(tokens: SqlTokens, at: number): boolean {
  const { kind } = tokens;
  if (isQuote(kind[at + 1] as number)) return introducesText(tokens, at);
  const end = skipComments(tokens, endOfName(tokens, at));
  return kind[end] === sqlToken.cast || isCompared(tokens, end);
}

/** `kind=5`, `size>5`, `id=ge=5`: may be the number itself, or a filter of an interface. */
function isFilter(tokens: SqlTokens, at: number, isRow: boolean): boolean {
  const { text, kind, word, start, count } = tokens;
  const next = skipComments(tokens, at + 1);
  // Interfaces write `!=` and `=ne=`.
  if (text.startsWith('<>', start[at])) return false;
  if (kind[next] === sqlToken.number) return next + 1 >= count;
  const isText = !isRow && isQuote(kind[next] as number);
  return word[at] === equals && (isText || isName(tokens, next));
}

const equals = 61;

/** `+ - /` */
const slugSigns = [43, 45, 47];
const comparing = classSet(classesOf('is not between in like arithmetic quantifier from prefix'));
const connecting = classSet(classesOf('or and xor suffix'));
const constants = classSet(classesOf('constant niladic case'));

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
    const isGlued =
      !isNumber || kind[at + 1] === sqlToken.word || kind[at + 1] === sqlToken.semicolon;
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
function asks({ traits }: Expression, { text }: SqlTokens): boolean {
  if ((traits & (trait.infoCall | trait.system)) !== 0) return true;
  const isCondition = (traits & (trait.logical | trait.compare)) !== 0;
  return isCondition && ((traits & trait.call) !== 0 || comment.test(text));
}

/** `5--\nor\n1`, `5/*!or*\/a`: no amount has a comment between. */
const comment = /\/\*|(?:--|#)[^\r\n]{0,80}[\r\n]/;

const plain =
  trait.number | trait.arithmetic | trait.call | trait.textCall | trait.flowCall | trait.cut;
const condition =
  strongCalls | traitsOf('textCall flowCall infoCall logical compare case query system');

/**
 * A number, and a condition or two blanks right behind it: to read each text with a digit and an
 * `or` would cost more than all else.
 */
function conditions(): readonly string[] {
  const signs = wordList('- :: * / + %');
  const words = wordList('or for and is in not like bet xor div mod glob rlike regexp');
  const calls = ['(', 'case', 'null', '}', '@@', ' between', '\nis', 'distinct', 'binary'];
  const columns = [...'\t\n\r `"]/'].map((next) => `id${next}`);
  const blanks = [' ', '\t', '\n', '\r'];
  const apart = blanks.flatMap((blank) =>
    [...signs, ...words, ...blanks, ...'=<>!|&^~'].map((text) => blank + text),
  );
  const glued = ['or', 'and', 'xor', 'is', '#', ...signs];
  const quoted = ['.', "'", '"'].flatMap((last) =>
    ['or', 'xor', 'is', 'and', ...blanks, '--', '#', '/*', '::'].map((text) => last + text),
  );
  const compared = [...'0123456789dD`"\')]'].flatMap((last) =>
    [...'=<>!|&^~'].map((text) => last + text),
  );
  const behindName = ['is', 'not', 'like', 'glob', 'or', 'and'].flatMap((word) =>
    ['~', '!', '(', '[', "'", '"', ' ~', ' !'].map((text) => word + text),
  );
  const tested = ['is', 'not', 'like', 'glob'].flatMap((word) =>
    [...'0123456789tf'].map((next) => `${word} ${next}`),
  );
  const typed = [...characterSets, ...sqlTypes].map((type) => `${type}'`);
  const names = ['rowid_', '"."', '`.`', '].[', 'notnull', 'isnull', 'collate', 'u&"'];
  return [...'0123456789)']
    .flatMap((last) => [...apart, ...glued].map((text) => last + text))
    .concat(quoted, calls, columns, behindName, tested, typed, names, wordsOf(sqlWord.niladic))
    .concat(['<>', '!=', '<=', ':=', ...compared]);
}

/** A text, a variable of the server, an escape of ODBC or a constant, which is no number of a row. */
const sign =
  /^[\s(+~!-]{0,8}(?:['"\\?]|@@|\(@|\{(?!\{)|_\w{1,20}\s{0,8}['"0]|(?:[nbx]|date|time(?:stamp)?|int(?:eger|\d)?|text|bool(?:ean)?|numeric)\s{0,8}'|\w{1,40}\s{0,8}\([^()]{0,60}(?:\([^()]{0,40}\)[^()]{0,40}){0,2}\)\s{0,8}[^\s,;)]|(?:null|not|true|false|case|binary)\b)/i;
const dot = 46;
const stepsMax = 2_000;
