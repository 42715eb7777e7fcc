import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, inflate, unzip } from 'node:zlib';
import { addParsedBody, type MemberSink } from './body-members.ts';
import { formPairs } from './form-pairs.ts';
import { addMultipart } from './multipart.ts';

/** A body that nothing has parsed. */
export interface RawBody {
  readonly bytes: Buffer;
  /** False when the body went on beyond the bound. */
  readonly isComplete: boolean;
}

export interface BodyHeaders {
  readonly contentType: string;
  readonly contentEncoding: string;
}

const inflatedBytesMax = 4_194_304;

/** Adds a body as its content type says that the application will read it. */
export async function addRawBody(
  sink: MemberSink,
  raw: RawBody,
  headers: BodyHeaders,
): Promise<void> {
  const body = await decompressed(raw, headers.contentEncoding);
  if (body === undefined || !body.isComplete) sink.leaveOut();
  if (body === undefined || body.bytes.length === 0) return;
  const type = headers.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type.startsWith('multipart/') && addMultipart(sink, body, headers.contentType)) return;
  // Bytes that are no text are a picture or the like where the type says so, else a broken text.
  if (isBinary.test(type) && !isUtf8(body.bytes)) return;
  const text = textOf(sink, body.bytes, headers.contentType);
  if (type === 'application/x-www-form-urlencoded') addForm(sink, text);
  else if (isJson.test(type) && addJson(sink, text)) return;
  else addText(sink, text, type);
}

const isJson = /[/+]json$/;
const isBinary = /^(?:image|audio|video|font)\/|^application\/(?:octet-stream|pdf|zip|gzip)$/;

function addForm(sink: MemberSink, text: string): void {
  for (const [name, value] of formPairs(text)) sink.add(`body.${name}`, value);
}

function addJson(sink: MemberSink, text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  addParsedBody(sink, value);
  return true;
}

function addText(sink: MemberSink, text: string, type: string): void {
  sink.add('body', text);
  // A form of type text/plain is `name=value`, and may be made to look like JSON.
  const equals = type === 'text/plain' && text.startsWith('{') ? text.indexOf('=') : -1;
  if (equals > 0) sink.add(`body.${text.slice(0, equals)}`, text.slice(equals + 1).trimEnd());
}

function textOf(sink: MemberSink, bytes: Buffer, contentType: string): string {
  const charset = /;\s*charset="?([\w.:-]{1,40})/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    sink.leaveOut();
    return new TextDecoder().decode(bytes);
  }
}

/** Undefined when the content coding is unknown or broken. */
async function decompressed(raw: RawBody, encoding: string): Promise<RawBody | undefined> {
  const coding = encoding.trim().toLowerCase();
  if (coding === '' || coding === 'identity' || raw.bytes.length === 0) return raw;
  const decompress = decompressors.get(coding);
  if (decompress === undefined) return undefined;
  try {
    const bytes = await decompress(raw.bytes, { maxOutputLength: inflatedBytesMax });
    return { bytes, isComplete: raw.isComplete };
  } catch {
    return undefined;
  }
}

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decompressors: ReadonlyMap<string, Decompress> = new Map([
  ['gzip', promisify(unzip) as Decompress],
  ['x-gzip', promisify(unzip) as Decompress],
  ['deflate', promisify(inflate) as Decompress],
  ['br', promisify(brotliDecompress) as Decompress],
]);
