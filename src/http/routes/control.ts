import { beginScreening, type Exchange } from '../exchange.ts';
import { screen } from '../pipeline.ts';
import type { UwsRequest } from '../uws.ts';

/** `POST /control`: screens a request. */
export function control(exchange: Exchange, req: UwsRequest): void {
  beginScreening(exchange, req, 'POST /control');
  screen(exchange, req);
}
