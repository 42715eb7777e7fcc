import type { TriageVerdict } from './event.ts';
import type { ScreeningRequest } from './request.ts';
import type { Shape } from './shape.ts';
import type { Finding, Verdict } from './verdict.ts';

/** A constraint of a proposed shape, and what speaks for it. */
export interface LearntEvidence {
  readonly method: string;
  /** A path template; '' for whole bodies of `/control`. */
  readonly path: string;
  /** Where in the request: `path.orderId`, `query.page`, `body.items[].sku`; '' for the route. */
  readonly field: string;
  /** In words: "uuid", "text, at most 64 characters", "required". */
  readonly constraint: string;
  /** In words: "seen 12,430 times, always a uuid". */
  readonly evidence: string;
  readonly count: number;
  /** Whether a value that validates needs no screening. */
  readonly isClosed: boolean;
}

export const shapeDriftKinds = [
  'new-route',
  'new-parameter',
  'new-field',
  'new-type',
  'new-media-type',
  'longer',
  'out-of-range',
  'vanished',
] as const;

/** Something in traffic that the declared shape does not say, or the other way round. */
export interface ShapeDrift {
  readonly kind: (typeof shapeDriftKinds)[number];
  readonly method: string;
  readonly path: string;
  readonly field: string;
  readonly message: string;
  readonly count: number;
  /** When it was first and last seen, milliseconds since 1970, UTC. */
  readonly first: number;
  readonly last: number;
}

/** What a proposal would have done with the traffic that it was learnt from. */
export interface LearntEffect {
  /** Requests that no proposed route takes, where those are refused. */
  readonly refusedRequests: number;
  /** Values, and of these the ones in closed fields, which need no screening. */
  readonly values: number;
  readonly sparedValues: number;
  readonly events: LearntEventEffect;
}

/** What it would have made of the newest events of the policy. */
export interface LearntEventEffect {
  /** Events that were read, and whether these are all that are stored. */
  readonly seen: number;
  readonly isComplete: boolean;
  /** Those that would not have come about: what was found stood in closed values. */
  readonly spared: number;
  /** Of all, and of the spared ones, those that were marked as false positives. */
  readonly falsePositives: number;
  readonly sparedFalsePositives: number;
  /** Of the spared ones, those that were marked as true positives. */
  readonly sparedTruePositives: number;
}

/** A stored event, as far as a shape says something about it. */
export interface RecentEvent {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly threshold: number;
  readonly verdict: TriageVerdict;
  readonly findings: readonly (Pick<Finding, 'pointer' | 'where' | 'category' | 'score'> & {
    /** Undefined where it is not stored, or not whole. */
    readonly value?: string;
  })[];
}

export interface RecentEvents {
  readonly events: readonly RecentEvent[];
  readonly isComplete: boolean;
}

/** What was learnt of the traffic of a policy. */
export interface LearntReport {
  /** Requests that were learnt from, and those that were left out: sampling, odd paths, size. */
  readonly requests: number;
  readonly leftOut: number;
  /** The first and the last request, milliseconds since 1970, UTC; undefined without any. */
  readonly first: number | undefined;
  readonly last: number | undefined;
  readonly routes: number;
  /** Bytes that are held in memory for the policy. */
  readonly bytes: number;
  /** Undefined while too little was seen. */
  readonly proposal: Shape | undefined;
  readonly evidence: readonly LearntEvidence[];
  readonly effect: LearntEffect;
  /** Against the declared shape; empty without one. */
  readonly drift: readonly ShapeDrift[];
}

/** A request that was screened and answered, with a policy that learns. */
export interface LearntRequest {
  readonly policyId: string;
  readonly body: Uint8Array;
  readonly context: ScreeningRequest['context'];
  readonly verdict: Verdict;
}

/** Gets the answered requests of policies that learn. Must not throw and must not wait. */
export interface LearningSink {
  screened(request: LearntRequest): void;
}

/** Requests of one policy, on their way to the thread that learns. */
export interface LearningBatch {
  readonly policyId: string;
  /** Requests that were left out since the last batch. */
  readonly leftOut: number;
  readonly requests: readonly {
    readonly body: Uint8Array;
    readonly context: ScreeningRequest['context'];
    /** Whether the declared shape alone refused it: it shows what changed, and is not proposed. */
    readonly isRefused: boolean;
    /** Milliseconds since 1970, UTC. */
    readonly at: number;
  }[];
}

/** What learns, beside everything else. What was stored is a text that only it can read. */
export interface LearningThread {
  /** Undefined when the thread is busy with others: they are left out. */
  learn(batch: LearningBatch): Promise<void> | undefined;
  /** Says what shape a policy declares, before requests with it come. */
  declare(policyId: string, shape: Shape | undefined): void;
  /** The policies with something to save. */
  unsaved(): Promise<readonly string[]>;
  /** What is to be stored in the place of `stored`; `saved` says that it was. */
  save(policyId: string, stored: string | undefined): Promise<string>;
  saved(policyId: string): void;
  reset(policyId: string): void;
  report(
    stored: string | undefined,
    declared: Shape | undefined,
    events: RecentEvents,
  ): Promise<LearntReport>;
  close(): Promise<void>;
}

/** What was learnt, as the management API uses it. */
export interface LearntShapes {
  /** All nodes together; what this one has seen since the last save is saved first. */
  report(policyId: string, declared: Shape | undefined): Promise<LearntReport>;
  /** A shape as an OpenAPI 3.1 document. */
  openApiOf(shape: Shape): object;
  /** Forgets all that was learnt with a policy. */
  reset(policyId: string): Promise<void>;
}
