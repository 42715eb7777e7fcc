import type { JsonSchema } from '../../contract/shape.ts';
import { type Kind, kinds, type TextSummary, type ValueSummary } from './summary.ts';
import { bucketEnd, charClasses, type TextFormat, textFormats } from './text-facts.ts';

/** How often something is seen before it becomes a constraint. */
export const enough = {
  /** Requests of a route. */
  route: 20,
  /** Values of a field: its type, its format, its length. */
  field: 50,
  /** Objects: which members are always there, and that there are no others. */
  required: 100,
  closed: 200,
  /** Values of a field with few values, and each of them. */
  values: 100,
  eachValue: 10,
  /** Texts of an identifier: its alphabet is only known from many. */
  alphabet: 100,
} as const;

/** A schema of one field, in words, and what speaks for it. */
export interface FieldProposal {
  readonly schema: JsonSchema;
  readonly constraint: string;
  readonly evidence: string;
  readonly isClosed: boolean;
}

const number = new Intl.NumberFormat('en-US');

export const times = (count: number): string =>
  count === 1 ? 'once' : `${number.format(count)} times`;

/** What is proposed for values that are no list and no object; undefined where nothing is. */
export function scalarSchema(
  summary: ValueSummary,
  { name, isTextual }: { readonly name: string; readonly isTextual: boolean },
): FieldProposal | undefined {
  const found = kindsIn(summary);
  const known = found.filter((kind) => kind !== 'null' && kind !== 'unknown');
  const total = summary.count;
  if (total < enough.field || known.length === 0) return undefined;
  const orNull = found.length > known.length;
  const seen = `seen ${times(total)}`;
  if (summary.isSecret === true) return secret(known, orNull, seen);
  if (known.length === 1 && known[0] === 'text' && summary.text !== undefined) {
    return withNull(textSchema(summary.text, { name, isTextual }), orNull, seen);
  }
  if (known.every((kind) => kind === 'integer' || kind === 'number')) {
    const type = known.includes('number') ? 'number' : 'integer';
    const range = summary.number === undefined ? {} : rangeOf(summary.number);
    const was =
      summary.number === undefined ? '' : `, from ${summary.number.min} to ${summary.number.max}`;
    const words = `${type}${rangeWords(range)}`;
    const made = { schema: { type, ...range }, constraint: words, isClosed: true };
    return withNull({ ...made, evidence: `always a number${was}` }, orNull, seen);
  }
  const types = [...new Set(known.map((kind) => typeNames[kind]))];
  const schema = { type: types.length === 1 ? types[0] : types };
  const words = types.join(' or ');
  const isClosed = words === 'boolean';
  return withNull(
    { schema, constraint: words, evidence: `always ${words}`, isClosed },
    orNull,
    seen,
  );
}

export const typeNames: Readonly<Record<Kind, string>> = {
  null: 'null',
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
  text: 'string',
  list: 'array',
  object: 'object',
  unknown: 'null',
};

/** The kinds that were seen. */
export function kindsIn(summary: ValueSummary): Kind[] {
  return kinds.filter((_, at) => (summary.kinds[at] ?? 0) > 0);
}

type Part = Omit<FieldProposal, 'schema'> & { readonly schema: Readonly<Record<string, unknown>> };

