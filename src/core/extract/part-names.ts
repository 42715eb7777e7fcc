import { wordList } from '../text/words.ts';

/** Header fields that browsers, proxies and clients of APIs send all the time. */
const headers = wordList(
  'accept accept-charset accept-encoding accept-language authorization cache-control connection',
  'content-encoding content-length content-type cookie date dnt expect forwarded from host',
  'if-match if-modified-since if-none-match if-range if-unmodified-since keep-alive origin pragma',
  'priority range referer save-data sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform sec-fetch-dest',
  'sec-fetch-mode sec-fetch-site sec-fetch-user sec-gpc te trailer transfer-encoding upgrade',
  'upgrade-insecure-requests user-agent via x-api-key x-csrf-token x-forwarded-for',
  'x-forwarded-host x-forwarded-proto x-forwarded-uri x-real-ip x-request-id x-requested-with',
);

const prefix = 'header.';

const partNames: ReadonlySet<string> = new Set(headers.map((name) => prefix + name));

/**
 * True for the member names that clients give to the usual header fields of a request. Nothing but
 * the whole name counts, so there is nothing in it to screen, and most of a request's names are
 * these.
 */
export function isPartName(name: string): boolean {
  // Names of bodies are told apart without the hash that a look-up takes.
  return name.startsWith(prefix) && partNames.has(name);
}

/** All of them, for the test that screens each. */
export const knownPartNames: readonly string[] = [...partNames];
