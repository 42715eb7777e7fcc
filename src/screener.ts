import { neededNode } from './cli/node-version.ts';
import { checkOptionNames } from './clients/option-names.ts';
import type { Answer, Data, Outcome, Screener, ScreenOptions } from './clients/outcome.ts';
import { failed } from './clients/outcome.ts';
import { errorCatalogue } from './contract/errors.ts';
import { asksClient } from './contract/exclusion-clients.ts';
import { limits } from './contract/limits.ts';
import type { Policy } from './contract/policy.ts';
import type { Log, Scanner, ScanOutcome } from './contract/ports.ts';
import {
  addClient,
  forwardedForMember,
  noContext,
  type RequestContext,
} from './contract/request.ts';
import type { Verdict } from './contract/verdict.ts';
import { createEngine } from './core/engine.ts';
import { detectors } from './core/rules/registry.ts';
import { blockDetail } from './http/block-answer.ts';
import { createIdMaker } from './http/ids.ts';
import { forwardedClient, trustedProxiesOf } from './http/peer.ts';
import { topLevelText } from './http/top-level-text.ts';
import { withoutExpired } from './policies/expiry.ts';
import { type DocumentCheck, validateDocument } from './policies/validate.ts';
import { createInlineScanner } from './pool/inline-scanner.ts';
import { createPooledScanner } from './pool/pooled-scanner.ts';
import { compileShape } from './shape/compile.ts';
import { shapeOf } from './shape/read-shape.ts';

export type {
  Answer,
  Data,
  Failure,
  FailureCode,
  Outcome,
  Screener,
  ScreenOptions,
} from './clients/outcome.ts';
export type { Policy } from './contract/policy.ts';

export interface ScreenerOptions {
  /** What differs from the default policy; the same words as in the service. */
  readonly policy?: Partial<Policy>;
  /** Worker threads; 0, the default, screens on the calling thread. */
  readonly threads?: number;
  /** Longest wait for a verdict of the threads. Default 150. */
  readonly timeoutMs?: number;
  /** Called when a worker thread dies or does not start. */
  readonly log?: Log;
}

/**
 * Sallyport inside of your own process: the same verdicts, without a service.
 *
 *     const screener = createScreener();
 *     app.use(sallyport({ screener }));
 *
 * With worker threads your own thread stays free, and `close` ends them.
 */
export function createScreener(options: ScreenerOptions = {}): Screener {
  checkNode();
  checkOptionNames('createScreener', options, Object.keys(optionNames));
  const document = checkedPolicy(options.policy ?? {});
  const threads = options.threads ?? 0;
  if (!Number.isInteger(threads) || threads < 0) {
    throw new RangeError('threads must be a whole number from 0, which is the calling thread.');
  }
  const timeoutMs = options.timeoutMs ?? 150;
  const scanner: Scanner =
    threads === 0
      ? createInlineScanner({ engine: createEngine(detectors, compileShape) })
      : createPooledScanner({ threads, log: options.log ?? silentLog });
  const bodyBytesMax = Math.min(
    document.limits.bodyBytes ?? limits.bodyBytesMax,
    limits.bodyBytesMax,
  );
  const nextId = createIdMaker();
  const needsClient = asksClient(document);
  let inForce = withoutExpired(document, Date.now());

  async function screen(data: Data, limit: ScreenOptions = {}): Promise<Outcome> {
    const body = bytesOf(data);
    if (body === undefined || body.length > bodyBytesMax) {
      const code = body === undefined ? 'body-not-json' : 'body-too-large';
      return failed('not-acceptable', errorCatalogue[code].advice);
    }
    const now = Date.now();
    if (now >= inForce.until) inForce = withoutExpired(document, now);
    const { policy } = inForce;
    if (policy.mode === 'off') return allowedUnseen(nextId());
    // The first requests may wait for the threads to start.
    const limitMs = Math.min(timeoutMs, limit.timeoutMs ?? timeoutMs);
    const waitMs = scanner.isReady() ? limitMs : Math.max(limitMs, startMsMax);
    const deadline = threads === 0 ? Number.POSITIVE_INFINITY : performance.now() + waitMs;
    const context = needsClient && limit.describesRequest === true ? contextOf(body) : noContext;
    const outcome = await scanner.scan({ body, context, policy, deadline });
    return translated(outcome, policy, nextId());
  }

  const limitOfCall = threads === 0 ? {} : { timeoutMs };
  return { ...limitOfCall, hasOwnCore: true, screen, close: () => scanner.close() };
}

const noProxies = trustedProxiesOf([]);

/** The fields of the body have all but the client. */
function contextOf(body: Uint8Array): RequestContext {
  const chain = topLevelText(body, forwardedForMember);
  return addClient(noContext, forwardedClient(chain, noProxies));
}

function checkNode(): void {
  const needed = neededNode(process.version);
  if (needed === undefined) return;
  throw new Error(
    `createScreener needs Node.js ${needed} or newer, and this is ${process.version}. ` +
      'Install one, or ask a Sallyport with createClient of sallyport/client, which runs on Node.js 20.',
  );
}

const optionNames: Readonly<Record<keyof ScreenerOptions, true>> = {
  policy: true,
  threads: true,
  timeoutMs: true,
  log: true,
};

function translated(outcome: ScanOutcome, policy: Policy, id: string): Outcome {
  switch (outcome.kind) {
    case 'verdict':
      return decided(outcome.verdict, policy, id);
    case 'rejected':
      return failed('not-acceptable', errorCatalogue[outcome.fault].advice);
    case 'refused':
      return failed('unavailable', errorCatalogue[outcome.reason].advice);
    case 'failed':
      return failed('unavailable', `Screening failed: ${outcome.detail}`);
  }
}

function decided(verdict: Verdict, policy: Policy, id: string): Outcome {
  const { score, findings, coverage, decision } = verdict;
  const answer: Answer = { id, decision, score, findings, coverage };
  if (policy.mode === 'monitor') return { kind: 'allowed', answer: { ...answer, would: decision } };
  if (decision === 'allow') return { kind: 'allowed', answer };
  return { kind: 'blocked', answer: { ...answer, detail: blockDetail(verdict) } };
}

function allowedUnseen(id: string): Outcome {
  const coverage = { complete: false, bytes: 0, reasons: [] };
  return { kind: 'allowed', answer: { id, decision: 'allow', score: 0, findings: [], coverage } };
}

const encoder = new TextEncoder();

function bytesOf(data: Data): Uint8Array | undefined {
  try {
    return encoder.encode(typeof data === 'string' ? data : JSON.stringify(data));
  } catch {
    return undefined;
  }
}

function checkedPolicy(given: Partial<Policy>): Policy {
  const outcome = withShape(validateDocument(given));
  const problems =
    outcome.kind === 'valid' ? createEngine().checkPolicy(outcome.document) : outcome.problems;
  if (outcome.kind === 'valid' && problems.length === 0) return Object.freeze(outcome.document);
  const list = problems.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join('; ');
  throw new TypeError(`The policy is not valid: ${list}.`);
}

/** The shape of a policy as it is compiled. */
function withShape(check: DocumentCheck): DocumentCheck {
  if (check.kind === 'not-valid' || check.document.shape === undefined) return check;
  const outcome = shapeOf(check.document.shape);
  if (outcome.kind === 'shape') {
    return { kind: 'valid', document: { ...check.document, shape: outcome.shape } };
  }
  const problems = outcome.problems.map(({ pointer, message }) => ({
    pointer: `/shape${pointer}`,
    message,
  }));
  return { kind: 'not-valid', problems };
}

const startMsMax = 10_000;

const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
