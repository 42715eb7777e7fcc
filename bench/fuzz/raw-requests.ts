import { attacks, word } from '../differential/generator/texts.ts';
import type { Random } from '../lib/random.ts';

/** What is written on a connection. */
export interface RawRequest {
  /** Written one after the other, with a pause between. */
  readonly pieces: readonly Buffer[];
  /** The status of the one answer; undefined for bytes that were changed. */
  readonly status: number | undefined;
}

interface Sender {
  readonly key: string;
  /** Comes back as `x-request-id`. */
  readonly tag: string;
}

/** A request, sound or changed, whole or in pieces, alone or with others behind it. */
export function rawRequest(random: Random, sender: Sender): RawRequest {
  const { text, status } = soundRequest(random, sender);
  if (random.chance(20)) return { pieces: piecesOf(Buffer.from(text, 'latin1'), random), status };
  let bytes: Buffer = Buffer.from(text, 'latin1');
  const steps = 1 + random.below(3);
  for (let step = 0; step < steps; step += 1) bytes = random.pick(changes)(bytes, random);
  if (random.chance(10)) {
    const more = random.times(1 + random.below(4), () => soundRequest(random, sender).text);
    bytes = Buffer.concat([bytes, Buffer.from(more.join(''), 'latin1')]);
  }
  return { pieces: piecesOf(bytes, random), status: undefined };
}

function soundRequest(
  random: Random,
  { key, tag }: Sender,
): { readonly text: string; readonly status: number } {
  if (random.chance(10)) {
    return { text: `GET /livez HTTP/1.1\r\nhost: t\r\nx-request-id: ${tag}\r\n\r\n`, status: 200 };
  }
  const isAttack = random.chance(30);
  const value = isAttack ? random.pick(attacks) : word(random).repeat(1 + random.below(200));
  const body = JSON.stringify({ [word(random)]: value });
  const head =
    `POST /control HTTP/1.1\r\nhost: t\r\ncontent-type: application/json\r\n` +
    `x-api-key: ${key}\r\nx-request-id: ${tag}\r\n`;
  const status = isAttack ? 403 : 200;
  if (random.chance(70)) {
    return { text: `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`, status };
  }
  const cut = 1 + random.below(body.length - 1);
  const chunks = [body.slice(0, cut), body.slice(cut)]
    .filter((chunk) => chunk !== '')
    .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  return { text: `${head}transfer-encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`, status };
}

type Change = (bytes: Buffer, random: Random) => Buffer;

const changes: readonly Change[] = [
  // One byte is another one.
  (bytes, random) => {
    const changed = Buffer.from(bytes);
    changed[random.below(bytes.length)] = random.below(256);
    return changed;
  },
  // Something is left out, or comes twice.
  (bytes, random) => {
    const at = random.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(30))]);
  },
  (bytes, random) => {
    const at = random.below(bytes.length);
    const piece = bytes.subarray(at, at + random.below(60));
    return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
  },
  // Something stands between.
  (bytes, random) => insert(bytes, random.below(bytes.length + 1), random.pick(tokens)),
  (bytes, random) => {
    const lineEnd = bytes.indexOf('\r\n') + 2;
    return insert(bytes, lineEnd, `${random.pick(lines)}\r\n`);
  },
  (bytes, random) => insert(bytes, bytes.indexOf('\r\n') + 2, manyLines(random)),
  // Ends of lines, and the end of it all.
  (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  (bytes, random) => bytes.subarray(0, random.below(bytes.length) + 1),
  (bytes, random) => Buffer.concat([bytes, Buffer.from(random.pick(tokens), 'latin1')]),
  // Another length.
  (bytes, random) => {
    const text = bytes.toString('latin1');
    const length = random.pick(lengths);
    return Buffer.from(text.replace(/content-length: \d+/, `content-length: ${length}`), 'latin1');
  },
];

function insert(bytes: Buffer, at: number, text: string): Buffer {
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(text, 'latin1'), bytes.subarray(at)]);
}

const tokens = [
  ...['\r\n', '\n', '\r', '\0', ' ', '\t', ':', ';', ',', '\r\n\r\n', '\x0b', '\x7f', '\xff'],
  ...['HTTP/1.1', 'HTTP/2.0', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '../', '%00', '?', '#', '{', '"'],
];

const lines = [
  ...['content-length: 5', 'content-length: -1', 'content-length: 1,1', 'Content-Length : 3'],
  ...['transfer-encoding: chunked', 'transfer-encoding: xchunked', 'Transfer-Encoding:\tchunked'],
  ...['transfer-encoding: gzip, chunked', 'transfer-encoding: identity', 'connection: close'],
  ...['expect: 100-continue', 'expect: x', 'upgrade: websocket', 'content-encoding: gzip'],
  ...['content-type: text/plain', 'x-deadline-ms: 0', 'x-deadline-ms: x', 'host: other', 'a'],
  ...[' folded: line', ': no name', 'x-api-key: other', 'trailer: a', 'te: trailers'],
];

const lengths = ['0', '1', '5', '07', '+9', '1e3', '99999', '4294967296', '-0', '0x10', '9 9', ''];

function manyLines(random: Random): string {
  if (random.chance(50)) return `x-long: ${'a'.repeat(random.below(40_000))}\r\n`;
  return 'a: b\r\n'.repeat(random.below(300));
}

function piecesOf(bytes: Buffer, random: Random): Buffer[] {
  if (random.chance(60)) return [bytes];
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 1 + random.below(bytes.length / 2);
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return pieces;
}
