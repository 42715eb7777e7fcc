import type { KeyGrant } from '../contract/ports.ts';
import type { RequestContext } from '../contract/request.ts';
import { limitsReached, type Verdict } from '../contract/verdict.ts';
import type { Exchange } from './exchange.ts';
import type { ScanVerdict } from './respond.ts';

/** What was screened, and on whose behalf. */
export interface Screened {
  readonly grant: KeyGrant;
  readonly body: Uint8Array;
  readonly context: RequestContext;
  /** The caller says that it has put the context into the body itself. */
  readonly hasContextInBody?: boolean;
}

/** Lets the candidate of the policy see the request, now that the answer has left. */
export function putInShadow(exchange: Exchange, screened: Screened, verdict: Verdict): void {
  const { decisionId, service } = exchange;
  const { grant, body, context } = screened;
  service.shadow?.screened({ policyId: grant.policyId, decisionId, body, context, verdict });
}

/** Lets a shape be learnt from the request, where its policy says so. */
export function learnFrom(
  { service }: Exchange,
  { grant, body, context }: Screened,
  outcome: ScanVerdict,
): void {
  const { policyId, policy } = grant;
  // A block is only of use beside a declared shape; most are never parsed.
  if (outcome.written !== undefined && policy.shape === undefined) return;
  service.learning?.screened({ policyId, body, context, verdict: outcome.verdict });
}

/** Counts a request of which a limit cut something off. */
export function recordCoverage({ service }: Exchange, outcome: ScanVerdict): void {
  if (outcome.written?.isComplete === true) return;
  const reached = limitsReached(outcome.verdict.coverage);
  if (reached.length > 0) service.decisions.screenedInPart(reached);
}

/** The answer has left: whatever happens here can no longer change it. */
export function recordBlock(exchange: Exchange, screened: Screened, outcome: ScanVerdict): void {
  const { decisionId, requestId, service, trace } = exchange;
  const { grant, body, context } = screened;
  const { keyId, policyId, policyVersion, policy } = grant;
  try {
    service.decisions.blocked({
      decisionId,
      requestId,
      ...(trace === undefined ? {} : { traceId: trace.traceId }),
      keyId,
      policyId,
      policyVersion,
      policy,
      body,
      context,
      // Not read here: most verdicts of a flood are never parsed.
      get verdict() {
        return outcome.verdict;
      },
      written: outcome.written,
      monitored: policy.mode === 'monitor',
    });
  } catch (error) {
    service.log.error({ decisionId, requestId, err: error }, 'a block could not be recorded');
  }
}
