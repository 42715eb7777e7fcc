import {
  type AnswerName,
  answers,
  type PoolStats,
  type SnapshotState,
} from '../../contract/live.ts';
import type { ClientReportCounts } from './client-reports.ts';
import type { DecisionCounts } from './decision-counts.ts';
import { statusOf } from './decision-counts.ts';
import type { DurationHistogram } from './duration-histogram.ts';
import type { Tally } from './tally.ts';

/** What the metrics are read from, at the moment of a scrape. */
export interface MetricsParts {
  readonly version: string;
  readonly decisions: DecisionCounts;
  /** What clients reported since the start. */
  readonly clients: ClientReportCounts;
  readonly answered: () => Readonly<Record<AnswerName, number>>;
  /** How long requests waited for a thread, and how long the core worked on each. */
  readonly times: { readonly queue: DurationHistogram; readonly engine: DurationHistogram };
  readonly pool: () => PoolStats;
  readonly addressEntries: () => number;
  /** Answers by key and policy; those beyond a bound are one of them. */
  readonly byKey: () => readonly KeyAnswers[];
  readonly policies: () => readonly {
    readonly id: string;
    readonly version: number;
    readonly hash: string;
  }[];
  readonly isReady: () => boolean;
  /** Parts that can be unavailable or lose something, and whether they are or have. */
  readonly degraded: () => Readonly<Record<string, boolean>>;
  readonly events: () => {
    readonly stored: number;
    readonly dropped: number;
    readonly waiting: number;
    readonly spoolBytes: number;
  };
  readonly snapshot: () => SnapshotState | undefined;
  /** What leaves the process for others, by the name of the exporter. */
  readonly exporters: () => Readonly<Record<string, Outgoing>>;
}

/** Answers to the requests of one key under one policy. */
export interface KeyAnswers {
  readonly key: string;
  readonly keyName: string;
  readonly policy: string;
  /** By `AnswerKind`. */
  readonly counts: readonly number[];
}

/** What left through an exporter, and what was lost. */
export interface Outgoing {
  readonly sent: number;
  readonly dropped: number;
}

/** One value of a metric. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric, and where its values come from. */
export interface Family {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly labels?: readonly string[];
  readonly read: (parts: MetricsParts) => Iterable<Sample>;
}

/** A metric of times. */
export interface DurationFamily {
  readonly name: string;
  readonly help: string;
  readonly histogram: (parts: MetricsParts) => DurationHistogram;
}

/** Policies beyond these are left out: each would be a series. */
const policiesMax = 100;
const hashChars = 12;

/** Decisions in the words of `/metrics`. */
const decisionWords: Readonly<Record<AnswerName, string>> = {
  allow: 'allow',
  block: 'block',
  wouldBlock: 'would_block',
  rejected: 'rejected',
  refused: 'refused',
};

export const durationFamilies: readonly DurationFamily[] = [
  {
    name: 'sallyport_request_duration_seconds',
    help: 'Time from the head of a screening request to its answer.',
    histogram: ({ decisions }) => decisions.durations,
  },
  {
    name: 'sallyport_queue_duration_seconds',
    help: 'Time that a request waited for a screening thread.',
    histogram: ({ times }) => times.queue,
  },
  {
    name: 'sallyport_engine_duration_seconds',
    help: 'Time that a screening thread worked on a request.',
    histogram: ({ times }) => times.engine,
  },
];

