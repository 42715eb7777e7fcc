import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** An answer as it came over the wire. Header names are in lower case. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Where to connect: a `unix:` or `http(s):` address as the server names it. */
export async function connect(address: string, ca?: string): Promise<RawClient> {
  const socket = open(address, ca);
  await once(socket, address.startsWith('https') ? 'secureConnect' : 'connect');
  return new RawClient(socket);
}

function open(address: string, ca: string | undefined): Socket {
  if (address.startsWith('unix:')) return connectTcp(address.slice('unix:'.length));
  const { hostname, port } = new URL(address);
  const target = { host: hostname, port: Number(port), noDelay: true };
  if (address.startsWith('http:')) return connectTcp(target);
  return connectTls({ ...target, ...(ca === undefined ? {} : { ca }), servername: 'localhost' });
}

/** One connection: bytes out as the test wants them, answers in as they come. */
export class RawClient {
  readonly socket: Socket;
  /** Resolves when the connection is gone, with the error code of a reset. */
  readonly closed: Promise<string | undefined>;
  private received = Buffer.alloc(0);
  private isOver = false;
  private wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      let code: string | undefined;
      socket.on('error', (error: NodeJS.ErrnoException) => {
        code = error.code;
      });
      socket.on('close', () => {
        this.isOver = true;
        this.wake();
        resolve(code);
      });
    });
    socket.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.wake();
    });
  }

  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** The next answer; `headOnly` for HEAD, whose `content-length` announces nothing. */
  async answer(options: { readonly headOnly?: boolean } = {}): Promise<RawAnswer> {
    for (;;) {
      const parsed = parseAnswer(this.received, options.headOnly === true);
      if (parsed !== undefined) {
        this.received = this.received.subarray(parsed.size);
        return parsed.answer;
      }
      if (this.isOver) {
        throw new Error(`the connection closed after ${JSON.stringify(String(this.received))}`);
      }
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** What was received and belongs to no answer. */
  get rest(): string {
    return String(this.received);
  }

  end(): void {
    this.socket.destroy();
  }
}

function parseAnswer(
  bytes: Buffer,
  headOnly: boolean,
): { answer: RawAnswer; size: number } | undefined {
  const headSize = bytes.indexOf('\r\n\r\n');
  if (headSize < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headSize).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon < 1 || headers.has(name)) throw new Error(`bad or doubled header: ${line}`);
    headers.set(name, line.slice(colon + 1).trim());
  }
  const start = headSize + 4;
  const done = (body: string, size: number) => ({ answer: { status, headers, body }, size });
  if (headOnly || status === 204 || status < 200) return done('', start);
  if (headers.get('transfer-encoding') === 'chunked') {
    const chunked = parseChunks(bytes, start);
    return chunked === undefined ? undefined : done(chunked.body, chunked.end);
  }
  const length = Number(headers.get('content-length') ?? Number.NaN);
  if (!Number.isInteger(length)) throw new Error(`no content-length in ${statusLine}`);
  if (bytes.length < start + length) return undefined;
  return done(bytes.subarray(start, start + length).toString('utf8'), start + length);
}

function parseChunks(bytes: Buffer, start: number): { body: string; end: number } | undefined {
  const parts: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const end = lineEnd + 2 + size + 2;
    if (bytes.length < end) return undefined;
    if (size === 0) return { body: Buffer.concat(parts).toString('utf8'), end };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = end;
  }
}
