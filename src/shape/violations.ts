import type { ErrorObject } from 'ajv/dist/2020.js';
import { limits } from '../contract/limits.ts';
import { isSecretPointer } from '../contract/secret-names.ts';
import type { ShapeRuleName, ShapeViolation } from '../contract/shape.ts';
import { unknown } from './body-tree.ts';
import { isMembers, memberOf, shortText } from './reading.ts';

/** Where a value stands, in the words of the request. */
export interface Placed {
  /** The path of a place below the value. */
  path(segments: readonly (string | number)[]): readonly (string | number)[];
  readonly where: ShapeViolation['where'];
  /** Whether a member is declared: where another one is wrong, Ajv takes all for unknown. */
  declares?(segments: readonly (string | number)[]): boolean;
  /** The text as it came, where it was read as something else. */
  readonly text?: string;
}

type Params = Readonly<Record<string, unknown>>;

interface Said {
  readonly rule: ShapeRuleName;
  readonly message: string;
  /** The member that is missing, or that is one too many. */
  readonly member?: string;
}

/** Rules and messages by keyword. */
const sayings: Readonly<Record<string, (error: ErrorObject, params: Params) => Said>> = {
  type: ({ data }, { type }) =>
    said('type', `is ${kindOf(data)} where ${[type].flat().join(' or ')} is declared`),
  required: (_, { missingProperty: name }) => missing(name),
  dependentRequired: (_, { missingProperty: name }) => missing(name),
  additionalProperties: (_, { additionalProperty: name }) => tooMany(name),
  unevaluatedProperties: (_, { unevaluatedProperty: name }) => tooMany(name),
  propertyNames: (_, { propertyName: name }) => tooMany(name),
  unevaluatedItems: (_, { len }) => said('too-long', `has more items than the ${len} declared`),
  items: (_, { limit }) => said('too-long', `has more items than the ${limit} declared`),
  enum: (_, { allowedValues: values }) =>
    said('not-listed', `is none of the ${lengthOf(values)} declared values`),
  const: () => said('not-listed', 'is not the one declared value'),
  format: (_, { format }) => said('format', `does not have the declared format ${format}`),
  pattern: (_, { pattern }) =>
    said('pattern', `does not match the declared pattern ${shortText(String(pattern))}`),
  maxLength: ({ data }, { limit }) =>
    said('too-long', `has ${lengthOf(data)} characters, at most ${limit} are declared`),
  minLength: ({ data }, { limit }) =>
    said('too-short', `has ${lengthOf(data)} characters, at least ${limit} are declared`),
  maxItems: ({ data }, { limit }) =>
    said('too-long', `has ${lengthOf(data)} items, at most ${limit} are declared`),
  minItems: ({ data }, { limit }) =>
    said('too-short', `has ${lengthOf(data)} items, at least ${limit} are declared`),
  maxProperties: (_, { limit }) => said('too-long', `has more than the ${limit} members declared`),
  minProperties: (_, { limit }) => said('too-short', `has less than the ${limit} members declared`),
  maximum: (_, { limit }) => said('range', `is above the declared maximum of ${limit}`),
  minimum: (_, { limit }) => said('range', `is below the declared minimum of ${limit}`),
  exclusiveMaximum: (_, { limit }) => said('range', `is not below the declared bound of ${limit}`),
  exclusiveMinimum: (_, { limit }) => said('range', `is not above the declared bound of ${limit}`),
  multipleOf: (_, { multipleOf }) =>
    said('range', `is no multiple of ${multipleOf}, as is declared`),
  uniqueItems: () => said('repeated', 'has an item twice where each is declared to be unique'),
};

const said = (rule: ShapeRuleName, message: string): Said => ({ rule, message });
const missing = (name: unknown): Said => ({
  rule: 'required',
  message: 'is missing where it is declared as required',
  member: String(name),
});
const tooMany = (name: unknown): Said => ({
  rule: 'unknown-member',
  message: 'is no declared member',
  member: String(name),
});

