import {
  isAmbiguous,
  isOperator,
  isPageFilter,
  isSilent,
  isUpdate,
  wordEnd,
} from '../../knowledge/query-operators.ts';
import { confidence } from '../../placement/confidence.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * A member name, or the last segment of one, that is a query operator where a scalar is expected.
 */
export const operatorName: ValueRule = {
  id: 'nosqli.operator-name',
  cwe: 'CWE-943',
  severity: 'high',
  score: confidence.strong,
  message: 'puts a query operator where a plain value is expected',
  trigger: { classes: charClass.dollar },
  examples: [
    { body: { user: 'admin', pass: { $ne: '' } } },
    { body: { 'login[$regex]': '^a' } },
    { body: { 'token.$gt': '' } },
    { body: { $where: 'this.a == this.b' } },
    { body: { filter: '{"secret":{"$exists":true}}' } },
    { body: { filter: 'name[$ne]=x&pin[$gt]=0' } },
    { body: { stages: [{ $match: {} }, { $out: 'people' }] } },
    { body: { 'filters[password][$ne]': 'x' } },
    { body: { $inc: { credit: 900 } } },
    { body: { '$mul[price]': '0' } },
    { body: { '$max[credit]': '900' } },
    { body: { stages: [{ $replaceRoot: { newRoot: '$pin' } }] } },
    { body: { selector: { _id: { $beginsWith: 'a' } } } },
    { body: { owner: { $inQuery: { className: 'People', where: {} } } } },
    { body: { 'filters[$or][0][password][$ne]': 'x' } },
  ],
  lookalikes: [
    { body: { $filter: "Name eq 'Milk'", $top: '10', $orderby: 'Name desc' } },
    { body: { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'x' } },
    { body: { $set: { plan: 'free' }, $os: 'Linux', $browser: 'Firefox' } },
    { body: { 'price[gte]': '10', price$: '12' } },
    { body: { 'schema.$comment': 'Only lower case' } },
    { body: { 'filters[title][$eq]': 'hello', 'filters[author][name][$in][0]': 'Anna' } },
    { body: { 'filters[$or][0][date][$eq]': '2026', 'filters[$or][1][title][$in][0]': 'a' } },
    { body: { $add: { visits: 1 }, $append: { tags: 'a' }, $prepend: { tags: 'b' } } },
    { body: { axis: { $min: 0, $max: 5 } } },
    { body: { note: 'US$in cash, or A$or less' } },
  ],
  judge(subject): Match | undefined {
    if (subject.where !== 'name') return undefined;
    const text = subject.text;
    const dollar = text.lastIndexOf('$');
    const end = wordEnd(text, dollar + 1);
    if (end === dollar + 1 || !isOperator(text.slice(dollar + 1, end))) return undefined;
    if (!startsSegment(text, dollar) || !endsSegment(text, end)) return undefined;
    if (isPageFilter(text, dollar)) return undefined;
    const start = dollar > 0 ? dollar - 1 : dollar;
    const name = text.slice(dollar + 1, end);
    if (!isAmbiguous(name)) return { start, end };
    const isUsed = isUpdate(name) ? dollar > 0 || text[end] === '[' : dollar > 0 && !isSilent(name);
    return { start, end, score: isUsed ? confidence.likely : confidence.trace };
  },
};

function startsSegment(text: string, at: number): boolean {
  return at === 0 || '[.'.includes(text[at - 1] as string) || text.slice(0, at).trim() === '';
}

function endsSegment(text: string, at: number): boolean {
  return at >= text.length || '].[ '.includes(text[at] as string);
}
