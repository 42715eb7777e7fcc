/** Name and value as they go over the wire, one character for each byte. */
export type Header = readonly [name: string, value: string];

/** How the body is delimited. */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length' }
  /** Bytes of each chunk in turn; the last one takes what is left. */
  | { readonly kind: 'chunked'; readonly sizes: readonly number[]; readonly extension: string }
  /** Framing headers of its own, and the body as it stands on the wire. */
  | { readonly kind: 'verbatim'; readonly headers: readonly Header[] };

/** A request before it is written: what generator, mutations and the shrinker work on. */
export interface WireRequest {
  readonly method: string;
  readonly target: string;
  /** Without those of the framing. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
  readonly framing: Framing;
}

/** Headers that say where a message ends. */
export const framingNames: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding']);

/** The bytes of HTTP/1.1. */
export function bytesOf(request: WireRequest): Buffer {
  const { method, target, headers, body, framing } = request;
  const lines = [...headers, ...framingHeaders(body, framing)].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  if (framing.kind === 'none') return head;
  if (framing.kind !== 'chunked') return Buffer.concat([head, body]);
  return Buffer.concat([head, ...chunked(body, framing.sizes, framing.extension)]);
}

function framingHeaders(body: Buffer, framing: Framing): readonly Header[] {
  switch (framing.kind) {
    case 'none':
      return [];
    case 'length':
      return [['Content-Length', String(body.length)]];
    case 'chunked':
      return [['Transfer-Encoding', 'chunked']];
    case 'verbatim':
      return framing.headers;
  }
}

function chunked(body: Buffer, sizes: readonly number[], extension: string): Buffer[] {
  const written: Buffer[] = [];
  let at = 0;
  for (let index = 0; at < body.length; index += 1) {
    const size = Math.max(1, sizes[index] ?? body.length);
    const chunk = body.subarray(at, at + size);
    written.push(Buffer.from(`${chunk.length.toString(16)}${extension}\r\n`), chunk, lineBreak);
    at += size;
  }
  return [...written, Buffer.from('0\r\n\r\n')];
}

const lineBreak = Buffer.from('\r\n');

/** Reads what `bytesOf` wrote. */
export function readWire(bytes: Buffer): WireRequest {
  const end = bytes.indexOf('\r\n\r\n');
  const lines = bytes.toString('latin1', 0, end < 0 ? bytes.length : end).split('\r\n');
  const [method = 'GET', target = '/'] = (lines[0] ?? '').split(' ');
  const all = lines.slice(1).map(headerIn);
  const rest = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 4);
  const framed = all.filter(([name]) => framingNames.has(name.toLowerCase()));
  const headers = all.filter(([name]) => !framingNames.has(name.toLowerCase()));
  const request = { method, target, headers, body: rest };
  const [only] = framed;
  if (only === undefined) return { ...request, framing: { kind: 'none' } };
  if (framed.length === 1 && only[1] === String(rest.length)) {
    return { ...request, framing: { kind: 'length' } };
  }
  const plain = framed.length === 1 && only[1] === 'chunked' ? dechunked(rest) : undefined;
  if (plain === undefined) return { ...request, framing: { kind: 'verbatim', headers: framed } };
  return { ...request, body: plain.body, framing: plain.framing };
}

function headerIn(line: string): Header {
  const colon = line.indexOf(':');
  if (colon < 0) return [line, ''];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}

function dechunked(wire: Buffer): { readonly body: Buffer; readonly framing: Framing } | undefined {
  const chunks: Buffer[] = [];
  let extension = '';
  for (let at = 0; ; ) {
    const end = wire.indexOf('\r\n', at);
    const found = /^([0-9a-f]+)(.*)$/s.exec(wire.toString('latin1', at, Math.max(at, end)));
    const size = Number.parseInt(found?.[1] ?? '', 16);
    if (end < 0 || Number.isNaN(size)) return undefined;
    if (size === 0) break;
    extension = found?.[2] ?? '';
    chunks.push(wire.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  const sizes = chunks.map(({ length }) => length);
  return { body: Buffer.concat(chunks), framing: { kind: 'chunked', sizes, extension } };
}

/** The last value of a header, as most applications would read it; empty where there is none. */
export function headerOf(request: WireRequest, name: string): string {
  return request.headers.findLast(([own]) => own.toLowerCase() === name)?.[1].trim() ?? '';
}

/** One line that JSON, a shell's `printf '%b'` and `unescaped` understand. */
export function escaped(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\\\x00-\x1f\x7f-\xff]/g, (character) => escapes[character] ?? hexEscape(character));
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\r': '\\r', '\n': '\\n' };

function hexEscape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

/** The bytes that `escaped` wrote. */
export function unescaped(text: string): Buffer {
  const plain = text.replace(/\\(?:x([0-9a-f]{2})|(.))/gi, (_all, hex?: string, one?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return one === 'r' ? '\r' : one === 'n' ? '\n' : (one ?? '');
  });
  return Buffer.from(plain, 'latin1');
}
