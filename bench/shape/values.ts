import type { JsonSchema, Shape } from '../../src/contract/shape.ts';
import type { Random } from '../lib/random.ts';

type Members = Readonly<Record<string, unknown>>;

/** Below this only what is required is made, so that schemas of themselves come to an end. */
const depthMax = 4;

/** Makes values that are as a schema of a shape declares them, from a seed. */
export class Values {
  readonly #schemas: NonNullable<Shape['schemas']>;
  readonly #random: Random;
  /** A text for members of which nothing more is declared. */
  readonly #prose: (random: Random) => string;

  constructor(shape: Shape, random: Random, prose: (random: Random) => string) {
    this.#schemas = shape.schemas ?? {};
    this.#random = random;
    this.#prose = prose;
  }

  of(schema: JsonSchema | undefined, depth = 0): unknown {
    const random = this.#random;
    const all = this.#whole(schema);
    const { const: constant, enum: listed, anyOf, oneOf, format, pattern } = all;
    if (constant !== undefined) return constant;
    if (Array.isArray(listed) && listed.length > 0) return random.pick(listed);
    const alternatives = anyOf ?? oneOf;
    if (Array.isArray(alternatives)) return this.of(random.pick(alternatives), depth);
    const type = typeOf(all);
    if (type === 'integer' || type === 'number') return this.#number(all, type);
    if (type === 'boolean') return random.chance(50);
    if (type === 'null') return null;
    if (type === 'object') return this.#object(all, depth);
    if (type === 'array') return this.#list(all, depth);
    if (typeof pattern === 'string') return textOf(pattern, random);
    const made = formats[String(format)]?.(random) ?? this.#prose(random);
    return fitted(made, numberOf(all['minLength'], 0), numberOf(all['maxLength'], 4_000));
  }

  /** A schema with what it refers to and all that stands beside it. */
  #whole(schema: JsonSchema | undefined): Members {
    if (schema === undefined || typeof schema === 'boolean') return {};
    const { $ref, allOf } = schema;
    const name = typeof $ref === 'string' ? $ref.slice('#/schemas/'.length) : '';
    const parts: readonly Members[] = [
      ...(name === '' ? [] : [this.#whole(this.#schemas[name])]),
      ...(Array.isArray(allOf) ? allOf.map((one: JsonSchema) => this.#whole(one)) : []),
      schema,
    ];
    return Object.assign({}, ...parts, {
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      required: parts.flatMap(({ required }) => listOf(required)),
    });
  }

  #number(schema: Members, type: string): number {
    const low = numberOf(schema['minimum'], numberOf(schema['exclusiveMinimum'], 0) + 1);
    const high = numberOf(schema['maximum'], numberOf(schema['exclusiveMaximum'], low + 1_000) - 1);
    const whole = Math.ceil(low) + this.#random.below(Math.max(1, Math.floor(high - low)));
    return type === 'number' && whole + 0.5 < high ? whole + 0.5 : whole;
  }

  #object(schema: Members, depth: number): Members {
    const { properties, required } = schema;
    const needed = new Set(listOf(required));
    const chosen = Object.entries(Object(properties) as Record<string, JsonSchema>).filter(
      ([name]) => needed.has(name) || (depth < depthMax && this.#random.chance(70)),
    );
    return Object.fromEntries(chosen.map(([name, one]) => [name, this.of(one, depth + 1)]));
  }

  #list({ items, minItems, maxItems }: Members, depth: number): unknown[] {
    const least = Math.max(depth < depthMax ? 1 : 0, numberOf(minItems, 0));
    const most = Math.max(least, Math.min(3, numberOf(maxItems, 3)));
    const count = least + this.#random.below(most - least + 1);
    return this.#random.times(count, () => this.of(items as JsonSchema | undefined, depth + 1));
  }
}

function typeOf(schema: Members): unknown {
  const [type] = [schema['type']].flat().filter((one) => one !== 'null');
  if (type !== undefined) return type;
  if (Object.keys(Object(schema['properties'])).length > 0) return 'object';
  return schema['items'] === undefined ? 'string' : 'array';
}

const numberOf = (value: unknown, other: number): number =>
  typeof value === 'number' ? value : other;
const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);

function fitted(text: string, least: number, most: number): string {
  return text.slice(0, most).toWellFormed().padEnd(least, 'a');
}

const hex = (random: Random, count: number): string =>
  random.times(count, () => random.below(16).toString(16)).join('');
const two = (value: number): string => String(value).padStart(2, '0');
const day = (random: Random): string =>
  `20${two(random.below(40))}-${two(1 + random.below(12))}-${two(1 + random.below(28))}`;

const formats: Readonly<Record<string, (random: Random) => string>> = {
  uuid: (random) =>
    [8, 4, 4, 4, 12]
      .map((count) => hex(random, count))
      .join('-')
      .replace(/-.(?=...-.{12}$)/, '-a'),
  date: day,
  'date-time': (random) =>
    `${day(random)}T${two(random.below(24))}:${two(random.below(60))}:${two(random.below(60))}Z`,
  email: (random) => `${hex(random, 6)}@example.org`,
  uri: (random) => `https://www.example.org/${hex(random, 8)}`,
  byte: (random) => Buffer.from(hex(random, 30)).toString('base64'),
};

/** A text of a pattern of classes and characters, each with a count: `^[A-Z]{3}-[0-9]{4}$`. */
function textOf(pattern: string, random: Random): string {
  const parts = pattern.replace(/^\^/, '').replace(/\$$/, '').matchAll(part);
  return [...parts]
    .map(([, set, one = '', low, high, sign]) => {
      const from = low === undefined ? 1 : Number(low);
      const to = high === undefined ? from + (sign === undefined ? 0 : 5) : Number(high);
      const characters = set === undefined ? [one] : charactersOf(set);
      return random
        .times(from + random.below(to - from + 1), () => random.pick(characters))
        .join('');
    })
    .join('');
}

const part = /(?:\[([^\]]+)\]|\\?(.))(?:\{(\d+)(?:,(\d+))?\}|([+*]))?/g;

function charactersOf(set: string): readonly string[] {
  return [...set.matchAll(/(.)(?:-(.))?/g)].flatMap(([, from = '', to]) => {
    if (to === undefined) return [from];
    const [first, last] = [from.charCodeAt(0), to.charCodeAt(0)];
    return Array.from({ length: last - first + 1 }, (_, at) => String.fromCharCode(first + at));
  });
}
