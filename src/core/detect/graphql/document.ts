import { charClass } from '../../text/char-class.ts';
import { type GraphqlDocument, graphqlGrammar } from '../../tokenise/graphql.ts';
import type { Match, ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';

/**
 * Honest documents stay far below these; https://graphql.org/learn/security/ names the measures.
 */
const depthMax = 12;
const aliasesMax = 40;
const sameAliasesMax = 7;
const operationsMax = 10;
const literalDepthMax = 12;
const directivesMax = 5;
const repeatsMax = 8;

const base = {
  category: 'graphql',
  severity: 'medium',
  trigger: { classes: charClass.brace },
} as const;

function readDocument(subject: Subject): GraphqlDocument | undefined {
  if (subject.where === 'name') return undefined;
  const document = subject.tokens(graphqlGrammar);
  return document.isDocument ? document : undefined;
}

const nestedQuery = (depth: number): string =>
  `{${'a{'.repeat(depth - 1)}id${'}'.repeat(depth - 1)}}`;

/** Asks the server for its schema. */
export const introspection: ValueRule = {
  ...base,
  id: 'graphql.introspection',
  cwe: 'CWE-200',
  score: 80,
  message: 'asks the server for its whole schema',
  trigger: { classes: charClass.brace, literals: [['__schema', '__type', '_service']] },
  examples: [
    '{__schema{types{name}}}',
    '{,__schema,{,types,{,name}}}',
    'query Q { __type(name: "A") { fields { name } } }',
    '{ _service { sdl } }',
  ],
  lookalikes: ['{ me { __typename id } }', 'What does __schema mean?', '{ user { schema type } }'],
  judge(subject): Match | undefined {
    const document = readDocument(subject);
    if (document === undefined) return undefined;
    const service = federation.exec(subject.text);
    if (service !== null) return { start: service.index, end: service.index + service[0].length };
    const at = document.introspectionAt;
    return at < 0 ? undefined : { start: at, end: at + (subject.text[at + 2] === 's' ? 8 : 6) };
  },
};

/** What a gateway of Apollo asks its services for, and nobody else. */
const federation = /\b_service\s{0,4}\{\s{0,4}sdl\b/;

/** Nests selections so deep that resolving them multiplies. */
export const depth: ValueRule = {
  ...base,
  id: 'graphql.depth',
  cwe: 'CWE-674',
  score: 80,
  message: 'nests selections deeper than a benign query does',
  examples: [nestedQuery(20), `query ${nestedQuery(16)}`],
  lookalikes: [nestedQuery(8), 'query { user { posts { edges { node { author { name } } } } } }'],
  judge(subject): Match | undefined {
    const document = readDocument(subject);
    if (document === undefined || document.depth <= depthMax) return undefined;
    return { start: document.deepestAt, end: document.deepestAt + 1 };
  },
};

/** Asks for one thing under very many aliases, or for one field again and again. */
export const flood: ValueRule = {
  ...base,
  id: 'graphql.flood',
  cwe: 'CWE-770',
  score: 75,
  message: 'repeats a field, an alias or a directive to multiply the work of one request',
  examples: [
    `{${Array.from({ length: 30 }, (_, i) => `a${i}:login(pin:${i}){ok}`).join(' ')}}`,
    `{${'__typename '.repeat(40)}}`,
    `{me ${'@include(if:true)'.repeat(12)}{id}}`,
    'fragment F on User { id ...F } query { me { ...F } }',
    `query {${Array.from({ length: 60 }, (_, i) => `c${i}: coupon(code: "${i}")`).join('\n')}}`,
    Array.from({ length: 14 }, (_, i) => `query q${i}{user(id:${i}){email}}`).join(' '),
    `{search(f:${'['.repeat(30)}1${']'.repeat(30)}){id}}`,
    'query { ...A } fragment A on Q { ...B } fragment B on Q { ...A }',
  ],
  lookalikes: [
    '{ small: photo(size: 1) { url } large: photo(size: 2) { url } }',
    '{ a { id __typename } b { id __typename } }',
    'query Q($x: Boolean!) { me @include(if: $x) @connection(key: "a") { id } }',
    'fragment A on Q { ...B } fragment B on Q { id } query { ...A ...B }',
    '{0: {1: {w: 1.0}, 2: {w: 1.0}}, 1: {0: {w: 1.0}}, 2: {1: {w: 2.0}, 0: {w: 1.0}}}',
    '{ color: red; margin: 0; padding: 0 }',
    `{${Array.from({ length: 60 }, (_, i) => `key${i}: value`).join(' ')}}`,
  ],
  judge(subject): Match | undefined {
    const document = readDocument(subject);
    return document === undefined ? undefined : floodIn(document, operation.test(subject.text));
  },
};

/** A page of a hundred thousand items or more. */
const hugePage = /\b(?:first|last|limit|take|pageSize|perPage) ?: ?\d{6,}/;

/** Asks for more items in a page than any page shows. */
export const hugePages: ValueRule = {
  ...base,
  id: 'graphql.page-size',
  cwe: 'CWE-770',
  score: 75,
  message: 'asks for a page of a hundred thousand items or more',
  trigger: { classes: charClass.brace, literals: [['first', 'last', 'limit', 'take', 'page']] },
  examples: ['query{users(first:900000000){id}}', '{ items(limit: 1000000) { id } }'],
  lookalikes: ['{ items(first: 100) { id } }', '{ order(number: 10000007) { total } }'],
  judge(subject): Match | undefined {
    if (readDocument(subject) === undefined) return undefined;
    const found = hugePage.exec(subject.text);
    return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
  },
};

/** What no other notation with braces begins with. */
const operation = /^\s{0,8}(?:query|mutation|subscription)\b/;

function floodIn(document: GraphqlDocument, isOperation: boolean): Match | undefined {
  const { circularSpreadAt, lastDirectiveAt, lastRepeatAt, lastAliasAt } = document;
  if (circularSpreadAt >= 0) return { start: circularSpreadAt, end: circularSpreadAt + 3 };
  if (document.directivesInRow > directivesMax) {
    return { start: lastDirectiveAt, end: lastDirectiveAt + 1 };
  }
  if (document.repeats > repeatsMax) return { start: lastRepeatAt, end: lastRepeatAt + 1 };
  if (document.operations > operationsMax || document.literalDepth > literalDepthMax) {
    return { start: 0, end: 1 };
  }
  const isFlood = document.aliases > aliasesMax || document.sameAliases > sameAliasesMax;
  if (isFlood && (document.depth > 1 || isOperation)) {
    return { start: lastAliasAt, end: lastAliasAt + 1 };
  }
  return undefined;
}
