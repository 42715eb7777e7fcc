import { strayWarning } from '../contract/key-bounds.ts';
import type { KeyGrant } from '../contract/ports.ts';
import { hasTwoKeys, keyIn, twoKeysAdvice } from './api-key.ts';
import type { Exchange } from './exchange.ts';
import { handleAgainAfter } from './held-request.ts';
import { isPeerIn, peerAddress } from './peer.ts';
import { respondProblem } from './problem.ts';
import type { UwsRequest } from './uws.ts';

/**
 * What a key is good for; `waits` where the request is handled again once the store was asked. From
 * outside of its networks a key is answered as an unknown one, so that a thief learns nothing.
 */
export type KeyAnswer = KeyGrant | 'waits' | 'bad' | 'not-allowed' | 'not-readable';

/** What a key must be allowed to do. */
export type Use = 'screen' | 'forward';

/**
 * The grant of a key for a use, from memory. For one that memory does not know the store is asked
 * once, and `again` handles the request then.
 */
export function grantOf(
  exchange: Exchange,
  req: UwsRequest,
  key: string,
  { use, again }: KeyedRoute,
): KeyAnswer {
  const { keys } = exchange.service;
  const grant = keys.verify(key);
  if (grant !== undefined) return admit(exchange, grant, use);
  const asked = exchange.held === undefined ? keys.lookUp(key) : undefined;
  if (asked !== undefined) {
    handleAgainAfter(asked, exchange, req, again);
    return 'waits';
  }
  return keys.isVoid(key) ? 'bad' : unknownTo(exchange);
}

/** While the keys cannot be read, an unknown key may still be valid. */
function unknownTo({ service }: Exchange): KeyAnswer {
  return service.keys.isReady() ? 'bad' : 'not-readable';
}

/** What a key is needed for, and what handles a request again that had to wait. */
export interface KeyedRoute {
  readonly use: Use;
  readonly again: (exchange: Exchange, req: UwsRequest) => void;
}

/** The networks of a key come first: no answer from elsewhere may show its scopes. */
function admit(exchange: Exchange, grant: KeyGrant, use: Use): KeyAnswer {
  const { bounds, tally, keyId } = grant;
  const { res, service } = exchange;
  if (bounds.networks !== undefined && !isPeerIn(bounds.networks, res)) {
    if (tally.strayed()) service.log.warn({ keyId, address: peerAddress(res) }, strayWarning);
    return unknownTo(exchange);
  }
  if (!bounds[use]) return 'not-allowed';
  if (tally.admitted()) tally.from(peerAddress(res));
  exchange.keyId = keyId;
  exchange.tally = tally;
  return grant;
}

/** What is answered to a key without the scope. */
export function scopeAdvice(use: Use): string {
  return `The key has no scope \`${use}\`. Use another key, or give it this scope.`;
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
  route: KeyedRoute,
): KeyGrant | undefined {
  const key = keyIn(req);
  const answer = key === '' ? 'bad' : grantOf(exchange, req, key, route);
  if (typeof answer === 'object') return answer;
  if (answer === 'bad') {
    const isOneOfTwo = key !== '' && hasTwoKeys(req, key);
    refuseKey(exchange, isOneOfTwo ? { detail: twoKeysAdvice } : {});
  }
  if (answer === 'not-allowed') refuseKey(exchange, { detail: scopeAdvice(route.use) });
  if (answer === 'not-readable') {
    respondProblem(exchange, 'overloaded', {
      detail:
        'The API keys cannot be read now. Try again after the number of seconds in Retry-After.',
      headers: [['retry-after', '1']],
    });
  }
  return undefined;
}
