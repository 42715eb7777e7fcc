import type { Exchange } from '../exchange.ts';
import { respondState } from '../respond-state.ts';

/** `GET /livez`: the process serves. Says nothing of its parts: a restart would not help them. */
export function livez(exchange: Exchange): void {
  respondState(exchange, 200, { status: 'ok' });
}
