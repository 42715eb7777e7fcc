import { type Category, categories } from '../../contract/category.ts';
import type { EventSummary } from '../../contract/event.ts';
import {
  type AnswerKind,
  type AnswerName,
  answers,
  type LiveHistory,
  type LiveListener,
  type LiveSnapshot,
  type LiveStats,
} from '../../contract/live.ts';
import { LatencyHistogram } from './latency-histogram.ts';

const stepMs = 10_000;
const stepCount = 360;
/** The latest steps, over which latency is reported. */
const recentSteps = 6;
const tickMs = 1_000;
const listenersMax = 64;

const answerNames = Object.keys(answers) as AnswerName[];
const columns = answerNames.length + categories.length;

/** Live statistics, and what feeds them. */
export interface LiveCounter extends LiveStats {
  /** Counts an answer. Called for each request: no allocation. */
  answered(kind: AnswerKind, latencyMs: number): void;
  /** Counts the category of a block. */
  categorised(category: Category): void;
  /** Tells the listeners of a stored block. */
  stored(event: EventSummary): void;
  /** Answers since the start. */
  totals(): Readonly<Record<AnswerName, number>>;
  /** What was counted since the last call, for the store of traffic. */
  takeTraffic(): {
    readonly requests: number;
    readonly blocked: number;
    readonly wouldBlock: number;
  };
  close(): void;
}

/** Starts to count. `clock` gives milliseconds since 1970. */
export function startLiveStats(clock: () => number): LiveCounter {
  return new RingStats(clock);
}

/** One hour in steps of ten seconds, in arrays of numbers that are used over and over. */
class RingStats implements LiveCounter {
  readonly #clock: () => number;
  readonly #counts = new Uint32Array(stepCount * columns);
  readonly #p99 = new Float64Array(stepCount);
  readonly #recent = Array.from({ length: recentSteps + 1 }, () => new LatencyHistogram());
  readonly #listeners = new Set<LiveListener>();
  readonly #timer: NodeJS.Timeout;
  /** Number of the current step, counted from 1970. */
  #step: number;
  #row = 0;
  #latency: LatencyHistogram;
  /** Since the start, and at the last tick and the last call of `takeTraffic`. */
  readonly #totals = new Float64Array(answerNames.length);
  readonly #taken = new Float64Array(answerNames.length);
  #tickedAt: number;
  #tickedRequests = 0;
  #tickedBlocked = 0;
  #requestsPerSecond = 0;
  #blockedPerSecond = 0;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#step = Math.floor(clock() / stepMs);
    this.#row = (this.#step % stepCount) * columns;
    this.#latency = this.#recentAt(this.#step);
    this.#tickedAt = performance.now();
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  answered(kind: AnswerKind, latencyMs: number): void {
    const at = this.#row + kind;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#totals[kind] = (this.#totals[kind] ?? 0) + 1;
    this.#latency.add(latencyMs);
  }

  categorised(category: Category): void {
    const at = this.#row + answerNames.length + categories.indexOf(category);
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  stored(event: EventSummary): void {
    for (const listener of this.#listeners) listener.onBlock(event);
  }

  totals(): Readonly<Record<AnswerName, number>> {
    const entries = answerNames.map((name) => [name, this.#totals[answers[name]] ?? 0]);
    return Object.fromEntries(entries) as Record<AnswerName, number>;
  }

  takeTraffic() {
    const since = (kind: AnswerKind) => (this.#totals[kind] ?? 0) - (this.#taken[kind] ?? 0);
    let requests = 0;
    for (const name of answerNames) requests += since(answers[name]);
    const traffic = {
      requests,
      blocked: since(answers.block),
      wouldBlock: since(answers.wouldBlock),
    };
    this.#taken.set(this.#totals);
    return traffic;
  }

  snapshot(): LiveSnapshot {
    this.#advance();
    const latency = new LatencyHistogram();
    for (const recent of this.#recent) latency.merge(recent);
    return {
      requestsPerSecond: this.#requestsPerSecond,
      blockedPerSecond: this.#blockedPerSecond,
      latency: {
        p50Ms: latency.quantile(0.5),
        p95Ms: latency.quantile(0.95),
        p99Ms: latency.quantile(0.99),
      },
      categories: this.#categorySums(),
    };
  }

  history(): LiveHistory {
    this.#advance();
    const requests: number[] = [];
    const blocked: number[] = [];
    const p99Ms: number[] = [];
    const first = this.#step - stepCount + 1;
    for (let step = first; step <= this.#step; step += 1) {
      const row = (step % stepCount) * columns;
      const inStep = this.#counts.subarray(row, row + answerNames.length);
      requests.push(inStep.reduce((sum, count) => sum + count, 0));
      blocked.push(inStep[answers.block] ?? 0);
      p99Ms.push(this.#p99[step % stepCount] ?? 0);
    }
    p99Ms[stepCount - 1] = this.#latency.quantile(0.99);
    const sums = answerNames.map((name) => [name, this.#columnSum(answers[name])] as const);
    return {
      decisions: Object.fromEntries(sums) as Record<AnswerName, number>,
      series: {
        stepSeconds: stepMs / 1_000,
        from: new Date(first * stepMs).toISOString(),
        requests,
        blocked,
        p99Ms,
      },
    };
  }

  listen(listener: LiveListener): (() => void) | undefined {
    if (this.#listeners.size >= listenersMax) return undefined;
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
  }

  #tick(): void {
    this.#advance();
    const now = performance.now();
    const seconds = Math.max((now - this.#tickedAt) / 1_000, 0.001);
    const requests = this.#totals.reduce((sum, total) => sum + total, 0);
    const blocked = this.#totals[answers.block] ?? 0;
    this.#requestsPerSecond = Math.round((requests - this.#tickedRequests) / seconds);
    this.#blockedPerSecond = Math.round((blocked - this.#tickedBlocked) / seconds);
    this.#tickedAt = now;
    this.#tickedRequests = requests;
    this.#tickedBlocked = blocked;
    if (this.#listeners.size === 0) return;
    const snapshot = this.snapshot();
    for (const listener of this.#listeners) listener.onStats(snapshot);
  }

  /** Goes on to the step of the present moment; steps in between, if any, are empty. */
  #advance(): void {
    const step = Math.floor(this.#clock() / stepMs);
    // A clock that was set back adds to the step that is open.
    if (step <= this.#step) return;
    this.#p99[this.#step % stepCount] = this.#latency.quantile(0.99);
    const from = Math.max(this.#step + 1, step - stepCount + 1);
    for (let one = from; one <= step; one += 1) {
      const row = (one % stepCount) * columns;
      this.#counts.fill(0, row, row + columns);
      this.#p99[one % stepCount] = 0;
      this.#recentAt(one).clear();
    }
    this.#step = step;
    this.#row = (step % stepCount) * columns;
    this.#latency = this.#recentAt(step);
  }

  #recentAt(step: number): LatencyHistogram {
    // The ring is never empty.
    return this.#recent[step % this.#recent.length] as LatencyHistogram;
  }

  #columnSum(column: number): number {
    let sum = 0;
    for (let at = column; at < this.#counts.length; at += columns) sum += this.#counts[at] ?? 0;
    return sum;
  }

  #categorySums(): Partial<Record<Category, number>> {
    const sums: Partial<Record<Category, number>> = {};
    categories.forEach((category, index) => {
      const sum = this.#columnSum(answerNames.length + index);
      if (sum > 0) sums[category] = sum;
    });
    return sums;
  }
}
