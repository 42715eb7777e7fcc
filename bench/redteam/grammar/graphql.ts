import type { Random } from '../../lib/random.ts';
import type { Grammar } from '../contract.ts';
import { aName, aNumber, aText, type Maker, oneOf } from './words.ts';

/** Attacks on servers of GraphQL: on the schema, on cost, out of an argument. */
export const graphql: Grammar = {
  language: 'graphql',
  attack(random, _oracle, { name }) {
    if (name === 'document') {
      const [kind, make] = random.pick(documents);
      return { kind: `${kind}/document`, values: [make(random)] };
    }
    if (name === 'batch') {
      const [kind, value] = batch(random);
      return { kind: `${kind}/batch`, values: [value] };
    }
    const [kind, make] = random.pick(name.startsWith('mutation') ? changes : fields);
    return { kind: `${kind}/${name}`, values: [outOf(name, make(random), random)] };
  },
};

type Kind = readonly [kind: string, make: Maker];

const alias: Maker = (random) => `${aName(random)}${aNumber(random)}`;

const typeFields: Maker = (random) =>
  random.pick([
    'name',
    'kind name',
    'name fields { name }',
    'name description',
    'inputFields { name }',
  ]);

/** A field of the query that gives what it must not. */
const introspection: Maker = oneOf(
  (random) => `__schema { types { ${typeFields(random)} } }`,
  (random) =>
    `__schema { ${random.pick(['queryType', 'mutationType'])} { ${typeFields(random)} } }`,
  () => '__schema { directives { name args { name } } }',
  (random) =>
    `__type(name: "${random.pick(['User', 'Query', 'Mutation', 'Product'])}") { ${typeFields(random)} }`,
  (random) =>
    `__type(name: "User") { fields { name type { name ofType { ${typeFields(random)} } } } }`,
);

const secretFields: Maker = oneOf(
  () => 'password',
  () => 'name password',
  () => 'token',
  () => 'name password token',
  () => 'reviews { author { password } }',
);

const secret: Maker = oneOf(
  (random) => `users { ${secretFields(random)} }`,
  (random) => `user(name: "${aName(random)}") { ${secretFields(random)} }`,
  (random) => `products { reviews { author { ${secretFields(random)} } } }`,
  (random) => `product(id: ${aNumber(random)}) { reviews { author { ${secretFields(random)} } } }`,
);

/** The same field again and again, by other names. */
const aliases: Maker = (random) => {
  const name = aName(random);
  const field = random.pick(['products { title }', `product(id: ${aNumber(random)}) { title }`]);
  const count = 160 + random.below(80);
  return Array.from({ length: count }, (_, index) => `${name}${index}: ${field}`).join(
    random.pick([' ', '\n', ',']),
  );
};

const guesses: Maker = (random) => {
  const name = aName(random);
  return Array.from({ length: 6 + random.below(40) }, (_, index) => {
    const word = `${aName(random)}${aNumber(random)}`;
    return `${name}${index}: login(name: "admin", password: "${word}")`;
  }).join(random.pick([' ', '\n']));
};

const depth: Maker = (random) => {
  const steps = random.times(9 + random.below(4), () =>
    random.pick(['related', 'related', 'reviews { product']),
  );
  const ends = steps.join('').split('{').length - 1 + steps.length;
  return `products { ${steps.join(' { ')} { title ${'} '.repeat(ends)}}`;
};

const fields: readonly Kind[] = [
  ['introspection', introspection],
  ['secret', secret],
  ['aliases', aliases],
  ['guesses', guesses],
  ['depth', depth],
];

const changes: readonly Kind[] = [
  [
    'change',
    (random) => `${random.pick(['', `${alias(random)}: `])}deleteUser(name: "${aName(random)}")`,
  ],
  ['change, role', (random) => `setRole(name: "${aName(random)}", role: "admin")`],
  [
    'secret',
    (random) => `${alias(random)}: rate(id: 1) { reviews { author { ${secretFields(random)} } } }`,
  ],
];

const operation: Maker = oneOf(
  () => '',
  () => 'query ',
  (random) => `query ${aName(random)} `,
);

const fragments: Maker = (random) => {
  const name = `F${aName(random)}`;
  const field = random.pick([introspection, secret])(random);
  return `${operation(random)}{ ...${name} } fragment ${name} on Query { ${field} }`;
};

const documents: readonly Kind[] = [
  ...fields.map(
    ([kind, make]): Kind => [kind, (random) => `${operation(random)}{ ${make(random)} }`],
  ),
  ['fragment', fragments],
  ['mutation', (random) => `mutation { ${random.pick(changes)[1](random)} }`],
];

function batch(random: Random): [kind: string, value: string] {
  const list = (make: () => string, count: number) =>
    JSON.stringify(Array.from({ length: count }, () => ({ query: make() })));
  return random.pick<() => [string, string]>([
    () => {
      const guess = () =>
        `{ login(name: "admin", password: "${aName(random)}${aNumber(random)}") }`;
      return ['guesses', list(guess, 6 + random.below(40))];
    },
    () => ['pages', list(() => `{ products { title } }`, 60 + random.below(60))],
    () => ['introspection', list(() => `{ ${introspection(random)} }`, 1 + random.below(3))],
    () => ['secret', list(() => `{ ${secret(random)} }`, 1 + random.below(3))],
  ])();
}

/** Ways out of an argument, and in again. */
function outOf(name: string, attack: string, random: Random): string {
  const text = aText(random);
  const number = aNumber(random);
  const again = `${alias(random)}x`;
  switch (name) {
    case 'string argument':
      return `${text}") { title } ${attack} ${again}: search(text: "${aName(random)}`;
    case 'string argument, last':
      return `${text}") { title } ${attack} ${again}: search(text: "`;
    case 'block string':
      return `${text}""") { title } ${attack} ${again}: search(text: """`;
    case 'number argument':
      return random.chance(50)
        ? `${number}) { title } ${attack} ${again}: product(id: ${aNumber(random)}`
        : `${number}) { title } ${attack} } #`;
    case 'enumeration argument':
      return `TITLE) { title } ${attack} ${again}: products(sort: PRICE`;
    case 'field name':
      return `} ${attack} ${again}: product(id: ${number}) { title`;
    case 'name of the operation':
      return random.chance(50)
        ? `${aName(random)} { ${attack} } #`
        : `{ ${attack} ...${again} } fragment ${again} on Query`;
    case 'mutation, string':
      return `${text}") { title } ${attack} ${again}: rate(text: "${aName(random)}`;
    default:
      return `${number}) { title } ${attack} ${again}: rate(id: ${number}`;
  }
}
