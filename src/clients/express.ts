import type { ServerResponse } from 'node:http';
import { createGuard, type GuardOptions, type Verdict } from './guard.ts';
import { type NodeRequest, type NodeResponding, passes } from './node-request.ts';

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
export type { NodeRequest } from './node-request.ts';

declare global {
  namespace Express {
    interface Request {
      /** What Sallyport says of the request; undefined for one that `skip` left out. */
      sallyport?: Verdict | undefined;
    }
  }
}

/** A middleware of Express 4 and 5, and of whatever has the same: Connect, Polka, Restana. */
export type Middleware = (
  req: NodeRequest,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Screens requests before the routes that stand below it.
 *
 *     app.use(express.json());
 *     app.use(sallyport({ url: 'http://127.0.0.1:8080', key }));
 *
 * Best behind the body parsers: it then looks at what the routes will see. A body that nothing has
 * parsed is read ahead up to `bodyBytesMax` and given back.
 */
export function sallyport(options: GuardOptions & NodeResponding): Middleware {
  const guard = createGuard(options);
  return (req, res, next) => {
    passes(guard, req, res, options.respond).then(
      (mayPass) => {
        // Outside of this promise: what a route throws is for Express, or for the process.
        if (mayPass) queueMicrotask(next);
      },
      (error: unknown) => queueMicrotask(() => next(error)),
    );
  };
}
