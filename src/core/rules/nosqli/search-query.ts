import type { Field } from '../../extract/field.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import { wordList } from '../../text/words.ts';
import type { Match, RequestMatch, RequestRule, ValueRule } from '../rule.ts';

/** Solr's local parameters with the name of a query parser. */
const localParameters =
  /\{!(?:(?:join|xmlparser|func|frange|lucene|e?dismax|term|terms|child|parent|graph|collapse|boost|raw|field|prefix|surround|mlt|hash_range)\b|\s{0,4}(?:type|v|df|q\.op)\s?=)/;
/**
 * A closing parenthesis that nothing opened, an operator, and another condition (Lucene query
 * syntax).
 */
const closedCondition =
  /^[^(]{0,200}(?:[*"']\)\s{1,4}(?:OR|AND|NOT)\s{1,4}\(?|\)\s{1,4}(?:OR|AND|NOT)\s{1,4}\()\w{1,40}:/;
/** Reserved resources of CouchDB below a path that climbs or is absolute. */
const couchResource =
  /^(?:(?:\.\.\/|\/){1,4}(?:\w{1,20}\/)?_(?:all_docs|users|all_dbs|config|node|session|replicate)\b|_(?:all_docs|all_dbs)$|_node\/_local\b|_design\/\w{1,40}\/_(?:view|show|list|update|rewrite)\b)/;

/** Query syntax of a search engine or document store in a value. */
export const searchQuery: ValueRule = {
  id: 'nosqli.search-query',
  cwe: 'CWE-943',
  severity: 'high',
  score: confidence.strong,
  message: 'leaves its condition of a search query, or chooses another parser or resource',
  trigger: {
    literals: [
      [
        '{!',
        ...[') or', ') and', ') not', ')  ', ')\t', ')\n', ')\r', ') \t', ') \n'],
        ...wordList('_all_d _design/ _users _config _node _session _replicate'),
      ],
    ],
  },
  examples: [
    '*:* _query_:"{!join from=a to=b fromIndex=c}*:*"',
    '*) OR (_exists_:pin',
    '"x") AND secret:[* TO *]',
    '*)\tOR\n(_exists_:pin',
    '../_users/_all_docs?include_docs=true',
    '_all_docs',
    '_node/_local/_config',
    '_design/people/_view/pins',
    '{! df=pin}a*',
    '{!v=$q2}',
  ],
  lookalikes: [
    '(red OR blue) AND size:L',
    'a) or b) see note: both',
    'status:(open OR closed) AND (title:x)',
    'red) OR title:blue',
    'a)\tor\nb) see (note: both',
    '/my_users/list',
    '_design/logo.svg',
    '{!v.name}',
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    const local = text.includes('{!') ? localParameters.exec(text) : null;
    const closed = closesFirst(text) ? closedCondition.exec(text) : null;
    return foundBy(local ?? couchResource.exec(text) ?? closed);
  },
};

/** The first parenthesis of a text is a closing one: what the pattern finds out by going back. */
function closesFirst(text: string): boolean {
  const close = text.indexOf(')');
  return close >= 0 && text.lastIndexOf('(', close) < 0;
}

/** Members that hand a query of the store itself, with conditions or script, to the server. */
export const rawQuery: RequestRule = {
  id: 'nosqli.raw-query',
  cwe: 'CWE-943',
  severity: 'high',
  score: confidence.likely,
  message: 'sends conditions or a script of a document store as fields',
  examples: [
    { body: { F: { pin: { ComparisonOperator: 'GT', AttributeValueList: [{ S: ' ' }] } } } },
    { body: { F: { pin: { AttributeValueList: [{ S: '*' }], ComparisonOperator: 'GT' } } } },
    { body: { query: { script: { script: { source: 'for (;;) {}' } } } } },
    { body: { update: { $max: { credit: 900 } } } },
    { body: { code: { $type: 2 } } },
    { body: { name: 'x', $set: { isRoot: '1' } } },
  ],
  lookalikes: [
    { body: { script: { source: 'main.js' } } },
    { body: { item: { $type: 'Shop.Models.Item, Shop' } } },
    { body: { comparison: 'GT' } },
    { body: { $token: 'a', $distinct_id: '7', $set: { plan: 'free', city: 'Bonn' } } },
  ],
  judgeRequest(request): RequestMatch | undefined {
    /** What each member compares by, made where one does. */
    let comparisons: Map<unknown, string> | undefined;
    for (let field = 0; field < request.fields.length; field++) {
      const one = request.fields[field];
      if (one === undefined) continue;
      if (one.where === 'name') {
        let isList = false;
        if (comparedBy.includes(one.text)) {
          comparisons ??= new Map();
          const other = comparisons.get(one.node.parent) ?? one.text;
          isList = other !== one.text;
          comparisons.set(one.node.parent, other);
        }
        if (isList || isGrant(one) || isTypeOfNumber(one, request.fields[field + 1])) {
          return { field, start: 0, end: one.text.length };
        }
      } else if (one.node.key === 'source' && one.node.parent?.key === 'script') {
        const script = foundBy(storeScript.exec(one.text));
        if (script !== undefined) return { field, ...script };
      }
    }
    return undefined;
  },
};

/** An update of a document that raises what a user may do. */
function isGrant({ text, node }: Field): boolean {
  const update = node.parent?.key;
  return update === '$max' || update === '$min' || (update === '$set' && privilege.test(text));
}

/** `{"$type":2}`: a value that is text would follow as a field of its own. */
function isTypeOfNumber({ text, node }: Field, next: Field | undefined): boolean {
  return text === '$type' && node.parent !== undefined && next?.node !== node;
}

/** DynamoDB: an operator, and beside it what it compares with. */
const comparedBy: readonly string[] = ['ComparisonOperator', 'AttributeValueList'];

/** Fields that an update must not bring along. */
const privilege =
  /^(?:is_?)?(?:admin|root|superuser|staff)$|^(?:role|roles|permissions|password|balance|credits)$/i;

/** What a script of a search engine may not do. */
const storeScript = /\bjava\.lang\.|\b(?:while|for) ?\(/;
