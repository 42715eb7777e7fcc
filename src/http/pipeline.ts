import { limits } from '../contract/limits.ts';
import type { ScanHead, ScanOutcome } from '../contract/ports.ts';
import { contextInBody, contextInHeader } from '../contract/request.ts';
import { authenticate, type KeyedRoute } from './authenticate.ts';
import { readContext } from './context.ts';
import { type Exchange, releaseBody } from './exchange.ts';
import { concludeListed, listedByBody, listedClient, withClient } from './listed-client.ts';
import { respondDefect, respondProblem } from './problem.ts';
import { takeRate } from './rate-limit.ts';
import { acceptsBody, readBody } from './read-body.ts';
import { learnFrom, putInShadow, recordBlock, recordCoverage, type Screened } from './record.ts';
import { respondUnscreened, respondVerdict, type ScanVerdict } from './respond.ts';
import type { UwsRequest } from './uws.ts';
import { readDeadline, respondBodyFault, validateBody } from './validate.ts';

const route: KeyedRoute = { use: 'screen', again: screen };

/**
 * A request to `/control`, step by step: authenticate, see whether there is time, read body,
 * validate its shape, scan, respond. A step that refuses has answered already. All of the head is
 * read before the handler returns: it dies with it. Two readers must take a body, `JSON.parse` here
 * or on the screening thread and then the core's: one on which they differ is refused.
 */
export function screen(exchange: Exchange, req: UwsRequest): void {
  const grant = authenticate(exchange, req, route);
  if (grant === undefined) return;
  const { policy } = grant;
  const { bodyBytes = limits.bodyBytesMax } = policy.limits;
  exchange.bodyBytesMax = Math.min(bodyBytes, limits.bodyBytesMax);
  if (!acceptsBody(exchange, req)) return;
  const deadline = readDeadline(exchange, req);
  if (deadline === undefined) return;
  const context = readContext(req);
  const head: ScanHead = {
    context,
    policy,
    deadline,
    isPatient: deadline === Number.POSITIVE_INFINITY,
    timing: exchange.trace?.timing,
    caller: exchange,
    owner: grant.keyId,
  };
  const listed = listedClient(exchange, grant, context.for);
  if (listed !== undefined) {
    concludeListed(exchange, grant, { listed, context, body: undefined });
    return;
  }
  if (policy.mode !== 'off' && refusesUnread(exchange, head)) return;
  const { rateLimit } = policy;
  const rate = rateLimit === undefined ? undefined : takeRate(exchange, grant, rateLimit);

  const hasContextInBody = req.getHeader(contextInHeader) === contextInBody;
  readBody(exchange, (body) => {
    const screened = { grant, body, context, hasContextInBody };
    if (rate === undefined) scan(exchange, screened, head);
    else {
      rate.then(
        (isAllowed) => isAllowed && scan(exchange, screened, head),
        (error: unknown) => respondDefect(exchange, error),
      );
    }
  });
}

/**
 * Refuses by its head a request that would not be answered in time: what has not come of its body
 * is not received. uWebSockets.js reads it away, so that the connection can be used again (RFC
 * 9112, section 9.3: a body is read to its end, or the connection is closed).
 */
function refusesUnread(exchange: Exchange, head: ScanHead): boolean {
  const { announcedBytes } = exchange;
  // Chunked: how much comes is not known.
  if (announcedBytes === 0) return false;
  const reason = exchange.service.scanner.refusalOf(head, announcedBytes);
  if (reason === undefined) return false;
  respondProblem(exchange, reason);
  return true;
}

function scan(exchange: Exchange, given: Screened, head: ScanHead): void {
  const { body, grant } = given;
  if (!validateBody(exchange, body)) return;
  if (grant.policy.mode === 'off') {
    respondUnscreened(exchange);
    return;
  }
  const listed = listedByBody(exchange, given);
  if (listed !== undefined) {
    concludeListed(exchange, grant, { ...given, listed });
    return;
  }
  const screened = withClient(exchange, given);
  const { context } = screened;
  const { scanner, deadlineMs } = exchange.service;
  // The wait begins when the body has come.
  const deadline = head.isPatient ? performance.now() + deadlineMs : head.deadline;
  scanner.scan({ ...head, body, context, deadline }).then(
    (outcome) => conclude(exchange, screened, outcome),
    (error: unknown) => respondDefect(exchange, error),
  );
}

function conclude(exchange: Exchange, screened: Screened, outcome: ScanOutcome): void {
  // Also where the caller has gone: its answer is then not written, but a block is still recorded.
  try {
    switch (outcome.kind) {
      case 'verdict':
        concludeVerdict(exchange, screened, outcome);
        return;
      case 'rejected':
        respondBodyFault(exchange, outcome.fault, screened.body, screened.grant.policy);
        return;
      case 'refused':
        respondProblem(exchange, outcome.reason);
        return;
      case 'failed':
        respondDefect(exchange, outcome.detail);
        return;
    }
  } catch (error) {
    respondDefect(exchange, error);
  }
}

function concludeVerdict(exchange: Exchange, screened: Screened, outcome: ScanVerdict): void {
  const { policy, hasCandidate } = screened.grant;
  const isBlock = respondVerdict(exchange, policy, outcome);
  if (isBlock) recordBlock(exchange, screened, outcome);
  recordCoverage(exchange, outcome);
  if (hasCandidate) putInShadow(exchange, screened, outcome.verdict);
  if (policy.learnShape === true) learnFrom(exchange, screened, outcome);
  // Of a block the body becomes an event later.
  if (!isBlock && !hasCandidate) releaseBody(screened.body);
}
