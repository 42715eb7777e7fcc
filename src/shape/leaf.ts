import { compileTester, type Meter, type Tester } from '../core/match/pattern.ts';
import { formats, isKnownFormat } from './formats.ts';
import type { Members } from './reading.ts';

/** A schema of a text, a number or a boolean, of keywords that are checked without Ajv. */
export interface Leaf {
  /** Types by `typeof`; undefined where any will do. */
  readonly types: ReadonlySet<unknown> | undefined;
  readonly isInteger: boolean;
  readonly values: ReadonlySet<unknown> | undefined;
  readonly minLength: number;
  readonly maxLength: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly pattern: Tester | undefined;
  readonly textFormat: ((text: string) => boolean) | undefined;
  readonly numberFormat: ((value: number) => boolean) | undefined;
}

const keywords: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'minLength', 'maxLength', 'minimum', 'maximum', 'pattern'],
  ...['format', 'contentMediaType', 'contentEncoding', 'x-sallyport'],
]);
const scalarTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
};

/** The schema as a leaf; undefined where it says more than a leaf can. */
export function leafOf(schema: Members): Leaf | undefined {
  if (Object.keys(schema).some((keyword) => !keywords.has(keyword))) return undefined;
  const { type, enum: listed, const: single, format, pattern } = schema;
  const types: readonly unknown[] | undefined = type === undefined ? undefined : [type].flat();
  // With both, a number that is no integer is taken as well.
  if (types?.includes('integer') === true && types.includes('number')) return undefined;
  const values = 'const' in schema ? [single] : (listed as readonly unknown[] | undefined);
  if ('const' in schema && listed !== undefined) return undefined;
  if (values?.some((value) => typeof value === 'object' && value !== null)) return undefined;
  const tester = typeof pattern === 'string' ? compileTester(pattern) : undefined;
  if (tester?.kind === 'not-valid') return undefined;
  if (format !== undefined && !isKnownFormat(String(format))) return undefined;
  const known = typeof format === 'string' ? formats[format] : undefined;
  return {
    types: types && new Set(types.map((one) => scalarTypes[String(one)] ?? one)),
    isInteger: types?.includes('integer') === true,
    values: values && new Set(values),
    minLength: numberIn(schema['minLength'], 0),
    maxLength: numberIn(schema['maxLength'], Number.POSITIVE_INFINITY),
    minimum: numberIn(schema['minimum'], Number.NEGATIVE_INFINITY),
    maximum: numberIn(schema['maximum'], Number.POSITIVE_INFINITY),
    pattern: tester?.tester,
    textFormat: known?.type === 'string' ? known.validate : undefined,
    numberFormat: known?.type === 'number' ? known.validate : undefined,
  };
}

function numberIn(value: unknown, other: number): number {
  return typeof value === 'number' ? value : other;
}

/** Whether a value is as a leaf says. */
export function isOfLeaf(leaf: Leaf, value: string | number | boolean, meter: Meter): boolean {
  const { types, values } = leaf;
  if (types !== undefined && !types.has(typeof value)) return false;
  if (values !== undefined && !values.has(value)) return false;
  if (typeof value === 'string') return isTextOf(leaf, value, meter);
  return typeof value === 'boolean' || isNumberOf(leaf, value);
}

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
