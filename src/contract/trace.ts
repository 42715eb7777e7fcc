import type { ErrorCode } from './errors.ts';
import type { AnswerKind } from './live.ts';

/** When a request was where, in the time of `performance.now()`. The scanner fills it in. */
export interface ScanTiming {
  queuedAt: number;
  startedAt: number;
  /** When the thread took it up, as nearly as another thread can tell. */
  engineFrom: number;
  engineMs: number;
}

/** A request as a part of its caller's trace (W3C Trace Context). */
export interface RequestTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** The span of the caller that asked, 16 digits. */
  readonly parentId: string;
  /** Our own span. */
  readonly spanId: string;
  /** Such as `POST /control`. */
  readonly name: string;
  /** What the answer says of it. */
  readonly response: string;
  /** Only where spans leave for a collector and the caller has sampled the trace. */
  readonly timing: ScanTiming | undefined;
}

/** How a traced request ended. */
export interface TraceEnd {
  readonly decisionId: string;
  /** In the time of `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly status: number;
  readonly kind: AnswerKind;
  readonly problem: ErrorCode | undefined;
}

/** Follows the traces of callers. Must not throw and must not wait. */
export interface Tracer {
  /** The trace that a `traceparent` header names; undefined where it names none that is fit. */
  begin(traceparent: string, name: string): RequestTrace | undefined;
  /** Called at the end of a request with a timing. */
  ended(trace: RequestTrace, end: TraceEnd): void;
}
