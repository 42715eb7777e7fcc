import type { Exchange } from '../exchange.ts';
import { screen } from '../pipeline.ts';
import type { UwsRequest } from '../uws.ts';

/** `POST /control`: screens a request. */
export function control(exchange: Exchange, req: UwsRequest): void {
  exchange.startedAt = performance.now();
  screen(exchange, req);
}
