import type { Exchange } from '../exchange.ts';
import { respondState } from '../respond-state.ts';

/** `GET /readyz`: whether requests should be sent here, and which part is not ready. */
export function readyz(exchange: Exchange): void {
  const { scanner, keys, draining } = exchange.service;
  const notReady: string[] = [];
  if (!scanner.isReady()) notReady.push('scanner');
  if (!keys.isReady()) notReady.push('keys');
  if (draining) notReady.push('draining');
  if (notReady.length === 0) respondState(exchange, 200, { status: 'ready', notReady });
  else respondState(exchange, 503, { status: 'not-ready', notReady });
}
