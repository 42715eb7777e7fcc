import type { Random } from '../lib/random.ts';

const names = ['id', 'name', 'a.b', 'a[0]', '__proto__', 'constructor', '$ref', 'x~/y', '', 'é'];
const types: Choice<unknown> = [
  ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'],
  ['file', 7],
];
const formats: Choice<string> = [
  ['uuid', 'date', 'email', 'uri', 'byte', 'int32', 'password'],
  ['regex', 'none'],
];
const patterns: Choice<string> = [
  ['^[a-z]+$', '(a+)+$', '(a|aa)*b', '^\\w{1,9}$', ''],
  ['^(?=a)b', '\\1', '[', 'x{1000}{1000}'],
];
const references: Choice<unknown> = [
  ['#/components/schemas/A', '#/components/schemas/B'],
  ['#', '#/a/~1', 'http://a/b', '', 1],
];
const roles: Choice<string> = [
  ['prose', 'sql', 'path', 'url', 'secret'],
  ['closed', 'none'],
];
/** What is right, and what is not. */
type Choice<T> = readonly [right: readonly T[], wrong: readonly T[]];

/** Mostly what is right: a document with one fault in it is refused as a whole. */
function chosen<T>(random: Random, [right, wrong]: Choice<T>): T {
  return random.pick(random.chance(wrongPercent) ? wrong : right);
}

const wrongPercent = 2;
const depthMax = 4;

/** A schema as people write them, and as they should not. */
export function randomSchema(random: Random, depth = 0): unknown {
  if (random.chance(2)) return random.pick<unknown>([true, false, {}, true, null, 'text']);
  const count = 1 + random.below(4);
  const schema: Record<string, unknown> = {};
  for (let at = 0; at < count; at++) {
    const [keyword, value] = random.pick(keywords)(random, depth);
    schema[keyword] = random.chance(0.3) ? random.pick<unknown>([null, -1, 'x', [], {}]) : value;
  }
  return schema;
}

type Keyword = (random: Random, depth: number) => readonly [keyword: string, value: unknown];

const inside = (random: Random, depth: number): unknown =>
  depth < depthMax ? randomSchema(random, depth + 1) : { type: chosen(random, types) };
const members = (random: Random, depth: number): Record<string, unknown> =>
  Object.fromEntries(
    random.times(random.below(4), () => [random.pick(names), inside(random, depth)]),
  );
const list = (random: Random, depth: number): unknown[] =>
  random.times(1 + random.below(3), () => inside(random, depth));
const counted = (random: Random): number =>
  chosen(random, [
    [1, 3, 100, 2 ** 53],
    [-1, 1.5, 1e308],
  ]);

const keywords: readonly Keyword[] = [
  ...['properties', 'dependentSchemas', 'patternProperties', '$defs'].map(
    (name): Keyword =>
      (random, depth) => [name, members(random, depth)],
  ),
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'].map(
    (name): Keyword =>
      (random, depth) => [name, list(random, depth)],
  ),
  ...[
    'items',
    'not',
    'if',
    'then',
    'else',
    'contains',
    'additionalProperties',
    'propertyNames',
    'unevaluatedProperties',
    'unevaluatedItems',
  ].map(
    (name): Keyword =>
      (random, depth) => [name, inside(random, depth)],
  ),
  ...[
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minimum',
    'maximum',
    'multipleOf',
    'exclusiveMinimum',
    'minProperties',
    'maxProperties',
  ].map(
    (name): Keyword =>
      (random) => [name, counted(random)],
  ),
  (random) => [
    'type',
    random.chance(80) ? chosen(random, types) : random.times(2, () => chosen(random, types)),
  ],
  (random) => ['type', random.pick(['string', 'object', 'array', 'integer'])],
  (random) => ['format', chosen(random, formats)],
  (random) => ['pattern', chosen(random, patterns)],
  (random) => ['$ref', chosen(random, references)],
  (random) => ['required', random.times(random.below(3), () => random.pick(names))],
  (random) => [
    'enum',
    random.times(random.below(4), () => random.pick<unknown>([1, 'a', null, {}, [1]])),
  ],
  (random) => ['const', random.pick<unknown>([1, 'a', null, { a: 1 }])],
  (random) => ['uniqueItems', random.chance(50)],
  (random) => ['nullable', random.chance(50)],
  (random) => ['x-sallyport', { is: chosen(random, roles) }],
  (random) => ['discriminator', { propertyName: random.pick(names) }],
  (random) => [random.chance(90) ? 'description' : random.pick(names), 'x'],
];

const paths: Choice<string> = [
  ['/a', '/a/{id}', '/a/{id}/{name}.json', '/b/{x}', '/'],
  ['a', '/{', '/a/{id}{b}', '/a//b'],
];
const media: Choice<string> = [
  ['application/json', 'application/x-www-form-urlencoded', '*/*', 'text/plain'],
  ['bad'],
];
const methods = ['get', 'post', 'put', 'delete', 'trace', 'x-other'];

/** An OpenAPI document, mostly of sound parts. */
export function randomDocument(random: Random): unknown {
  const parameter = (): unknown => ({
    name: random.pick(['id', 'name', 'x', 'b', 'q[]', 'X-Tenant']),
    in: chosen(random, [['query', 'path', 'header', 'cookie'], ['body']]),
    required: random.chance(50),
    ...(random.chance(20) ? { explode: false } : {}),
    schema: randomSchema(random, 2),
  });
  const operation = (): unknown => ({
    parameters: random.times(random.below(4), parameter),
    ...(random.chance(60)
      ? {
          requestBody: {
            required: random.chance(50),
            content: Object.fromEntries(
              random.times(1 + random.below(2), () => [
                chosen(random, media),
                { schema: randomSchema(random, 1) },
              ]),
            ),
          },
        }
      : {}),
  });
  const item = (): unknown =>
    Object.fromEntries(
      random.times(1 + random.below(3), () => [random.pick(methods), operation()]),
    );
  return {
    openapi: chosen(random, [
      ['3.0.3', '3.1.0'],
      ['2.0', '4'],
    ]),
    info: { title: 'Fuzz' },
    ...(random.chance(30)
      ? { servers: [{ url: random.pick(['/v1', 'https://a.example/v2']) }] }
      : {}),
    paths: Object.fromEntries(
      random.times(1 + random.below(4), () => [chosen(random, paths), item()]),
    ),
    components: { schemas: { A: randomSchema(random), B: randomSchema(random) } },
  };
}

/** A text with some of its characters changed. */
export function damaged(text: string, random: Random): string {
  const at = random.below(text.length);
  const end = at + random.below(20);
  return (
    text.slice(0, at) +
    random.pick(['', '{', '&a *a', '\n  - ', '!!js ', '"', '\0']) +
    text.slice(end)
  );
}
