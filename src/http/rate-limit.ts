import type { RateLimit } from '../contract/policy.ts';
import type { KeyGrant, RateDecision } from '../contract/ports.ts';
import type { Exchange } from './exchange.ts';
import { respondProblem } from './problem.ts';

/**
 * Whether a key with a limit may go on. Answers 429 when not. All answers to the request tell the
 * limit (draft-ietf-httpapi-ratelimit-headers).
 */
export async function takeRate(
  exchange: Exchange,
  { keyId }: KeyGrant,
  limit: RateLimit,
): Promise<boolean> {
  const { rateLimits, log } = exchange.service;
  if (rateLimits === undefined) return true;
  let decision: RateDecision;
  try {
    decision = await rateLimits.take(keyId, limit);
  } catch (error) {
    // Without a count no request may be refused.
    log.error({ keyId, err: error }, 'a rate limit could not be counted');
    return true;
  }
  const { remaining, resetSeconds, isAllowed } = decision;
  exchange.rateHeaders = [
    ['ratelimit-policy', `"key";q=${limit.requests};w=${limit.perSeconds}`],
    ['ratelimit', `"key";r=${remaining};t=${resetSeconds}`],
  ];
  if (!isAllowed) {
    respondProblem(exchange, 'rate-limited', {
      detail:
        `This key may send ${limit.requests} requests in ${limit.perSeconds} seconds. ` +
        `Try again after ${resetSeconds} seconds.`,
      headers: [['retry-after', String(resetSeconds)]],
    });
  }
  return isAllowed;
}
