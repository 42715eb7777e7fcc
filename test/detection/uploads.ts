import { createHash, createSign, generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

/** Numbers by lot, the same for the same seed (xorshift). */
export interface Lot {
  below(limit: number): number;
  bytes(length: number): Buffer;
}

/** A source of numbers by lot. */
export function lotOf(seed: number): Lot {
  let state = seed | 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  return {
    below: (limit) => next() % limit,
    bytes(length) {
      const words = new Uint32Array(Math.ceil(length / 4));
      for (let at = 0; at < words.length; at++) words[at] = next();
      return Buffer.from(words.buffer, 0, length);
    },
  };
}

const prose = readFileSync(new URL('../../bench/data/plain.txt', import.meta.url), 'utf8');
const proseWords = prose.split(/\s+/);
const pair = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/** Text of a length: words by lot. */
function textOf(lot: Lot, length: number): string {
  const parts: string[] = [];
  for (let size = 0; size < length; ) {
    const word = proseWords[lot.below(proseWords.length)] ?? 'a';
    parts.push(word);
    size += word.length + 1;
  }
  return parts.join(' ');
}

function u16(...values: number[]): Buffer {
  const out = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) out.writeUInt16LE(value & 0xffff, 2 * at);
  return out;
}

function u32(...values: number[]): Buffer {
  const out = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) out.writeUInt32LE(value >>> 0, 4 * at);
  return out;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  return Buffer.concat([u32(data.length).swap32(), body, u32(crc32(body)).swap32()]);
}

/** Rows of a gradient with noise, as a photograph has. */
function png(lot: Lot, size: number): Buffer {
  const width = Math.max(8, Math.floor(Math.sqrt(size / 3)));
  const noise = lot.bytes(width * (3 * width + 1));
  // Differences of neighbours, as PNG filters leave them: small ones are many.
  for (let at = 0; at < noise.length; at++) {
    const byte = noise[at] as number;
    noise[at] = (byte & 3) + ((byte >> 2) & 3) + ((byte >> 4) & 7) - ((byte >> 5) & 7);
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', Buffer.concat([u32(width, width).swap32(), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('tEXt', Buffer.from('Software\0Screenshot tool 4.2')),
    chunk('IDAT', deflateSync(noise)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function jpeg(lot: Lot, size: number): Buffer {
  const packet = `http://ns.adobe.com/xap/1.0/\0<?xpacket begin="" id="W5M0"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><dc:title>${textOf(lot, 40)}</dc:title></x:xmpmeta>`;
  const segment = (marker: number, data: Buffer): Buffer =>
    Buffer.concat([Buffer.from([0xff, marker]), u16(data.length + 2).swap16(), data]);
  const scan = lot.bytes(size);
  for (let at = 0; at + 1 < scan.length; at++) if (scan[at] === 0xff) scan[at + 1] = 0;
  const table = Buffer.from('\x00456789:CDEFGHIJSTUVWXYZcdefghijstuvwxyz', 'latin1');
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    segment(0xe1, Buffer.from(`Exif\0\0II*\0${textOf(lot, 30)}`, 'latin1')),
    segment(0xe1, Buffer.from(packet)),
    segment(0xdb, Buffer.from(Array.from({ length: 65 }, (_, at) => (at * 3) & 0xff))),
    segment(0xc4, table),
    segment(0xda, Buffer.from([3, 1, 0, 2, 17, 3, 17, 0, 63, 0])),
    scan,
    Buffer.from([0xff, 0xd9]),
  ]);
}

function webp(lot: Lot, size: number): Buffer {
  const data = Buffer.concat([Buffer.from('WEBPVP8 '), u32(size), lot.bytes(size)]);
  return Buffer.concat([Buffer.from('RIFF'), u32(data.length), data]);
}

function pdf(lot: Lot, size: number): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  for (let count = 1, length = 0; length < size; count++) {
    const stream = deflateSync(Buffer.concat([Buffer.from(textOf(lot, 900)), lot.bytes(600)]));
    const head = `${count} 0 obj\n<< /Type /XObject /Filter /FlateDecode /Length ${stream.length} >>\nstream\n`;
    parts.push(Buffer.from(head), stream, Buffer.from('\nendstream\nendobj\n'));
    length += head.length + stream.length;
  }
  parts.push(Buffer.from('trailer\n<< /Root 1 0 R /Size 9 >>\nstartxref\n1234\n%%EOF\n'));
  return Buffer.concat(parts);
}

function zip(lot: Lot, size: number): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (let count = 0; offset < size; count++) {
    const name = Buffer.from(`word/media/${proseWords[lot.below(50)] ?? ''}${count}.xml`);
    const plain = Buffer.concat([Buffer.from(textOf(lot, 2_000)), lot.bytes(1_000)]);
    const data = deflateRawSync(plain);
    const common = [u16(20, 0, 8, 0, 22_000), u32(crc32(plain), data.length, plain.length)];
    const head = [Buffer.from('PK\x03\x04'), ...common, u16(name.length, 0), name, data];
    const local = Buffer.concat(head);
    directory.push(Buffer.from('PK\x01\x02'), u16(20), ...common, u16(name.length, 0, 0, 0, 0));
    directory.push(u32(0, offset), name);
    locals.push(local);
    offset += local.length;
  }
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06'), Buffer.alloc(18)]);
}

function gzip(lot: Lot, size: number): Buffer {
  return gzipSync(Buffer.concat([Buffer.from(textOf(lot, size)), lot.bytes(size / 2)]));
}

