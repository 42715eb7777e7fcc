import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { plainBoundaryIn } from '../client-request/multipart-head.ts';
import { MultipartSieve } from '../client-request/multipart-sieve.ts';
import type { ClientRequest, RequestBody } from '../client-request/request-members.ts';
import {
  createGuard,
  type GuardOptions,
  type Refused,
  type Responding,
  type Seen,
  type Verdict,
} from './guard.ts';
import { addressOf } from './node-request.ts';

export type {
  Answer,
  Block,
  Choice,
  ClientRequest,
  GuardOptions,
  GuardRequest,
  Outage,
  Refused,
  ServiceState,
  Verdict,
} from './guard.ts';

declare module 'hono' {
  interface ContextVariableMap {
    /** What Sallyport says of the request; undefined for one that `skip` left out. */
    sallyport: Verdict | undefined;
  }
}

/** `respond` gives the response; false for the usual one. */
type HonoResponding = Responding<[c: Context], Response | false | Promise<Response | false>>;

/**
 * Screens requests before the routes that stand below it (Hono on Node.js).
 *
 *     app.use(sallyport({ url: 'http://127.0.0.1:8080', key }));
 *
 * The body is read from a copy, up to `bodyBytesMax`: the routes find it unread. Of a form with
 * files the files do not count; it is held in memory, as Hono itself would.
 */
export function sallyport(options: GuardOptions & HonoResponding): MiddlewareHandler {
  const guard = createGuard(options);
  return async (c, next) => {
    const request = clientRequestOf(c);
    if (guard.skips(request)) return next();
    const body = await bodyOf(c, guard.bodyBytesMax);
    const seen: Seen = {};
    const refusal = await guard.judge(request, body, seen);
    c.set('sallyport', seen.sallyport);
    if (refusal === undefined) return next();
    const own = await ownResponse(options, refusal.refused, c);
    if (own !== undefined) return own;
    const { status, headers } = refusal;
    return new Response(request.method === 'HEAD' ? null : refusal.body, { status, headers });
  };
}

async function ownResponse(
  { respond }: HonoResponding,
  refused: Refused,
  c: Context,
): Promise<Response | undefined> {
  try {
    return (await respond?.(refused, c)) || undefined;
  } catch {
    return undefined;
  }
}

function clientRequestOf(c: Context): ClientRequest {
  const { raw } = c.req;
  const { incoming }: { readonly incoming?: Partial<IncomingMessage> } = Object(c.env);
  return {
    method: raw.method,
    // The adapter for Node.js keeps the target as it came; the URL of a Request is normalised.
    url: incoming?.url ?? raw.url.replace(/^[a-z]+:\/\/[^/?#]*/i, ''),
    route: routeOf(c),
    headers: Object.fromEntries(raw.headers),
    address: addressOf(incoming?.socket),
  };
}

/**
 * The template of the handler. The router has found all that fits, in the order in which it runs: a
 * middleware takes a function to go on with, and stands there for all methods or a part of all paths.
 */
function routeOf(c: Context): string | undefined {
  // The helper in its place, `hono/route`, is none of older versions; newer ones may lack this one.
  const matched: typeof c.req.matchedRoutes | undefined = c.req.matchedRoutes;
  const found = matched?.find(
    ({ method, path, handler }) => !takesNext(handler) || (method !== 'ALL' && !path.includes('*')),
  );
  return found?.path;
}

/** An application in another that handles its errors itself has its handlers wrapped. */
function takesNext(handler: unknown): boolean {
  const wrapped: unknown = Reflect.get(Object(handler), '__COMPOSED_HANDLER');
  if (wrapped !== undefined) return takesNext(wrapped);
  return typeof handler === 'function' && handler.length > 1;
}

async function bodyOf(c: Context, bytesMax: number): Promise<RequestBody> {
  const { raw } = c.req;
  if (raw.bodyUsed) {
    // Hono keeps what it has read, unless something read past it.
    const kept = await c.req.arrayBuffer().catch(() => undefined);
    if (kept === undefined) return { kind: 'gone' };
    return { kind: 'raw', bytes: Buffer.from(kept), isComplete: true };
  }
  const copy = raw.clone().body;
  if (copy === null) return { kind: 'none' };
  const reader = copy.getReader();
  const ahead = new CopyAhead(c, bytesMax);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return ahead.conclude(true);
      if (!ahead.take(Buffer.from(value.buffer, value.byteOffset, value.length))) break;
    }
  } catch {
    // The client has gone in the middle of the body.
  }
  // Not awaited: it is done only when the routes have read the original as well.
  reader.cancel().catch(() => undefined);
  return ahead.conclude(false);
}

/** The longest form with files: all of it is in memory, for the copy and for the routes. */
const formBytesMax = 67_108_864;

/** What has been read of a body; of a long form all but the content of its files. */
class CopyAhead {
  readonly #bytesMax: number;
  readonly #boundary: string | undefined;
  #chunks: Buffer[] = [];
  #length = 0;
  #sieve: MultipartSieve | undefined;

  constructor(c: Context, bytesMax: number) {
    this.#bytesMax = bytesMax;
    const isCoded = c.req.header('content-encoding') !== undefined;
    this.#boundary = isCoded ? undefined : plainBoundaryIn(c.req.header('content-type') ?? '');
  }

  /** False when there is no room for more. */
  take(chunk: Buffer): boolean {
    this.#length += chunk.length;
    if (this.#sieve === undefined) this.#chunks.push(chunk);
    else this.#sieve.take(chunk);
    if (this.#length > this.#bytesMax && this.#sieve === undefined) {
      if (this.#boundary === undefined) return false;
      this.#sieve = new MultipartSieve(this.#boundary);
      for (const one of this.#chunks) this.#sieve.take(one);
      this.#chunks = [];
    }
    const counted = this.#sieve?.keptBytes ?? this.#length;
    return counted <= this.#bytesMax && this.#length <= formBytesMax;
  }

  conclude(isComplete: boolean): RequestBody {
    this.#sieve?.end();
    const bytes = this.#sieve?.all() ?? Buffer.concat(this.#chunks);
    return { kind: 'raw', bytes, isComplete };
  }
}
