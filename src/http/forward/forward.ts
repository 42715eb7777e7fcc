import { plainBoundaryIn } from '../../client-request/multipart-head.ts';
import { MultipartSieve } from '../../client-request/multipart-sieve.ts';
import { limits } from '../../contract/limits.ts';
import { answers } from '../../contract/live.ts';
import type { Policy } from '../../contract/policy.ts';
import type { KeyGrant, MappedRequest, ProxiedRequest, ScanOutcome } from '../../contract/ports.ts';
import { addClient, noContext, type RequestContext } from '../../contract/request.ts';
import type { Verdict } from '../../contract/verdict.ts';
import { keyOfProxy, twoKeysAdvice } from '../api-key.ts';
import { grantOf, type KeyedRoute, refuseKey, scopeAdvice } from '../authenticate.ts';
import type { Exchange } from '../exchange.ts';
import { listedClient, recordDenied } from '../listed-client.ts';
import { forwardedClient } from '../peer.ts';
import { respondDefect, respondProblem } from '../problem.ts';
import { takeRate } from '../rate-limit.ts';
import { readBody, readSieved } from '../read-body.ts';
import { learnFrom, putInShadow, recordBlock, recordCoverage } from '../record.ts';
import type { UwsRequest } from '../uws.ts';
import { readProxied } from './proxied-request.ts';
import { answerOutages, pass, refuse, refuseUnchecked } from './respond-forward.ts';

const route: KeyedRoute = { use: 'forward', again: forward };

/**
 * A proxy asks whether a request may go on, step by step: authenticate, see what the request is,
 * read the body, write it as members, scan, answer. A proxy understands 200, 401 and 403, and its
 * client's headers come with the question: none of them may decide anything, such as
 * `x-deadline-ms` would.
 */
export function forward(exchange: Exchange, req: UwsRequest): void {
  const { service } = exchange;
  const asked = keyOfProxy(req);
  if (asked.kind === 'two') {
    refuseKey(exchange, { detail: twoKeysAdvice });
    return;
  }
  const { key } = asked;
  const answer = key === '' ? 'bad' : grantOf(exchange, req, key, route);
  if (answer === 'waits') return;
  if (answer === 'bad' || answer === 'not-allowed') {
    refuseKey(exchange, answer === 'bad' ? {} : { detail: scopeAdvice('forward') });
    return;
  }
  const grant = answer === 'not-readable' ? undefined : answer;
  const told = readProxied(req, key);
  // While the keys cannot be read, the policy of a key is unknown.
  answerOutages(exchange, told.request, grant?.policy ?? { mode: 'block', onOutage: 'block' });
  if (grant === undefined) {
    respondProblem(exchange, 'overloaded');
  } else if (grant.policy.mode === 'off') {
    pass(exchange, { kind: answers.allow });
  } else if (told.kind === 'unclear') {
    service.log.warn(
      { decisionId: exchange.decisionId, keyId: grant.keyId, reason: told.reason },
      'a proxy was refused: it must say which request it asks about',
    );
    refuseUnchecked(exchange, told.request, grant.policy, 'header-not-valid');
  } else if (!concludesListed(exchange, grant, told.request)) {
    readAndJudge(exchange, grant, told.request);
  }
}

/** Answers for a client that is listed, before anything of its body is read. */
function concludesListed(
  exchange: Exchange,
  grant: KeyGrant,
  request: Omit<ProxiedRequest, 'body'>,
): boolean {
  const context = contextOf(request);
  const listed = listedClient(exchange, grant, context.for);
  if (listed === undefined) return false;
  exchange.service.decisions.listed(listed.entry.action);
  if (listed.entry.action === 'allow') {
    pass(exchange, { kind: answers.allow });
    return true;
  }
  if (grant.policy.mode === 'block') refuse(exchange, request, 'harmful', { kind: answers.block });
  else pass(exchange, { kind: answers.wouldBlock });
  recordDenied(exchange, grant, { listed, context });
  return true;
}

function readAndJudge(
  exchange: Exchange,
  grant: KeyGrant,
  head: Omit<ProxiedRequest, 'body'>,
): void {
  const { rateLimit, limits: bounds } = grant.policy;
  exchange.bodyBytesMax = Math.min(bounds.bodyBytes ?? limits.bodyBytesMax, limits.bodyBytesMax);
  const rate = rateLimit === undefined ? undefined : takeRate(exchange, grant, rateLimit);
  const goOn = (body: Uint8Array, isBodyComplete: boolean): void => {
    judge(exchange, grant, { ...head, body, isBodyComplete }, rate).catch((error: unknown) =>
      respondDefect(exchange, error),
    );
  };
  const onBody = (body: Uint8Array): void => goOn(body, head.isBodyComplete);
  const onExcess = (part: Uint8Array): void => goOn(part, false);
  const sieve = sieveFor(head);
  if (sieve === undefined) readBody(exchange, onBody, onExcess);
  else readSieved(exchange, sieve, { onBody, onExcess });
}

/**
 * The content of uploaded files is not screened, and must not use up the room of the fields behind
 * it. What is packed, or has a boundary that parsers read differently, is read as it is.
 */
