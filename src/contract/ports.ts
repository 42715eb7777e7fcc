import type { ListAction } from './address-list.ts';
import type { BodyFault, ErrorCode } from './errors.ts';
import type { StoredEvent } from './event.ts';
import type { ExplainInput, ExplainOutcome, PolicyProblem } from './explanation.ts';
import type { KeyBounds } from './key-bounds.ts';
import type { CoverageLimit } from './limits.ts';
import type { AnswerKind } from './live.ts';
import type { Policy, RateLimit } from './policy.ts';
import type { RequestContext } from './request.ts';
import type { ScanTiming } from './trace.ts';
import type { Verdict } from './verdict.ts';
import type { WrittenBlock } from './written-block.ts';

/**
 * One request on its way to the core. `body` is what the caller sent, not checked yet; it
 * stays as it is until the outcome is known.
 */
export interface ScanInput {
  readonly body: Uint8Array;
  readonly context: RequestContext;
  readonly policy: Policy;
  /** When the caller stops waiting, in the time of `performance.now()`; Infinity when not said. */
  readonly deadline: number;
  /** Filled in where timing is recorded. */
  readonly timing?: ScanTiming | undefined;
  /** Who waits for the verdict. What is still in the queue when the phase is `over` is dropped. */
  readonly caller?: { readonly phase: string };
  /** Whether the caller set no deadline: a queue that stands may use all of the default one. */
  readonly isPatient?: boolean;
  /** Whose request it is: the owners share the threads evenly. The id of the key. */
  readonly owner?: string;
}

/** What is known of a scan before the body has come. */
export type ScanHead = Omit<ScanInput, 'body'>;

/** Why a scan was not done; each is an error of the catalogue. */
export type RefusalReason = 'overloaded' | 'draining' | 'deadline-too-short' | 'worker-lost';

/** What became of a scan. A scan never throws and is always answered. */
export type ScanOutcome =
  | {
      readonly kind: 'verdict';
      /** Where there is `written`, it is parsed when it is asked for. */
      readonly verdict: Verdict;
      /** Of a block, where the scanner has written it down. */
      readonly written?: WrittenBlock;
    }
  /** The bytes are not an acceptable body: the caller's fault. */
  | { readonly kind: 'rejected'; readonly fault: BodyFault }
  /** There was no capacity or no time, or its thread was lost with it twice. */
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  /** A defect of ours; `detail` is for the log and never for the caller. */
  | { readonly kind: 'failed'; readonly detail: string };

/** Gets of each scan how long it waited for a thread and was worked on. No allocation. */
export interface ScanTimes {
  screened(queueMs: number, engineMs: number): void;
}

/**
 * Gives verdicts. `pool/pooled-scanner.ts` does it in worker threads, `pool/inline-scanner.ts` in
 * this one.
 */
export interface Scanner {
  scan(input: ScanInput): Promise<ScanOutcome>;
  /**
   * Why a scan of so many bytes would be refused now. Undefined promises nothing: it is cheap, so
   * that what cannot be answered in time is refused before its body is received.
   */
  refusalOf(head: ScanHead, bytes: number): RefusalReason | undefined;
  /** True once every worker thread has screened a first request, until the scanner closes. */
  isReady(): boolean;
  /** Answers what it holds, refuses what still comes, ends the threads. */
  close(): Promise<void>;
}

/** A request that a proxy asks about, as the proxy describes it. */
export interface ProxiedRequest {
  readonly method: string;
  /** Path and query as they came, such as `/search?q=a%20b`. */
  readonly url: string;
  /** By lower-case name; a header that came twice has two values. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: Uint8Array;
  /** False when the body went on beyond what the proxy sent, or beyond what is taken. */
  readonly isBodyComplete: boolean;
}

/** The bodies for the scanner that a request becomes: one, or several where it is large. */
export interface MappedRequest {
  readonly bodies: readonly Uint8Array[];
  /** False when a part of the request is in none of them. */
  readonly isComplete: boolean;
}

/** Writes requests of proxies as bodies for the scanner; large ones on threads of its own. */
export interface RequestMapper {
  /** Undefined when there is no capacity or no time. Rejects when the thread was lost. */
  map(request: ProxiedRequest): Promise<MappedRequest | undefined>;
  close(): Promise<void>;
}

/**
 * Work for the threads that can wait: requests go first, and what does not fit a small queue is
 * refused. The pooled scanner does this beside its main work.
 */
export interface Explainer {
  explain(input: ExplainInput): Promise<ExplainOutcome>;
  /**
   * The events of some blocks, without secrets: one job, so a few at a time. `steps`: with the steps
   * to the evidence, at several times the cost of `bare`. Undefined when it could not be asked.
   */
  describe(input: DescribeInput): Promise<readonly StoredEvent[] | undefined>;
  /**
   * What the core finds wrong with a policy that fits its schema: patterns that it cannot compile,
   * custom rules that miss an example or find a near miss. Undefined when it could not be asked.
   */
  checkPolicy(policy: Policy): Promise<readonly PolicyProblem[] | undefined>;
}

/** What a live key stands for. */
export interface KeyGrant {
  /** The public id, 8 base62 characters. */
  readonly keyId: string;
  readonly policyId: string;
  readonly policyVersion: number;
  readonly policy: Policy;
  /** Whether a candidate runs in the shadow of the policy. */
  readonly hasCandidate: boolean;
  /** Whether the policy or its candidate must know the address of the client. */
  readonly asksClient: boolean;
  readonly bounds: KeyBounds;
  readonly tally: KeyTally;
}

