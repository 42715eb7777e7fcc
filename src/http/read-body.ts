import { limits } from '../contract/limits.ts';
import { closeLingering } from './answer.ts';
import { type BodySieve, dropBody, type Exchange } from './exchange.ts';
import { respondDefect, respondProblem } from './problem.ts';
import type { UwsRequest } from './uws.ts';

/** The first allocation for a body that comes in pieces and does not say how long it is. */
const bufferBytesMin = 4_096;
/** A body that says so may be given so many times what has come of it. */
const announcedGrowth = 8;

const jsonMediaType = /^application\/json[ \t]*(?:;|$)/i;
const formMediaType = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i;

/** Step 3a: whether the head announces a JSON body that we take. Answers 415 or 413 when not. */
export function acceptsBody(exchange: Exchange, req: UwsRequest): boolean {
  const type = req.getHeader('content-type');
  return acceptsType(exchange, type === 'application/json' || jsonMediaType.test(type));
}

/** The same for a form. */
export function acceptsForm(exchange: Exchange, req: UwsRequest): boolean {
  const isForm = formMediaType.test(req.getHeader('content-type'));
  return acceptsType(exchange, isForm, 'Send content-type: application/x-www-form-urlencoded.');
}

function acceptsType(exchange: Exchange, isAccepted: boolean, detail?: string): boolean {
  if (!isAccepted) {
    respondProblem(exchange, 'content-type-not-supported', detail === undefined ? {} : { detail });
    return false;
  }
  if (exchange.announcedBytes > exchange.bodyBytesMax) {
    respondTooLarge(exchange);
    return false;
  }
  return true;
}

/** More bodies are on their way than there is memory for. */
export function respondNoRoom(exchange: Exchange): void {
  dropBody(exchange);
  respondProblem(exchange, 'overloaded', {
    detail:
      'Too many request bodies are being received. ' +
      'Send fewer at a time, or try again after the number of seconds in Retry-After.',
  });
}

function respondTooLarge(exchange: Exchange): void {
  const { bodyBytesMax } = exchange;
  if (bodyBytesMax === limits.bodyBytesMax) {
    respondProblem(exchange, 'body-too-large');
  } else {
    const detail = `Send at most ${bodyBytesMax} bytes: this path or key allows no more.`;
    respondProblem(exchange, 'body-too-large', { detail });
  }
}

/**
 * Step 3b: hands over the body once it is complete. Answers 408 and 413 itself, or, with
 * `onExcess`, hands over as much of a body that is too large as is taken.
 */
export function readBody(
  exchange: Exchange,
  onBody: (body: Uint8Array) => void,
  onExcess?: (part: Uint8Array) => void,
): void {
  exchange.reading = true;
  let isCut = false;
  (exchange.held ?? exchange.res).onData((chunk, isLast) => {
    try {
      if (exchange.phase === 'open' && isCut) exchange.bodyPending = !isLast;
      else if (onExcess !== undefined && exceeds(exchange, chunk)) {
        isCut = true;
        onExcess(partOf(exchange, chunk, isLast));
      } else if (exchange.phase === 'open') receive(exchange, chunk, isLast, onBody);
      else if (isLast && exchange.phase === 'lingering') closeLingering(exchange);
    } catch (error) {
      respondDefect(exchange, error);
    }
  });
  // Nothing is delivered for an empty first piece of a chunked body, so the wait starts here.
  if (exchange.announcedBytes === 0 && exchange.bodyPending) watchBody(exchange);
}

/**
 * Hands over what a sieve keeps of a body, once it is complete: only this counts against
 * `bodyBytesMax`, the time for the whole body is the bound for the rest. With more than that,
 * `onExcess` is handed what fits. Answers 408 itself.
 */
export function readSieved(
  exchange: Exchange,
  sieve: BodySieve,
  handOver: { onBody(body: Uint8Array): void; onExcess(part: Uint8Array): void },
): void {
  exchange.reading = true;
  exchange.sieve = sieve;
  (exchange.held ?? exchange.res).onData((chunk, isLast) => {
    try {
      if (exchange.phase === 'lingering' && isLast) closeLingering(exchange);
      if (exchange.phase !== 'open') return;
      exchange.bodyPending = !isLast;
      // This handler outlives the answer to a body that is refused: it must not hold the sieve.
      const kept = exchange.sieve;
      if (kept === undefined) return;
      // The sieve copies what it keeps: the piece dies with this handler.
      kept.take(Buffer.from(chunk));
      if (isLast) kept.end();
      const isCut = kept.keptBytes > exchange.bodyBytesMax;
      if (!isLast && !isCut) {
        if (exchange.dueAt === 0) watchBody(exchange);
        if (!exchange.service.reception.hold(exchange, kept.heldBytes)) respondNoRoom(exchange);
        return;
      }
      if (exchange.dueAt !== 0) exchange.service.slowBodies.forget(exchange);
      dropBody(exchange);
      if (isCut) handOver.onExcess(kept.all().subarray(0, exchange.bodyBytesMax));
      else handOver.onBody(kept.all());
    } catch (error) {
      respondDefect(exchange, error);
    }
  });
  if (exchange.announcedBytes === 0 && exchange.bodyPending) watchBody(exchange);
}

