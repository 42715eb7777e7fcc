import { connect, type Socket } from 'node:net';

/** One request, as the bytes on the wire, and the status that its answer must have. */
export interface Shot {
  readonly name: string;
  readonly wire: Buffer;
  readonly status: number;
}

/** What became of one request. */
export interface Answered {
  readonly shot: Shot;
  /** The time that the latency counts from, as `performance.now()`. */
  readonly from: number;
  readonly status: number;
}

/** Called for each answer; the connection is free again. */
export type OnAnswer = (connection: Connection, answered: Answered) => void;

const headEnd = Buffer.from('\r\n\r\n');
const readBytes = 65_536;

/**
 * A kept-alive HTTP/1.1 connection with one request at a time. Knows as much of HTTP as the servers
 * of this suite say: a status, `content-length`, a body.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #onAnswer: OnAnswer;
  #shot: Shot | undefined;
  #from = 0;
  #status = 0;
  /** Bytes of the body that are still to come; -1 while the head is not complete. */
  #bodyLeft = -1;
  #head = '';

  private constructor(socket: Socket, onAnswer: OnAnswer) {
    this.#socket = socket;
    this.#onAnswer = onAnswer;
  }

  /** Connects; `onLost` is told when the connection ends other than by `close`. */
  static open(
    target: { readonly host: string; readonly port: number },
    onAnswer: OnAnswer,
    onLost: (error: Error) => void,
  ): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const buffer = Buffer.allocUnsafeSlow(readBytes);
      const socket: Socket = connect({
        ...target,
        noDelay: true,
        // One buffer for all reads: an allocation for each would cost as much as the request.
        onread: {
          buffer,
          callback: (count) => {
            connection.#receive(buffer, count);
            return true;
          },
        },
      });
      const connection = new Connection(socket, onAnswer);
      socket.once('connect', () => resolve(connection));
      socket.once('error', (error) => {
        reject(error);
        onLost(error);
      });
      socket.once('end', () => onLost(new Error('The server closed a connection.')));
    });
  }

  send(shot: Shot, from: number): void {
    this.#shot = shot;
    this.#from = from;
    this.#socket.write(shot.wire);
  }

  close(): void {
    this.#socket.removeAllListeners('end').removeAllListeners('error');
    this.#socket.on('error', () => undefined);
    this.#socket.destroy();
  }

  #receive(buffer: Buffer, count: number): void {
    if (this.#bodyLeft < 0) this.#receiveHead(buffer, count);
    else this.#bodyLeft -= count;
    if (this.#bodyLeft !== 0) return;
    const shot = this.#shot;
    this.#bodyLeft = -1;
    this.#shot = undefined;
    if (shot === undefined) throw new Error('An answer came that nobody asked for.');
    this.#onAnswer(this, { shot, from: this.#from, status: this.#status });
  }

  #receiveHead(buffer: Buffer, count: number): void {
    const end = this.#head === '' ? buffer.subarray(0, count).indexOf(headEnd) : -1;
    // Nearly always the head comes whole; the rest of this function is for when it does not.
    const text = this.#head + buffer.toString('latin1', 0, end < 0 ? count : end + 4);
    const textEnd = end < 0 ? text.indexOf('\r\n\r\n') : end;
    if (textEnd < 0) {
      this.#head = text;
      return;
    }
    const bodyStart = textEnd + headEnd.length - this.#head.length;
    this.#head = '';
    this.#status = Number(text.slice(9, 12));
    this.#bodyLeft = contentLength(text) - (count - bodyStart);
  }
}

const lengthField = /\r\ncontent-length: *(\d+)/i;

function contentLength(head: string): number {
  const length = lengthField.exec(head)?.[1];
  if (length === undefined) throw new Error(`The answer does not say its length:\n${head}`);
  return Number(length);
}

/** The bytes of a request to `/control`; with `deadlineMs`, how long its caller waits. */
export function wireOf(body: string, key: string, deadlineMs?: number): Buffer {
  const deadline = deadlineMs === undefined ? '' : `x-deadline-ms: ${deadlineMs}\r\n`;
  return Buffer.from(
    'POST /control HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n' +
      `x-api-key: ${key}\r\n${deadline}` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
