import type { Measured } from '../http/load.ts';
import { runJob } from '../lib/job.ts';
import type { LivezJob } from '../lib/livez-job.ts';

/** Requests that come at their times, whatever became of the ones before. */
export interface FloodJob extends Pick<Measured, 'host' | 'port' | 'key' | 'pids'> {
  /** JSON texts, sent in turn. */
  readonly bodies: readonly string[];
  /** Requests a second. */
  readonly rate: number;
  /** For so long the flood goes on before anything counts: the generator is slow at first. */
  readonly warmUpMs: number;
  readonly ms: number;
  /** How long a caller waits; it says so in `x-deadline-ms`, and then closes its connection. */
  readonly deadlineMs: number;
  /** Connections at most; a request that finds none free is not sent, and counts as lost. */
  readonly connections: number;
}

/** What became of a flood. */
export interface FloodAnswer {
  readonly sent: number;
  /** Verdicts that came before the caller had gone. */
  readonly good: number;
  readonly refused: number;
  /** Answers that are neither a verdict nor a refusal. */
  readonly wrong: number;
  /** Requests without an answer in time. */
  readonly late: number;
  readonly unsent: number;
  readonly ms: number;
  /** 99th percentile of the latency of verdicts and of refusals; NaN where there were none. */
  readonly goodP99Ms: number;
  readonly refusedP99Ms: number;
  /** How late the generator itself was, 99th percentile: latencies hold it. */
  readonly generatorP99Ms: number;
  /** The longest that `/livez` took, asked every 10 ms from another process. */
  readonly livezMsMax: number;
  /** Resident memory of the server before the flood, and at most in it; NaN without `/proc`. */
  readonly memoryMb: { readonly before: number; readonly most: number };
  /** From the end of the flood until a small request was answered as fast as before it. */
  readonly recoveryMs: number;
}

/** Floods a server from another process, while a third asks for its health. */
export async function runFlood(job: FloodJob): Promise<FloodAnswer> {
  const { host, port, warmUpMs, ms } = job;
  const [flood, livezMsMax] = await Promise.all([
    runJob<FloodJob, Omit<FloodAnswer, 'livezMsMax'>>('overload/flood-job', job),
    runJob<LivezJob, number>('lib/livez-job', { host, port, ms: warmUpMs + ms }),
  ]);
  return { ...flood, livezMsMax };
}
