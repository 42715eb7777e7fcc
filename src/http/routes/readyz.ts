import type { Exchange } from '../exchange.ts';
import { respondState } from '../respond-state.ts';

/**
 * `GET /readyz`: whether requests should be sent here, and which part is not ready. A part that
 * works from memory, because its database cannot be reached, is named and does no harm: sending
 * requests elsewhere would not help.
 */
export function readyz(exchange: Exchange): void {
  const { scanner, keys, draining, snapshot } = exchange.service;
  const notReady: string[] = [];
  if (!scanner.isReady()) notReady.push('scanner');
  if (draining) notReady.push('draining');
  const degraded = [...(keys.isReady() ? [] : ['keys']), ...exchange.service.degraded()];
  const parts = { notReady, degraded, snapshot: snapshot() };
  if (notReady.length === 0) respondState(exchange, 200, { status: 'ready', ...parts });
  else respondState(exchange, 503, { status: 'not-ready', ...parts });
}
