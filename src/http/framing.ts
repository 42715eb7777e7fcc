import type { Exchange } from './exchange.ts';
import { respondProblem } from './problem.ts';
import type { UwsRequest } from './uws.ts';

/**
 * Whether the end of a body is given in a way that all read alike (RFC 9112, section 6.3): a proxy
 * in front that reads it differently takes a part of the body for the next request. Answers
 * 400 and closes the connection when not.
 *
 * uWebSockets.js refuses content-length beside transfer-encoding, takes each transfer-encoding for
 * `chunked`, and counts the first of several content-lengths. To see the others all header lines
 * must be read, which costs a request a tenth of its time here: asked for with `allLines` only, and
 * where there is a transfer-encoding, which is rare.
 */
export function hasClearFraming(
  exchange: Exchange,
  req: UwsRequest,
  { allLines }: { readonly allLines: boolean },
): boolean {
  const isChunked = exchange.bodyPending && !(exchange.announcedBytes > 0);
  if (!allLines && !isChunked) return true;
  let lengths = 0;
  const codings: string[] = [];
  req.forEach((name, value) => {
    if (name === 'content-length') lengths += 1;
    else if (name === 'transfer-encoding') codings.push(value);
  });
  const [coding = 'chunked'] = codings;
  if (lengths <= 1 && codings.length <= 1 && coding.toLowerCase() === 'chunked') return true;
  respondProblem(exchange, 'header-not-valid', {
    detail: 'Send content-length once, or transfer-encoding: chunked once, and no other coding.',
    close: true,
  });
  return false;
}
