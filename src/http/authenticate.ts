import type { KeyGrant } from '../contract/ports.ts';
import type { Exchange } from './exchange.ts';
import { respondProblem } from './problem.ts';
import type { UwsRequest } from './uws.ts';

/** Step 1: the grant of the API key. Answers 401 and returns undefined for every fault of a key. */
export function authenticate(exchange: Exchange, req: UwsRequest): KeyGrant | undefined {
  const { keys } = exchange.service;
  const key = req.getHeader('x-api-key');
  if (key === '') {
    respondProblem(exchange, 'key-not-valid');
    return undefined;
  }
  const grant = keys.verify(key);
  if (grant !== undefined) return grant;
  if (keys.isReady()) {
    respondProblem(exchange, 'key-not-valid');
  } else {
    // Nobody can say of an unknown key that it is bad while the keys cannot be read.
    respondProblem(exchange, 'overloaded', {
      detail: 'The API keys cannot be read at present. Try again after the seconds of Retry-After.',
      headers: [['retry-after', '1']],
    });
  }
  return undefined;
}
