import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A request body with a name, from `bench/data/bodies.json` or `attacks.json`. */
export interface NamedBody {
  readonly name: string;
  readonly expect: 'allow' | 'block';
  /** JSON text, one for each request; several are sent in turn. */
  readonly texts: readonly string[];
  /** Bytes of a text, on average. */
  readonly bytes: number;
  /** Values in the body, where the count matters. */
  readonly fields: number | undefined;
}

/** A pattern that is hard on some reader when it is repeated. */
export interface Adversary {
  readonly name: string;
  readonly repeat: string;
  readonly shape: Shape;
}

/**
 * Where the text stands: in one value, in the values or the names of many members, or in members
 * whose path is as long as all of them together.
 */
type Shape = 'value' | 'members' | 'names' | 'path';

/** What a decoder must make of a text, and what is hard on it. */
export interface DecoderSample {
  readonly encoded: string;
  readonly decoded: string;
  readonly adversarial: string;
}

/** `bench/data`, which the compiler leaves where it is. */
function dataFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('bench/data is missing: run from a whole checkout.');
    folder = parent;
  }
  return join(folder, 'bench', 'data');
}

/** A file of `bench/data`. */
export function readData(name: string): string {
  return readFileSync(join(dataFolder(), name), 'utf8');
}

/** All named bodies; `attacks` holds one request of each attack. */
export function readBodies(): ReadonlyMap<string, NamedBody> {
  const rows = JSON.parse(readData('bodies.json')) as Readonly<Record<string, BodyRow>>;
  const bodies = Object.entries(rows).map(([name, { body, expect, fields }]) =>
    namedBody(name, expect, [JSON.stringify(expand(body))], fields),
  );
  const attacks = JSON.parse(readData('attacks.json')) as readonly BodyRow[];
  const attackTexts = attacks.map(({ body }) => JSON.stringify(body));
  bodies.push(namedBody('attacks', 'block', attackTexts, undefined));
  return new Map(bodies.map((body) => [body.name, body]));
}

interface BodyRow {
  readonly expect: 'allow' | 'block';
  readonly fields?: number;
  readonly body: unknown;
}

function namedBody(
  name: string,
  expect: 'allow' | 'block',
  texts: readonly string[],
  fields: number | undefined,
): NamedBody {
  const total = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return { name, expect, texts, bytes: Math.round(total / texts.length), fields };
}

/** A body by its name. */
export function bodyNamed(bodies: ReadonlyMap<string, NamedBody>, name: string): NamedBody {
  const body = bodies.get(name);
  if (body === undefined) throw new Error(`No body is named ${name}; see bench/data/bodies.json.`);
  return body;
}

/** Hard patterns. */
export function readAdversaries(): readonly Adversary[] {
  const rows = JSON.parse(readData('adversarial.json')) as readonly (Omit<Adversary, 'shape'> & {
    readonly shape?: Shape;
  })[];
  return rows.map(({ name, repeat, shape }) => ({ name, repeat, shape: shape ?? 'value' }));
}

/** A text of a pattern, `length` characters long. */
export function adversarialText(pattern: string, length: number): string {
  return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
}

/**
 * A body whose values are some `length` characters of a pattern: whole repeats, because a text that
 * is cut elsewhere may be another text to the rules, and one length then cannot be held against the
 * next.
 */
export function adversarialBody({ repeat, shape }: Adversary, length: number): string {
  const text = repeat.repeat(Math.round(length / repeat.length));
  switch (shape) {
    case 'value':
      return JSON.stringify({ value: text });
    case 'members':
      return membersOf(text, (piece, index) => `"m${index}":${JSON.stringify(piece)}`);
    case 'names':
      return membersOf(text, (piece, index) => `${JSON.stringify(piece)}:${index}`);
    case 'path': {
      const half = Math.round(text.length / 2);
      const members = membersOf(text.slice(half), (piece, index) => `"m${index}":"${piece}"`);
      return `{"${'a/'.repeat(half / 2)}":${members}}`;
    }
  }
}

/** JSON text, as an object would keep one of each name only. */
function membersOf(text: string, member: (piece: string, index: number) => string): string {
  const members: string[] = [];
  for (let at = 0; at < text.length; at += memberChars) {
    members.push(member(text.slice(at, at + memberChars), members.length));
  }
  return `{${members.join()}}`;
}

const memberChars = 128;

/** A sample for each decoder, by its name. */
export function readDecoderSamples(): Readonly<Record<string, DecoderSample>> {
  return JSON.parse(readData('decoders.json'));
}

/** Hard prose, benign but full of what attacks are made of, repeated to a length. */
export function proseOf(length: number): string {
  prose ??= readData('prose.txt').replaceAll('\n\n', '\n');
  return adversarialText(prose, length);
}

let prose: string | undefined;

/** Plain prose, repeated to a length. */
function plainOf(length: number): string {
  plain ??= readData('plain.txt').replaceAll('\n\n', '\n');
  return adversarialText(plain, length);
}

let plain: string | undefined;

/** Replaces the recipes of a body, such as `$prose` and `$times`. */
function expand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expand);
  if (typeof value !== 'object' || value === null) return value;
  const [entry, ...others] = Object.entries(value);
  if (entry !== undefined && others.length === 0 && entry[0] in recipes) {
    return recipes[entry[0] as keyof typeof recipes](entry[1]);
  }
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, expand(item)]));
}

const recipes = {
  $prose: (length: number) => proseOf(length),
  $plain: (length: number) => plainOf(length),
  $percent: (length: number) =>
    [...Buffer.from(proseOf(length))]
      .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
      .join(''),
  $base64: (length: number) => Buffer.from(proseOf(length)).toString('base64'),
  // Each is another text: what stands in a body again is not screened again.
  $chapters: ([count, length]: readonly [number, number]) =>
    Array.from({ length: count }, (_, index) => `Part ${index + 1}: ${proseOf(length)}`),
  $times: ([count, item]: readonly [number, unknown]) =>
    Array.from({ length: count }, () => expand(item)),
  $deep: ([depth, label]: readonly [number, string]) => {
    let value: unknown = { label };
    // Two levels each: an object and an array.
    for (let level = 1; level < depth; level += 1) value = { label, children: [value] };
    return value;
  },
};
