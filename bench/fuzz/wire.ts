import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What came back on one connection. */
export interface CameBack {
  readonly bytes: Buffer;
  readonly isClosed: boolean;
}

/** How long a connection is watched. */
export interface Patience {
  /** Without an answer, and without being closed. */
  readonly silentMs: number;
  /** After an answer: whether more comes. */
  readonly afterMs: number;
  /** Whether our side is closed once all is written. */
  readonly isHalfClosed?: boolean;
}

/** Writes pieces on a fresh connection, and gives what comes back. */
export async function exchange(
  port: number,
  pieces: readonly Buffer[],
  { silentMs, afterMs, isHalfClosed = false }: Patience,
): Promise<CameBack> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const received: Buffer[] = [];
  let isClosed = false;
  const ended = new Promise<void>((resolve) => {
    let timer = setTimeout(resolve, silentMs);
    socket.on('data', (piece: Buffer) => {
      received.push(piece);
      clearTimeout(timer);
      timer = setTimeout(resolve, afterMs);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      isClosed = true;
      clearTimeout(timer);
      resolve();
    });
  });
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await delay(1);
    if (socket.writable) socket.write(piece);
  }
  if (isHalfClosed) socket.end();
  await ended;
  const cameBack = { bytes: Buffer.concat(received), isClosed };
  socket.destroy();
  return cameBack;
}

/** One answer on a connection. */
export interface WireAnswer {
  readonly status: number;
  /** Status line and headers, as they came. */
  readonly head: string;
  readonly body: string;
}

/** The answers in what came back, and what is left over and belongs to none. */
export function answersIn(bytes: Buffer): {
  readonly answers: readonly WireAnswer[];
  readonly rest: string;
} {
  const answers: WireAnswer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf('\r\n\r\n', at);
    const head = bytes.toString('latin1', at, end < 0 ? bytes.length : end);
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (end < 0 || Number.isNaN(status)) break;
    const from = end + 4;
    const length = /^content-length:\s*(\d+)/im.exec(head)?.[1];
    // The pages of uWebSockets.js name no length: the connection ends behind them.
    const to = length === undefined ? (status < 200 ? from : bytes.length) : from + Number(length);
    if (to > bytes.length) break;
    answers.push({ status, head, body: bytes.toString('utf8', from, to) });
    at = to;
  }
  return { answers, rest: bytes.toString('latin1', at) };
}
