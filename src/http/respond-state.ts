import { type Header, writeAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { statusLine } from './problem.ts';

const uncached: Header = ['cache-control', 'no-store'];
const retryAfter: Header = ['retry-after', '1'];

/** Answers a health probe. */
export function respondState(exchange: Exchange, status: 200 | 503, state: object): void {
  writeAnswer(exchange, {
    status: statusLine(status),
    type: 'application/json',
    body: JSON.stringify(state),
    headers: status === 200 ? [uncached] : [uncached, retryAfter],
  });
}
