import { gzipSync } from 'node:zlib';
import type { Random } from '../../lib/random.ts';
import type { Framing, Header, WireRequest } from '../engine/wire-request.ts';
import { charsets } from './charsets.ts';
import { generate } from './generate.ts';
import { headerValue } from './headers.ts';
import { attacks, oddBytes, word } from './texts.ts';

type Mutation = (request: WireRequest, random: Random) => WireRequest;

/** Changes a request in one to three places. */
export function mutate(request: WireRequest, random: Random): WireRequest {
  let changed = request;
  const steps = 1 + random.below(3);
  for (let step = 0; step < steps; step += 1) changed = random.pick(mutations)(changed, random);
  return changed;
}

const mutations: readonly Mutation[] = [
  (request, random) => ({ ...request, body: withBytes(request.body, random) }),
  (request, random) => ({ ...request, body: withBytes(request.body, random) }),
  (request, random) => ({ ...request, body: withToken(request.body, random) }),
  (request, random) => ({ ...request, body: withToken(request.body, random) }),
  (request, random) => ({ ...request, body: withoutSome(request.body, random) }),
  (request, random) => ({ ...request, headers: withChangedHeader(request.headers, random) }),
  (request, random) => ({ ...request, headers: withChangedHeader(request.headers, random) }),
  (request, random) => ({ ...request, headers: withoutHeader(request.headers, random) }),
  (request, random) => ({ ...request, headers: [...request.headers, ...oneHeader(random)] }),
  (request, random) => ({ ...request, target: withTargetToken(request.target, random) }),
  (request, random) => ({ ...request, method: random.pick(['POST', 'GET', 'PUT', 'DELETE']) }),
  otherBody,
  otherCharset,
  inGzip,
  (request, random) => ({ ...request, framing: otherFraming(request.body, random) }),
];

function withBytes(body: Buffer, random: Random): Buffer {
  const at = random.below(body.length + 1);
  const until = Math.min(body.length, at + random.below(3));
  const bytes = random.pick([random.pick(oddBytes), Buffer.from([random.below(256)])]);
  return Buffer.concat([body.subarray(0, at), bytes, body.subarray(until)]);
}

function withToken(body: Buffer, random: Random): Buffer {
  const at = random.below(body.length + 1);
  const own = random.below(body.length);
  const token = random.chance(70)
    ? Buffer.from(random.pick(tokens))
    : body.subarray(own, own + random.below(40));
  return Buffer.concat([body.subarray(0, at), token, body.subarray(at)]);
}

function withoutSome(body: Buffer, random: Random): Buffer {
  const at = random.below(body.length);
  return Buffer.concat([body.subarray(0, at), body.subarray(at + 1 + random.below(20))]);
}

const tokens = [
  ...['"', "'", '\\', ',', ':', '{', '}', '[', ']', '=', '&', ';', '%', '%00', '+', ' ', '\t'],
  ...['\r\n', '\n', '\r\n\r\n', '\n\n', '--', '\r\n--', '\0', '\\u0000', '\\"', '/*', '*/', '//'],
  ...['filename=""', '; filename="a"', '; name="b"', 'Content-Type: text/plain\r\n', '__proto__'],
  ...['Content-Transfer-Encoding: base64\r\n', 'charset=utf-16le', '_charset_=utf-16le&', 'NaN'],
  ...attacks,
];

function withChangedHeader(headers: readonly Header[], random: Random): Header[] {
  const chosen = random.below(headers.length);
  return headers.map(([name, value], index): Header => {
    if (index !== chosen) return [name, value];
    const at = random.below(value.length + 1);
    const token = random.pick([';', ',', '"', '\\', ' ', '=', '\t', "'", word(random)]);
    return random.pick<Header>([
      [name, `${value.slice(0, at)}${token}${value.slice(at)}`],
      [name, value.slice(0, at)],
      [name, value.toUpperCase()],
      [name.toLowerCase(), `${value}${random.pick(['; charset=utf-16', '; boundary=x', ','])}`],
      [name, ` ${value} `],
    ]);
  });
}

function withoutHeader(headers: readonly Header[], random: Random): Header[] {
  const chosen = random.below(headers.length);
  return headers.filter((_, index) => index !== chosen);
}

function oneHeader(random: Random): Header[] {
  const kinds: Header[] = [
    ['Content-Encoding', random.pick(['gzip', 'deflate', 'br', 'identity', word(random)])],
    ['Content-Type', random.pick(['application/json', 'text/plain', 'multipart/form-data'])],
    [`X-${word(random)}`, headerValue(random)],
    ['Content-Transfer-Encoding', 'base64'],
    ['X-HTTP-Method-Override', 'PUT'],
  ];
  return [random.pick(kinds)];
}

function withTargetToken(target: string, random: Random): string {
  const at = 1 + random.below(target.length);
  const token = random.pick(['&', '=', ';', '%', '+', '?', '/', '%2', '[]', '%00', '#', '..', ':']);
  return `${target.slice(0, at)}${token}${target.slice(at)}`;
}

/** The body, and what says how to read it, of another request. */
function otherBody(request: WireRequest, random: Random): WireRequest {
  const other = generate(random);
  const kept = request.headers.filter(([name]) => !name.toLowerCase().startsWith('content-'));
  const own = other.headers.filter(([name]) => name.toLowerCase().startsWith('content-'));
  return { ...other, headers: [...kept, ...own] };
}

function otherCharset(request: WireRequest, random: Random): WireRequest {
  const [charset, encode] = random.pick(charsets);
  const body = random.chance(50) ? encode(request.body.toString('utf8')) : request.body;
  const headers = request.headers.map(([name, value]): Header => {
    const isType = name.toLowerCase() === 'content-type';
    return [name, isType ? `${value}; charset=${charset}` : value];
  });
  return { ...request, headers, body };
}

function inGzip(request: WireRequest): WireRequest {
  const headers: Header[] = [...request.headers, ['Content-Encoding', 'gzip']];
  return { ...request, headers, body: gzipSync(request.body) };
}

/** False lengths, repeated headers, unknown codings. */
function otherFraming(body: Buffer, random: Random): Framing {
  const length = String(body.length);
  return random.pick<Framing>([
    { kind: 'length' },
    { kind: 'length' },
    { kind: 'chunked', sizes: [1, 1, 2], extension: '' },
    { kind: 'verbatim', headers: [['Content-Length', String(body.length + 3)]] },
    { kind: 'verbatim', headers: [['Content-Length', String(Math.max(0, body.length - 3))]] },
    { kind: 'verbatim', headers: [['Content-Length', `0${length}`]] },
    { kind: 'verbatim', headers: [['Content-Length', `${length}, ${length}`]] },
    {
      kind: 'verbatim',
      headers: [
        ['Content-Length', length],
        ['Content-Length', length],
      ],
    },
    { kind: 'verbatim', headers: [['Transfer-Encoding', 'gzip, chunked']] },
    { kind: 'verbatim', headers: [['Transfer-Encoding', 'identity']] },
    {
      kind: 'verbatim',
      headers: [
        ['Content-Length', length],
        ['Transfer-Encoding', 'chunked'],
      ],
    },
  ]);
}
