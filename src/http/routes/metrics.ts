import { createHash, timingSafeEqual } from 'node:crypto';
import { writeAnswer } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { peerAddress } from '../peer.ts';
import { respondDefect, respondProblem, statusLine } from '../problem.ts';
import type { UwsRequest } from '../uws.ts';

const loopbackPeer = /^(?:127\.|::1$|$)/;
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;
/** A request with one of these was forwarded by a proxy. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'];

/**
 * `GET /metrics`: the metrics of this process for Prometheus. With a token they are for callers
 * that have it, without one for this machine only.
 */
export function metrics(exchange: Exchange, req: UwsRequest): void {
  const { metrics: source, metricsToken } = exchange.service;
  if (source === undefined) {
    respondProblem(exchange, 'not-found');
    return;
  }
  const mayRead =
    metricsToken === undefined
      ? isFromThisMachine(exchange, req)
      : isToken(req.getHeader('authorization'), metricsToken);
  if (!mayRead) {
    respondProblem(exchange, 'metrics-not-allowed');
    return;
  }
  source.text().then(
    (body) =>
      writeAnswer(exchange, {
        status: statusLine(200),
        type: source.contentType,
        body,
        headers: [['cache-control', 'no-store']],
      }),
    (error: unknown) => respondDefect(exchange, error),
  );
}

/** Whether a program of this machine asks for itself: neither a proxy nor a page in a browser. */
function isFromThisMachine(exchange: Exchange, req: UwsRequest): boolean {
  if (proxyHeaders.some((name) => req.getHeader(name) !== '')) return false;
  const peer = peerAddress(exchange.res);
  return loopbackPeer.test(peer) && (peer === '' || loopbackHost.test(req.getHeader('host')));
}

function isToken(authorization: string, token: string): boolean {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  return timingSafeEqual(digestOf(given), digestOf(token));
}

/** Digests have one length, which a comparison in constant time asks for. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
