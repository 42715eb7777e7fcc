import type { AddressLists } from '../contract/address-list.ts';
import type { ClientReports } from '../contract/client-report.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { LearningSink } from '../contract/learnt-shape.ts';
import { limits } from '../contract/limits.ts';
import type { SnapshotState } from '../contract/live.ts';
import type {
  DecisionSink,
  KeyTally,
  KeyVerifier,
  Log,
  Metrics,
  Pages,
  RateLimits,
  RequestMapper,
  Scanner,
  ShadowSink,
} from '../contract/ports.ts';
import type { RequestTrace, Tracer } from '../contract/trace.ts';
import type { FloodGauge } from './flood-gauge.ts';
import { isSaneRequestId } from './ids.ts';
import type { TrustedProxies } from './peer.ts';
import type { Reception } from './reception.ts';
import type { SlowBodies } from './slow-bodies.ts';
import type { UwsRequest, UwsResponse } from './uws.ts';

/** What all requests of one server share. */
export interface Service {
  readonly scanner: Scanner;
  readonly keys: KeyVerifier;
  /** Networks that are denied or allowed; none without. */
  readonly addresses: AddressLists | undefined;
  /** Parts that work from memory because their source is unavailable. */
  readonly degraded: () => readonly string[];
  readonly snapshot: () => SnapshotState | undefined;
  readonly log: Log;
  readonly decisions: DecisionSink;
  readonly shadow: ShadowSink | undefined;
  readonly learning: LearningSink | undefined;
  /** Told what clients could not have screened. */
  readonly clientReports: ClientReports | undefined;
  /** The name of a policy, by its id. */
  readonly policyNameOf: (id: string) => string;
  readonly version: string;
  /** Counts the keys that have a rate limit; none is limited without it. */
  readonly rateLimits: RateLimits | undefined;
  readonly pages: Pages | undefined;
  /** Writes what proxies ask about; `/forward` is not served without it. */
  readonly mapper: RequestMapper | undefined;
  /** Follows the traces of callers; none are followed without. */
  readonly tracer: Tracer | undefined;
  readonly metrics: Metrics | undefined;
  /** Callers with it may read the metrics; without it only this machine may. */
  readonly metricsToken: string | undefined;
  /** Whose `X-Forwarded-For` counts. */
  readonly trustedProxies: TrustedProxies;
  /** What is served below `/api`; nothing without it. */
  readonly api: ((exchange: Exchange, req: UwsRequest) => void) | undefined;
  readonly newId: () => string;
  /** Longest wait of a request that states none. */
  readonly deadlineMs: number;
  readonly bodyReceiveMs: number;
  readonly slowBodies: SlowBodies<Exchange>;
  readonly reception: Reception;
  /** Answers without a body. */
  readonly bodiless: FloodGauge;
  draining: boolean;
  /** Ends an answer that has no end of its own; called at shutdown. */
  readonly endless: Set<() => void>;
  /** Requests that are neither answered nor aborted, and connections that linger. */
  inFlight: number;
  /** Open connections. */
  connections: number;
  /** Called each time that `inFlight` or `connections` falls to zero. */
  onIdle: () => void;
}

/** Where the pieces of a body come from. */
export interface BodySource {
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown;
}

/** Takes a body piece by piece and keeps what counts of it. */
export interface BodySieve {
  readonly keptBytes: number;
  /** What it takes in memory. */
  readonly heldBytes: number;
  take(piece: Buffer): void;
  end(): void;
  /** All that was kept. */
  all(): Buffer;
}

