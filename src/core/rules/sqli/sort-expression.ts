import { readExpression } from '../../grammars/sql/expression.ts';
import { sql } from '../../grammars/sql/sql.ts';
import { type SqlTokens, sqlToken } from '../../grammars/sql/sql-token.ts';
import { type Expression, endsAsSql, hasAny, stop, trait } from '../../grammars/sql/traits.ts';
import { confidence } from '../../placement/confidence.ts';
import { isSortMember } from '../../placement/member.ts';
import type { Subject } from '../../placement/subject.ts';
import type { Match, ValueRule } from '../rule.ts';

/** An expression that the database computes, in a member that names a column to sort by. */
export const sortExpression: ValueRule = {
  id: 'sqli.sort-expression',
  cwe: 'CWE-89',
  severity: 'high',
  score: confidence.likely,
  message: 'is an expression that a database would compute where the name of a column should stand',
  trigger: { literals: [['(', '@@', 'case']] },
  judge,
  examples: [
    { body: { 'query.sort': 'name,db_name()' } },
    { body: { 'query.sort': "case when pin like 'a%' then 1 else 2 end" } },
    { body: { 'query.order': "iif(pin like 'a%',1,2) desc" } },
    { body: { 'query.orderBy': "name,decode(user,'SYS',1,0)" } },
    { body: { 'query.sort_by': 'ascii(substr(pin,1,1))' } },
    { body: { 'query.sort': '1,convert(int,db_name()) desc' } },
    { body: { 'query.sort': '1/(len(pin)-len(name))' } },
  ],
  lookalikes: [
    { body: { 'query.sort': 'name,-price' } },
    { body: { 'query.sort': 'name desc, price asc' } },
    { body: { 'query.sort': 'lower(name)' } },
    { body: { 'query.sort': 'asc(name),desc(price)' } },
    { body: { 'query.sort': 'count(*) desc' } },
    { body: { 'query.sort': 'random()' } },
    { body: { 'body.order': 'Two tins (case of 12)' } },
    { body: { 'query.q': 'name,decode(x,1)' } },
  ],
};

function judge(subject: Subject): Match | undefined {
  const { text, member } = subject;
  if (text.length > sortMax || !isSortMember(member)) return undefined;
  const tokens = subject.tokens(sql);
  let at = 0;
  for (let items = 0; items < itemsMax; items++) {
    const expression = readExpression(tokens, at, stepsMax);
    const isItem = expression.stop === stop.comma || endsAsSql(expression);
    if (!isItem || !expression.whole) return undefined;
    if (isComputed(expression)) return { start: 0, end: text.length };
    at = nextItem(tokens, expression.end);
    if (at < 0) return undefined;
  }
  return undefined;
}

/** `lower(name)` sorts as an interface may offer it; what tells of more than a column is computed. */
function isComputed(expression: Expression): boolean {
  return expression.calls > 1 || hasAny(expression, computed);
}

const computed =
  trait.flowCall |
  trait.case |
  trait.query |
  trait.system |
  trait.infoCall |
  trait.errorCall |
  trait.timeCall |
  trait.outsideCall;

/** Behind a comma that follows, or ASC or DESC and a comma; -1 where none does. */
function nextItem({ kind }: SqlTokens, from: number): number {
  const at = kind[from] === sqlToken.word ? from + 1 : from;
  return kind[at] === sqlToken.comma ? at + 1 : -1;
}

const sortMax = 400;
const itemsMax = 10;
const stepsMax = 100;
