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
    const clientRequest = { ...clientRequestOf(req), url: ctx.originalUrl };
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
