import fc from 'fast-check';
import { attacks } from '../../property/attacks.ts';
import type { Body } from '../api/api-server.ts';

/** Makes values that fit a schema of the document, or nearly do. */
export class SchemaArbitraries {
  readonly #document: Body;
  /** Ids and names that mean something to the server. */
  readonly known: fc.Arbitrary<string>;

  constructor(document: Body, known: readonly string[]) {
    this.#document = document;
    this.known = fc.constantFrom(...known);
  }

  /** A value that fits. */
  fitting(schema: Body): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined) return this.fitting(this.#resolve(schema.$ref));
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    switch (schema.type) {
      case 'string':
        return this.#text(schema);
      case 'integer':
      case 'number':
        return number(schema);
      case 'boolean':
        return fc.boolean();
      case 'array':
        return this.#list(schema);
      case 'object':
        return this.#object(schema);
      default:
        return fc.jsonValue();
    }
  }

  /** A value that fits but for one thing, or anything at all. */
  spoilt(schema: Body): fc.Arbitrary<unknown> {
    const anything = fc.oneof(fc.jsonValue(), this.text());
    return fc.oneof(
      { arbitrary: anything, weight: 1 },
      {
        arbitrary: fc
          .tuple(this.fitting(schema), fc.nat(), fc.constantFrom(...mutations), anything)
          .map(([value, place, mutate, other]) => spoil(value, place, (one) => mutate(one, other))),
        weight: 3,
      },
    );
  }

  /** Text of any kind, attacks among it. */
  text(): fc.Arbitrary<string> {
    return fc.oneof(
      this.known,
      fc.constantFrom(...attacks, ...awkward),
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.string({ minLength: 1, maxLength: 3 }).map((text) => text.repeat(400)),
    );
  }

  #resolve(pointer: string): Body {
    return pointer
      .split('/')
      .slice(1)
      .reduce((at, name) => at[name], this.#document);
  }

  #text(schema: Body): fc.Arbitrary<string> {
    if (schema.format === 'date-time' || schema.format === 'moment') return moment;
    const { minLength = 0, maxLength = 2_000 } = schema;
    const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
    const fits = (text: string) => {
      const { length } = [...text];
      return length >= minLength && length <= maxLength && (pattern?.test(text) ?? true);
    };
    const fitting = plain.filter(fits);
    const [first] = fitting;
    if (first === undefined) throw new Error(`Add a text that fits ${JSON.stringify(schema)}.`);
    return fc.oneof(
      { arbitrary: this.text().map((text) => (fits(text) ? text : first)), weight: 1 },
      { arbitrary: fc.constantFrom(...fitting), weight: 2 },
    );
  }

  #list(schema: Body): fc.Arbitrary<unknown[]> {
    const { minItems = 0, maxItems = 4 } = schema;
    const bounds = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) };
    const items = this.fitting(schema.items ?? {});
    return schema.uniqueItems === true ? fc.uniqueArray(items, bounds) : fc.array(items, bounds);
  }

  #object(schema: Body): fc.Arbitrary<object> {
    const { properties, required = [], oneOf, additionalProperties } = schema;
    if (properties === undefined) {
      const values = additionalProperties === undefined ? {} : additionalProperties;
      return fc.dictionary(this.text(), this.fitting(values), { maxKeys: 4 });
    }
    const members: Record<string, fc.Arbitrary<unknown>> = {};
    for (const [name, one] of Object.entries(properties)) members[name] = this.fitting(one);
    if (oneOf === undefined) return fc.record(members, { requiredKeys: required });
    // Exactly one of the alternatives, each of which is a member that must be there.
    const chosen: string[] = oneOf.map((one: Body) => one.required[0]);
    return fc.constantFrom(...chosen).chain((choice) => {
      const kept = Object.entries(members).filter(
        ([name]) => name === choice || !chosen.includes(name),
      );
      const requiredKeys = [...required, choice];
      return fc.record(Object.fromEntries(kept), { requiredKeys }) as fc.Arbitrary<object>;
    });
  }
}

/** Passes most patterns and lengths. */
const plain = [
  ...['', 'a name', 'default', 'correct horse battery', 'custom.my-rule', 'sqli.tautology'],
  ...['CWE-89', '/q', 'ada', '/articles/*/html/**', 'https://app.example.com', 'DE', '10.0.0.0/8'],
  'AS13335',
];
const awkward = ['\0', '__proto__', 'constructor', '\u2028', '\ufeff', 'NaN', '-0', '1e400', '%00'];

const moment = fc
  .date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

function number(schema: Body): fc.Arbitrary<number> {
  const min = Math.max(schema.minimum ?? Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER);
  const max = Math.min(schema.maximum ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  return fc
    .oneof(fc.integer({ min, max: Math.min(max, min + 5) }), fc.maxSafeInteger())
    .map((one) => Math.min(Math.max(one, min), max));
}

type Mutation = (value: unknown, other: unknown) => unknown;

const mutations: readonly Mutation[] = [
  (_value, other) => other,
  () => null,
  (value) => [value],
  (value) => JSON.stringify(value),
  (value) => (typeof value === 'number' ? -value - 0.5 : value),
  (value) => (typeof value === 'string' ? value.repeat(50).slice(0, 5_000) : value),
  (value, other) => (isObject(value) ? { ...value, colour: other } : value),
  (value) => (isObject(value) ? Object.fromEntries(Object.entries(value).slice(1)) : value),
  (value, other) =>
    isObject(value) ? JSON.parse(`{"__proto__":${JSON.stringify(other)}}`) : value,
];

/** Changes one of the places of a value. */
function spoil(value: unknown, place: number, mutate: (value: unknown) => unknown): unknown {
  if (!isObject(value) || place % 3 === 0) return mutate(value);
  const entries = Object.entries(value);
  const chosen = entries[Math.floor(place / 3) % entries.length];
  if (chosen === undefined) return mutate(value);
  const [name, inner] = chosen;
  return { ...value, [name]: spoil(inner, Math.floor(place / 9), mutate) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
