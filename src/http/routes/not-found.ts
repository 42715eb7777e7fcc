import type { Exchange } from '../exchange.ts';
import { respondProblem } from '../problem.ts';

/** Every path without a route. */
export function notFound(exchange: Exchange): void {
  respondProblem(exchange, 'not-found');
}
