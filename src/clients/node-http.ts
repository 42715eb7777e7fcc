import type { RequestListener, ServerResponse } from 'node:http';
import { createGuard, type GuardOptions } from './guard.ts';
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

/**
 * Screens requests before a listener of node:http gets them.
 *
 *     createServer(sallyport({ url: 'http://127.0.0.1:8080', key }, app)).listen(3000);
 *
 * A body that nothing has parsed is read ahead up to `bodyBytesMax` and given back: the listener
 * finds the request as it came.
 */
export function sallyport(
  options: GuardOptions & NodeResponding,
  listener: (req: NodeRequest, res: ServerResponse) => void,
): RequestListener {
  const guard = createGuard(options);
  return (req, res) => {
    passes(guard, req, res, options.respond).then(
      (mayPass) => {
        // Outside of this promise, so that a fault of the listener is what it would be without us.
        if (mayPass) queueMicrotask(() => listener(req, res));
      },
      (error: unknown) => res.destroy(error instanceof Error ? error : undefined),
    );
  };
}