function exceeds({ phase, bytesRead, bodyBytesMax }: Exchange, chunk: ArrayBuffer): boolean {
  return phase === 'open' && bytesRead + chunk.byteLength > bodyBytesMax;
}

/** The body as far as it is taken; with this piece it would be too large. */
function partOf(exchange: Exchange, chunk: ArrayBuffer, isLast: boolean): Uint8Array {
  const before = exchange.bytesRead;
  const part = new Uint8Array(exchange.bodyBytesMax);
  if (exchange.buffer !== undefined) part.set(exchange.buffer.subarray(0, before));
  part.set(new Uint8Array(chunk, 0, part.length - before), before);
  dropBody(exchange);
  exchange.bodyPending = !isLast;
  if (exchange.dueAt !== 0) exchange.service.slowBodies.forget(exchange);
  return part;
}

function receive(
  exchange: Exchange,
  chunk: ArrayBuffer,
  isLast: boolean,
  onBody: (body: Uint8Array) => void,
): void {
  const before = exchange.bytesRead;
  exchange.bytesRead = before + chunk.byteLength;
  if (exchange.bytesRead > exchange.bodyBytesMax) {
    exchange.bodyPending = !isLast;
    dropBody(exchange);
    respondTooLarge(exchange);
    return;
  }
  if (!isLast) {
    if (exchange.dueAt === 0) watchBody(exchange);
    if (append(exchange, chunk, before) === undefined) respondNoRoom(exchange);
    return;
  }
  // A chunk size that cannot be read counts as 0, and what follows would be the next request.
  if (exchange.bytesRead === 0 && exchange.bodyPending) exchange.closes = true;
  exchange.bodyPending = false;
  if (exchange.dueAt !== 0) exchange.service.slowBodies.forget(exchange);
  if (before === 0) {
    // Out of Node's pool: an ArrayBuffer for each small body costs three times as much.
    const body = Buffer.allocUnsafe(chunk.byteLength);
    body.set(new Uint8Array(chunk));
    onBody(body);
    return;
  }
  const buffer = append(exchange, chunk, before);
  if (buffer === undefined) {
    respondNoRoom(exchange);
    return;
  }
  exchange.buffer = undefined;
  // From here on the pool counts it.
  dropBody(exchange);
  const size = exchange.bytesRead;
  onBody(buffer.length === size ? buffer : new Uint8Array(buffer.buffer.transfer(size)));
}

/**
 * Adds a piece to the buffer; undefined when there is no room for it. The buffer doubles as it
 * fills, or grows to what was announced: at eight times a step, since what is announced may never
 * come. A large body then is moved once at most: its first piece has tens of KiB. The piece is
 * detached when the data handler returns.
 */
function append(
  exchange: Exchange,
  chunk: ArrayBuffer,
  before: number,
): Uint8Array<ArrayBuffer> | undefined {
  const needed = exchange.bytesRead;
  let buffer = exchange.buffer;
  if (buffer === undefined || buffer.length < needed) {
    const isAnnounced = exchange.announcedBytes > 0;
    const wanted = Math.max(bufferBytesMin, needed * (isAnnounced ? announcedGrowth : 2));
    const ceiling = isAnnounced ? exchange.announcedBytes : exchange.bodyBytesMax;
    const size = Math.max(needed, Math.min(wanted, ceiling));
    if (!exchange.service.reception.hold(exchange, size)) return undefined;
    // Moving gives the smaller one back at once.
    buffer = new Uint8Array(buffer?.buffer.transfer(size) ?? new ArrayBuffer(size));
    exchange.buffer = buffer;
  }
  buffer.set(new Uint8Array(chunk), before);
  return buffer;
}

function watchBody(exchange: Exchange): void {
  exchange.service.slowBodies.watch(exchange, exchange.service.bodyReceiveMs);
}

/** Ends the wait for a body: 408 for one that is still wanted, the end for one that lingered. */
export function endBodyWait(exchange: Exchange): void {
  if (exchange.phase === 'open') respondProblem(exchange, 'body-timeout');
  else if (exchange.phase === 'lingering') exchange.res.close();
}
