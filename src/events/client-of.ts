import { contextParts, type RequestContext } from '../contract/request.ts';
import { maskPlaces } from './mask.ts';
import { membersIn } from './members-of.ts';

const methodPattern = /^[A-Za-z-]{1,32}$/;
/** The name of a host, or an address of IPv6 in brackets, and a port. */
const hostPattern = /^(\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i;
/** Masking costs the square of the length, and this is the thread that answers requests. */
const pathCharsMax = 100;

/** More hops are no chain that the address of a client is looked for in, and none is longer. */
const hopsMax = 32;
const hopCharsMax = 64;

/** A blocked request and its client, as the application server describes them; '' is unknown. */
export interface BlockedClient {
  readonly method: string;
  readonly domain: string;
  /** Without the query and without secrets. */
  readonly urlPath: string;
  /** The end of what it says in the manner of `X-Forwarded-For`. */
  readonly forwardedFor: string;
}

/**
 * Who sent a blocked request and what it was, as far as the application server says: for one line,
 * without secrets and without the query.
 */
export function clientOf(body: string, context: RequestContext): BlockedClient {
  const members = isToldInHeaders(context) ? {} : membersIn(body);
  const given = (part: keyof RequestContext): string => {
    const member = contextParts.find((one) => one.part === part)?.member ?? '';
    const text = context[part] || members[member];
    return typeof text === 'string' ? text : '';
  };
  const method = given('method');
  return {
    method: methodPattern.test(method) ? method : '',
    domain: hostPattern.exec(given('host'))?.[1]?.toLowerCase() ?? '',
    urlPath: pathIn(given('uri')),
    forwardedFor: lastHops(given('for')),
  };
}

/** The hops behind the last one that can be no address: what stands before it never counts. */
function lastHops(list: string): string {
  if (list === '') return '';
  const hops: string[] = [];
  for (const hop of list.split(',').slice(-hopsMax).reverse()) {
    const address = hop.trim();
    if (address.length > hopCharsMax) break;
    hops.unshift(address);
  }
  return hops.join(',');
}

function isToldInHeaders(context: RequestContext): boolean {
  return [context.method, context.host, context.uri, context.for].every((part) => part !== '');
}

function pathIn(uri: string): string {
  if (uri === '') return '';
  const end = uri.search(/[?#]/);
  const path = end === -1 ? uri : uri.slice(0, end);
  const shown = maskPlaces(path.slice(0, pathCharsMax));
  return path.length > pathCharsMax ? `${shown}…` : shown;
}
