import type { Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { MemberWriter } from './member-writer.ts';

const inflatedBytesMax = 4_194_304;
/** No client packs twice; a parser that unpacks a chain may be lied to. */
const codingsMax = 4;

/** What a body holds behind its content codings. */
export interface Unpacked {
  readonly bytes: Buffer;
  /** False when it could be undone in part only, or bytes follow the end of a stream. */
  readonly isWhole: boolean;
}

/**
 * Undoes the content codings of a body (RFC 9110, 8.4) as far as that goes: undefined when it has
 * none. What cannot be undone to its end is left out, which the writer notes; what came before
 * the fault or the bound is there.
 */
export async function unpacked(
  writer: MemberWriter,
  bytes: Buffer,
  contentEncoding: string,
): Promise<Unpacked | undefined> {
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length === 0 || bytes.length === 0) return undefined;
  if (codings.length > codingsMax) {
    writer.leaveOut('coding');
    return undefined;
  }
  let inner = bytes;
  let isWhole = true;
  for (const coding of codings.reverse()) {
    const decoder = decoders.get(coding)?.(inner);
    if (decoder === undefined) {
      writer.leaveOut('coding');
      return inner === bytes ? undefined : { bytes: inner, isWhole: false };
    }
    const { bytes: read, fault } = await readAll(decoder, inner);
    if (fault !== undefined) writer.leaveOut(fault);
    const isAllRead = Reflect.get(decoder, 'bytesWritten') === inner.length;
    isWhole &&= fault === undefined && isAllRead;
    inner = read;
  }
  return { bytes: inner, isWhole };
}

/** Reads until the end, a fault, or the bound. */
async function readAll(
  stream: Transform,
  packed: Buffer,
): Promise<{ readonly bytes: Buffer; readonly fault?: 'coding' | 'too-large' }> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    stream.end(packed);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, inflatedBytesMax - length));
      length += chunk.length;
      // To leave the loop destroys the stream.
      if (length > inflatedBytesMax) return { bytes: Buffer.concat(chunks), fault: 'too-large' };
    }
    return { bytes: Buffer.concat(chunks) };
  } catch {
    return { bytes: Buffer.concat(chunks), fault: 'coding' };
  }
}

/** Makes what undoes a coding; undefined where this Node cannot. */
type MakeDecoder = (packed: Buffer) => Transform | undefined;

const decoders: ReadonlyMap<string, MakeDecoder> = new Map<string, MakeDecoder>([
  ['gzip', () => zlib.createUnzip()],
  ['x-gzip', () => zlib.createUnzip()],
  // Named after zlib's format, and often sent without its head.
  ['deflate', (packed) => (hasZlibHead(packed) ? zlib.createInflate() : zlib.createInflateRaw())],
  ['br', () => zlib.createBrotliDecompress()],
  // Node has it from 22.15 on.
  ['zstd', () => makeZstd?.()],
]);

const makeZstd: (() => Transform) | undefined = Reflect.get(zlib, 'createZstdDecompress');

/** RFC 1950, 2.2. */
function hasZlibHead(bytes: Buffer): boolean {
  const [method = 0, flags = 0] = bytes;
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0;
}
