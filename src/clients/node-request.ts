import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';
import type { RawBody } from '../members/raw-body.ts';
import type { Refusal } from '../members/refusal.ts';
import type { ClientRequest, RequestBody } from '../members/request-members.ts';
import type { Guard } from './guard.ts';

/** A request of node:http, as it is or as Express and others extend it. */
export type NodeRequest = IncomingMessage & {
  /** With the part that a router has cut off `url`. */
  readonly originalUrl?: string;
  readonly body?: unknown;
  readonly file?: unknown;
  readonly files?: unknown;
};

export function clientRequestOf(req: NodeRequest): ClientRequest {
  return {
    method: req.method ?? '',
    url: req.originalUrl ?? req.url ?? '',
    // Each line by itself: `headers` drops the second of some. It is all that requests have that
    // are no IncomingMessage: those of HTTP/2, and those that a test injects.
    headers: req.headersDistinct ?? withHost(req.headers),
    address: req.socket?.remoteAddress ?? '',
  };
}

/** HTTP/2 has `:authority` in the place of `host`. */
function withHost(headers: NodeRequest['headers']): ClientRequest['headers'] {
  const authority = headers[':authority'];
  if (headers.host !== undefined || typeof authority !== 'string') return headers;
  return { ...headers, host: authority };
}

/** What another guard read ahead of the same request. */
const peeked = new WeakMap<IncomingMessage, RawBody>();

/**
 * The body as a parser left it. Where nothing has read it, it is read ahead, and given back: the
 * application finds it unread.
 */
export async function bodyOf(
  req: IncomingMessage,
  parsed: { readonly value: unknown; readonly files?: unknown },
  bytesMax: number,
): Promise<RequestBody> {
  const seen = peeked.get(req);
  // A parser that left the body alone may have put an empty object in its place.
  const isUnread = parsed.value === undefined || !req.readableEnded;
  if (seen !== undefined && isUnread) return { kind: 'raw', ...seen };
  const asParsed =
    parsed.value === undefined ? undefined : ({ kind: 'parsed', ...parsed } as const);
  if (!hasBody(req)) return asParsed ?? { kind: 'none' };
  if (req.readableDidRead || req.readableFlowing === true || req.readableEncoding !== null) {
    return asParsed ?? { kind: 'gone' };
  }
  const raw = await peekBody(req, bytesMax);
  peeked.set(req, raw);
  // What stands there without a body came from elsewhere, and is what the routes will read.
  if (raw.bytes.length === 0 && asParsed !== undefined) return asParsed;
  return { kind: 'raw', ...raw };
}

/** HTTP/2 frames its bodies itself: neither header needs to be there. */
function hasBody(req: IncomingMessage): boolean {
  const stream = http2StreamOf(req);
  if (stream !== undefined) return !stream.endAfterHeaders;
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** The stream of a request that came over HTTP/2; its types know of HTTP/1 only. */
function http2StreamOf(req: IncomingMessage): ServerHttp2Stream | undefined {
  return req.httpVersionMajor < 2 ? undefined : Reflect.get(req, 'stream');
}

/** Whether the last of the body has arrived; `complete` of HTTP/2 says that it was read as well. */
function hasArrived(req: IncomingMessage): boolean {
  return http2StreamOf(req)?.readableEnded ?? req.complete;
}

/**
 * Reads a body, or its first `bytesMax` bytes, and puts it back. It must be put back in the turn in
 * which the last of it was read, or the stream ends; and one that proves empty must not be read at
 * all, for then there is nothing to put back.
 */
async function peekBody(req: IncomingMessage, bytesMax: number): Promise<RawBody> {
  // An empty chunked body is complete by the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  if (isEmpty(req)) return { bytes: Buffer.alloc(0), isComplete: hasArrived(req) };
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const conclude = (isComplete: boolean) => {
      req.off('readable', onReadable).off('close', onClose).off('error', onClose);
      const bytes = Buffer.concat(chunks, length);
      if (length > 0 && !req.readableEnded) req.unshift(bytes);
      resolve({ bytes, isComplete });
    };
    const onReadable = () => {
      while (req.readableLength > 0 && length <= bytesMax) {
        const chunk: Buffer | null = req.read();
        if (chunk === null) break;
        chunks.push(chunk);
        length += chunk.length;
      }
      if (length > bytesMax) conclude(false);
      else if (hasArrived(req) && req.readableLength === 0) conclude(true);
    };
    // The client has gone in the middle of the body.
    const onClose = () => conclude(false);
    req.on('readable', onReadable).on('close', onClose).on('error', onClose);
  });
}

function isEmpty(req: IncomingMessage): boolean {
  return req.destroyed || (hasArrived(req) && req.readableLength === 0);
}

/** Whether somebody else has answered in the meantime. */
export function isAnswered(res: ServerResponse): boolean {
  return res.headersSent || res.writableEnded;
}

/** Answers instead of the application. */
export function writeRefusal(req: IncomingMessage, res: ServerResponse, refusal: Refusal): void {
  const length = Buffer.byteLength(refusal.body);
  res.writeHead(refusal.status, { ...refusal.headers, 'content-length': length });
  res.end(refusal.body);
  discardRest(req);
}

/** Nobody will read what is left of the body, and the connection waits until somebody does. */
export function discardRest(req: IncomingMessage): void {
  if (!req.readableEnded) req.resume();
}

/** True when the request may go on to the application; else it has been answered. */
export async function passes(
  guard: Guard,
  req: NodeRequest,
  res: ServerResponse,
): Promise<boolean> {
  if (isAnswered(res)) return false;
  const request = clientRequestOf(req);
  if (guard.skips(request)) return true;
  const parsed = { value: req.body, files: req.files ?? (req.file ? [req.file] : undefined) };
  const body = await bodyOf(req, parsed, guard.bodyBytesMax);
  // What the application leaves of a long body must not stop the connection.
  if (body.kind === 'raw' && !body.isComplete) res.once('finish', () => discardRest(req));
  const refusal = await guard.judge(request, body);
  if (isAnswered(res)) return false;
  if (refusal === undefined) return true;
  writeRefusal(req, res, refusal);
  return false;
}
