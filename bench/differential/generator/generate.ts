import type { Random } from '../../lib/random.ts';
import type { Framing, Header, WireRequest } from '../engine/wire-request.ts';
import { charsets } from './charsets.ts';
import { coded } from './codings.ts';
import { otherHeaders } from './headers.ts';
import { json } from './json.ts';
import { multipart } from './multipart.ts';
import { oneByteEach, pairs, target } from './target.ts';
import { oddBytes, text, word } from './texts.ts';

/** A body with the content type that a client would declare. */
interface Body {
  readonly type: string;
  readonly text: string | Buffer;
}

/** One request: mostly sound, with an oddity here and there. */
export function generate(random: Random): WireRequest {
  const hasBody = random.chance(78);
  const method = methodOf(random, hasBody);
  const headers = otherHeaders(random);
  if (!hasBody) {
    const framing: Framing = { kind: random.chance(90) ? 'none' : 'length' };
    return { method, target: target(random), headers, body: Buffer.alloc(0), framing };
  }
  const made = bodyOf(random);
  const { body, type } = written(made, random);
  headers.push(...typeHeaders(type, random));
  let bytes = body;
  if (random.chance(12)) {
    const inCoding = coded(body, random);
    bytes = inCoding.body;
    headers.push(['Content-Encoding', inCoding.encoding]);
  }
  const framing = framingOf(bytes, random);
  return {
    method,
    target: target(random),
    headers: shuffled(headers, random),
    body: bytes,
    framing,
  };
}

function methodOf(random: Random, hasBody: boolean): string {
  const usual = hasBody ? ['POST', 'POST', 'POST', 'PUT', 'PATCH'] : ['GET', 'GET', 'GET', 'HEAD'];
  return random.chance(95) ? random.pick(usual) : random.pick(['GET', 'DELETE', 'OPTIONS', 'POST']);
}

function bodyOf(random: Random): Body {
  const share = random.below(20);
  if (share < 6) return { type: 'application/json', text: json(random) };
  if (share < 10) return { type: 'application/x-www-form-urlencoded', text: form(random) };
  if (share < 16) {
    const { contentType, body } = multipart(random);
    return { type: contentType, text: body };
  }
  if (share < 17) return { type: 'application/xml', text: xml(random) };
  if (share < 18) return { type: random.pick(types), text: binary(random) };
  return { type: 'text/plain', text: text(random) };
}

function form(random: Random): string {
  return pairs(random, random.pick(['&', '&', '&', '&', '&', ';', '&&', '\r\n']));
}

function xml(random: Random): string {
  const inside = random.chance(30) ? `<![CDATA[${text(random)}]]>` : text(random);
  const start = random.chance(30) ? `<?xml version="1.0" encoding="UTF-8"?>` : '';
  return `${start}<a ${word(random)}="${text(random)}"><b>${inside}</b><!--${word(random)}--></a>`;
}

function binary(random: Random): Buffer {
  const start = random.chance(60) ? random.pick(signatures) : Buffer.alloc(0);
  const middle = Buffer.from(random.pick([json(random), text(random), form(random)]));
  return Buffer.concat([start, middle, random.pick(oddBytes)]);
}

const signatures = [
  ...['89504e470d0a1a0a', 'ffd8ff', '47494638', '25504446', '504b0304', '1f8b', '52494646', '00'],
].map((hex) => Buffer.from(hex, 'hex'));

/** Bytes, and the type that is declared for them. */
function written(made: Body, random: Random): { readonly body: Buffer; readonly type: string } {
  const { text: content } = made;
  const declared = random.chance(82) ? made.type : anyType(random);
  const plain = typeof content === 'string' ? Buffer.from(content) : content;
  const body = random.chance(4) ? spoilt(plain, random) : plain;
  if (random.chance(80)) return { body, type: declared };
  const [charset, encode] = random.pick(charsets);
  const parameter = random.pick([
    `; charset=${charset}`,
    `; charset=${charset}`,
    `;charset="${charset}"`,
    `; Charset=${charset.toUpperCase()}`,
    `; charset=utf-8; charset=${charset}`,
    `; charset=${charset}; charset=utf-8`,
    `; charset='${charset}'`,
    `; charset = ${charset}`,
  ]);
  const isTrue = random.chance(60) && typeof content === 'string';
  return { body: isTrue ? encode(content) : body, type: `${declared}${parameter}` };
}

function anyType(random: Random): string {
  return random.chance(90)
    ? random.pick(types)
    : oneByteEach(text(random)).replace(/[\r\n\0]/g, '');
}

const types = [
  ...['application/json', 'Application/JSON', 'application/vnd.api+json', 'text/json', 'json'],
  ...['application/x-www-form-urlencoded', 'APPLICATION/X-WWW-FORM-URLENCODED', 'text/plain'],
  ...['text/html', 'application/xml', 'text/xml', 'application/octet-stream', 'image/png'],
  ...['application/pdf', 'video/mp4', 'application/zip', 'font/woff', 'image/svg+xml', '*/*', ''],
  ...['application/graphql', 'application/csp-report', 'application/x-ndjson', 'unknown/unknown'],
  ...['multipart/form-data', 'multipart/form-data; boundary=x', 'application/json;', 'text'],
  ...['application/json, text/plain', 'application/json+x', ' application/json', 'image/gif'],
];

/** One content type as a rule; none, or two of them, at times. */
function typeHeaders(type: string, random: Random): Header[] {
  const own: Header = ['Content-Type', type.trim()];
  if (random.chance(92)) return [own];
  const other: Header = ['Content-Type', random.pick(types).trim()];
  return random.pick([[], [own, other], [other, own], [['content-type', own[1]]]]);
}

/** One odd byte sequence somewhere. */
function spoilt(body: Buffer, random: Random): Buffer {
  const at = random.below(body.length + 1);
  return Buffer.concat([body.subarray(0, at), random.pick(oddBytes), body.subarray(at)]);
}

function framingOf(body: Buffer, random: Random): Framing {
  if (random.chance(80)) return { kind: 'length' };
  const sizes = random.times(random.below(6), () => 1 + random.below(Math.max(1, body.length)));
  const extension = random.chance(80) ? '' : random.pick([';a', ';a=b', `;${word(random)}="x"`]);
  return { kind: 'chunked', sizes, extension };
}

function shuffled(headers: Header[], random: Random): Header[] {
  if (random.chance(80)) return headers;
  return headers
    .map((header) => ({ header, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ header }) => header);
}
