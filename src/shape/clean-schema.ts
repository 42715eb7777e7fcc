import { limits } from '../contract/limits.ts';
import { type JsonSchema, statedRoles } from '../contract/shape.ts';
import { compileTester } from '../core/match/pattern.ts';
import { isKnownFormat } from './formats.ts';
import { asJsonSchema } from './openapi-schema.ts';
import {
  below,
  isMembers,
  type Members,
  memberOf,
  type Reading,
  resolve,
  shortText,
} from './reading.ts';

/**
 * A schema as it is stored and compiled: every keyword is one that we know, with a value of the
 * right type, and nothing else of the document is left. What a compiler of schemas sees is ours.
 */
export function cleanSchema(reading: Reading, given: unknown, pointer: string): JsonSchema {
  return clean(reading, given, pointer, 0);
}

/** Reads the schemas that others refer to, until there are no more. */
export function cleanReferred(reading: Reading): void {
  for (let next = reading.waiting.shift(); next !== undefined; next = reading.waiting.shift()) {
    const name = reading.names.get(next) ?? '';
    const found = resolve(reading, `#${next}`);
    if (found.kind === 'fault') reading.problem(next, found.message);
    else reading.schemas[name] = clean(reading, found.value, next, 0);
  }
}

function clean(reading: Reading, given: unknown, pointer: string, depth: number): JsonSchema {
  if (!reading.countSchema(pointer)) return true;
  if (depth > limits.shapeDepthMax) {
    reading.problem(pointer, `is nested deeper than ${limits.shapeDepthMax}; use $ref`);
    return true;
  }
  if (typeof given === 'boolean') return given;
  if (!isMembers(given)) {
    reading.problem(pointer, 'must be a schema: an object, true or false');
    return true;
  }
  const schema = reading.dialect === 'openapi-3.0' ? asJsonSchema(given) : given;
  const made: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    const at = below(pointer, keyword);
    const known = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
    if (known !== undefined) {
      const done = known({ reading, value, at, schema, depth });
      if (done !== undefined) made[keyword] = done;
    } else if (unsupported.has(keyword)) {
      reading.cannot(at, 'is not supported; use $ref within the document');
    } else if (!isAnnotation(keyword)) {
      reading.cannot(at, 'is no keyword of JSON Schema 2020-12; remove it');
    }
  }
  for (const [keyword, others] of partners) {
    if (!others.some((other) => Object.hasOwn(made, other))) delete made[keyword];
  }
  return made;
}

/** Keywords that say something beside one of others only (JSON Schema 2020-12, 10.2.2, 10.3.1.3). */
const partners: readonly (readonly [keyword: string, others: readonly string[]])[] = [
  ['then', ['if']],
  ['else', ['if']],
  ['if', ['then', 'else']],
  ['minContains', ['contains']],
  ['maxContains', ['contains']],
];

/** What says nothing about what may come in. */
const annotations: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'example', 'examples', 'deprecated', 'readOnly'],
  ...['writeOnly', '$comment', 'externalDocs', 'xml', 'discriminator', '$schema', '$id', '$defs'],
  ...['definitions', 'contentSchema', 'nullable'],
]);
const isAnnotation = (keyword: string): boolean =>
  annotations.has(keyword) || keyword.startsWith('x-');

const unsupported: ReadonlySet<string> = new Set([
  ...['$anchor', '$dynamicRef', '$dynamicAnchor', '$recursiveRef', '$recursiveAnchor'],
  ...['$vocabulary', 'dependencies', 'additionalItems', 'id'],
]);

interface Keyword {
  readonly reading: Reading;
  readonly value: unknown;
  readonly at: string;
  readonly schema: Members;
  readonly depth: number;
}

type Cleaner = (keyword: Keyword) => unknown;

const one: Cleaner = ({ reading, value, at, depth }) => clean(reading, value, at, depth + 1);

const list: Cleaner = (keyword) => {
  const { reading, value, at } = keyword;
  if (!Array.isArray(value) || value.length === 0) {
    return wrong(reading, at, 'must be a list of schemas');
  }
  return value.map((item: unknown, index) =>
    one({ ...keyword, value: item, at: below(at, index) }),
  );
};

function mapOf(checkName?: (keyword: Keyword, name: string) => boolean): Cleaner {
  return (keyword) => {
    const { reading, value, at } = keyword;
    if (!isMembers(value)) return wrong(reading, at, 'must be an object');
    const entries = Object.entries(value).filter(
      ([name]) => checkName?.({ ...keyword, at: below(at, name) }, name) !== false,
    );
    return Object.fromEntries(
      entries.map(([name, item]) => [name, one({ ...keyword, value: item, at: below(at, name) })]),
    );
  };
}

function wrong(reading: Reading, at: string, message: string): undefined {
  reading.problem(at, message);
  return undefined;
}