/** Keywords that say only that something in them did not fit, and which were said already. */
const silent: ReadonlySet<string> = new Set(['if', '$ref', 'dependentSchemas', 'allOf']);
/** Keywords that are about what stands in a value: with a part that is not known they say nothing. */
const aboutParts: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'not', 'contains', 'minItems']);

/** Errors beyond are left out: what is wrong with a request does not take a thousand of them. */
const errorsMax = 200;

/** What Ajv found wrong with a value, in the words of rules. */
export function violationsIn(
  errors: readonly ErrorObject[],
  value: unknown,
  placed: Placed,
): ShapeViolation[] {
  const found: ShapeViolation[] = [];
  for (const error of withoutBranches(errors.slice(0, errorsMax))) {
    const { keyword, instancePath, data } = error;
    if (silent.has(keyword)) continue;
    if (data === unknown || isAboutUnknown(keyword, data)) continue;
    const say = Object.hasOwn(sayings, keyword) ? sayings[keyword] : undefined;
    const { rule, message, member } = say?.(error, error.params) ?? {
      ...said('alternative', 'fits none of the declared alternatives, or more than one'),
      member: undefined,
    };
    const segments = segmentsOf(instancePath, value);
    const below = member === undefined ? segments : [...segments, member];
    if (keyword === 'unevaluatedProperties' && placed.declares?.(below) === true) continue;
    const path = placed.path(below);
    const isName = rule === 'unknown-member' && placed.where === 'value';
    const evidence =
      member === undefined
        ? evidenceOf(data, placed, path)
        : isName
          ? cut(String(path.at(-1)))
          : '';
    found.push({ rule, path, where: isName ? 'name' : placed.where, evidence, message });
  }
  return found;
}

/** The branches of alternatives speak for themselves only; `anyOf` says what all come to. */
function withoutBranches(errors: readonly ErrorObject[]): ErrorObject[] {
  const ends = errors.flatMap((error, at) => (alternatives.has(error.keyword) ? [at] : []));
  return errors.filter((error, at) => {
    if (branches.test(error.schemaPath)) return false;
    return !ends.some((end) => end > at && isBranchOf(error, errors[end]));
  });
}

/** A branch that is a reference has a path of its own: what it found stands at or below the value. */
function isBranchOf(error: ErrorObject, whole: ErrorObject | undefined): boolean {
  if (whole === undefined) return false;
  const place = whole.instancePath;
  const isBelow = error.instancePath === place || error.instancePath.startsWith(`${place}/`);
  return isBelow && referred(error) !== referred(whole);
}

function referred({ schemaPath }: ErrorObject): string {
  return referredPath.exec(schemaPath)?.[0] ?? '';
}

const referredPath = /\/schemas\/[^/]+/;
const alternatives: ReadonlySet<string> = new Set(['anyOf', 'oneOf']);
const branches = /\/(?:anyOf|oneOf)\/\d+\/|\/(?:not|if|contains|propertyNames)\//;

function isAboutUnknown(keyword: string, data: unknown): boolean {
  return aboutParts.has(keyword) && holdsUnknown(data);
}

function holdsUnknown(value: unknown): boolean {
  if (value === unknown) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsUnknown);
}

/** RFC 6901; a number where the value is a list. */
function segmentsOf(pointer: string, value: unknown): (string | number)[] {
  const segments: (string | number)[] = [];
  let at = value;
  for (const segment of pointer.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    segments.push(Array.isArray(at) ? Number(key) : key);
    at = memberOf(at, key);
  }
  return segments;
}

/** Of objects and lists nothing is shown: their members may be secrets. */
function evidenceOf(
  data: unknown,
  { text, where }: Placed,
  path: readonly (string | number)[],
): string {
  if (where === 'context' || isSecretPointer(`/${path.join('/')}`)) return '';
  if (text !== undefined) return cut(text);
  return typeof data === 'string' || typeof data === 'number' ? cut(String(data)) : '';
}

export function cut(text: string): string {
  return text.slice(0, limits.evidenceCharsMax);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isMembers(value)) return 'an object';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return [...value].length;
  return Array.isArray(value) ? value.length : 0;
}
