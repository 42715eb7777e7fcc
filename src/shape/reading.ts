import type { PolicyProblem } from '../contract/explanation.ts';
import { limits } from '../contract/limits.ts';
import type { JsonSchema } from '../contract/shape.ts';
import type { ShapeOptions } from '../contract/shape-reader.ts';

/** An object of a document. */
export type Members = Readonly<Record<string, unknown>>;

/** What the dialects of a document differ in: OpenAPI 3.0 has a JSON Schema of its own. */
export type Dialect = '2020-12' | 'openapi-3.0';

const problemsMax = 50;
const notesMax = 200;

/** What is noted while one document is read. */
export class Reading {
  readonly root: unknown;
  readonly dialect: Dialect;
  readonly options: ShapeOptions;
  readonly problems: PolicyProblem[] = [];
  readonly notes: PolicyProblem[] = [];
  /** Names under which referred schemas stand in the shape, by their pointer in the document. */
  readonly names = new Map<string, string>();
  /** Pointers of schemas that were referred to and are not read yet. */
  readonly waiting: string[] = [];
  readonly schemas: Record<string, JsonSchema> = Object.create(null) as Record<string, JsonSchema>;
  readonly #taken = new Set<string>();
  #schemasRead = 0;

  constructor(root: unknown, dialect: Dialect, options: ShapeOptions) {
    this.root = root;
    this.dialect = dialect;
    this.options = options;
  }

  problem(pointer: string, message: string): void {
    if (this.problems.length < problemsMax) this.problems.push({ pointer, message });
  }

  note(pointer: string, message: string): void {
    if (this.notes.length < notesMax) this.notes.push({ pointer, message });
  }

  /** What cannot be enforced: a problem, or a note where the reader was told to be lenient. */
  cannot(pointer: string, message: string): void {
    if (this.options.lenient === true) this.note(pointer, `${message} (left out)`);
    else
      this.problem(pointer, `${message}; or read the document with "lenient", which leaves it out`);
  }

  /** False when there are too many schemas to go on. */
  countSchema(pointer: string): boolean {
    this.#schemasRead += 1;
    if (this.#schemasRead <= limits.shapeSchemasMax) return true;
    if (this.#schemasRead === limits.shapeSchemasMax + 1) {
      this.problem(
        pointer,
        `is beyond ${limits.shapeSchemasMax} schemas; split the document, one policy for each part`,
      );
    }
    return false;
  }

  /** The name of a referred schema in the shape; it is read later, once. */
  nameOf(pointer: string): string {
    const known = this.names.get(pointer);
    if (known !== undefined) return known;
    const segment = lastSegment(pointer).replaceAll(/[^\w-]/g, '_');
    const own = segment.replace(/^_+/, '').slice(0, 60) || 'schema';
    let name = own;
    for (let count = 2; this.#taken.has(name); count++) name = `${own}_${count}`;
    this.#taken.add(name);
    this.names.set(pointer, name);
    this.waiting.push(pointer);
    return name;
  }
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own members only: `__proto__` of a document is a member as any other. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** A pointer with one more segment (RFC 6901). */
export function below(pointer: string, segment: string | number): string {
  return `${pointer}/${String(segment).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function lastSegment(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '_')
    .replaceAll('~0', '~');
}

export type Resolved =
  | { readonly kind: 'found'; readonly value: unknown; readonly pointer: string }
  | { readonly kind: 'fault'; readonly message: string };

const hopsMax = 20;

/** What a reference leads to; only within the document, and never round in a circle. */
export function resolve(reading: Reading, given: unknown): Resolved {
  let reference = given;
  for (let hops = 0; hops < hopsMax; hops++) {
    if (typeof reference !== 'string') return { kind: 'fault', message: '$ref must be a text' };
    if (reference !== '#' && !reference.startsWith('#/')) {
      return {
        kind: 'fault',
        message: `${shortText(reference)} leads out of the document; bundle it into one first`,
      };
    }
    const pointer = decodedPointer(reference.slice(1));
    const value = valueAt(reading.root, pointer);
    if (value === undefined) {
      return { kind: 'fault', message: `${shortText(reference)} leads to nothing in the document` };
    }
    const next = memberOf(value, '$ref');
    if (next === undefined || !isBare(value)) return { kind: 'found', value, pointer };
    reference = next;
  }
  return { kind: 'fault', message: `${shortText(String(given))} leads round in a circle` };
}

/** A reference and nothing else that counts. */
function isBare(value: unknown): boolean {
  const others = Object.keys(value as Members).filter(
    (name) => name !== '$ref' && name !== 'description' && name !== 'summary',
  );
  return others.length === 0;
}

function decodedPointer(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function valueAt(root: unknown, pointer: string): unknown {
  let at: unknown = root;
  for (const segment of pointer.split('/').slice(1)) {
    at = memberOf(at, segment.replaceAll('~1', '/').replaceAll('~0', '~'));
    if (at === undefined) return undefined;
  }
  return at;
}

/** A text of the document in a message. */
export function shortText(text: string): string {
  const plain = text.replaceAll(/[^\x20-\x7e\u00a0-\ud7ff]/g, '?');
  return plain.length > 80 ? `${plain.slice(0, 80)}…` : plain;
}
