import type { Category } from './category.ts';
import type { EventSummary } from './event.ts';

/** How a request to `/control` was answered. The numbers are columns of the live statistics. */
export const answers = { allow: 0, block: 1, wouldBlock: 2, rejected: 3, refused: 4 } as const;

export type AnswerName = keyof typeof answers;
export type AnswerKind = (typeof answers)[AnswerName];

export interface Latency {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** What goes on at this moment. */
export interface LiveSnapshot {
  readonly requestsPerSecond: number;
  readonly blockedPerSecond: number;
  /** Of the last minute. */
  readonly latency: Latency;
  /** Blocks of the last hour; categories without any are left out. */
  readonly categories: Readonly<Partial<Record<Category, number>>>;
}

/** The last good snapshot of keys and policies on the disk. */
export interface SnapshotState {
  /** How long ago the database was read that it shows. */
  readonly ageSeconds: number;
  /** Whether keys or policies come from it, because the database was never read since the start. */
  readonly inForce: boolean;
}

/** What the pool is doing, for the metrics. */
export interface PoolStats {
  readonly threads: number;
  readonly threadsBusy: number;
  /** Requests waiting or being screened, and the bytes of their bodies. */
  readonly requests: number;
  readonly bytes: number;
  /** Since the start. */
  readonly batches: number;
  readonly batchedRequests: number;
  readonly batchesFailed: number;
  readonly threadsReplaced: number;
}

/** The last hour, from memory. */
export interface LiveHistory {
  readonly decisions: Readonly<Record<AnswerName, number>>;
  readonly series: {
    readonly stepSeconds: number;
    readonly from: string;
    readonly requests: readonly number[];
    readonly blocked: readonly number[];
    readonly p99Ms: readonly number[];
  };
}

/** Requests to `/control` and `/forward` whose key was not valid, since the start. */
export interface BadKeys {
  readonly total: number;
  /** Milliseconds since 1970; undefined when there was none. */
  readonly lastAt: number | undefined;
  /** Who sent the last one: the application server, or a proxy; '' on a Unix socket. */
  readonly lastAddress: string;
}

/** Notified of what happens while it listens. */
export interface LiveListener {
  onStats(snapshot: LiveSnapshot): void;
  onBlock(event: EventSummary): void;
}

/** The figures of this process since it started. */
export interface LiveStats {
  snapshot(): LiveSnapshot;
  history(): LiveHistory;
  /** Gives the call that ends the listening; undefined when too many listen already. */
  listen(listener: LiveListener): (() => void) | undefined;
}
