import { runJob } from '../lib/job.ts';
import type { CpuTime } from '../lib/process-usage.ts';

/** A kind of request and its share of all, 0 to 1. */
export interface MixItem {
  /** Name of a body in `bench/data`. */
  readonly body: string;
  readonly share: number;
}

/** A server that is measured. */
export interface Measured {
  readonly host: string;
  readonly port: number;
  readonly key: string;
  /** Its processes. */
  readonly pids: readonly number[];
  /** The status that a harmless request and an attack must get; 0 takes any. */
  readonly statuses: Readonly<Record<'allow' | 'block', number>>;
}

/** One run of the load generator. */
export interface LoadJob extends Measured {
  readonly mix: readonly MixItem[];
  /** Instead of a mix: JSON texts with their statuses, sent in turn. */
  readonly texts?: readonly { readonly text: string; readonly status: number }[];
  readonly connections: number;
  readonly warmUpMs: number;
  readonly ms: number;
  /** Requests a second of an open loop; a closed loop without. */
  readonly rate?: number;
}

/** What the load generator saw. */
export interface LoadAnswer {
  readonly answers: number;
  readonly ms: number;
  readonly generatorCpuMs: number;
  /** Processor time of the server in the same window; undefined where the system does not say. */
  readonly serverCpu: CpuTime | undefined;
  /** Answers with another status than expected. */
  readonly wrong: readonly string[];
  readonly wrongAnswers: number;
  /** Percentiles of the latency in milliseconds, by the name of the body. */
  readonly latencies: Readonly<Record<string, readonly (readonly [at: number, ms: number])[]>>;
  /** Requests of an open loop that found no free connection; their wait is in the latencies. */
  readonly unsent: number;
  /** How late requests left, 99th percentile; NaN in a closed loop. */
  readonly latenessMs: number;
}

/** What to send, how, and for how long. */
export type LoadPlan = Pick<LoadJob, 'mix' | 'texts' | 'connections' | 'warmUpMs' | 'ms' | 'rate'>;

/** Loads a server from another process. Fails when an answer was not the right one. */
export async function runLoad(server: Measured, plan: LoadPlan): Promise<LoadAnswer> {
  const answer = await runAnyLoad(server, plan);
  if (answer.wrong.length > 0) throw new Error(`Wrong answers: ${answer.wrong.join('; ')}`);
  return answer;
}

/** The same where refusals are a part of what is measured: `wrong` holds them. */
export async function runAnyLoad(server: Measured, plan: LoadPlan): Promise<LoadAnswer> {
  const { host, port, key, statuses, pids } = server;
  const job: LoadJob = { ...plan, host, port, key, statuses, pids };
  const answer = await runJob<LoadJob, LoadAnswer>('http/load-job', job);
  if (answer.answers === 0) throw new Error('No request was answered in time: allow more time.');
  return answer;
}

/** Requests a second. */
export function rateOf({ answers, ms }: LoadAnswer): number {
  return (answers / ms) * 1_000;
}

/** A percentile of the latency of one kind of request, milliseconds. */
export function latencyOf(answer: LoadAnswer, body: string, at: number): number {
  const found = answer.latencies[body]?.find(([percentile]) => percentile === at);
  if (found === undefined) throw new RangeError(`Percentile ${at} of ${body} was not kept.`);
  return found[1];
}
