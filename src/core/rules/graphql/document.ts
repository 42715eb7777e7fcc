import {
  type GraphqlDocument,
  graphqlGrammar,
  startsDocument,
} from '../../grammars/graphql/graphql.ts';
import { graphqlFragment } from '../../grammars/graphql/graphql-fragment.ts';
import { nameEnd } from '../../grammars/graphql/graphql-lexical.ts';
import { confidence } from '../../placement/confidence.ts';
import { foundBy } from '../../placement/evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, RequestMatch, RequestRule, ValueRule } from '../rule.ts';

/**
 * Benign documents stay far below these; https://graphql.org/learn/security/ names the measures.
 */
const depthMax = 12;
const aliasesMax = 40;
const sameAliasesMax = 7;
const operationsMax = 10;
/** An estimate of what a client keeps in one file; a server validates all, and runs one. */
const namedOperationsMax = 50;
const literalDepthMax = 12;
const directivesMax = 5;
const repeatsMax = 8;

const base = {
  trigger: { isOfValues: true, classes: charClass.brace },
} as const;

function readDocument(subject: Subject): GraphqlDocument | undefined {
  const document = subject.tokens(graphqlGrammar);
  return document.isDocument ? document : undefined;
}

const nestedQuery = (depth: number): string =>
  `{${'a{'.repeat(depth - 1)}id${'}'.repeat(depth - 1)}}`;

const namedQueries = (count: number): string =>
  Array.from(
    { length: count },
    (_, i) => `query Get${i}($n: Int!) { list${i}(first: $n) { id } }`,
  ).join('\n');

/** Asks the server for its schema. */
export const introspection: ValueRule = {
  ...base,
  id: 'graphql.introspection',
  cwe: 'CWE-200',
  score: confidence.strong,
  message: 'asks the server for its whole schema',
  trigger: { ...base.trigger, literals: [['__schema', '__type', '_service']] },
  examples: [
    '{__schema{types{name}}}',
    '{,__schema,{,types,{,name}}}',
    'query Q { __type(name: "A") { fields { name } } }',
    '{ _service { sdl } }',
    'query # {\n{ _service # sdl\n{, sdl } }',
    'query # Q }\n{ # "\n__schema { types { name } } }',
    '{ __type # (\n(name: "A") { name } }',
    '__schema{queryType{name},types{kind,name}}',
  ],
  lookalikes: [
    '{ me { __typename id } }',
    'What does __schema mean?',
    '__schema {',
    '{ user { schema type } }',
  ],
  judge(subject): Match | undefined {
    const document = readDocument(subject);
    if (document === undefined) return foundBy(schemaSelection.exec(subject.text));
    const at = document.introspectionAt;
    return at < 0 ? undefined : { start: at, end: nameEnd(subject.text, at) };
  },
};

/** `__schema{types{name}}`: the selection without its braces, for a page that puts them round it. */
const schemaSelection =
  /^\s{0,8}__(?:schema\s{0,4}\{[\s,]{0,4}(?:types|queryType|mutationType|subscriptionType|directives)|type\s{0,4}\([^)]{1,80}\)\s{0,4}\{[\s,]{0,4}\w)/;

/** Asks for what a server keeps of a person and shows to no user. */
export const secretField: ValueRule = {
  ...base,
  id: 'graphql.secret-field',
  cwe: 'CWE-200',
  severity: 'high',
  score: confidence.likely,
  message: 'asks for the passwords of users, or the tokens of others, as an answer',
  trigger: { ...base.trigger, literals: [['pass', 'pwd', 'token']] },
  examples: [
    '{ users { name password } }',
    'query { user(name: "ann") { password } }',
    '{ a: users(first: 5) { edges { node { b: passwordHash } } } }',
    'query { ...F } fragment F on User { password }',
    '{ posts { author { name token } } }',
    '{ users { name ... @include(if: true) { password } } }',
    '{ users { ... on Person { user { pwd } } } }',
    '{ users # {\n, { , password # }\n } }',
  ],
  lookalikes: [
    'mutation { login(name: "ann", password: "tea") { user { token } } }',
    'mutation { resetPassword(user: { password: "tea" }) { user { id } } }',
    'query { meeting(id: 7) { join_url password } }',
    'query { me { wifi { ssid password } } }',
    'query { me { passwordChangedAt hasPassword } }',
    'const { password } = user; users.map(({ token }) => token)',
    '{"users": {"password": "tea"}}',
    'user { password: tea }',
    '{ user: { password: "tea" } }',
    'users { name password } are the columns',
    'class User { password }',
  ],
  judge(subject): Match | undefined {
    const at = readDocument(subject)?.secretAt ?? -1;
    return at < 0 ? undefined : { start: at, end: nameEnd(subject.text, at) };
  },
};

/** Nests selections so deep that resolving them multiplies. */
export const depth: ValueRule = {
  ...base,
  id: 'graphql.depth',
  cwe: 'CWE-674',
  score: confidence.strong,
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
  score: confidence.likely,
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
    namedQueries(60),
    `{ ${Array.from({ length: 8 }, (_, i) => `a${i}: login(name: "admin", pin: "${i}")`).join(' ')} }`,
  ],
  lookalikes: [
    '{ small: photo(size: 1) { url } large: photo(size: 2) { url } }',
    '{ a { id __typename } b { id __typename } }',
    `query { node { ${Array.from({ length: 50 }, (_, i) => `... on I${i} { __isI${i}: __typename id }`).join(' ')} } }`,
    'query Q($x: Boolean!) { me @include(if: $x) @connection(key: "a") { id } }',
    'fragment A on Q { ...B } fragment B on Q { id } query { ...A ...B }',
    '{0: {1: {w: 1.0}, 2: {w: 1.0}}, 1: {0: {w: 1.0}}, 2: {1: {w: 2.0}, 0: {w: 1.0}}}',
    '{ color: red; margin: 0; padding: 0 }',
    `{ ${Array.from({ length: 40 }, (_, i) => `key${i}: { type: String }, // of ${i}`).join('\n')} }`,
    `{list:[${Array.from({ length: 60 }, (_, i) => `{id:"n${i}",name:"N"}`).join()}]}`,
    `{${Array.from({ length: 60 }, (_, i) => `key${i}: value`).join(' ')}}`,
    namedQueries(30),
  ],
  judge(subject): Match | undefined {
    const document = readDocument(subject);
    return document === undefined ? undefined : floodIn(document, operation.test(subject.text));
  },
};

