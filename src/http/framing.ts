import type { Exchange } from './exchange.ts';
import type { Head } from './head.ts';
import { respondProblem } from './problem.ts';

/**
 * Whether the end of a body is given in a way that all read alike (RFC 9112, section 6.3): a proxy
 * in front that reads it differently takes a part of the body for the next request. Answers
 * 400 and closes the connection when not.
 *
 * uWebSockets.js refuses content-length beside transfer-encoding and lengths that are no numbers,
 * takes each transfer-encoding for `chunked`, and counts the first of several content-lengths.
 */
export function hasClearFraming(exchange: Exchange, head: Head): boolean {
  const { lengths, codings } = head;
  if (codings === 0 && lengths === 0) return true;
  // An empty length is none to uWebSockets.js, and the body would be read as the next request.
  if (codings === 0 && lengths === 1 && head.getHeader('content-length') !== '') return true;
  const coding = head.getHeader('transfer-encoding').toLowerCase();
  if (lengths === 0 && codings === 1 && coding === 'chunked') return true;
  respondProblem(exchange, 'header-not-valid', {
    detail: 'Send content-length once, or transfer-encoding: chunked once, and no other coding.',
    close: true,
  });
  return false;
}