/** What is counted of one key, until it is stored. Called for each request: no allocation. */
export interface KeyTally {
  /** A request was let in. True now and then: `from` is then to be called. */
  admitted(): boolean;
  /** `address` is '' on a Unix socket. */
  from(address: string): void;
  answered(kind: AnswerKind): void;
  /** A request came from outside of the key's networks. True at most once a minute: it is logged. */
  strayed(): boolean;
}

/** What a rate limit says of one request. */
export interface RateDecision {
  readonly isAllowed: boolean;
  /** Requests that are left in this span. */
  readonly remaining: number;
  /** Until the span ends. */
  readonly resetSeconds: number;
}

/** Counts the requests of keys with a limit. */
export interface RateLimits {
  take(keyId: string, limit: RateLimit): Promise<RateDecision>;
}

/** A request that was screened and answered. */
export interface ShadowedRequest {
  readonly policyId: string;
  readonly decisionId: string;
  readonly body: Uint8Array;
  readonly context: RequestContext;
  readonly verdict: Verdict;
}

/** Gets the answered requests of policies with a candidate. Must not throw and must not wait. */
export interface ShadowSink {
  screened(request: ShadowedRequest): void;
}

/** Checks API keys from memory: constant time, no database. */
export interface KeyVerifier {
  /** The grant of a live key; undefined for every fault, so that callers cannot tell them apart. */
  verify(key: string): KeyGrant | undefined;
  /**
   * Asks the store about a key that memory does not accept, of any kind: it can have been made a
   * moment ago, by another process. Resolves when the key is worth another try; undefined when it
   * is known to be bad, was asked for already, or too much is asked for.
   */
  lookUp(key: string): Promise<void> | undefined;
  /** Whether a key is malformed or revoked: nothing that the store may say makes it valid. */
  isVoid(key: string): boolean;
  /** False while the keys have not been read yet, or cannot be kept up to date. */
  isReady(): boolean;
}

/**
 * The few words that the parts say to the log. Implementations redact; callers never pass a key or
 * a value.
 */
export interface Log {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** A log that also takes lines whose fields are written already. */
export interface LineLog extends Log {
  /**
   * Writes a line of level `info`. `members` is the text of a JSON object in the form of ECS without
   * its outer braces, line breaks or secrets. `message` is written as it is, so it needs no escapes.
   */
  line(members: string, message: string): void;
}

/** A block, for those who record it. What they keep of body and context is without secrets. */
export interface BlockRecord {
  readonly decisionId: string;
  readonly requestId: string;
  readonly traceId?: string;
  readonly keyId: string;
  readonly policyId: string;
  readonly policyVersion: number;
  readonly policy: Policy;
  /** UTF-8 JSON text. */
  readonly body: Uint8Array;
  readonly context: RequestContext;
  /** Parsed when it is asked for: most blocks of a flood are only counted and logged. */
  readonly verdict: Verdict;
  readonly written?: WrittenBlock | undefined;
  readonly monitored: boolean;
}

/** What is known of a block beside its record. */
export interface BlockFacts {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly keyName: string;
  /** The address that lists of addresses are asked about; unknown where it is left out. */
  readonly client?: string;
}

/** A block with what is known of it. */
export interface KnownBlock {
  readonly record: BlockRecord;
  readonly facts: BlockFacts;
}

/** Blocks that are to be described, and how. */
export interface DescribeInput {
  readonly blocks: readonly KnownBlock[];
  readonly depth: 'steps' | 'bare';
}

/** Notified of each decision after the answer has left. Must not throw and must not wait. */
export interface DecisionSink {
  /**
   * Counts an answer of `/control`, its time, and its problem if it is an error. Called for each
   * request: no allocation.
   */
  answered(kind: AnswerKind, latencyMs: number, problem?: ErrorCode): void;
  /** Counts a request whose key is not valid. `address` is who sent it. */
  keyRefused(address: string): void;
  /** Counts a request of a client that is listed. */
  listed(action: ListAction): void;
  /** Counts a request of which limits cut something off. */
  screenedInPart(reached: readonly CoverageLimit[]): void;
  blocked(record: BlockRecord): void;
}

/** The figures of this process, in the text format of Prometheus. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
}

/** A file that is served from memory, in each form that it can be sent in. */
export interface PageFile {
  readonly type: string;
  /** Whether its name changes with its content, so that it may be kept for ever. */
  readonly immutable: boolean;
  readonly plain: Uint8Array;
  readonly gzip?: Uint8Array;
  readonly brotli?: Uint8Array;
}

/** The files of the dashboard, in memory. */
export interface Pages {
  /** The file at a path below `/dashboard`; the page itself for every place inside of it. */
  find(path: string): PageFile | undefined;
}

export interface HttpServer {
  /** Where it listens, as a URL or `unix:<path>`. */
  readonly address: string;
  /** Where the metrics are, if they have a port of their own. */
  readonly metricsAddress?: string;
  /**
   * Stops listening, answers what is in flight, closes idle connections. Resolves when all is done
   * or `limits.drainMsMax` passed.
   */
  stop(): Promise<void>;
}
