import type { KeyGrant } from '../contract/ports.ts';
import { hasTwoKeys, keyIn, twoKeysAdvice } from './api-key.ts';
import type { Exchange } from './exchange.ts';
import { handleAgainAfter } from './held-request.ts';
import { peerAddress } from './peer.ts';
import { respondProblem } from './problem.ts';
import type { UwsRequest } from './uws.ts';

/** What a key is good for; `waits` where the request is handled again once the store was asked. */
export type KeyAnswer = KeyGrant | 'waits' | 'bad' | 'not-readable';

/**
 * The grant of a key, from memory. For one that memory does not know the store is asked once, and
 * `again` handles the request then.
 */
export function grantOf(
  exchange: Exchange,
  req: UwsRequest,
  key: string,
  again: (exchange: Exchange, req: UwsRequest) => void,
): KeyAnswer {
  const { keys } = exchange.service;
  const grant = keys.verify(key);
  if (grant !== undefined) {
    exchange.keyId = grant.keyId;
    return grant;
  }
  const asked = exchange.held === undefined ? keys.lookUp(key) : undefined;
  if (asked !== undefined) {
    handleAgainAfter(asked, exchange, req, again);
    return 'waits';
  }
  return keys.isReady() || keys.isVoid(key) ? 'bad' : 'not-readable';
}

/** Answers 401, and counts it: an application with a bad key is not protected. */
export function refuseKey(exchange: Exchange, options: { readonly detail?: string } = {}): void {
  const { phase, res, service } = exchange;
  if (phase === 'open') service.decisions.keyRefused(peerAddress(res));
  respondProblem(exchange, 'key-not-valid', options);
}

/**
 * Step 1: the grant of the API key. Answers 401 and returns undefined for every fault of a key, and
 * returns undefined for a request that waits.
 */
export function authenticate(
  exchange: Exchange,
  req: UwsRequest,
  again: (exchange: Exchange, req: UwsRequest) => void,
): KeyGrant | undefined {
  const key = keyIn(req);
  const answer = key === '' ? 'bad' : grantOf(exchange, req, key, again);
  if (typeof answer === 'object') return answer;
  if (answer === 'bad') {
    const isOneOfTwo = key !== '' && hasTwoKeys(req, key);
    refuseKey(exchange, isOneOfTwo ? { detail: twoKeysAdvice } : {});
  }
  if (answer === 'not-readable') {
    // While the keys cannot be read, an unknown key may still be valid.
    respondProblem(exchange, 'overloaded', {
      detail:
        'The API keys cannot be read now. Try again after the number of seconds in Retry-After.',
      headers: [['retry-after', '1']],
    });
  }
  return undefined;
}
