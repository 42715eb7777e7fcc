import {
  type DeclaredRole,
  type JsonSchema,
  type Shape,
  type StatedRole,
  statedRoles,
} from '../contract/shape.ts';
import { compileTester, type Meter, type TesterOutcome } from '../core/match/pattern.ts';
import { isMembers, type Members, memberOf } from './reading.ts';
import { referredName, schemasBeside } from './references.ts';

/** Whether a text is one of a closed set, in which no attack can be written. */
type ClosedTest = (text: string) => boolean;

/** What all schemas about one value say of it, and of what stands in it. */
export class RoleSet {
  readonly #book: RoleBook;
  readonly #schemas: readonly Members[];
  readonly #members = new Map<string, RoleSet>();
  #items: RoleSet | undefined;
  readonly #closed: readonly ClosedTest[];
  readonly #role: StatedRole | undefined;
  /** Whether the value may be a list. */
  readonly mayBeList: boolean;
  /** Whether the value may be a text; a number or a boolean is read from one. */
  readonly mayBeText: boolean;

  constructor(book: RoleBook, schemas: readonly Members[]) {
    this.#book = book;
    this.#schemas = schemas;
    this.#closed = schemas.flatMap((schema) => closedTests(schema, book));
    const roles = new Set(schemas.map(statedRole).filter((role) => role !== undefined));
    this.#role = roles.size === 1 ? [...roles][0] : undefined;
    this.oddNames = schemas
      .flatMap(({ properties }) => Object.keys(Object(properties)))
      .filter((name) => /[.[\]]/.test(name));
    const types = schemas.flatMap(({ type }) => (type === undefined ? [] : [type].flat()));
    this.mayBeList = types.includes('array') || schemas.some((one) => 'items' in one);
    this.mayBeText = types.length === 0 || types.includes('string');
  }

  /**
   * What a text is. Doubt is no question here: a closed text is harmless wherever it stands, so
   * that any of the schemas may say so.
   */
  of(text: string): DeclaredRole | undefined {
    for (const isClosed of this.#closed) if (isClosed(text)) return 'closed';
    return this.#role;
  }

  /** What stands in a declared member; undefined for one that is not declared. */
  member(name: string): RoleSet | undefined {
    const known = this.#members.get(name);
    if (known !== undefined) return known;
    const found = this.#schemas.flatMap((schema) => {
      const one = memberOf(schema['properties'], name);
      return one === undefined ? [] : [one as JsonSchema];
    });
    if (found.length === 0) return undefined;
    const made = this.#book.of(found);
    this.#members.set(name, made);
    return made;
  }

  /** What stands in each item of a list; undefined where that is not declared. */
  items(): RoleSet | undefined {
    if (this.#items !== undefined) return this.#items;
    const found = this.#schemas.flatMap((schema) => {
      const { items, prefixItems } = schema;
      const all = [...(Array.isArray(prefixItems) ? prefixItems : []), items];
      return all.filter((one): one is JsonSchema => one !== undefined);
    });
    if (found.length > 0) this.#items = this.#book.of(found);
    return this.#items;
  }

  /** What stands at a place below; undefined where that is not declared. */
  at(segments: readonly (string | number)[]): RoleSet | undefined {
    let roles: RoleSet | undefined = this;
    for (const segment of segments) {
      roles = typeof segment === 'number' ? roles?.items() : roles?.member(segment);
    }
    return roles;
  }

  /** Names of declared members that hold a dot or a bracket. */
  readonly oddNames: readonly string[];
}

/** The schemas of a shape, as sets of those that are about the same value. */
export class RoleBook {
  readonly #schemas: NonNullable<Shape['schemas']>;
  readonly #testers = new Map<string, TesterOutcome>();
  readonly meter: Meter;

  constructor({ schemas = {} }: Shape, meter: Meter) {
    this.#schemas = schemas;
    this.meter = meter;
  }