const count: Cleaner = ({ reading, value, at }) =>
  Number.isSafeInteger(value) && Number(value) >= 0
    ? value
    : wrong(reading, at, 'must be a whole number from 0');
const number: Cleaner = ({ reading, value, at }) =>
  Number.isFinite(value) ? value : wrong(reading, at, 'must be a number');
const positive: Cleaner = ({ reading, value, at }) =>
  Number.isFinite(value) && Number(value) > 0
    ? value
    : wrong(reading, at, 'must be a number above 0');
const names: Cleaner = ({ reading, value, at }) =>
  isNames(value) ? [...new Set(value)] : wrong(reading, at, 'must be a list of names');

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

const pattern: Cleaner = ({ reading, value, at }) => {
  if (typeof value !== 'string') return wrong(reading, at, 'must be a text');
  const outcome = compileTester(value);
  if (outcome.kind === 'tester') return value;
  reading.cannot(at, `cannot be run in linear time: ${outcome.reason}`);
  return undefined;
};

const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];

const keywords: Readonly<Record<string, Cleaner>> = {
  $ref: ({ reading, value, at }) => {
    const found = resolve(reading, value);
    if (found.kind === 'fault') return wrong(reading, at, found.message);
    return `#/schemas/${reading.nameOf(found.pointer)}`;
  },
  type: ({ reading, value, at }) => {
    const given: readonly unknown[] = Array.isArray(value) ? value : [value];
    const isKnown = given.length > 0 && given.every((one) => types.some((type) => type === one));
    if (!isKnown) return wrong(reading, at, `must be one of ${types.join(', ')}`);
    const all = [...new Set(given)];
    return all.length === 1 ? all[0] : all;
  },
  enum: ({ reading, value, at }) => {
    if (!Array.isArray(value) || value.length === 0) {
      return wrong(reading, at, 'must be a list of values');
    }
    if (value.length <= limits.shapeEnumMax) return value;
    return wrong(reading, at, `must have at most ${limits.shapeEnumMax} values; use a pattern`);
  },
  const: ({ value }) => value,
  multipleOf: positive,
  maximum: number,
  minimum: number,
  exclusiveMaximum: number,
  exclusiveMinimum: number,
  maxLength: count,
  minLength: count,
  pattern,
  format: ({ reading, value, at }) => {
    if (typeof value !== 'string') return wrong(reading, at, 'must be a text');
    if (isKnownFormat(value)) return value;
    reading.note(at, `${shortText(value)} is a format that is not checked`);
    return undefined;
  },
  maxItems: count,
  minItems: count,
  uniqueItems: ({ reading, value, at }) =>
    typeof value === 'boolean' ? value : wrong(reading, at, 'must be true or false'),
  contains: one,
  maxContains: count,
  minContains: count,
  maxProperties: count,
  minProperties: count,
  required: (keyword) => {
    const given = names(keyword);
    if (!Array.isArray(given)) return undefined;
    // What only answers have is not required of requests (OpenAPI 3.0, `readOnly`).
    const asked = given.filter((name: string) => !isReadOnly(keyword, name));
    return asked.length === 0 ? undefined : asked;
  },
  dependentRequired: ({ reading, value, at }) =>
    isMembers(value) && Object.values(value).every(isNames)
      ? { ...value }
      : wrong(reading, at, 'must be an object of lists of names'),
  properties: mapOf(),
  patternProperties: mapOf(
    ({ reading, at, schema, depth }, name) =>
      pattern({ reading, value: name, at, schema, depth }) !== undefined,
  ),
  additionalProperties: one,
  unevaluatedProperties: one,
  propertyNames: one,
  dependentSchemas: mapOf(),
  items: (keyword) =>
    Array.isArray(keyword.value)
      ? wrong(keyword.reading, keyword.at, 'must be one schema; name those of a tuple prefixItems')
      : one(keyword),
  prefixItems: list,
  unevaluatedItems: one,
  allOf: list,
  anyOf: list,
  oneOf: list,
  not: one,
  if: one,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: one,
  else: one,
  contentEncoding: ({ reading, value, at }) =>
    typeof value === 'string' ? value.slice(0, 60) : wrong(reading, at, 'must be a text'),
  contentMediaType: ({ reading, value, at }) =>
    typeof value === 'string' ? value.slice(0, 100) : wrong(reading, at, 'must be a text'),
  'x-sallyport': ({ reading, value, at }) => {
    const is = memberOf(value, 'is');
    if (statedRoles.some((role) => role === is)) return { is };
    return wrong(reading, at, `must be {"is": …} with one of ${statedRoles.join(', ')}`);
  },
};

function isReadOnly({ reading, schema }: Keyword, name: string): boolean {
  const property = memberOf(schema['properties'], name);
  if (memberOf(property, 'readOnly') === true) return true;
  const reference = memberOf(property, '$ref');
  if (reference === undefined) return false;
  const found = resolve(reading, reference);
  return found.kind === 'found' && memberOf(found.value, 'readOnly') === true;
}
