import { readExpression } from '../../grammars/sql/expression.ts';
import { isWindow } from '../../grammars/sql/expression-places.ts';
import { sql } from '../../grammars/sql/sql.ts';
import { isWordOf, type SqlTokens, skipComments, sqlToken } from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import { isComment, isOneOf, strongCalls } from '../../grammars/sql/statement-parts.ts';
import { type Expression, endsAsSql, has, hasAny, stop, trait } from '../../grammars/sql/traits.ts';
import { confidence } from '../../placement/confidence.ts';
import { isColumnMember, isNameMember, isSortMember } from '../../placement/member.ts';
import { wordsBehind } from '../../placement/sql-evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { inMember, type Match, type ValueRule } from '../rule.ts';

/** An expression that the database computes, or the end of its statement, where the name of a column or table should stand. */
export const sortExpression: ValueRule = {
  id: 'sqli.sort-expression',
  score: confidence.likely,
  message: 'is an expression that a database would compute where the name of a column should stand',
  trigger: { literals: [['(', '@@', 'case', "'", '--', '#', '/*']], charsMax: 1_000 },
  judge,
  examples: [
    ...inMember('query.sort', 'name,db_name()', "case when pin like 'a%' then 1 else 2 end"),
    ...inMember('query.sort', '1,convert(int,db_name()) desc', '1/(len(pin)-len(name))'),
    ...inMember('query.sort', 'if(pin-4,1,0)', 'if(substr(pin,1,1),1,0)', "nullif(pin,'1')"),
    ...inMember('query.sort', "pin like '4%'", "replace(pin,'47','')"),
    { body: { 'query.order': "iif(pin like 'a%',1,2) desc" } },
    { body: { 'query.orderBy': "name,decode(user,'SYS',1,0)" } },
    { body: { 'query.sort_by': 'ascii(substr(pin,1,1))' } },
    ...[{ body: { 'query.table': 'users--' } }, { body: { 'query.list': 'goods -- -' } }],
    { body: { 'query.field': 'password FROM users--x' } },
    { body: { 'query.column': '"pin"FROM staff --' } },
  ],
  lookalikes: [
    ...inMember('query.sort', 'name,-price', 'name desc, price asc', 'lower(name)'),
    ...inMember('query.sort', 'asc(name),desc(price)', 'count(*) desc', 'random()'),
    ...inMember('query.sort', 'coalesce(nickname, name)', "ifnull(nickname,'') asc"),
    { body: { 'query.sort': 'if(exists(popularity),popularity,0) desc' } },
    ...inMember('query.sort', 'div(sum(sales),count(orders)) desc', 'round(avg(rating),2) desc'),
    ...inMember('query.sort', "FIELD(status,'open','closed')", 'length(trim(name)) desc'),
    ...inMember('query.order', '@@relevance', 'name=asc'),
    ...inMember('body.order', "2 of Ann's", 'Two tins (case of 12)'),
    ...inMember('query.q', 'name,decode(x,1)', 'users--'),
    ...inMember('query.list', 'button--primary', 'col--2'),
    { body: { 'query.fields': 'name --all' } },
    { body: { 'query.from': '2024-05-01--2024-06-01' } },
    ...inMember('body.from', 'Ann -- Bob', 'Letter from Ann -- read it'),
  ],
};

function judge(subject: Subject): Match | undefined {
  const { text, member } = subject;
  if (!isNameMember(member)) return undefined;
  const tokens = subject.tokens(sql);
  if (isCutOff(tokens)) return { start: 0, end: text.length };
  if (!isColumnMember(member)) return undefined;
  const isSort = isSortMember(member);
  let at = 0;
  for (let items = 0; items < itemsMax; items++) {
    const expression = readExpression(tokens, at, stepsMax);
    const isItem = expression.stop === stop.comma || endsAsSql(expression);
    if (!isItem || !expression.whole) return undefined;
    if (isComputed(expression, at, tokens, isSort)) return { start: 0, end: text.length };
    at = nextItem(tokens, expression.end);
    if (at < 0) return undefined;
  }
  return undefined;
}

