import { beginScreening, type Exchange } from '../exchange.ts';
import { forward } from '../forward/forward.ts';
import { hasClearFraming } from '../framing.ts';
import type { UwsRequest } from '../uws.ts';

/** Any method at `/forward` and below: a proxy asks about a request of its client. */
export function forwardAuth(exchange: Exchange, req: UwsRequest): void {
  // What comes here was written by a client, and a proxy may have handed it on as it was.
  if (!hasClearFraming(exchange, req, { allLines: true })) return;
  beginScreening(exchange, req, `${req.getCaseSensitiveMethod()} /forward`);
  forward(exchange, req);
}