export const families: readonly Family[] = [
  {
    name: 'sallyport_build_info',
    type: 'gauge',
    help: 'The version that runs; always 1.',
    labels: ['version'],
    read: ({ version }) => [{ labels: { version }, value: 1 }],
  },
  {
    name: 'sallyport_ready',
    type: 'gauge',
    help: 'Whether all screening threads are ready: 1 or 0.',
    read: ({ isReady }) => one(Number(isReady())),
  },
  {
    name: 'sallyport_degraded',
    type: 'gauge',
    help: 'Whether a part is unavailable or has lost something: 1 or 0.',
    labels: ['part'],
    read: ({ degraded }) =>
      Object.entries(degraded()).map(([part, isDegraded]) => ({
        labels: { part },
        value: Number(isDegraded),
      })),
  },
  {
    name: 'sallyport_snapshot_age_seconds',
    type: 'gauge',
    help: 'How old the last good snapshot of keys and policies on the disk is.',
    read: ({ snapshot }) => {
      const age = snapshot()?.ageSeconds;
      return age === undefined ? [] : one(age);
    },
  },
  {
    name: 'sallyport_snapshot_in_force',
    type: 'gauge',
    help: 'Whether keys or policies come from that snapshot: 1 or 0.',
    read: ({ snapshot }) => one(Number(snapshot()?.inForce ?? false)),
  },
  {
    name: 'sallyport_requests_total',
    type: 'counter',
    help: 'Screening requests that were answered, by decision.',
    labels: ['decision'],
    read: ({ answered }) =>
      Object.entries(answered()).map(([name, value]) => ({
        labels: { decision: decisionWords[name as AnswerName] },
        value,
      })),
  },
  {
    name: 'sallyport_key_requests_total',
    type: 'counter',
    help: 'Screening requests by key and policy; beyond 100 pairs all others are one, `other`.',
    labels: ['key', 'key_name', 'policy', 'decision'],
    read: ({ byKey }) =>
      byKey().flatMap(({ key, keyName, policy, counts }) =>
        Object.entries(decisionWords).map(([name, decision]) => ({
          labels: { key, key_name: keyName, policy, decision },
          value: counts[answers[name as AnswerName]] ?? 0,
        })),
      ),
  },
  {
    name: 'sallyport_problems_total',
    type: 'counter',
    help: 'Screening requests that were answered with an error other than a block.',
    labels: ['problem', 'status'],
    read: ({ decisions }) =>
      [...decisions.problems.entries()].map(([problem, value]) => ({
        labels: { problem, status: statusOf(problem) },
        value,
      })),
  },
  {
    name: 'sallyport_blocks_total',
    type: 'counter',
    help: 'Blocks by the category of their strongest finding; would_block in monitor mode.',
    labels: ['category', 'decision'],
    read: ({ decisions }) => [
      ...blocksOf(decisions.blocks, 'block'),
      ...blocksOf(decisions.wouldBlock, 'would_block'),
    ],
  },
  {
    name: 'sallyport_listed_total',
    type: 'counter',
    help: 'Requests of clients on an address list, by what their entry does.',
    labels: ['list'],
    read: ({ decisions }) =>
      [...decisions.listed.entries()].map(([list, value]) => ({ labels: { list }, value })),
  },
  {
    name: 'sallyport_address_entries',
    type: 'gauge',
    help: 'Networks on the address lists that are in force.',
    read: ({ addressEntries }) => one(addressEntries()),
  },
  {
    name: 'sallyport_incomplete_total',
    type: 'counter',
    help: 'Requests that were screened only in part, by the limit that was reached; a finding that ends decoding is none.',
    labels: ['reason'],
    read: ({ decisions }) => byReason(decisions.incomplete),
  },
  {
    name: 'sallyport_client_unscreened_total',
    type: 'counter',
    help: 'Requests that clients let pass unscreened, as they report, by reason.',
    labels: ['reason'],
    read: ({ clients }) => byReason(clients.passed),
  },
  {
    name: 'sallyport_client_inline_total',
    type: 'counter',
    help: 'Requests that clients screened by themselves, as they report, by reason.',
    labels: ['reason'],
    read: ({ clients }) => byReason(clients.inline),
  },
  {
    name: 'sallyport_pool_requests',
    type: 'gauge',
    help: 'Requests that wait or are being screened.',
    read: ({ pool }) => one(pool().requests),
  },
  {
    name: 'sallyport_pool_bytes',
    type: 'gauge',
    help: 'Bytes of the bodies that wait or are being screened.',
    read: ({ pool }) => one(pool().bytes),
  },
  {
    name: 'sallyport_threads',
    type: 'gauge',
    help: 'Screening threads.',
    read: ({ pool }) => one(pool().threads),
  },
  {
    name: 'sallyport_threads_busy',
    type: 'gauge',
    help: 'Screening threads that are at work.',
    read: ({ pool }) => one(pool().threadsBusy),
  },
  {
    name: 'sallyport_thread_restarts_total',
    type: 'counter',
    help: 'Screening threads that died or hung and were replaced.',
    read: ({ pool }) => one(pool().threadsReplaced),
  },
  {
    name: 'sallyport_batches_total',
    type: 'counter',
    help: 'Batches that were given to threads.',
    read: ({ pool }) => one(pool().batches),
  },
  {
    name: 'sallyport_batched_requests_total',
    type: 'counter',
    help: 'Requests in these batches.',
    read: ({ pool }) => one(pool().batchedRequests),
  },
  {
    name: 'sallyport_batches_failed_total',
    type: 'counter',
    help: 'Batches that were lost with their thread; their requests were tried again.',
    read: ({ pool }) => one(pool().batchesFailed),
  },
  {
    name: 'sallyport_policy_info',
    type: 'gauge',
    help: 'The version of each policy that is in force, and the start of its hash; always 1.',
    labels: ['policy', 'version', 'hash'],
    read: ({ policies }) =>
      policies()
        .slice(0, policiesMax)
        .map(({ id, version, hash }) => ({
          labels: { policy: id, version: String(version), hash: hash.slice(0, hashChars) },
          value: 1,
        })),
  },
  {
    name: 'sallyport_events_stored_total',
    type: 'counter',
    help: 'Blocks that were stored.',
    read: ({ events }) => one(events().stored),
  },
  {
    name: 'sallyport_events_dropped_total',
    type: 'counter',
    help: 'Blocks that could not be stored.',
    read: ({ events }) => one(events().dropped),
  },
  {
    name: 'sallyport_events_waiting',
    type: 'gauge',
    help: 'Blocks in memory that wait to be stored.',
    read: ({ events }) => one(events().waiting),
  },
  {
    name: 'sallyport_events_spool_bytes',
    type: 'gauge',
    help: 'What the blocks take that wait on disk for the database.',
    read: ({ events }) => one(events().spoolBytes),
  },
  {
    name: 'sallyport_exporter_sent_total',
    type: 'counter',
    help: 'Blocks and traced requests that exporters sent, and messages of notifications.',
    labels: ['exporter'],
    read: ({ exporters }) => byExporter(exporters(), 'sent'),
  },
  {
    name: 'sallyport_exporter_dropped_total',
    type: 'counter',
    help: 'Blocks, traced requests and messages that could not be sent.',
    labels: ['exporter'],
    read: ({ exporters }) => byExporter(exporters(), 'dropped'),
  },
];

function one(value: number): readonly Sample[] {
  return [{ value }];
}

function byReason(tally: Tally<string>): readonly Sample[] {
  return [...tally.entries()].map(([reason, value]) => ({ labels: { reason }, value }));
}

function byExporter(
  exporters: Readonly<Record<string, Outgoing>>,
  what: keyof Outgoing,
): readonly Sample[] {
  return Object.entries(exporters).map(([exporter, counts]) => ({
    labels: { exporter },
    value: counts[what],
  }));
}

function blocksOf(tally: DecisionCounts['blocks'], decision: string): readonly Sample[] {
  return [...tally.entries()].map(([category, value]) => ({
    labels: { category, decision },
    value,
  }));
}
