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
  /** Whether the text stands in many members instead of in one. */
  readonly members: boolean;
}

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

function readData(name: string): string {
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
  const rows = JSON.parse(readData('adversarial.json')) as readonly (Omit<Adversary, 'members'> & {
    readonly members?: boolean;
  })[];
  return rows.map(({ name, repeat, members }) => ({ name, repeat, members: members ?? false }));
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
export function adversarialBody({ repeat, members }: Adversary, length: number): string {
  const text = repeat.repeat(Math.round(length / repeat.length));
  if (!members) return JSON.stringify({ value: text });
  const values: Record<string, string> = {};
  for (let at = 0; at < text.length; at += memberChars) {
    values[`m${at / memberChars}`] = text.slice(at, at + memberChars);
  }
  return JSON.stringify(values);
}

const memberChars = 128;

/** A sample for each decoder, by its name. */
export function readDecoderSamples(): Readonly<Record<string, DecoderSample>> {
  return JSON.parse(readData('decoders.json'));
}

/** Honest prose, repeated to a length. */
export function proseOf(length: number): string {
  prose ??= readData('prose.txt').replaceAll('\n\n', '\n');
  return adversarialText(prose, length);
}

let prose: string | undefined;

/** Replaces the recipes of a body: `$prose`, `$percent`, `$base64`, `$times`, `$deep`. */
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
  $percent: (length: number) =>
    [...Buffer.from(proseOf(length))]
      .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
      .join(''),
  $base64: (length: number) => Buffer.from(proseOf(length)).toString('base64'),
  $times: ([count, item]: readonly [number, unknown]) =>
    Array.from({ length: count }, () => expand(item)),
  $deep: ([depth, label]: readonly [number, string]) => {
    let value: unknown = { label };
    // Two levels each: an object and an array.
    for (let level = 1; level < depth; level += 1) value = { label, children: [value] };
    return value;
  },
};
