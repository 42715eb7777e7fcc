import { randomUUID } from 'node:crypto';
import { buildSchema, graphqlSync, SchemaMetaFieldDef, TypeMetaFieldDef } from 'graphql';
import { answerLines, type Victim } from './answer-lines.ts';

const schema = buildSchema(`
  enum Sort { TITLE PRICE }
  type Product { id: Int title: String price: Int related: [Product] reviews: [Review] }
  type Review { text: String author: User product: Product }
  type User { name: String password: String token: String reviews: [Review] }
  type Query {
    products(sort: Sort): [Product]
    product(id: Int): Product
    search(text: String, first: Int): [Product]
    login(name: String, password: String): String
    users: [User]
    user(name: String): User
  }
  type Mutation {
    rate(id: Int, text: String): Product
    deleteUser(name: String): Boolean
    setRole(name: String, role: String): Boolean
  }
`);

const secret = `canary-${randomUUID()}`;
/** A benign page asks for less; a server that lets more pass can be worn out. */
const callsAtMost = 150;
const logInsAtMost = 5;

let calls = 0;
let logIns = 0;
let isReached = false;

/** Counts what a field costs, and ends what costs too much. */
function counted<T>(make: () => T): () => T {
  return () => {
    calls += 1;
    if (calls > 10 * callsAtMost) throw new Error('too much');
    return make();
  };
}

const reach = (): boolean => {
  isReached = true;
  return true;
};

const user: Record<string, unknown> = {
  name: 'alice',
  password: counted(() => secret),
  token: counted(() => secret),
  reviews: counted(() => [review, review]),
};
const review: Record<string, unknown> = {
  text: 'Good tea',
  author: counted(() => user),
  product: counted(() => tea),
};
const tea: Record<string, unknown> = {
  id: 1,
  title: counted(() => 'Tea'),
  price: 4,
  related: counted(() => [tea, tea]),
  reviews: counted(() => [review, review]),
};
const root = {
  products: counted(() => [tea, tea]),
  product: counted(() => tea),
  search: counted(() => [tea]),
  users: counted(() => [user]),
  user: counted(() => user),
  rate: counted(() => tea),
  login: counted(() => {
    logIns += 1;
    return null;
  }),
  deleteUser: reach,
  setRole: reach,
};

for (const field of [SchemaMetaFieldDef, TypeMetaFieldDef]) {
  const { resolve } = field;
  field.resolve = (...values) => {
    isReached = true;
    return resolve?.(...values);
  };
}

/** Whether a document asks for the schema, a secret or too much, or changes what it may not. */
function execute(...sources: readonly string[]): boolean {
  calls = 0;
  logIns = 0;
  isReached = false;
  let failure: unknown;
  let isLeaked = false;
  for (const source of sources) {
    const { data, errors } = graphqlSync({ schema, source, rootValue: root });
    if (data === undefined) failure = errors?.[0];
    isLeaked ||= JSON.stringify(data ?? null).includes(secret);
  }
  if (isReached || isLeaked || calls > callsAtMost || logIns > logInsAtMost) return true;
  if (failure !== undefined) throw failure;
  return false;
}

const victim =
  (write: (text: string) => string): Victim =>
  ([text = '']) =>
    execute(write(text));

answerLines({
  document: victim((text) => text),
  batch: ([text = '']) => {
    const list: { query: string }[] = JSON.parse(text);
    return execute(...list.slice(0, 500).map(({ query }) => query));
  },
  'string argument': victim((text) => `{ search(text: "${text}", first: 5) { title price } }`),
  'string argument, last': victim(
    (text) => `query { search(first: 5, text: "${text}") { title } }`,
  ),
  'block string': victim((text) => `{ search(text: """${text}""") { title } }`),
  'number argument': victim((text) => `{ product(id: ${text}) { title price } }`),
  'enumeration argument': victim((text) => `{ products(sort: ${text}) { title } }`),
  'field name': victim((text) => `{ product(id: 1) { title ${text} } }`),
  'name of the operation': victim((text) => `query ${text} { products { title } }`),
  'mutation, string': victim((text) => `mutation { rate(id: 1, text: "${text}") { title } }`),
  'mutation, number': victim((text) => `mutation Rate { rate(text: "good", id: ${text}) { id } }`),
});
