import type { Coverage, Finding } from '../contract/verdict.ts';

/** What Sallyport says of one request. */
export interface Answer {
  /** The id of the decision: the same stands in the log and the dashboard of Sallyport. */
  readonly id: string;
  /** What was found: `block` for a threat, also where monitor mode lets it pass. */
  readonly decision: 'allow' | 'block';
  readonly score: number;
  /** In monitor mode: what would have been done in block mode. */
  readonly would?: 'allow' | 'block';
  /** One sentence on a block: what was found, and where. Not for the eyes of the client. */
  readonly detail?: string;
  /** Empty where the key's policy keeps them to itself. */
  readonly findings: readonly Partial<Finding>[];
  readonly coverage?: Coverage;
}

/** Why there is no answer; the message of a failure says what to do next. */
export type FailureCode =
  /** No connection, or it broke. */
  | 'unreachable'
  /** No answer within the time limit. */
  | 'timeout'
  /** The circuit breaker is open: Sallyport was not asked. */
  | 'circuit-open'
  /** 401: the API key. */
  | 'key-refused'
  /** 429: over the rate limit of the key. */
  | 'rate-limited'
  /** 5xx or 408: overloaded, shutting down, or a defect. */
  | 'unavailable'
  /** 400, 413, 415 or 422: what was sent cannot be screened. */
  | 'not-acceptable'
  /** Not an answer of Sallyport. */
  | 'not-understood';

export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
}

/** A call without an answer. */
export interface Failed {
  readonly kind: 'failed';
  readonly failure: Failure;
}

/** What became of a call. A call never throws and is always answered in time. */
export type Outcome =
  | { readonly kind: 'allowed'; readonly answer: Answer }
  | { readonly kind: 'blocked'; readonly answer: Answer }
  | Failed;

/** The data of a request: an object, or the text of a JSON object. */
export type Data = Readonly<Record<string, unknown>> | string;

/** Whatever gives answers: `createClient` asks a service, `createScreener` looks for itself. */
export interface Screener {
  /** Time for one call, where there is a limit. */
  readonly timeoutMs?: number;
  /** True for one that screens in this process, and needs no fallback. */
  readonly hasOwnCore?: boolean;
  screen(data: Data, options?: ScreenOptions): Promise<Outcome>;
  close(): Promise<void>;
}

export interface ScreenOptions {
  /** Less time than the screener would take; it cannot give more. */
  readonly timeoutMs?: number;
  /** The data are fields that describe a client's request, and no data of the client's own. */
  readonly describesRequest?: boolean;
}

export function failed(code: FailureCode, message: string): Failed {
  return { kind: 'failed', failure: { code, message } };
}