/** Leaves the argument or the selection that it was put into. */
export const breakOut: ValueRule = {
  ...base,
  id: 'graphql.break-out',
  cwe: 'CWE-74',
  severity: 'high',
  score: confidence.strong,
  message: 'closes an argument or a selection of a GraphQL document and adds fields of its own',
  examples: [
    'tea") { title } users { password } a1x: search(text: "',
    'ASC}]) { title } users { password } a6x: list(by: [{name: ASC',
    '17) { title } deleteUser(name: "ann") a2x: rate(id: 17',
    'title } deleteUsers(names: ["ann"]) { id } a6x: rate(ids: [17',
    'TITLE) { title } __schema { types { name } } } #',
    'tea""") @include(if: true) { title } me { token(kind: API) } a3x: search(text: """',
    'Q7 { __schema { types { name } } } #',
    'price } user(name: "ann") { token } a4x: product(id: 3) { title',
    '17 # of (12)\n) # )\n{ title # }\n} me { token(kind: API) } } #',
    'Q7, # one {\n{ , __schema, { types { name } } } #',
    'price # }\n} user(name: "ann") { token } a4x: product(id: 3) { title',
    '{ me { pin } ...a5x } fragment a5x # }\non Query',
  ],
  lookalikes: [
    'tea) { the green one } and more',
    'if (size > 3) { return } call(name',
    '} else if (x) { y(a: 1) }',
    '.b { color: red } .c { margin: 0 }',
    'see a) and b) { or c }',
    'In {count} of {all, plural, one {# page} other {# pages}}',
    'server { listen 80 } # the first',
    'fun show(title: String) { print(text: title) }',
    '{name} sent a fragment on Monday.',
    'a list: 1) {one} 2) {two} # the rest',
    '} }, additional: false } ], options: [ { checkCase: true } ], messages: {',
    '}, checkNames: { anyOf: [ { type:',
    'Hi {{name}}, order #{{order.id}} ({{total}}) {{#if sent}}is sent{{else}}waits{{/if}}.',
  ],
  judge(subject): Match | undefined {
    const end = subject.text.length;
    const openAt = readDocument(subject)?.openFragmentAt ?? -1;
    if (openAt >= 0) return { start: openAt, end };
    const { closesAt } = subject.tokens(graphqlFragment);
    return closesAt < 0 ? undefined : { start: closesAt, end };
  },
};

/** Asks for more items in a page than any page shows. */
export const hugePages: ValueRule = {
  ...base,
  id: 'graphql.page-size',
  score: confidence.likely,
  message: 'asks for a page of a hundred thousand items or more',
  trigger: { ...base.trigger, literals: [['first', 'last', 'limit', 'take', 'page']] },
  examples: [
    'query{users(first:900000000){id}}',
    '{ items(limit: 1000000) { id } }',
    '{ items(limit # 10\n: , 1000000) { id } }',
  ],
  lookalikes: [
    '{ items(first: 100) { id } }',
    '{ order(number: 10000007) { total } }',
    '{ limit: 1000000 }',
  ],
  judge(subject): Match | undefined {
    const at = readDocument(subject)?.hugePageAt ?? -1;
    return at < 0 ? undefined : { start: at, end: nameEnd(subject.text, at) };
  },
};