function withNull(part: Part, orNull: boolean, seen: string): FieldProposal {
  const evidence = `${seen}, ${part.evidence}`;
  if (!orNull) return { ...part, evidence };
  const { type, enum: values } = part.schema;
  const both = {
    ...part.schema,
    ...(type === undefined ? {} : { type: [type, 'null'].flat() }),
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
  return { ...part, schema: both, constraint: `${part.constraint}, or null`, evidence };
}

function secret(known: readonly Kind[], orNull: boolean, seen: string): FieldProposal {
  const types = [...new Set(known.map((kind) => typeNames[kind])), ...(orNull ? ['null'] : [])];
  const type = types.length === 1 ? types[0] : types;
  return {
    schema: { type, ...(types.includes('string') ? { 'x-sallyport': { is: 'secret' } } : {}) },
    constraint: `${types.join(' or ')}, a secret`,
    evidence: `${seen}; of a secret nothing else is kept`,
    isClosed: false,
  };
}

/** Room on both sides: ten times as much, and nothing below zero where there was nothing. */
function rangeOf({ min, max }: { readonly min: number; readonly max: number }) {
  const reach = 10 ** Math.ceil(Math.log10(Math.max(1, Math.abs(max), Math.abs(min))) + 1);
  if (!Number.isSafeInteger(reach)) return min >= 0 ? { minimum: 0 } : {};
  return { minimum: min >= 0 ? 0 : -reach, maximum: reach };
}

function rangeWords(range: { readonly minimum?: number; readonly maximum?: number }): string {
  const { minimum, maximum } = range;
  if (minimum === undefined) return '';
  return maximum === undefined ? `, from ${minimum}` : `, ${minimum} to ${number.format(maximum)}`;
}

const inWords: Readonly<Record<TextFormat, string>> = {
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  uuid: 'a uuid',
  date: 'a date',
  'date-time': 'a date and time',
  ipv4: 'an IPv4 address',
  email: 'an email address',
  uri: 'a URL',
};

const closedFormats: ReadonlySet<TextFormat> = new Set([
  ...(['integer', 'number', 'boolean', 'uuid', 'date', 'date-time'] as const),
]);

/** Formats that are types where all values are texts; in JSON a text of digits stays a text. */
const typeFormats: ReadonlySet<TextFormat> = new Set(['integer', 'number', 'boolean']);

function textSchema(
  text: TextSummary,
  { name, isTextual }: { readonly name: string; readonly isTextual: boolean },
): Part {
  const format = textFormats.find((_, at) => text.formats[at] === text.count);
  if (format !== undefined && (isTextual || !typeFormats.has(format))) {
    const schema = typeFormats.has(format) ? { type: format } : { type: 'string', format };
    const evidence = `always ${inWords[format]}`;
    return { schema, constraint: format, evidence, isClosed: closedFormats.has(format) };
  }
  const values = fewValues(text, name);
  if (values !== undefined) {
    const constraint = `one of ${values.join(', ')}`;
    const evidence = `always one of ${values.length} values`;
    return { schema: { type: 'string', enum: values }, constraint, evidence, isClosed: true };
  }
  const longest = roomFor(text);
  const usual = quantile(text, 0.99);
  const length = { type: 'string', maxLength: longest };
  const words = `at most ${number.format(longest)} characters`;
  const was = `at most ${number.format(text.max)} characters, 99 % at most ${number.format(usual)}`;
  const pattern = identifierPattern(text);
  if (pattern === undefined) {
    return { schema: length, constraint: `text, ${words}`, evidence: was, isClosed: false };
  }
  return {
    schema: { ...length, pattern },
    constraint: `identifier ${pattern}, ${words}`,
    evidence: `always an identifier; ${was}`,
    isClosed: true,
  };
}

/** Names of fields whose few values are those of a few people. */
const personal = /user|login|name|mail|phone|city|author|owner/i;

function fewValues(text: TextSummary, name: string): string[] | undefined {
  if (text.values === undefined || text.count < enough.values || personal.test(name)) {
    return undefined;
  }
  const values: string[] = [];
  for (const [count, value] of text.values.values()) {
    if (value === undefined || count < enough.eachValue) return undefined;
    values.push(value);
  }
  return values.length === 0 ? undefined : values.toSorted();
}

/** Twice the longest, up to a power of two: a length says little until it is far off. */
function roomFor({ max }: TextSummary): number {
  return 2 ** Math.ceil(Math.log2(Math.max(16, 2 * max)));
}

/** The length that a share of the texts does not exceed, to within a bucket. */
function quantile({ lengths, count, max }: TextSummary, share: number): number {
  let sum = 0;
  for (let bucket = 0; bucket < lengths.length; bucket++) {
    sum += lengths[bucket] ?? 0;
    if (sum >= share * count) return Math.min(max, bucketEnd(bucket));
  }
  return max;
}

/** Letters, digits, and single signs between them where they were seen. */
function identifierPattern({ classes, count, min }: TextSummary): string | undefined {
  if (count < enough.alphabet || min === 0) return undefined;
  const has = (name: (typeof charClasses)[number]) => (classes[charClasses.indexOf(name)] ?? 0) > 0;
  if (has('dot') || has('space') || has('other')) return undefined;
  const letters = `[A-Za-z0-9]+`;
  const signs = `${has('underscore') ? '_' : ''}${has('hyphen') ? '-' : ''}`;
  return signs === '' ? `^${letters}$` : `^${letters}([${signs}]${letters})*$`;
}
