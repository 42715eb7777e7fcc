import type { IncomingMessage, ServerResponse } from 'node:http';
import { createGuard, type GuardOptions, type Responding, type Seen } from './guard.ts';
import {
  bodyOf,
  clientRequestOf,
  discardRefused,
  discardUnread,
  isAnswered,
  isAnsweredBy,
  watchUpload,
} from './node-request.ts';

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

/** What is used of the context of Koa. */
export interface KoaContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly request: { readonly body?: unknown; readonly files?: unknown };
  readonly originalUrl: string;
  /** What fits the path, and which of it has its turn, where `@koa/router` has looked for a route. */
  readonly matched?: unknown;
  readonly _matchedRoute?: unknown;
  /** The verdict is `ctx.state.sallyport`. */
  readonly state: Seen;
  status: number;
  body: unknown;
  set(headers: Record<string, string>): void;
}

/**
 * Screens requests before the middleware that stands below it.
 *
 *     app.use(bodyParser());
 *     app.use(sallyport({ url: 'http://127.0.0.1:8080', key }));
 *
 * Best behind the body parser. A body that nothing has parsed is read ahead up to `bodyBytesMax`
 * and given back.
 */
export function sallyport(
  options: GuardOptions & Responding<[ctx: KoaContext]>,
): (ctx: KoaContext, next: () => Promise<unknown>) => Promise<void> {
  const guard = createGuard(options);
  return async (ctx, next) => {
    const { req, res, request, state } = ctx;
    if (isAnswered(res)) return;
    const clientRequest = { ...clientRequestOf(req), url: ctx.originalUrl, route: routeOf(ctx) };
    if (guard.skips(clientRequest)) {
      await next();
      return;
    }
    const parsed = { value: request.body, files: request.files };
    const body = await bodyOf(req, parsed, guard.bodyBytesMax);
    discardUnread(req, res);
    const refusal = await guard.judge(clientRequest, body, state);
    if (isAnswered(res)) return;
    if (refusal === undefined) {
      watchUpload(guard, clientRequest, { req, res, seen: state });
      await next();
      return;
    }
    const { respond } = options;
    const answered = respond && (() => respond(refusal.refused, ctx));
    if (!(await isAnsweredBy(answered))) {
      ctx.status = refusal.status;
      ctx.set(refusal.headers);
      ctx.body = refusal.body;
    }
    discardRefused(req);
  };
}

/** The route that the middleware is used on; else the first, which a router runs before others. */
function routeOf({ req, matched, _matchedRoute: own }: KoaContext): string | undefined {
  if (!Array.isArray(matched)) return undefined;
  const paths = matched.flatMap((layer: unknown): unknown[] => {
    const methods: unknown = Reflect.get(Object(layer), 'methods');
    // What is there for all methods is a middleware of the router.
    const isRoute = Array.isArray(methods) && methods.includes(req.method);
    return isRoute ? [Reflect.get(Object(layer), 'path')] : [];
  });
  const path = paths.includes(own) ? own : paths[0];
  return typeof path === 'string' ? path : undefined;
}