/** `users--`, `pin FROM staff--x`: names, and dashes behind them; `button--primary` is one name of a style. */
function isCutOff(tokens: SqlTokens): boolean {
  const { kind, word, text, start, count } = tokens;
  let isRead = false;
  let at = skipComments(tokens, 0);
  const first = at;
  while (
    nameTokens.has(kind[at] as number) ||
    (isRead && parentheses.includes(kind[at] as number))
  ) {
    isRead ||= kind[at] === sqlToken.word && word[at] === sqlWord.from;
    at = skipComments(tokens, at + 1);
  }
  if (at === first || !isComment(tokens, at)) return false;
  // `order#` is a name.
  if (!isRead && text.charCodeAt(start[at] as number) !== dash) return false;
  const isSaid = wordsBehind(tokens, at) > 0 || kind[at + 1] === sqlToken.number;
  const isRemark = isSaid && (!isRead || wordsBehind(tokens, at) > 1);
  return count - at <= tailMax && !isRemark;
}

const parentheses: readonly number[] = [sqlToken.open, sqlToken.close];
const dash = 45;
const tailMax = 3;
const nameTokens: ReadonlySet<number> = new Set([
  ...[sqlToken.word, sqlToken.dot, sqlToken.comma, sqlToken.double, sqlToken.backtick],
  ...[sqlToken.bracket, sqlToken.bracketEnd],
]);

/**
 * `lower(name)`, `if(stock,1,0)`, `sum(a)/count(b)` sort by columns, as an interface may offer it. What
 * tests or takes apart what a column holds, or tells of the server, is computed.
 */
function isComputed(
  expression: Expression,
  from: number,
  tokens: SqlTokens,
  isSort: boolean,
): boolean {
  if (holdsWindow(tokens, from, expression.end)) return true;
  // `fields=id,version(major)`: what an interface gives of an object.
  if (!isSort) return hasAny(expression, trait.case | trait.query);
  if (hasAny(expression, computed)) return true;
  if (has(expression, trait.system)) return expression.operands > 1;
  // `pin like '4%'`, `if(pin>4,1,0)`; `sort=name=asc` and `qty=2` are no tests of text.
  const isTested = hasAny(expression, trait.text | trait.flowCall);
  if (isTested && has(expression, trait.compare)) return true;
  return hasAny(expression, trait.text | trait.number) && reads(tokens, from, expression);
}

/** `count(*) over ()`, `database()` */
function holdsWindow(tokens: SqlTokens, from: number, to: number): boolean {
  const { kind } = tokens;
  for (let at = from; at < to; at++) {
    if (isWindow(tokens, at)) return true;
    if (kind[at + 1] !== sqlToken.open || kind[at + 2] !== sqlToken.close) continue;
    if (isWordOf(tokens, at, sqlWord.infoCall) || isOneOf(tokens, at, ['database', 'schema']))
      return true;
  }
  return false;
}

/** `decode(pin,'1',0,1)`, `if(pin-4,1,0)`, `ascii(substr(pin,1,1))`, `1/(len(pin)-4)` */
function reads(tokens: SqlTokens, from: number, { end, traits }: Expression): boolean {
  let calls = 0;
  for (let at = from; at < end - 1; at++) {
    if (tokens.kind[at + 1] !== sqlToken.open) continue;
    if (isOneOf(tokens, at, comparing)) return true;
    if (isOneOf(tokens, at, choosing)) calls += (traits & trait.arithmetic) === 0 ? 1 : 2;
    if (isWordOf(tokens, at, sqlWord.textCall) && !isOneOf(tokens, at, summing)) calls++;
  }
  return calls > 1;
}

/** Functions that compare what they are given, and those that choose by it. */
const comparing = [
  ...['decode', 'nullif', 'strcmp', 'ascii', 'ord', 'unicode', 'replace', 'instr', 'locate'],
  ...['position', 'charindex', 'patindex', 'find_in_set', 'trim', 'ltrim', 'rtrim'],
];
const choosing = ['if', 'iif', 'nvl2', 'choose'];
/** Functions on numbers. */
const summing = ['count', 'sum', 'avg', 'min', 'max', 'round', 'floor', 'ceil', 'ceiling', 'abs'];

const computed = strongCalls | trait.case | trait.query | trait.infoCall;

/** Behind a comma that follows, or ASC or DESC and a comma; -1 where none does. */
function nextItem({ kind }: SqlTokens, from: number): number {
  const at = kind[from] === sqlToken.word ? from + 1 : from;
  return kind[at] === sqlToken.comma ? at + 1 : -1;
}

const itemsMax = 10;
const stepsMax = 100;
