import { readExpression } from '../../grammars/sql/expression.ts';
import { isWindow } from '../../grammars/sql/expression-places.ts';
import { sql } from '../../grammars/sql/sql.ts';
import { isWordOf, type SqlTokens, skipComments, sqlToken } from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import { isComment, isOneOf, strongCalls } from '../../grammars/sql/statement-parts.ts';
import { type Expression, endsAsSql, has, hasAny, stop, trait } from '../../grammars/sql/traits.ts';
import { confidence } from '../../placement/confidence.ts';
import {
  isColumnMember,
  isDirectionMember,
  isNameMember,
  isSortMember,
} from '../../placement/member.ts';
import { wordsBehind } from '../../placement/sql-evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { inMember, type Match, type ValueRule } from '../rule.ts';

/** An expression that the database computes, or the end of its statement, where the name of a column or table should stand. */
export const sortExpression: ValueRule = {
  id: 'sqli.sort-expression',
  score: confidence.likely,
  message: 'is an expression that a database would compute where the name of a column should stand',
  trigger: { literals: [['(', '@@', 'case', "'", '--', '#', '/*', '\0']], charsMax: 8_000 },
  judge,
  examples: [
    ...inMember('query.sort', "case when pin like 'a%' then 1 else 2 end", "replace(pin,'47','')"),
    ...inMember('query.sort', '1,convert(int,db_name()) desc', 'if(substr(pin,1,1),1,0)'),
    ...inMember('query.sort', '1/(len(pin)-len(name))', "nullif(pin,'1')", 'name,db_name()'),
    ...inMember('query.sort', 'if(pin-4,1,0)', "pin like '4%'"),
    ...inMember('query.list', 'pin/**/FROM/**/staff--e y', 'goods -- -', "'users'--", 'a\0b'),
    ...inMember('query.dir', 'DESC,count(*)over()', '-uuid_short()'),
    ...inMember('query.field', '-pin from staff group by 1--'),
    { body: { 'query.orderBy': "name,decode(user,'SYS',1,0)" } },
    { body: { 'query.order': "iif(pin like 'a%',1,2) desc" } },
    { body: { 'query.sort_by': 'ascii(substr(pin,1,1))' } },
    { body: { 'query.field': 'password FROM users--x' } },
    ...[{ body: { 'query.column': '"pin"FROM staff --' } }, { body: { 'query.table': 'users--' } }],
  ],
  lookalikes: [
    { body: { order_by: 'area = () => 5' } },
    ...inMember('query.sort', 'if(exists(popularity),popularity,0) desc', 'asc(name),desc(price)'),
    ...inMember('query.sort', 'div(sum(sales),count(orders)) desc', 'round(avg(rating),2) desc'),
    ...inMember('query.sort', "FIELD(status,'open','closed')", 'coalesce(nickname, name)'),
    ...inMember('query.sort', "ifnull(nickname,'') asc", 'length(trim(name)) desc', 'name,-price'),
    ...inMember('query.sort', 'name desc, price asc', 'count(*) desc', 'lower(name)', 'random()'),
    ...inMember('query.order', '@@relevance', 'name=asc'),
    ...inMember('body.order', 'Two tins (case of 12)', "2 of Ann's"),
    ...inMember('query.q', 'name,decode(x,1)', 'users--'),
    ...inMember('query.list', 'button--primary', 'hand over (now)', "Ann's--", 'col--2'),
    ...inMember('query.dir', 'Photos (2020)', 'C:\\case (1)'),
    ...inMember('body.from', 'Letter from Ann -- read it', 'Ann -- Bob'),
    { body: { 'query.from': '2024-05-01--2024-06-01' } },
    { body: { 'query.fields': 'name --all' } },
  ],
};

function judge(subject: Subject): Match | undefined {
  const { text, member } = subject;
  const isDirection = isDirectionMember(member);
  if (!isDirection && !isNameMember(member)) return undefined;
  const tokens = subject.tokens(sql);
  // `DESC,f()`, `,f()`
  const isFound = isDirection
    ? computes(tokens, Math.max(nextItem(tokens, 0), 0), true)
    : isCutOff(tokens) || (isColumnMember(member) && computes(tokens, 0, isSortMember(member)));
  return isFound ? { start: 0, end: text.length } : undefined;
}

/** True when one of the items from a token on is more than a column. */
function computes(tokens: SqlTokens, from: number, isSort: boolean): boolean {
  if (holdsWindow(tokens)) return true;
  let at = from;
  for (let items = 0; at >= 0 && items < itemsMax; items++) {
    const expression = readExpression(tokens, at, stepsMax);
    const isItem = expression.stop === stop.comma || endsAsSql(expression);
    if (!isItem || !expression.whole) return false;
    if (isComputed(expression, at, tokens, isSort)) return true;
    at = nextItem(tokens, expression.end);
  }
  return false;
}

/**
 * `users--`, `'users'--`, `pin FROM staff--x`: names, and dashes behind them; `button--primary` is one
 * name of a style, and a NUL the end of the statement.
 */
function isCutOff(tokens: SqlTokens): boolean {
  return isEnded(tokens.text) || isCommentedOut(tokens);
}

/** Behind an address a NUL cuts off the name of a file. */
function isEnded(text: string): boolean {
  return text.includes('\0') && !text.includes('://');
}

function isCommentedOut(tokens: SqlTokens): boolean {
  const { kind, word, text, start, count } = tokens;
  let isRead = false;
  const first = skipSign(tokens);
  let at = first;
  while (
    nameTokens.has(kind[at] as number) ||
    (isRead && behindTable.includes(kind[at] as number))
  ) {
    isRead ||= kind[at] === sqlToken.word && word[at] === sqlWord.from;
    at = skipComments(tokens, at + 1);
  }
  if (at === first || !isComment(tokens, at)) return false;
  const names = text.slice(0, start[at]);
  // `pin/**/FROM/**/staff--x y`
  if (isRead && names.includes('*/')) return true;
  // `order#` is a name, and `Ann's--` a remark.
  const isOther = !isRead && text.charCodeAt(start[at] as number) !== dash;
  if (isOther || names.split("'").length % 2 === 0) return false;
  const isSaid = wordsBehind(tokens, at) > 0 || kind[at + 1] === sqlToken.number;
  const isRemark = isSaid && (!isRead || wordsBehind(tokens, at) > 1);
  return count - at <= tailMax && !isRemark;
}

/** The name that the value begins with: `-pin from staff--`. */
function skipSign(tokens: SqlTokens): number {
  const at = skipComments(tokens, 0);
  return tokens.kind[at] === sqlToken.operator ? skipComments(tokens, at + 1) : at;
}

const behindTable: readonly number[] = [sqlToken.open, sqlToken.close, sqlToken.number];
const dash = 45;
const tailMax = 3;
const nameTokens: ReadonlySet<number> = new Set([
  ...[sqlToken.word, sqlToken.dot, sqlToken.comma, sqlToken.single, sqlToken.double],
  sqlToken.backtick,
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
function holdsWindow(tokens: SqlTokens): boolean {
  const { kind, count } = tokens;
  for (let at = 0; at < count; at++) {
    if (isWindow(tokens, at)) return true;
    if (kind[at + 1] !== sqlToken.open || kind[at + 2] !== sqlToken.close) continue;
    const isServer =
      isWordOf(tokens, at, sqlWord.infoCall) || isWordOf(tokens, at, sqlWord.niladic);
    if (isServer || isOneOf(tokens, at, ['database', 'schema'])) return true;
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