function protobuf(lot: Lot, size: number): Buffer {
  const parts: Buffer[] = [];
  for (let length = 0; length < size; ) {
    const text = Buffer.from(textOf(lot, 12 + lot.below(40)));
    const field = Buffer.concat([
      Buffer.from([0x0a, text.length, ...text, 0x10, 0x80 | lot.below(128), lot.below(128)]),
      Buffer.from([0x19]),
      lot.bytes(8),
      Buffer.from([0x22, 16]),
      lot.bytes(16),
    ]);
    parts.push(field);
    length += field.length;
  }
  return Buffer.concat(parts);
}

function encrypted(lot: Lot, size: number): Buffer {
  return Buffer.concat([Buffer.from(lot.below(2) === 0 ? 'Salted__' : ''), lot.bytes(size)]);
}

/** DER of a certificate that holds together as far as its structure goes. */
function certificate(lot: Lot, size: number): Buffer {
  const der = (tag: number, ...data: Buffer[]): Buffer => {
    const all = Buffer.concat(data);
    return Buffer.concat([Buffer.from([tag, 0x82]), u16(all.length).swap16(), all]);
  };
  const name = der(0x30, der(0x31, der(0x0c, Buffer.from(textOf(lot, 30)))));
  const key = pair.publicKey.export({ type: 'spki', format: 'der' });
  const extension = der(0x04, lot.bytes(Math.min(size, 30_000)));
  const body = der(0x30, der(0x02, lot.bytes(16)), name, name, key, extension);
  return der(0x30, body, createSign('sha256').update(body).sign(pair.privateKey));
}

function key(): Buffer {
  return pair.privateKey.export({ type: 'pkcs8', format: 'der' });
}

function saml(lot: Lot, size: number): string {
  const digest = createHash('sha256').update(lot.bytes(32)).digest('base64');
  const values = Array.from(
    { length: Math.ceil(size / 400) },
    () =>
      `<saml:Attribute Name="urn:oid:2.5.4.${lot.below(90)}"><saml:AttributeValue>${textOf(lot, 60)}</saml:AttributeValue></saml:Attribute>`,
  );
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${lot.bytes(16).toString('hex')}" Version="2.0" IssueInstant="2026-01-02T03:04:05Z"><saml:Issuer>https://idp.example.org/metadata</saml:Issuer><ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:DigestValue>${digest}</ds:DigestValue><ds:X509Certificate>${certificate(lot, 600).toString('base64')}</ds:X509Certificate></ds:Signature><saml:AttributeStatement>${values.join('')}</saml:AttributeStatement></samlp:Response>`;
}

function jwt(lot: Lot, size: number): string {
  const claims = {
    iss: 'https://id.example.org',
    sub: `user-${lot.below(1e9)}`,
    exp: 1_790_000_000,
    note: textOf(lot, Math.min(size, 4_000)),
  };
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', typ: 'JWT', kid: lot.bytes(8).toString('hex') })}.${part(claims)}.${lot.bytes(256).toString('base64url')}`;
}

type Kind = readonly [name: string, type: string, make: (lot: Lot, size: number) => Buffer];

const kinds: readonly Kind[] = [
  ['png', 'image/png', png],
  ['jpeg', 'image/jpeg', jpeg],
  ['webp', 'image/webp', webp],
  ['pdf', 'application/pdf', pdf],
  ['zip', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', zip],
  ['gzip', 'application/gzip', gzip],
  ['protobuf', 'application/octet-stream', protobuf],
  ['encrypted', 'application/octet-stream', encrypted],
  ['certificate', 'application/x-x509-ca-cert', certificate],
  ['key', 'application/octet-stream', key],
];

const encodings: readonly (readonly [string, (bytes: Buffer, type: string) => string])[] = [
  ['base64', (bytes) => bytes.toString('base64')],
  ['base64url', (bytes) => bytes.toString('base64url')],
  ['base64 in lines', (bytes) => bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n')],
  ['base64 with blanks for +', (bytes) => bytes.toString('base64').replaceAll('+', ' ')],
  ['base64, URL-encoded', (bytes) => encodeURIComponent(bytes.toString('base64'))],
  ['hex', (bytes) => bytes.toString('hex')],
  ['HEX', (bytes) => bytes.toString('hex').toUpperCase()],
  ['data URI', (bytes, type) => `data:${type};base64,${bytes.toString('base64')}`],
  [
    'PEM',
    (bytes) =>
      `-----BEGIN DATA-----\n${bytes.toString('base64').replaceAll(/.{64}/g, '$&\n')}\n-----END DATA-----\n`,
  ],
  ['binary string', (bytes) => bytes.toString('latin1')],
  ['lossy UTF-8', (bytes) => bytes.toString('utf8')],
];

/** A value that honest clients send. */
export interface Upload {
  readonly name: string;
  readonly value: string;
}

/** The upload of a number: all kinds in all encodings in turn, of about so many bytes. */
export function uploadOf(index: number, size: number): Upload {
  const lot = lotOf(0x9e3779b1 * (index + 1));
  for (let warm = 0; warm < 8; warm++) lot.below(2);
  const turn = index % (kinds.length * encodings.length + 3);
  if (turn === 0) return { name: `jwt ${index}`, value: jwt(lot, size) };
  if (turn === 1) {
    return { name: `saml ${index}`, value: Buffer.from(saml(lot, size)).toString('base64') };
  }
  if (turn === 2) {
    return {
      name: `saml, deflated ${index}`,
      value: deflateRawSync(saml(lot, size)).toString('base64'),
    };
  }
  const [kind, type, make] = kinds[(turn - 3) % kinds.length] as Kind;
  const [encoding, encode] = encodings[Math.floor((turn - 3) / kinds.length)] ?? encodings[0] ?? [];
  if (encoding === undefined || encode === undefined) throw new Error('no encoding');
  return { name: `${kind}, ${encoding}, ${index}`, value: encode(make(lot, size), type) };
}
