import type { DeclaredRole, Shape } from '../contract/shape.ts';
import type { Meter, Tester } from '../core/match/pattern.ts';
import { formats, isKnownFormat } from './formats.ts';
import { isMembers, type Members } from './reading.ts';
import { referredName } from './references.ts';
import { isShortIdentifier, type RoleBook, type RoleSet } from './roles.ts';

/** A schema of a text, a number or a boolean, of keywords that are checked without Ajv. */
export interface Leaf {
  readonly isText: boolean;
  readonly isNumber: boolean;
  readonly isBoolean: boolean;
  readonly isInteger: boolean;
  readonly values: ReadonlySet<unknown> | undefined;
  readonly minLength: number;
  readonly maxLength: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly pattern: Tester | undefined;
  readonly textFormat: ((text: string) => boolean) | undefined;
  readonly numberFormat: ((value: number) => boolean) | undefined;
  readonly roles: RoleSet;
  /** What makes a text closed that is as declared; undefined where its role has to be asked for. */
  readonly closing: 'listed' | 'identifier' | 'uuid' | undefined;
}

const keywords: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'minLength', 'maxLength', 'minimum', 'maximum', 'pattern'],
  ...['format', 'contentMediaType', 'contentEncoding', 'x-sallyport'],
]);

/** The leaves of a shape. Schemas that are written alike share one, so that few are in use at a time. */
export class LeafBook {
  readonly #schemas: NonNullable<Shape['schemas']>;
  readonly #roles: RoleBook;
  readonly #leaves = new Map<string, Leaf | undefined>();

  constructor({ schemas = {} }: Shape, roles: RoleBook) {
    this.#schemas = schemas;
    this.#roles = roles;
  }

  /** A schema, or what it refers to and nothing beside, as a leaf; undefined where it is none. */
  of(schema: unknown): Leaf | undefined {
    if (!isMembers(schema)) return undefined;
    const name = referredName(schema);
    if (name !== undefined) {
      return Object.keys(schema).length === 1 ? this.of(this.#schemas[name]) : undefined;
    }
    const written = JSON.stringify(schema);
    if (this.#leaves.has(written)) return this.#leaves.get(written);
    const leaf = leafOf(schema, this.#roles);
    this.#leaves.set(written, leaf);
    return leaf;
  }
}

/** The schema as a leaf; undefined where it says more than a leaf can. */
function leafOf(schema: Members, book: RoleBook): Leaf | undefined {
  const { type, format, pattern } = schema;
  const types = type === undefined ? undefined : [type].flat();
  const values = valuesOf(schema);
  if (!isLeaf(schema, types, values)) return undefined;
  const tester = typeof pattern === 'string' ? book.tester(pattern) : undefined;
  if (tester?.kind === 'not-valid') return undefined;
  const known = typeof format === 'string' ? formats[format] : undefined;
  const isOf = (type: string): boolean => types === undefined || types.includes(type);
  return {
    isText: isOf('string'),
    isNumber: isOf('number') || isOf('integer'),
    isBoolean: isOf('boolean'),
    isInteger: types?.includes('integer') === true,
    values: values && new Set(values),
    minLength: numberIn(schema['minLength'], 0),
    maxLength: numberIn(schema['maxLength'], Number.POSITIVE_INFINITY),
    minimum: numberIn(schema['minimum'], Number.NEGATIVE_INFINITY),
    maximum: numberIn(schema['maximum'], Number.POSITIVE_INFINITY),
    pattern: tester?.tester,
    textFormat: known?.type === 'string' ? known.validate : undefined,
    numberFormat: known?.type === 'number' ? known.validate : undefined,
    roles: book.of([schema]),
    closing: values !== undefined ? 'listed' : closingOf(tester?.tester, format),
  };
}

function isLeaf(schema: Members, types?: unknown[], values?: readonly unknown[]): boolean {
  const { format } = schema;
  if (Object.keys(schema).some((keyword) => !keywords.has(keyword))) return false;
  // With both, a number that is no integer is taken as well.
  if (types?.includes('integer') === true && types.includes('number')) return false;
  if ('const' in schema && schema['enum'] !== undefined) return false;
  if (format !== undefined && !isKnownFormat(String(format))) return false;
  return values?.some((value) => typeof value === 'object' && value !== null) !== true;
}

function valuesOf(schema: Members): readonly unknown[] | undefined {
  return 'const' in schema ? [schema['const']] : (schema['enum'] as readonly unknown[] | undefined);
}

function closingOf(tester: Tester | undefined, format: unknown): Leaf['closing'] {
  if (tester?.isIdentifier === true) return 'identifier';
  return format === 'uuid' ? 'uuid' : undefined;
}

function numberIn(value: unknown, other: number): number {
  return typeof value === 'number' ? value : other;
}

/** Whether a value is as a leaf says. */
export function isOfLeaf(leaf: Leaf, value: string | number | boolean, meter: Meter): boolean {
  const { values } = leaf;
  if (values !== undefined && !values.has(value)) return false;
  if (typeof value === 'string') return leaf.isText && isTextOf(leaf, value, meter);
  if (typeof value === 'boolean') return leaf.isBoolean;
  return leaf.isNumber && isNumberOf(leaf, value);
}

/** The same for a value that came as a text, and counts as what it can be read as. */
export function isReadAsLeaf(leaf: Leaf, text: string, meter: Meter): boolean {
  if (leaf.isText) return isOfLeaf(leaf, text, meter);
  if (leaf.isBoolean && (text === 'true' || text === 'false')) {
    return isOfLeaf(leaf, text === 'true', meter);
  }
  // Without a type the text would be one already.
  return leaf.isNumber && text !== '' && isOfLeaf(leaf, Number(text), meter);
}

/** What a text is that is as a leaf says: the same as its roles say, mostly without asking them. */
export function roleInLeaf(
  { closing, isText, roles }: Leaf,
  text: string,
): DeclaredRole | undefined {
  if (isText && closing !== undefined) {
    if (closing === 'listed') return 'closed';
    if (closing === 'identifier' ? isShortIdentifier(text) : text.length === uuidChars) {
      return 'closed';
    }
  }
  return roles.of(text);
}

/** Of those that are accepted, the others begin with `urn:uuid:`. */
const uuidChars = 36;

function isTextOf(leaf: Leaf, text: string, meter: Meter): boolean {
  const { pattern, textFormat } = leaf;
  if (!hasLengthOf(leaf, text)) return false;
  if (pattern !== undefined && !pattern.test(text, meter)) return false;
  return textFormat === undefined || textFormat(text);
}

/** Lengths are in characters, of which one beyond U+FFFF has two units. */
function hasLengthOf({ minLength, maxLength }: Leaf, text: string): boolean {
  const { length } = text;
  if (length <= maxLength && length >= 2 * minLength) return true;
  if (length < minLength || length > 2 * maxLength) return false;
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters >= minLength && characters <= maxLength;
}

function isNumberOf(leaf: Leaf, value: number): boolean {
  if (!Number.isFinite(value) || (leaf.isInteger && value % 1 !== 0)) return false;
  if (value < leaf.minimum || value > leaf.maximum) return false;
  return leaf.numberFormat === undefined || leaf.numberFormat(value);
}
