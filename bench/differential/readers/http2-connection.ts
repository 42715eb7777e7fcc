import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';
import type { WireRequest } from '../engine/wire-request.ts';

const answerMsMax = 5000;

/** Sends the same requests over HTTP/2 without TLS, as a client does that knows it. */
export class Http2Connection {
  readonly #port: number;
  #session: ClientHttp2Session | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  exchange(request: WireRequest): Promise<{ readonly status: number } | undefined> {
    return new Promise((resolve) => {
      let status: number | undefined;
      const conclude = () => {
        clearTimeout(timer);
        resolve(status === undefined ? undefined : { status });
      };
      const timer = setTimeout(() => this.#session?.destroy(), answerMsMax);
      try {
        const hasBody = request.framing.kind !== 'none';
        const stream = this.#open().request(headersOf(request), { endStream: !hasBody });
        stream.on('response', (headers) => {
          status = headers[':status'];
        });
        stream.on('error', () => undefined);
        stream.on('close', conclude);
        stream.resume();
        if (hasBody) stream.end(request.body);
      } catch {
        // Headers that HTTP/2 does not have.
        conclude();
      }
    });
  }

  async close(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined || session.destroyed) return;
    const closed = new Promise((resolve) => session.once('close', resolve));
    session.destroy();
    await closed;
  }

  #open(): ClientHttp2Session {
    if (this.#session !== undefined && !this.#session.destroyed && !this.#session.closed) {
      return this.#session;
    }
    const session = connect(`http://127.0.0.1:${this.#port}`);
    session.on('error', () => undefined);
    this.#session = session;
    return session;
  }
}

/** Neither a length nor an encoding: HTTP/2 needs none. */
function headersOf(request: WireRequest): OutgoingHttpHeaders {
  const headers: Record<string, string | string[]> = {
    ':method': request.method,
    ':path': request.target,
    ':authority': 'localhost',
  };
  for (const [name, value] of request.headers) {
    const lower = name.toLowerCase();
    if (lower === 'host') continue;
    const known = headers[lower];
    if (known !== undefined && isSingle.has(lower)) throw new Error(`${lower} comes twice.`);
    headers[lower] = known === undefined ? value : [known, value].flat();
  }
  return headers;
}

/** Of these a client of HTTP/2 in Node sends one only: another request than was meant. */
const isSingle = new Set([
  ...['content-type', 'user-agent', 'referer', 'from', 'if-modified-since', 'max-forwards', 'date'],
  ...['authorization', 'content-md5', 'content-location', 'content-range', 'content-encoding'],
  ...['content-language', 'if-none-match', 'if-match', 'access-control-request-method', 'range'],
  ...['origin', 'etag', 'host', 'dnt', 'upgrade-insecure-requests', 'location', 'retry-after'],
]);