/** One request and its answer. `res` may be touched in the phases `open` and `lingering` only. */
export interface Exchange {
  readonly service: Service;
  readonly res: UwsResponse;
  readonly decisionId: string;
  readonly requestId: string;
  /** HEAD: the answer has the same head and no body. */
  readonly headOnly: boolean;
  /**
   * `open`: to be answered. `sending`: a part of the answer waits for its reader. `lingering`:
   * answered, and the connection is closed once the rest of the request body was read. `over`:
   * answered or aborted.
   */
  phase: 'open' | 'sending' | 'lingering' | 'over';
  /** Whether a data handler is attached. */
  reading: boolean;
  /** What has come while the request waited for its key; undefined for one that did not. */
  held: BodySource | undefined;
  /** The request, while its handler runs: uWebSockets.js takes it back afterwards. */
  req: UwsRequest | undefined;
  /** `content-length`; 0 without one. */
  readonly announcedBytes: number;
  /** Whether the connection is closed after the answer, whatever the answer is. */
  closes: boolean;
  /** Whether bytes of the request body can still come. */
  bodyPending: boolean;
  /** The key of the request; '' until it is known. */
  keyId: string;
  /** Where its answer is counted for its key. */
  tally: KeyTally | undefined;
  /** The body so far, where it came in more than one chunk. */
  buffer: Uint8Array<ArrayBuffer> | undefined;
  /** What keeps the body instead, where not all of it counts. */
  sieve: BodySieve | undefined;
  /** What is counted for the body while it has not come whole. */
  heldBytes: number;
  bytesRead: number;
  /** Longest body that is taken. */
  bodyBytesMax: number;
  /** Headers with the key's rate limit. */
  rateHeaders: readonly (readonly [name: string, value: string])[] | undefined;
  /** Answers in the place of a problem document, for a caller that knows only a few statuses. */
  onProblem: ((code: ErrorCode) => void) | undefined;
  dueAt: number;
  rearmAt: number;
  /** When a request to `/control` began, in the time of `performance.now()`; 0 for the others. */
  startedAt: number;
  /** The trace that a request to `/control` belongs to. */
  trace: RequestTrace | undefined;
}

/**
 * Begins an exchange. Must be the first thing that a handler does: it attaches the abort handler.
 */
export function openExchange(
  service: Service,
  res: UwsResponse,
  req: UwsRequest,
  method: string,
): Exchange {
  const decisionId = service.newId();
  const askedId = req.getHeader('x-request-id');
  const length = req.getHeader('content-length');
  const exchange: Exchange = {
    service,
    res,
    decisionId,
    // A request that names no id is known by that of its decision: no second id to make.
    requestId: askedId !== '' && isSaneRequestId(askedId) ? askedId : decisionId,
    headOnly: method === 'HEAD',
    phase: 'open',
    reading: false,
    held: undefined,
    req,
    announcedBytes: Number(length),
    closes: false,
    bodyPending: length === '' ? req.getHeader('transfer-encoding') !== '' : length !== '0',
    keyId: '',
    tally: undefined,
    buffer: undefined,
    sieve: undefined,
    heldBytes: 0,
    bytesRead: 0,
    bodyBytesMax: limits.bodyBytesMax,
    rateHeaders: undefined,
    onProblem: undefined,
    dueAt: 0,
    rearmAt: 0,
    startedAt: 0,
    trace: undefined,
  };
  service.inFlight += 1;
  res.onAborted(() => finish(exchange));
  return exchange;
}

/** Begins the screening of a request: from here on its time is counted. */
export function beginScreening(exchange: Exchange, req: UwsRequest, name: string): void {
  exchange.startedAt = performance.now();
  const { tracer } = exchange.service;
  if (tracer !== undefined) exchange.trace = tracer.begin(req.getHeader('traceparent'), name);
}

/** Whether the client asked for the connection to be closed. Only known while the handler runs. */
export function clientCloses(exchange: Exchange): boolean {
  return exchange.req?.getHeader('connection').toLowerCase() === 'close';
}

/** Ends an exchange: `res` is not touched from here on. */
export function finish(exchange: Exchange): void {
  if (exchange.phase === 'over') return;
  exchange.phase = 'over';
  const { service } = exchange;
  if (exchange.dueAt !== 0) service.slowBodies.forget(exchange);
  dropBody(exchange);
  service.inFlight -= 1;
  if (service.inFlight === 0) service.onIdle();
}

/**
 * Gives back the memory of a large body that came whole and was answered. Else some hundred of them
 * make V8 collect the whole heap, and all requests wait meanwhile. Small ones share their memory.
 */
export function releaseBody({ buffer, length }: Uint8Array): void {
  const isLarge = length > limits.bodyInlineBytesMax && length === buffer.byteLength;
  if (isLarge && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/**
 * Gives back the memory of a body that is not wanted any more: that of its buffer at once, not when
 * it is collected.
 */
export function dropBody(exchange: Exchange): void {
  exchange.buffer?.buffer.transfer(0);
  exchange.buffer = undefined;
  exchange.sieve = undefined;
  if (exchange.heldBytes !== 0) exchange.service.reception.hold(exchange, 0);
}
