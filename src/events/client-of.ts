import type { BlockedClient, BlockRecord } from '../contract/ports.ts';
import { contextParts, type RequestContext } from '../contract/request.ts';
import { membersOf } from './event-of.ts';
import { maskPlaces } from './mask.ts';

const methodPattern = /^[A-Za-z-]{1,32}$/;
/** The name of a host, or an address of IPv6 in brackets, and a port. */
const hostPattern = /^(\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i;
/** Masking costs the square of the length, and this is the thread that answers requests. */
const pathCharsMax = 100;

/**
 * Who sent a blocked request and what it was, as far as the application server says: for one line,
 * without secrets and without the query. `addressIn` tells the client in a list of addresses.
 */
export function clientOf(
  { body, context }: Pick<BlockRecord, 'body' | 'context'>,
  addressIn: (forwardedFor: string) => string,
): BlockedClient {
  const members = isToldInHeaders(context) ? {} : membersOf(body);
  const given = (part: keyof RequestContext): string => {
    const member = contextParts.find((one) => one.part === part)?.member ?? '';
    const text = context[part] || members[member];
    return typeof text === 'string' ? text : '';
  };
  const method = given('method');
  const domain = hostPattern.exec(given('host'))?.[1]?.toLowerCase();
  const client = addressIn(given('for'));
  const path = pathIn(given('uri'));
  return {
    ...(client === '' ? {} : { client }),
    ...(methodPattern.test(method) ? { method } : {}),
    ...(domain === undefined ? {} : { domain }),
    ...(path === '' ? {} : { urlPath: path }),
  };
}

function isToldInHeaders(context: RequestContext): boolean {
  return [context.method, context.host, context.uri, context.for].every((part) => part !== '');
}

function pathIn(uri: string): string {
  const end = uri.search(/[?#]/);
  const path = end === -1 ? uri : uri.slice(0, end);
  const shown = maskPlaces(path.slice(0, pathCharsMax));
  return path.length > pathCharsMax ? `${shown}…` : shown;
}