  of(schemas: readonly JsonSchema[]): RoleSet {
    const all = new Set<Members>();
    const add = (schema: JsonSchema): void => {
      if (!isMembers(schema) || all.has(schema)) return;
      all.add(schema);
      const name = referredName(schema);
      if (name !== undefined) add(this.#schemas[name] ?? true);
      for (const one of schemasBeside(schema)) add(one);
    };
    for (const schema of schemas) add(schema);
    return new RoleSet(this, [...all]);
  }

  /** A pattern that many schemas have is compiled once. */
  tester(pattern: string): TesterOutcome {
    const known = this.#testers.get(pattern) ?? compileTester(pattern);
    this.#testers.set(pattern, known);
    return known;
  }
}

const number = /^-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/;
const isNumber: ClosedTest = (text) => number.test(text);
const isBoolean: ClosedTest = (text) => text === 'true' || text === 'false';

/** Formats whose every text is letters, digits and a few signs in fixed places. */
const closedFormats: Readonly<Record<string, ClosedTest>> = {
  uuid: (text) => uuid.test(text),
  date: (text) => date.test(text),
  time: (text) => time.test(text),
  'date-time': (text) => dateTime.test(text),
  duration: (text) => duration.test(text),
};
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const date = /^\d{4}-\d{2}-\d{2}$/;
const time = /^\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;
const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;
const duration = /^P(?:\d{1,9}[YMWD]){0,4}(?:T(?:\d{1,9}[HMS]){1,3})?$/;

/** Letters and digits, and single `_` or `-` between them: `--` begins a comment or an option. */
const identifier = /^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/;
const identifierCharsMax = 128;

/** What a text of a pattern that takes nothing but identifiers has to be as well, to be closed. */
export function isShortIdentifier(text: string): boolean {
  return text.length <= identifierCharsMax && identifier.test(text);
}

function closedTests(schema: Members, book: RoleBook): ClosedTest[] {
  const tests: ClosedTest[] = [];
  const { type, format, enum: values, const: value, pattern } = schema;
  const types: readonly unknown[] = [type].flat();
  if (types.includes('integer') || types.includes('number')) tests.push(isNumber);
  if (types.includes('boolean')) tests.push(isBoolean);
  if (typeof format === 'string' && Object.hasOwn(closedFormats, format)) {
    const test = closedFormats[format];
    if (test !== undefined) tests.push(test);
  }
  const listed = (Array.isArray(values) ? values : [value]).filter(
    (one) => typeof one === 'string',
  );
  if (listed.length > 0) {
    const all = new Set(listed);
    tests.push((text) => all.has(text));
  }
  const outcome = typeof pattern === 'string' ? book.tester(pattern) : undefined;
  if (outcome?.kind === 'tester' && outcome.tester.isIdentifier) {
    const { tester } = outcome;
    tests.push((text) => isShortIdentifier(text) && tester.test(text, book.meter));
  }
  return tests;
}

const mediaRoles: readonly (readonly [RegExp, StatedRole])[] = [
  [/^text\/html$|^application\/xhtml\+xml$/, 'html'],
  [/^text\/(?:x-)?markdown$/, 'markdown'],
  [/^application\/sql$|^text\/x-sql$/, 'sql'],
  [/^text\/plain$/, 'prose'],
  [/^text\/(?:x-|css|javascript|ecmascript)|^application\/(?:x-)?(?:java|ecma)script$/, 'code'],
  [/^application\/(?:x-)?(?:yaml|toml|sh)$|^text\/yaml$/, 'code'],
];

const formatRoles: Readonly<Record<string, StatedRole>> = {
  uri: 'url',
  'uri-reference': 'url',
  password: 'secret',
};

function statedRole(schema: Members): StatedRole | undefined {
  const is = memberOf(schema['x-sallyport'], 'is');
  const stated = statedRoles.find((role) => role === is);
  if (stated !== undefined) return stated;
  const media = String(schema['contentMediaType'] ?? '').toLowerCase();
  const found = mediaRoles.find(([type]) => type.test(media));
  if (found !== undefined) return found[1];
  const format = String(schema['format']);
  return Object.hasOwn(formatRoles, format) ? formatRoles[format] : undefined;
}
