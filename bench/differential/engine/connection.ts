import { connect, type Socket } from 'node:net';

/** An answer of HTTP/1.1; undefined where the connection ended, or time was up, before it came. */
export interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const answerMsMax = 5000;

/** Sends raw requests one after the other, on one connection as long as it lasts. */
export class Connection {
  readonly #port: number;
  #socket: Socket | undefined;
  #received = Buffer.alloc(0);
  #wake: () => void = () => undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** `isLast`: nothing follows, as for a request whose end is in doubt. */
  async exchange(
    bytes: Buffer,
    how: { readonly isHead: boolean; readonly isLast: boolean },
  ): Promise<Answer | undefined> {
    const socket = this.#open();
    let isTimeUp = false;
    const timer = setTimeout(() => {
      isTimeUp = true;
      socket.destroy();
    }, answerMsMax);
    if (how.isLast) socket.end(bytes);
    else socket.write(bytes);
    for (;;) {
      const answer = readAnswer(this.#received, how.isHead, socket.destroyed && !isTimeUp);
      if (answer !== undefined || socket.destroyed) {
        clearTimeout(timer);
        if (answer?.isReusable !== true || how.isLast || this.#received.length > answer.size) {
          await this.close();
        }
        this.#received = Buffer.alloc(0);
        return answer;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Resolves when the other side has seen it too. */
  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    if (socket === undefined || socket.closed) return;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.destroy();
    await closed;
  }

  #open(): Socket {
    if (this.#socket !== undefined && !this.#socket.destroyed) return this.#socket;
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true });
    this.#socket = socket;
    socket.on('data', (chunk) => {
      if (this.#socket !== socket) return;
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    // A reset is an end like any other.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#wake());
    return socket;
  }
}

interface ReadAnswer extends Answer {
  readonly size: number;
  readonly isReusable: boolean;
}

function readAnswer(bytes: Buffer, isHead: boolean, isOver: boolean): ReadAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(head.slice(9, 12));
  const from = end + 4;
  if (status < 200) return readAnswer(bytes.subarray(from), isHead, isOver);
  const isReusable = !/^connection:\s*close/im.test(head) && head.startsWith('HTTP/1.1');
  if (isHead || status === 204 || status === 304) {
    return { status, body: Buffer.alloc(0), size: from, isReusable };
  }
  const length = /^content-length:\s*(\d+)/im.exec(head)?.[1];
  if (length !== undefined) {
    const size = from + Number(length);
    if (bytes.length < size) return undefined;
    return { status, body: bytes.subarray(from, size), size, isReusable };
  }
  if (/^transfer-encoding:\s*chunked/im.test(head)) {
    return readChunked(bytes, from, { status, isReusable });
  }
  return isOver
    ? { status, body: bytes.subarray(from), size: bytes.length, isReusable }
    : undefined;
}

function readChunked(
  bytes: Buffer,
  from: number,
  answer: { readonly status: number; readonly isReusable: boolean },
): ReadAnswer | undefined {
  const chunks: Buffer[] = [];
  for (let at = from; ; ) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (bytes.length < end + 2 + size + 2) return undefined;
    if (size === 0) return { ...answer, body: Buffer.concat(chunks), size: end + 4 };
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
