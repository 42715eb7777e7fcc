import type { AddMember, Scalar } from './member-writer.ts';

/** Adds members, and says when a part had to be left out. */
export interface MemberSink {
  readonly add: AddMember;
  leaveOut(): void;
}

/** What a framework made of a multipart part: a file, or a field with its value. */
const fileNameKeys = ['originalname', 'originalFilename', 'filename', 'name'] as const;

const depthMax = 64;
/** A longer name is given once; what stands below it has its beginning. */
const prefixCharsMax = 200;

/** Adds what a body parser made of a body: `body.a.b`, `body.list[0].c`, or `body` for a text. */
export function addParsedBody(sink: MemberSink, value: unknown, name = 'body', depth = 0): void {
  const scalar = scalarOf(value);
  if (scalar !== undefined) {
    sink.add(name, scalar);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= depthMax) {
    sink.leaveOut();
    return;
  }
  if (Array.isArray(value)) {
    addItems(sink, value, name, depth);
    return;
  }
  if (addPart(sink, value, name, depth)) return;
  if (!isPlain(value)) {
    addOther(sink, value, name);
    return;
  }
  const entries = Object.entries(value);
  if (entries.length === 0 && depth > 0) sink.add(name, null);
  const prefix = shortened(sink, name);
  for (const [key, inner] of entries) addParsedBody(sink, inner, `${prefix}.${key}`, depth + 1);
}

function addItems(sink: MemberSink, items: readonly unknown[], name: string, depth: number): void {
  if (items.length === 0) sink.add(name, null);
  const prefix = shortened(sink, name);
  for (const [index, item] of items.entries()) {
    // Numbers in a list say nothing, and long lists are lists of numbers.
    if (typeof item === 'number' || typeof item === 'boolean') continue;
    addParsedBody(sink, item, `${prefix}[${index}]`, depth + 1);
  }
}

function shortened(sink: MemberSink, name: string): string {
  if (name.length <= prefixCharsMax) return name;
  sink.add(name, null);
  return name.slice(0, prefixCharsMax);
}

function scalarOf(value: unknown): Scalar | undefined {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return String(value);
  return undefined;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Some parsers make objects without a prototype; another realm has its own Object.prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function addOther(sink: MemberSink, value: object, name: string): void {
  // Bytes below the top are the content of a file, which is not looked at.
  if (value instanceof Uint8Array) return;
  if (value instanceof Date) sink.add(name, String(value.getTime()));
  else sink.leaveOut();
}

/** A part as @fastify/multipart attaches it to the body, or a File. */
function addPart(sink: MemberSink, value: object, name: string, depth: number): boolean {
  if (value instanceof Blob) {
    addFileName(sink, value, name);
    return true;
  }
  if (!('fieldname' in value) || !('mimetype' in value)) return false;
  if ('value' in value && !('file' in value)) {
    addParsedBody(sink, value.value, name, depth + 1);
    return true;
  }
  addFileName(sink, value, name);
  return true;
}

function addFileName(sink: MemberSink, file: object, name: string): void {
  for (const key of fileNameKeys) {
    const fileName: unknown = Reflect.get(file, key);
    if (typeof fileName !== 'string') continue;
    sink.add(`${name}.filename`, fileName);
    return;
  }
}

/** Adds the names of uploaded files, in the forms of multer and of formidable. */
export function addFiles(sink: MemberSink, files: unknown): void {
  if (typeof files !== 'object' || files === null) return;
  for (const [field, entry] of Object.entries(files)) {
    for (const file of Array.isArray(entry) ? entry : [entry]) {
      if (typeof file !== 'object' || file === null) continue;
      const own: unknown = Reflect.get(file, 'fieldname');
      addFileName(sink, file, `body.${typeof own === 'string' ? own : field}`);
    }
  }
}
