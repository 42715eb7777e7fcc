import { createServer, type IncomingMessage, request } from 'node:http';
import { Duplex } from 'node:stream';
import type { Context, Effect, Oracle } from '../contract.ts';
import { oneField } from './line-oracle.ts';

// Programs that put a value into a header themselves, as `header()` of old and raw sockets do. Node
// reads what they wrote, and must find the headers that they meant, and no others.

interface Writer extends Context {
  readonly side: 'request' | 'response';
  /** All that is on the wire. */
  write(value: string): Buffer;
}

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
/** Each character as its last eight bits. */
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const decoded = (text: string): string => decodeURIComponent(text);
/** Percent signs as bytes, and the bytes as characters, like servers in C. */
const asBytes = (text: string): string =>
  text.replace(/%([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );

const answer = (header: string): string =>
  `HTTP/1.1 302 Found\r\n${header}\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok`;
const call = (path: string, header: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: stock.test\r\n${header}\r\nAccept: */*\r\n\r\n`;

function writer(context: Context, side: Writer['side'], write: (value: string) => Buffer): Writer {
  return { ...context, side, write };
}

const writers: readonly Writer[] = [
  writer(oneField('Location', 'query.next', '/basket'), 'response', (v) =>
    utf8(answer(`Location: ${v}`)),
  ),
  writer(oneField('Location, path', 'query.page', 'tea'), 'response', (v) =>
    utf8(answer(`Location: https://shop.test/${v}`)),
  ),
  writer(oneField('Set-Cookie', 'body.lang', 'en'), 'response', (v) =>
    utf8(answer(`Set-Cookie: lang=${v}; Path=/`)),
  ),
  writer(oneField('Content-Disposition', 'query.name', 'order.pdf'), 'response', (v) =>
    utf8(answer(`Content-Disposition: attachment; filename="${v}"`)),
  ),
  writer(oneField('name of a header', 'query.meta', 'color'), 'response', (v) =>
    utf8(answer(`X-Meta-${v}: 1`)),
  ),
  writer(oneField('reason', 'query.error', 'Not found'), 'response', (v) =>
    utf8(answer('A: b').replace('302 Found', () => `404 ${v}`)),
  ),
  writer(oneField('Location, latin1', 'query.next', '/basket'), 'response', (v) =>
    latin1(answer(`Location: ${v}`)),
  ),
  writer(oneField('header, latin1', 'body.id', 'r-17'), 'response', (v) =>
    latin1(answer(`X-Request-Id: ${v}`)),
  ),
  writer(oneField('Location, decoded', 'query.next', '%2Fbasket'), 'response', (v) =>
    utf8(answer(`Location: ${decoded(v)}`)),
  ),
  writer(oneField('Set-Cookie, decoded', 'query.lang', 'en'), 'response', (v) =>
    utf8(answer(`Set-Cookie: lang=${decoded(v)}; Path=/`)),
  ),
  writer(oneField('Location, decoded twice', 'query.next', '%252Fbasket'), 'response', (v) =>
    utf8(answer(`Location: ${decoded(decoded(v))}`)),
  ),
  writer(oneField('Location, decoded as bytes', 'query.next', '%2Fbasket'), 'response', (v) =>
    latin1(answer(`Location: ${asBytes(v)}`)),
  ),
  writer(oneField('Location, decoded, latin1', 'query.next', '%2Fbasket'), 'response', (v) =>
    latin1(answer(`Location: ${decoded(v)}`)),
  ),
  writer(oneField('request, header', 'body.user', 'alice'), 'request', (v) =>
    utf8(call('/stock', `X-User: ${v}`)),
  ),
  writer(oneField('request, path', 'query.id', '17'), 'request', (v) =>
    utf8(call(`/stock/${v}`, 'X-User: shop')),
  ),
  writer(oneField('request, path, decoded', 'query.id', '17'), 'request', (v) =>
    utf8(call(`/stock/${decoded(v)}`, 'X-User: shop')),
  ),
  writer(oneField('request, path, latin1', 'query.id', '17'), 'request', (v) =>
    latin1(call(`/stock/${v}`, 'X-User: shop')),
  ),
];

/** Headers that are put together, read by the lenient parser of Node: another header or body. */
export const headers: Oracle = {
  name: 'HTTP headers',
  category: 'crlf',
  language: 'crlf',
  tools: [],
  contexts: writers,
  async start() {
    return {
      async judge({ name }, [value = '']): Promise<Effect> {
        const one = writers.find((writer) => writer.name === name);
        if (one === undefined) return 'error';
        const read = one.side === 'response' ? readResponse : readRequests;
        try {
          const seen = await read(one.write(value));
          const meant = await meantBy(one, read);
          return seen === undefined ? 'error' : seen === meant ? 'inert' : 'effective';
        } catch {
          return 'error';
        }
      },
      async close() {},
    };
  },
};

const meant = new Map<string, string | undefined>();

async function meantBy(
  one: Writer,
  read: (bytes: Buffer) => Promise<string | undefined>,
): Promise<string | undefined> {
  if (!meant.has(one.name)) meant.set(one.name, await read(one.write(one.benign[0] ?? '')));
  return meant.get(one.name);
}

/** A connection on which these bytes arrive; what is written to it is dropped. */
function wire(bytes: Buffer): Duplex {
  const duplex = new Duplex({
    read() {},
    write(_chunk, _encoding, done) {
      done();
    },
  });
  duplex.push(bytes);
  duplex.push(null);
  return duplex;
}

/** The name of each header; that of an own header may end with anything. */
function namesOf(message: IncomingMessage): string {
  return message.rawHeaders
    .filter((_, index) => index % 2 === 0)
    .map((name) => name.toLowerCase().replace(/^x-meta-.*$/, 'x-meta'))
    .join();
}

/** The headers and the body of a response; undefined where there is none. */
function readResponse(bytes: Buffer): Promise<string | undefined> {
  return new Promise((resolve) => {
    const duplex = wire(bytes);
    const asked = request({ createConnection: () => duplex, insecureHTTPParser: true });
    let names: string | undefined;
    asked.once('response', (message) => {
      names = namesOf(message);
      let body = '';
      message.on('data', (chunk) => {
        body += chunk;
      });
      message.once('end', () => resolve(`${names}\n${body}`));
      message.once('error', broken);
    });
    const broken = (): void => resolve(names === undefined ? undefined : `${names}\n(broken)`);
    asked.once('error', broken);
    asked.once('close', broken);
    asked.end();
  });
}

/** The headers of each request on a connection; undefined where there is none. */
function readRequests(bytes: Buffer): Promise<string | undefined> {
  return new Promise((resolve) => {
    const seen: string[] = [];
    const server = createServer({ insecureHTTPParser: true }, (message, response) => {
      seen.push(namesOf(message));
      message.resume();
      response.end();
    });
    const end = (): void => resolve(seen.length === 0 ? undefined : seen.join('\n'));
    server.on('clientError', end);
    const duplex = wire(bytes);
    duplex.once('close', end);
    duplex.once('end', () => setImmediate(end));
    server.emit('connection', duplex);
  });
}
