import { limits } from '../contract/limits.ts';
import type { ScanOutcome } from '../contract/ports.ts';
import { authenticate } from './authenticate.ts';
import { readContext } from './context.ts';
import type { Exchange } from './exchange.ts';
import { respondDefect, respondProblem } from './problem.ts';
import { takeRate } from './rate-limit.ts';
import { acceptsBody, readBody } from './read-body.ts';
import { putInShadow, recordBlock, recordCoverage, type Screened } from './record.ts';
import { respondUnscreened, respondVerdict } from './respond.ts';
import type { UwsRequest } from './uws.ts';
import { readDeadline, respondBodyFault, validateBody } from './validate.ts';

/**
 * A request to `/control`, step by step: authenticate, read body, validate its shape, scan,
 * respond. A step that refuses has answered already. All of the head is read before the handler
 * returns: it dies with it. Two readers must take a body, `JSON.parse` here or on the screening
 * thread and then the core's: one on which they differ is refused.
 */
export function screen(exchange: Exchange, req: UwsRequest): void {
  const grant = authenticate(exchange, req, screen);
  if (grant === undefined) return;
  const { policy } = grant;
  const { bodyBytes = limits.bodyBytesMax } = policy.limits;
  exchange.bodyBytesMax = Math.min(bodyBytes, limits.bodyBytesMax);
  if (!acceptsBody(exchange, req)) return;
  const deadline = readDeadline(exchange, req);
  if (deadline === undefined) return;
  const context = readContext(req);
  const { rateLimit } = policy;
  const rate = rateLimit === undefined ? undefined : takeRate(exchange, grant, rateLimit);

  readBody(exchange, (body) => {
    const screened = { grant, body, context };
    if (rate === undefined) scan(exchange, screened, deadline);
    else {
      rate.then(
        (isAllowed) => isAllowed && scan(exchange, screened, deadline),
        (error: unknown) => respondDefect(exchange, error),
      );
    }
  });
}

function scan(exchange: Exchange, screened: Screened, deadline: number): void {
  const { body, context, grant } = screened;
  const { policy, keyId } = grant;
  if (!validateBody(exchange, body)) return;
  if (policy.mode === 'off') {
    respondUnscreened(exchange);
    return;
  }
  const timing = exchange.trace?.timing;
  const { scanner, deadlineMs } = exchange.service;
  const isPatient = deadline === Number.POSITIVE_INFINITY;
  const input = {
    body,
    context,
    policy,
    deadline: isPatient ? performance.now() + deadlineMs : deadline,
    isPatient,
    timing,
    caller: exchange,
    owner: keyId,
  };
  scanner.scan(input).then(
    (outcome) => conclude(exchange, screened, outcome),
    (error: unknown) => respondDefect(exchange, error),
  );
}

function conclude(exchange: Exchange, screened: Screened, outcome: ScanOutcome): void {
  // Also where the caller has gone: its answer is then not written, but a block is still recorded.
  try {
    switch (outcome.kind) {
      case 'verdict':
        if (respondVerdict(exchange, screened.grant.policy, outcome)) {
          recordBlock(exchange, screened, outcome);
        }
        recordCoverage(exchange, outcome);
        if (screened.grant.hasCandidate) putInShadow(exchange, screened, outcome.verdict);
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
