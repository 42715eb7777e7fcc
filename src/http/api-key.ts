import type { UwsRequest } from './uws.ts';

/** Any token of ours; what other tokens are for is not our business. */
const bearer = /^Bearer +(sp_[\w-]+) *$/i;

/** What is answered to somebody who sends two keys: nobody can say which one is meant. */
export const twoKeysAdvice =
  'The headers x-api-key and Authorization hold different keys. Send one key only.';

/** The API key of a request, from `x-api-key` or else from `Authorization: Bearer`; '' for none. */
export function keyIn(req: UwsRequest): string {
  const key = req.getHeader('x-api-key');
  // A header costs a request a fiftieth of its time here, so the second one is asked for if need be.
  return key === '' ? bearerKeyIn(req.getHeader('authorization')) : key;
}

/** The key in a value of `Authorization`; '' where there is none of ours. */
export function bearerKeyIn(authorization: string): string {
  return authorization === '' ? '' : (bearer.exec(authorization)?.[1] ?? '');
}

/** Whether a request has a second key beside the one that was taken for its key. */
export function hasTwoKeys(req: UwsRequest, key: string): boolean {
  const other = bearerKeyIn(req.getHeader('authorization'));
  return other !== '' && other !== key;
}

/**
 * The key of a proxy that asks on behalf of a client, whose own headers come along: of two values
 * the one that can be a key of ours. 'two' where both can.
 */
export function keyOfProxy(
  req: UwsRequest,
): { readonly kind: 'key'; readonly key: string } | { readonly kind: 'two' } {
  const key = req.getHeader('x-api-key');
  const other = bearerKeyIn(req.getHeader('authorization'));
  if (other === '' || other === key) return { kind: 'key', key };
  return key.startsWith('sp_') ? { kind: 'two' } : { kind: 'key', key: other };
}