/** What no other notation with braces begins with. */
const operation = /^\s{0,8}(?:query|mutation|subscription)\b/;

function floodIn(document: GraphqlDocument, isOperation: boolean): Match | undefined {
  const { circularSpreadAt, lastDirectiveAt, lastRepeatAt, lastAliasAt } = document;
  if (document.foreignSigns > 0) return undefined;
  if (circularSpreadAt >= 0) return { start: circularSpreadAt, end: circularSpreadAt + 3 };
  if (document.directivesInRow > directivesMax) {
    return { start: lastDirectiveAt, end: lastDirectiveAt + 1 };
  }
  if (document.repeats > repeatsMax) return { start: lastRepeatAt, end: lastRepeatAt + 1 };
  const isCrowd =
    document.operations > operationsMax || document.namedOperations > namedOperationsMax;
  if (isCrowd || document.literalDepth > literalDepthMax) {
    return { start: 0, end: 1 };
  }
  if (document.sameCalls > sameAliasesMax) return { start: lastAliasAt, end: lastAliasAt + 1 };
  const isFlood = document.aliases > aliasesMax || document.sameAliases > sameAliasesMax;
  if (isFlood && (document.depth > 1 || isOperation)) {
    return { start: lastAliasAt, end: lastAliasAt + 1 };
  }
  return undefined;
}

/** No user logs in so often at once. */
const guessesMax = 3;
const guessCharsMax = 400;
/** `login(name: "ann", password: "` in a document, or in the JSON text of one. */
const guess =
  /\b(?:log_?in|sign_?in|auth|verify|unlock)\w{0,20}\s{0,4}\([^()]{0,200}\b(?:password|passwd|passcode|pin|otp|code)\s{0,4}:\s{0,4}\\?"/i;
const operationKey = '"query"';

/** Many operations in one JSON array: a way around limits that count requests. */
export const batch: ValueRule = {
  id: 'graphql.batch',
  score: confidence.likely,
  message: 'sends very many operations in one request',
  trigger: { literals: [[operationKey], ['mutation', 'query{', 'query {', '{']] },
  examples: [
    JSON.stringify(Array.from({ length: 25 }, (_, i) => ({ query: `mutation{pay(n:${i}){ok}}` }))),
    JSON.stringify(Array.from({ length: 5 }, (_, i) => ({ query: `{login(pin:"${i}"){ok}}` }))),
  ],
  lookalikes: [
    JSON.stringify([{ query: '{ me { id } }' }, { query: '{ cart { total } }' }]),
    JSON.stringify(Array.from({ length: 25 }, () => ({ query: 'cheap flights' }))),
    JSON.stringify([{ query: '{ login(pin: "1") { ok } }' }, { query: '{ cart { total } }' }]),
    JSON.stringify(Array.from({ length: 5 }, (_, i) => ({ query: `{order(code:"${i}"){id}}` }))),
  ],
  judge(subject): Match | undefined {
    const text = subject.text;
    let operations = 0;
    let guesses = 0;
    for (let at = text.indexOf(operationKey); at >= 0; at = text.indexOf(operationKey, at + 7)) {
      if (!opensOperation.test(text.slice(at + 7, at + 60))) continue;
      operations++;
      if (guess.test(text.slice(at, at + guessCharsMax))) guesses++;
      if (operations > operationsMax || guesses > guessesMax)
        return { start: at, end: at + operationKey.length };
    }
    return undefined;
  },
};

/** The same as items of an array in the body. */
export const batchItems: RequestRule = {
  id: 'graphql.batch-items',
  score: confidence.likely,
  message: 'sends very many operations in one request',
  examples: [
    {
      body: {
        batch: Array.from({ length: 25 }, (_, i) => ({ query: `mutation{pay(n:${i}){ok}}` })),
      },
    },
    {
      body: { batch: Array.from({ length: 5 }, (_, i) => ({ query: `{login(pin:"${i}"){ok}}` })) },
    },
  ],
  lookalikes: [
    { body: { batch: [{ query: '{ me { id } }' }, { query: '{ cart { total } }' }] } },
    { body: { searches: Array.from({ length: 25 }, () => ({ query: 'cheap flights' })) } },
  ],
  judgeRequest(request): RequestMatch | undefined {
    let operations = 0;
    let guesses = 0;
    for (let field = 0; field < request.fields.length; field++) {
      const one = request.fields[field];
      if (one?.where !== 'value' || one.node.key !== 'query') continue;
      if (typeof one.node.parent?.key !== 'number' || !startsDocument(one.text)) continue;
      operations++;
      if (guess.test(one.text.slice(0, guessCharsMax))) guesses++;
      if (operations > operationsMax || guesses > guessesMax)
        return { field, start: 0, end: one.text.length };
    }
    return undefined;
  },
};

const opensOperation = /^\s{0,4}:\s{0,4}"\s{0,4}(?:(?:query|mutation)\b[^"{]{0,30}\{|\{)/;
