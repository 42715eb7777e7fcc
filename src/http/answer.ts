import type { ErrorCode } from '../contract/errors.ts';
import { limits } from '../contract/limits.ts';
import { type AnswerKind, answers } from '../contract/live.ts';
import { clientCloses, type Exchange, finish } from './exchange.ts';
import type { UwsResponse } from './uws.ts';

export type Header = readonly [name: string, value: string];

/** An answer, ready to be written. */
export interface Answer {
  /** Status code and reason, such as `200 OK`. */
  readonly status: string;
  /** Media type of the body; none without a body. */
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: readonly Header[];
  /** Whether the connection is closed after the answer. */
  readonly close?: boolean;
  /** As what it is counted, if it is one of `/control`; 4xx when left out. */
  readonly kind?: AnswerKind;
  /** The error that it tells, if it tells one. */
  readonly problem?: ErrorCode;
}

/** Writes the answer of an exchange. Does nothing when it was answered or aborted before. */
export function writeAnswer(exchange: Exchange, answer: Answer): void {
  if (exchange.phase !== 'open') return;
  if (exchange.startedAt !== 0) tellAnswer(exchange, answer);
  const { service } = exchange;
  const close = answer.close === true || exchange.closes || service.draining;
  if (exchange.bodyPending && (close || clientCloses(exchange))) {
    writeAndLinger(exchange, answer);
    return;
  }
  const hasBody = !exchange.headOnly && answer.type !== '';
  if (hasBody && !close && isPaced(exchange, answer)) {
    writePaced(exchange, answer);
    return;
  }
  if (!hasBody && exchange.req !== undefined && service.bodiless.isFlood()) {
    writeAndClose(exchange, answer);
    return;
  }
  finish(exchange);
  const { res } = exchange;
  res.cork(() => {
    writeHead(exchange, answer, close);
    if (hasBody) res.end(answer.body, close);
    else endWithoutBody(exchange, answer, close);
  });
}

/** A longer answer always waits for its reader. */
const heldCharsMax = 1_024;
/** The share of the others that do: to wait costs time. */
const pacedShare = 1 / 16;

/**
 * Whether an answer must not be buffered for a reader that does not read. What is answered while
 * its handler runs can be asked for again at once, as often as fits a packet: see `writePaced`. Of
 * short ones some are enough: the first that does not fit the socket is the last.
 */
function isPaced({ req }: Exchange, { body }: Answer): boolean {
  return req !== undefined || body.length > heldCharsMax || Math.random() < pacedShare;
}

/**
 * Writes what the connection takes and the rest when it takes more. Until then the request is
 * unanswered, and uWebSockets.js closes a connection on which a further request comes: a flood of
 * requests whose answers nobody reads ends with the first that does not fit the socket.
 */
function writePaced(exchange: Exchange, answer: Answer): void {
  const { res } = exchange;
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  exchange.phase = 'sending';
  res.cork(() => {
    writeHead(exchange, answer);
    const start = res.getWriteOffset();
    if (isSent(res.tryEnd(body, body.length))) {
      finish(exchange);
      return;
    }
    res.onWritable((offset) => {
      const ended = res.tryEnd(body.subarray(offset - start), body.length);
      if (isSent(ended)) finish(exchange);
      return ended[0];
    });
  });
}

/**
 * Answers without a body, and closes the connection: such an answer cannot wait for its reader, so
 * each of a flood ends its connection, with the next request on it at the latest.
 */
function writeAndClose(exchange: Exchange, answer: Answer): void {
  const { res } = exchange;
  exchange.phase = 'lingering';
  res.cork(() => {
    writeHead(exchange, answer, true);
    writeLength(exchange, answer);
    // The line break that uWebSockets.js adds ends the head.
    res.writeHeader('connection', 'close\r\n');
  });
  closeLingering(exchange);
}

function writeLength({ res }: Exchange, { type, body }: Answer): void {
  if (type !== '') res.writeHeader('content-length', String(Buffer.byteLength(body)));
}

function isSent([, hasResponded]: readonly [boolean, boolean]): boolean {
  return hasResponded;
}

function tellAnswer(exchange: Exchange, answer: Answer): void {
  const { service, startedAt, trace, decisionId } = exchange;
  const endedAt = performance.now();
  const { kind = answers.rejected, problem } = answer;
  service.decisions.answered(kind, endedAt - startedAt, problem);
  exchange.tally?.answered(kind);
  if (trace === undefined) return;
  const status = Number.parseInt(answer.status, 10);
  service.tracer?.ended(trace, { decisionId, startedAt, endedAt, status, kind, problem });
}

/** With an argument the native `endWithoutBody` does not end the answer, so it gets none. */
function endWithoutBody(exchange: Exchange, answer: Answer, close: boolean): void {
  const { res } = exchange;
  writeLength(exchange, answer);
  if (close) res.writeHeader('connection', 'close');
  res.endWithoutBody();
}

/**
 * Answers now, and closes when the client has sent the rest of its body or `limits.bodyLingerMs`
 * passed. Closing at once would make the kernel reset the connection under a client that is still
 * sending, and most clients then lose the answer (RFC 9112, section 9.6). `end` always closes at
 * once, so the body goes out as a continuation of the last header; the line break that
 * uWebSockets.js puts after each header is counted as the end of the body, where JSON allows white
 * space.
 */
function writeAndLinger(exchange: Exchange, answer: Answer): void {
  const { res, service } = exchange;
  exchange.phase = 'lingering';
  service.slowBodies.watch(exchange, Math.min(limits.bodyLingerMs, service.bodyReceiveMs));
  const body = Buffer.from(answer.body);
  res.cork(() => {
    writeHead(exchange, answer, true);
    res.writeHeader('connection', 'close');
    const head = Buffer.from(`${body.length + 2}\r\n\r\n`);
    const rest = exchange.headOnly ? [head] : [head, body];
    res.writeHeader('content-length', Buffer.concat(rest));
  });
  if (!exchange.reading) {
    exchange.reading = true;
    (exchange.held ?? res).onData((_chunk, isLast) => {
      if (isLast) closeLingering(exchange);
    });
  }
}

/** Closes a connection whose answer was sent and whose request body was read to its end. */
export function closeLingering(exchange: Exchange): void {
  // The answer can still be corked in this turn; a close would drop it.
  setImmediate(() => {
    if (exchange.phase === 'lingering') exchange.res.close();
  });
}

/** How long a client may count on a connection that it does not use. */
const keepAlive = `\r\nkeep-alive: timeout=${limits.keepAliveSeconds}`;

/** Writes all of an answer but its body. */
export function writeHead(exchange: Exchange, answer: Answer, closes = false): void {
  const { res } = exchange;
  // The first header writes 200 by itself: one native call less for nearly every answer.
  if (answer.status !== '200 OK') res.writeStatus(answer.status);
  // One call for what every answer has: none of it can hold a line break of a caller's making.
  const idle = closes ? '' : keepAlive;
  const ids = `${exchange.requestId}\r\nx-decision-id: ${exchange.decisionId}${idle}`;
  if (answer.type === '') res.writeHeader('x-request-id', ids);
  else res.writeHeader('content-type', `${answer.type}\r\nx-request-id: ${ids}`);
  if (exchange.trace !== undefined) res.writeHeader('traceresponse', exchange.trace.response);
  if (exchange.rateHeaders !== undefined) writeHeaders(res, exchange.rateHeaders);
  if (answer.headers !== undefined) writeHeaders(res, answer.headers);
}

function writeHeaders(res: UwsResponse, headers: readonly Header[]): void {
  for (const [name, value] of headers) res.writeHeader(name, value);
}
