import { isOddName } from './form-pairs.ts';
import type { MemberWriter, Scalar } from './member-writer.ts';
import { TreeMembers, treeDepthMax } from './tree-members.ts';

/** What is left to visit of an object or a list. */
interface Visit {
  readonly of: object;
  readonly keys: readonly string[] | undefined;
  readonly values: readonly unknown[] | undefined;
  at: number;
}

/**
 * Adds what a body parser made of a body: `body.a.b`, `body.list[0].c`, or `body` for a text.
 * Whatever the names in an object claim, all of it is walked over: names are the client's.
 */
export async function addParsedBody(
  writer: MemberWriter,
  value: unknown,
  root = 'body',
): Promise<void> {
  const tree = new TreeMembers(writer, root);
  const visits: Visit[] = [];
  const above = new Set<object>();
  const enter = (given: unknown) => {
    const found = fieldValue(given, above);
    const scalar = scalarOf(found);
    if (scalar !== undefined) return tree.scalar(scalar);
    // What contains itself has been met already: nothing is left out.
    if (typeof found === 'object' && found !== null && above.has(found)) return;
    // The name is the client's, whatever it names.
    if (typeof found !== 'object' || found === null || isOpaque(found)) {
      return tree.depth === 0 ? undefined : tree.scalar(null);
    }
    if (tree.depth >= treeDepthMax) return writer.leaveOut('too-deep');
    const { keys, values } = contentsOf(found);
    tree.open(keys === undefined);
    above.add(found);
    visits.push({ of: found, keys, values, at: 0 });
  };
  enter(value);
  for (let top = visits.at(-1); top !== undefined; top = visits.at(-1)) {
    const wait = writer.pause();
    if (wait !== undefined) await wait;
    if (writer.isFull) return;
    const { keys, values, at } = top;
    if (at === (keys ?? values ?? []).length) {
      visits.pop();
      above.delete(top.of);
      tree.close();
      continue;
    }
    top.at += 1;
    const key = keys?.[at];
    if (key !== undefined) tree.key(key);
    enter(values === undefined ? Reflect.get(top.of, key ?? at) : values[at]);
  }
}

function scalarOf(value: unknown): Scalar | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Date) return String(value.getTime());
  if (value instanceof String) return String(value);
  return undefined;
}

/** Content of a file, or a stream of it: no client can make a parser of data give these. */
function isOpaque(value: object): boolean {
  return (
    ArrayBuffer.isView(value) ||
    value instanceof ArrayBuffer ||
    ('pipe' in value && typeof value.pipe === 'function')
  );
}

function contentsOf(value: object): Pick<Visit, 'keys' | 'values'> {
  if (Array.isArray(value)) return { keys: undefined, values: value };
  if (value instanceof Set) return { keys: undefined, values: [...value] };
  if (value instanceof Blob) return fileFacts(value);
  if (value instanceof Map || value instanceof URLSearchParams || value instanceof FormData) {
    const entries: [unknown, unknown][] = [...value.entries()];
    return { keys: entries.map(([key]) => String(key)), values: entries.map(([, one]) => one) };
  }
  return { keys: Object.keys(value), values: undefined };
}

/** `name` of a File is what its client called it. */
function fileFacts(file: Blob): { readonly keys: string[]; readonly values: unknown[] } {
  const name = file instanceof File ? file.name : '';
  return { keys: ['filename', 'type'], values: [name, file.type] };
}

/**
 * The value of a field as @fastify/multipart attaches it to the body. What proves that a parser
 * made it, and not a client, is the way back to the body that it stands in: no data has that.
 */
function fieldValue(value: unknown, above: ReadonlySet<object>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!('fieldname' in value && 'fields' in value && 'value' in value)) return value;
  const { fields } = value;
  return typeof fields === 'object' && fields !== null && above.has(fields) ? value.value : value;
}

const fileNameKeys = ['originalname', 'originalFilename', 'filename', 'name'] as const;
const typeKeys = ['mimetype', 'type', 'encoding'] as const;

/** Adds what clients say of uploaded files, in the forms of multer and of formidable. */
export function addFiles(writer: MemberWriter, files: unknown): void {
  if (typeof files !== 'object' || files === null) return;
  for (const [field, entry] of Object.entries(files)) {
    for (const file of Array.isArray(entry) ? entry : [entry]) {
      if (typeof file !== 'object' || file === null) continue;
      const own: unknown = Reflect.get(file, 'fieldname');
      const name = `body.${typeof own === 'string' ? own : field}`;
      const hasFileName = fileNameKeys.some((key) => typeof Reflect.get(file, key) === 'string');
      // By itself the name may be more than it is with something behind it.
      if (!hasFileName || isOddName(name)) writer.add(name, null);
      addFirst(writer, `${name}.filename`, file, fileNameKeys);
      for (const key of typeKeys) addFirst(writer, `${name}.${key}`, file, [key], plainType);
    }
  }
}

/** What browsers send says nothing. */
const plainType = /^(?:[\w.+-]{1,60}\/[\w.+-]{1,60}|[78]bit|binary)$/;

function addFirst(
  writer: MemberWriter,
  name: string,
  file: object,
  keys: readonly string[],
  except?: RegExp,
): void {
  const texts = keys.map((key): unknown => Reflect.get(file, key));
  const text = texts.find((one) => typeof one === 'string');
  if (typeof text === 'string' && except?.test(text) !== true) writer.add(name, text);
}
