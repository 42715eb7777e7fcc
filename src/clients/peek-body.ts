import type { IncomingMessage } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import { plainBoundaryIn } from '../client-request/multipart-head.ts';
import { MultipartSieve } from '../client-request/multipart-sieve.ts';
import type { RawBody } from '../client-request/raw-body.ts';
import { UploadGate } from './upload-gate.ts';

/** A body, or as much of it as was read ahead. */
export interface PeekedBody extends RawBody {
  /** For an upload that is longer: it holds back what has not been screened. */
  readonly gate?: UploadGate;
}

/**
 * Reads a body, or its first `bytesMax` bytes, and puts it back. It must be put back in the turn in
 * which the last of it was read, or the stream ends; and one that proves empty must not be read at
 * all, for then there is nothing to put back.
 *
 * Of a longer form with files it reads on to the content of a file, gives what is not such content,
 * and leaves a gate for what is still to come.
 */
export async function peekBody(req: IncomingMessage, bytesMax: number): Promise<PeekedBody> {
  // An empty chunked body is complete by the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  if (isEmpty(req)) return { bytes: Buffer.alloc(0), isComplete: hasArrived(req) };
  return new Promise((resolve) => {
    const body = new BodyAhead(req, bytesMax);
    const conclude = (isComplete: boolean) => {
      req.off('readable', onReadable).off('close', onClose).off('error', onClose);
      resolve(body.conclude(isComplete));
    };
    const onReadable = () => {
      const isComplete = body.read();
      if (isComplete !== undefined) conclude(isComplete);
    };
    // The client has gone in the middle of the body.
    const onClose = () => conclude(false);
    req.on('readable', onReadable).on('close', onClose).on('error', onClose);
  });
}

class BodyAhead {
  readonly #req: IncomingMessage;
  readonly #bytesMax: number;
  readonly #chunks: Buffer[] = [];
  #length = 0;
  #sieve: MultipartSieve | undefined;

  constructor(req: IncomingMessage, bytesMax: number) {
    this.#req = req;
    this.#bytesMax = bytesMax;
  }

  /** Reads what is there. Undefined to wait for more, else whether all was read that counts. */
  read(): boolean | undefined {
    const req = this.#req;
    while (req.readableLength > 0) {
      const chunk: Buffer | null = req.read();
      if (chunk === null) break;
      this.#chunks.push(chunk);
      this.#length += chunk.length;
      if (!this.#hasRoom(chunk)) return false;
    }
    if (hasArrived(req) && req.readableLength === 0) return true;
    return this.#sieve?.isInFile === true ? true : undefined;
  }

  #hasRoom(chunk: Buffer): boolean {
    if (this.#sieve !== undefined) {
      this.#sieve.take(chunk);
    } else if (this.#length > this.#bytesMax) {
      this.#sieve = sieveFor(this.#req);
      for (const one of this.#chunks) this.#sieve?.take(one);
    }
    return (this.#sieve?.keptBytes ?? this.#length) <= this.#bytesMax;
  }

  conclude(isComplete: boolean): PeekedBody {
    const [req, sieve] = [this.#req, this.#sieve];
    const raw = Buffer.concat(this.#chunks, this.#length);
    const isStreaming = isComplete && !hasArrived(req) && sieve !== undefined;
    const gate = isStreaming ? new UploadGate(req, sieve, this.#bytesMax) : undefined;
    if (this.#length > 0 && !req.readableEnded) req.unshift(raw);
    if (sieve === undefined) return { bytes: raw, isComplete };
    if (gate !== undefined) return { bytes: sieve.takeNews(), isComplete, gate };
    sieve.end();
    return { bytes: sieve.all(), isComplete };
  }
}

/** Undefined for what is no form with files, or not to be read as one. */
function sieveFor(req: IncomingMessage): MultipartSieve | undefined {
  const { 'content-type': type, 'content-encoding': coding } = req.headers;
  const boundary = coding === undefined ? plainBoundaryIn(type ?? '') : undefined;
  return boundary === undefined ? undefined : new MultipartSieve(boundary);
}

/** The stream of a request that came over HTTP/2; its types know of HTTP/1 only. */
export function http2StreamOf(req: IncomingMessage): ServerHttp2Stream | undefined {
  return req.httpVersionMajor < 2 ? undefined : Reflect.get(req, 'stream');
}

/** Whether the last of the body has arrived; `complete` of HTTP/2 says that it was read as well. */
function hasArrived(req: IncomingMessage): boolean {
  return http2StreamOf(req)?.readableEnded ?? req.complete;
}

function isEmpty(req: IncomingMessage): boolean {
  return req.destroyed || (hasArrived(req) && req.readableLength === 0);
}
