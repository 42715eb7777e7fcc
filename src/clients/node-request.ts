import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Refusal } from '../client-request/refusal.ts';
import type { ClientRequest, RequestBody } from '../client-request/request-members.ts';
import type { Guard, Responding, Seen, Verdict } from './guard.ts';
import { http2StreamOf, type PeekedBody, peekBody } from './peek-body.ts';
import type { UploadGate } from './upload-gate.ts';

/** A request of node:http, as it is or as Express and others extend it. */
export type NodeRequest = IncomingMessage & {
  /** With the part that a router has cut off `url`. */
  readonly originalUrl?: string;
  /** The part of it. */
  readonly baseUrl?: unknown;
  /** Of Express, where the middleware is used on a route. */
  readonly route?: unknown;
  readonly body?: unknown;
  readonly file?: unknown;
  readonly files?: unknown;
  /** What Sallyport says of the request; undefined for one that `skip` left out. */
  sallyport?: Verdict | undefined;
};

export function clientRequestOf(req: NodeRequest): ClientRequest {
  return {
    method: req.method ?? '',
    url: req.originalUrl ?? req.url ?? '',
    route: routeOf(req),
    // Each line by itself: `headers` drops the second of some. It is all that requests have that
    // are no IncomingMessage: those of HTTP/2, and those that a test injects.
    headers: req.headersDistinct ?? withHost(req.headers),
    address: addressOf(req.socket),
  };
}

/** What is asked of the connection of a request. */
type Connection = Partial<Pick<Socket, 'remoteAddress' | 'localAddress' | 'destroyed'>>;

/**
 * The address of the client; '' on a Unix socket. A client that has reset the connection has none any
 * more: what it wrote into `X-Forwarded-For` must not be the last address then.
 */
export function addressOf(connection: Connection | undefined): string {
  const { remoteAddress, localAddress, destroyed } = connection ?? {};
  const isGone = destroyed === true || localAddress !== undefined;
  return remoteAddress ?? (isGone ? 'unknown' : '');
}

function routeOf({ route, baseUrl = '' }: NodeRequest): string | undefined {
  const path: unknown = Reflect.get(Object(route), 'path');
  if (typeof path !== 'string' || typeof baseUrl !== 'string') return undefined;
  // Where a router is mounted is known as the client wrote it, and must not read as a parameter.
  return plainBase.test(baseUrl) ? baseUrl + path : undefined;
}

const plainBase = /^[\w./~-]*$/;

/** HTTP/2 has `:authority` in the place of `host`. */
function withHost(headers: NodeRequest['headers']): ClientRequest['headers'] {
  const authority = headers[':authority'];
  if (headers.host !== undefined || typeof authority !== 'string') return headers;
  return { ...headers, host: authority };
}

/** What another guard read ahead of the same request. */
const peeked = new WeakMap<IncomingMessage, PeekedBody>();

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
  if (seen !== undefined && isUnread) return rawBody(seen);
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
  return rawBody(raw);
}

function rawBody({ bytes, isComplete }: PeekedBody): RequestBody {
  return { kind: 'raw', bytes, isComplete };
}

/** HTTP/2 frames its bodies itself: neither header needs to be there. */
function hasBody(req: IncomingMessage): boolean {
  const stream = http2StreamOf(req);
  if (stream !== undefined) return !stream.endAfterHeaders;
  const length = req.headers['content-length'];
  return req.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}

/** Whether other code has answered in the meantime. */
export function isAnswered(res: ServerResponse): boolean {
  return res.headersSent || res.writableEnded;
}

/** Answers instead of the application. */
function writeRefusal(req: IncomingMessage, res: ServerResponse, refusal: Refusal): void {
  writeAnswer(res, refusal);
  discardRefused(req);
}

/** The same for a request that never came to the application: nothing more is screened. */
export function discardRefused(req: IncomingMessage): void {
  peeked.get(req)?.gate?.release();
  discardRest(req);
}

