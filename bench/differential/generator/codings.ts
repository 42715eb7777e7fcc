import * as zlib from 'node:zlib';
import type { Random } from '../../lib/random.ts';
import { word } from './texts.ts';

/** A body under a content coding, which may be a lie. */
export interface Coded {
  readonly encoding: string;
  readonly body: Buffer;
}

const codings: readonly (readonly [name: string, encode: (bytes: Buffer) => Buffer])[] = [
  ['gzip', (bytes) => zlib.gzipSync(bytes)],
  ['gzip', (bytes) => zlib.gzipSync(bytes, { level: 0 })],
  ['GZIP', (bytes) => zlib.gzipSync(bytes)],
  ['x-gzip', (bytes) => zlib.gzipSync(bytes)],
  ['deflate', (bytes) => zlib.deflateSync(bytes)],
  ['deflate', (bytes) => zlib.deflateRawSync(bytes)],
  ['deflate', (bytes) => zlib.deflateRawSync(bytes, { level: 0 })],
  ['br', (bytes) => zlib.brotliCompressSync(bytes)],
  ['zstd', (bytes) => zlib.zstdCompressSync(bytes)],
  ['identity', (bytes) => bytes],
  ['gzip, gzip', (bytes) => zlib.gzipSync(zlib.gzipSync(bytes))],
  ['gzip, br', (bytes) => zlib.brotliCompressSync(zlib.gzipSync(bytes))],
  ['identity, gzip', (bytes) => zlib.gzipSync(bytes)],
  ['gzip, identity', (bytes) => zlib.gzipSync(bytes)],
  ['gzip;q=1', (bytes) => zlib.gzipSync(bytes)],
  ['"gzip"', (bytes) => zlib.gzipSync(bytes)],
  ['gzip,', (bytes) => zlib.gzipSync(bytes)],
  ['compress', (bytes) => bytes],
  ['aws-chunked', (bytes) => bytes],
  ['', (bytes) => bytes],
];

/** A body with a header `Content-Encoding`: true, half true, or not true at all. */
export function coded(body: Buffer, random: Random): Coded {
  if (random.chance(0.1)) return { encoding: 'gzip', body: padded(body, random) };
  const [encoding, encode] = random.pick(codings);
  const [other] = random.pick(codings);
  const bytes = encode(body);
  switch (random.below(10)) {
    case 0:
    case 1:
      return { encoding, body };
    case 2:
      return { encoding: other, body: bytes };
    case 3:
      return { encoding, body: bytes.subarray(0, Math.max(1, bytes.length - random.below(12))) };
    case 4:
      return { encoding, body: Buffer.concat([bytes, Buffer.from(word(random))]) };
    case 5:
      return { encoding, body: Buffer.concat([bytes, bytes]) };
    case 6:
      return { encoding: word(random), body };
    case 7:
      return { encoding, body: Buffer.concat([bytes, zlib.gzipSync(Buffer.from(word(random)))]) };
    default:
      return { encoding, body: bytes };
  }
}

/** Five megabytes of blanks before or behind it: beyond what anybody should unpack in one go. */
function padded(body: Buffer, random: Random): Buffer {
  const blanks = Buffer.alloc(5_242_880, ' ');
  return zlib.gzipSync(Buffer.concat(random.chance(50) ? [body, blanks] : [blanks, body]));
}
