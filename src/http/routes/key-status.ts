import { writeAnswer } from '../answer.ts';
import { authenticate, type KeyedRoute } from '../authenticate.ts';
import type { Exchange } from '../exchange.ts';
import { statusLine } from '../problem.ts';
import type { UwsRequest } from '../uws.ts';

const route: KeyedRoute = { use: 'screen', again: keyStatus };

/**
 * `GET /control`: what a key is good for. Clients ask it when they start: it costs a key check, and
 * is not counted as a request.
 */
export function keyStatus(exchange: Exchange, req: UwsRequest): void {
  const grant = authenticate(exchange, req, route);
  if (grant === undefined) return;
  const { policyId, policyVersion, policy } = grant;
  const { policyNameOf, version } = exchange.service;
  writeAnswer(exchange, {
    status: statusLine(200),
    type: 'application/json',
    body: JSON.stringify({
      policy: policyNameOf(policyId),
      policyVersion,
      mode: policy.mode,
      version,
    }),
    headers: [['cache-control', 'no-store']],
  });
}