/** Writes a refusal past the framework; the connection ends with it, for the body never will. */
export function writeLastAnswer(res: ServerResponse, refusal: Refusal): void {
  if (res.req.httpVersionMajor < 2) res.setHeader('connection', 'close');
  writeAnswer(res, refusal);
}

function writeAnswer(res: ServerResponse, refusal: Refusal): void {
  const length = Buffer.byteLength(refusal.body);
  res.writeHead(refusal.status, { ...refusal.headers, 'content-length': length });
  res.end(refusal.body);
}

/** What the application leaves of a long body must not stop the connection. */
export function discardUnread(req: IncomingMessage, res: ServerResponse): void {
  const body = peeked.get(req);
  if (body?.isComplete === false || body?.gate !== undefined) {
    res.once('finish', () => discardRest(req));
  }
}

/** Nothing reads the rest of the body, and the connection waits until something does. */
function discardRest(req: IncomingMessage): void {
  if (!req.readableEnded) req.resume();
}

/** Time for a client to send the rest of a refused upload. */
const lingerMs = 2_000;

/**
 * Handles the rest of a long upload after its first part has passed. `answer` is called when the
 * request must be refused, unless the application has answered already.
 */
export function watchUpload(
  guard: Guard,
  request: ClientRequest,
  {
    req,
    res,
    seen = req,
  }: {
    readonly req: NodeRequest;
    readonly res: ServerResponse;
    readonly seen?: Seen;
  },
  answer: (refusal: Refusal) => void = (refusal) => writeLastAnswer(res, refusal),
): void {
  const gate = peeked.get(req)?.gate;
  gate?.watch({
    judge: (body) => guard.judge(request, { kind: 'raw', ...body }, seen),
    refuse: (refusal) => {
      void readAway(gate).then(() => {
        if (!isAnswered(res)) answer(refusal);
        if (res.writableFinished) failUpload(req);
        else res.once('finish', () => failUpload(req)).once('close', () => failUpload(req));
      });
    },
  });
}

/** Reads what still comes of a refused upload: a client that is cut off reads no answer. */
async function readAway(gate: UploadGate): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, lingerMs);
  });
  await Promise.race([gate.drained, late]);
  clearTimeout(timer);
}

/** Ends a request in the middle of its body: its reader must not take it for complete. */
function failUpload(req: IncomingMessage): void {
  const hasReader = req.listenerCount('error') > 0;
  req.destroy(hasReader ? new Error('Sallyport refused the rest of this upload.') : undefined);
  http2StreamOf(req)?.close();
}

/** True when the request may go on to the application; else it has been answered. */
export async function passes(
  guard: Guard,
  req: NodeRequest,
  res: ServerResponse,
  respond: NodeResponding['respond'],
): Promise<boolean> {
  if (isAnswered(res)) return false;
  const request = clientRequestOf(req);
  if (guard.skips(request)) return true;
  const parsed = { value: req.body, files: req.files ?? (req.file ? [req.file] : undefined) };
  const body = await bodyOf(req, parsed, guard.bodyBytesMax);
  discardUnread(req, res);
  const refusal = await guard.judge(request, body, req);
  if (isAnswered(res)) return false;
  if (refusal === undefined) {
    watchUpload(guard, request, { req, res });
    return true;
  }
  const answered = respond && (() => respond(refusal.refused, req, res));
  if ((await isAnsweredBy(answered)) || isAnswered(res)) discardRefused(req);
  else writeRefusal(req, res, refusal);
  return false;
}

export type NodeResponding = Responding<[req: NodeRequest, res: ServerResponse]>;

/** Whether the application answers a refused request by itself: not when it throws. */
export async function isAnsweredBy(respond: (() => unknown) | undefined): Promise<boolean> {
  try {
    return respond !== undefined && (await respond()) !== false;
  } catch {
    return false;
  }
}
