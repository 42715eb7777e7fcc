import { beginScreening, type Exchange } from '../exchange.ts';
import { forward } from '../forward/forward.ts';
import type { UwsRequest } from '../uws.ts';

/** Any method at `/forward` and below: a proxy asks about a request of its client. */
export function forwardAuth(exchange: Exchange, req: UwsRequest): void {
  beginScreening(exchange, req, `${req.getCaseSensitiveMethod()} /forward`);
  forward(exchange, req);
}