function sieveFor({ headers }: Pick<ProxiedRequest, 'headers'>): MultipartSieve | undefined {
  const types = headers['content-type'] ?? [];
  if (types.length !== 1 || headers['content-encoding'] !== undefined) return undefined;
  const boundary = plainBoundaryIn(types[0] ?? '');
  return boundary === undefined ? undefined : new MultipartSieve(boundary);
}

async function judge(
  exchange: Exchange,
  grant: KeyGrant,
  request: ProxiedRequest,
  rate: Promise<boolean> | undefined,
): Promise<void> {
  // Over the rate, the request has been answered.
  if (rate !== undefined && !(await rate)) return;
  const { scanner, mapper, deadlineMs } = exchange.service;
  const { policy, keyId } = grant;
  if (mapper === undefined) throw new Error('/forward is served without a mapper');
  const mapped = await mapper.map(request);
  if (mapped === undefined) {
    respondProblem(exchange, 'overloaded');
    return;
  }
  const timing = exchange.trace?.timing;
  const deadline = performance.now() + deadlineMs;
  const waits = { deadline, isPatient: true, caller: exchange, owner: keyId };
  const context = screenedContext(exchange, grant, request);
  const input = { context, policy, timing, ...waits };
  const outcomes = await Promise.all(mapped.bodies.map((body) => scanner.scan({ ...input, body })));
  conclude(exchange, { grant, request, mapped, context }, outcomes);
}

interface Judged {
  readonly grant: KeyGrant;
  readonly request: ProxiedRequest;
  readonly mapped: MappedRequest;
  readonly context: RequestContext;
}

/** The fields of the body have all but the client, where an exclusion asks for it. */
function screenedContext(
  exchange: Exchange,
  grant: KeyGrant,
  request: Omit<ProxiedRequest, 'body'>,
): RequestContext {
  if (!grant.asksClient) return noContext;
  const client = forwardedClient(contextOf(request).for, exchange.service.trustedProxies);
  return addClient(noContext, client);
}

/** A large request is screened in several parts: the worst of them speaks for all. */
function conclude(exchange: Exchange, judged: Judged, outcomes: readonly ScanOutcome[]): void {
  const { grant, request, mapped, context } = judged;
  const { policy } = grant;
  const worst = outcomes.toSorted((a, b) => rankOf(b) - rankOf(a))[0];
  if (worst?.kind === 'verdict') {
    const verdict = mapped.isComplete ? worst.verdict : withoutAPart(worst.verdict, policy);
    const blocks = verdict.decision === 'block';
    if (blocks && policy.mode === 'block') {
      // What was not looked at whole is refused as well, and need not be harmful.
      const why = verdict.score < verdict.threshold ? 'partial' : 'harmful';
      refuse(exchange, request, why, { kind: answers.block });
    } else pass(exchange, { kind: blocks ? answers.wouldBlock : answers.allow });
    const body = mapped.bodies[outcomes.indexOf(worst)] ?? request.body;
    const screened = { grant, body, context };
    // Without what the thread wrote: its line has nothing of the context.
    const outcome = { kind: 'verdict', verdict } as const;
    recordCoverage(exchange, outcome);
    if (blocks) {
      const recorded = { ...screened, context: { ...context, ...contextOf(request) } };
      recordBlock(exchange, recorded, outcome);
    }
    if (grant.hasCandidate) putInShadow(exchange, screened, verdict);
    // A part of a request is not learnt from: what is in the others would seem to be missing.
    if (policy.learnShape === true && mapped.isComplete && mapped.bodies.length === 1) {
      learnFrom(exchange, screened, outcome);
    }
  } else if (worst?.kind === 'rejected') {
    // More members than the policy takes: at `/control` this is the caller's fault.
    refuseUnchecked(exchange, request, policy, worst.fault);
  } else if (worst?.kind === 'refused') {
    respondProblem(exchange, worst.reason);
  } else {
    respondDefect(exchange, worst?.detail ?? 'a request without a body for the scanner');
  }
}

/** For the event of a block: its writer does not search a large body for these. */
function contextOf({ method, url, headers }: Omit<ProxiedRequest, 'body'>): RequestContext {
  const [uri = ''] = url.split('?', 1);
  const values = (name: string): string => headers[name]?.join(', ') ?? '';
  return { ...noContext, method, uri, host: values('host'), for: values('x-forwarded-for') };
}

/** What was found in one part counts, whatever became of the others. */
function rankOf(outcome: ScanOutcome): number {
  if (outcome.kind === 'verdict') return outcome.verdict.decision === 'block' ? 4 : 0;
  return { rejected: 3, refused: 1, failed: 2 }[outcome.kind];
}

/** Not all of the request was looked at: its policy decides, as where the core met a bound. */
function withoutAPart(verdict: Verdict, policy: Policy): Verdict {
  const { coverage, decision } = verdict;
  return {
    ...verdict,
    decision: policy.onIncomplete === 'block' ? 'block' : decision,
    coverage: { ...coverage, complete: false, reasons: [...coverage.reasons, 'body'] },
  };
}
