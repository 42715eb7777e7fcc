import { extname } from 'node:path';
import type { StoredEvent } from '../contract/event.ts';
import type { ExplainInput, ExplainOutcome, PolicyProblem } from '../contract/explanation.ts';
import { limits } from '../contract/limits.ts';
import type { PoolStats } from '../contract/live.ts';
import type { Policy } from '../contract/policy.ts';
import type {
  DescribeInput,
  Explainer,
  Log,
  RefusalReason,
  ScanHead,
  ScanInput,
  Scanner,
  ScanOutcome,
  ScanTimes,
} from '../contract/ports.ts';
import { Admission } from './admission.ts';
import { Batcher } from './batcher.ts';
import { describeError } from './codec.ts';
import type { BatchKind } from './fair-queue.ts';
import { noteTimes } from './note-times.ts';
import { expired, isExpired, isInVain, type Pending } from './pending.ts';
import { ScreeningThread } from './screening-thread.ts';
import { type SpareJob, SpareLane } from './spare-lane.ts';
import { ThreadSet } from './thread-set.ts';
import { Traffic } from './traffic.ts';

/** The bounds of the pool, a part of `contract/limits.ts`. */
export type PoolLimits = Readonly<
  Record<
    | 'batchCountMax'
    | 'batchBytesMax'
    | 'batchWorkMsMax'
    | 'batchRivalWorkMsMax'
    | 'batchAgeMs'
    | 'queueRequestsMax'
    | 'queueBytesMax'
    | 'explainQueueMax'
    | 'explainQueueBytesMax'
    | 'taskMsMax'
    | 'drainMsMax',
    number
  >
>;

/** What a pooled scanner is made of. */
export interface PooledScannerOptions {
  /**
   * Worker threads, at least 1. The only one gets a second beside it when the first long request
   * comes, so that small ones do not wait.
   */
  readonly threads: number;
  readonly log: Log;
  /** Gets how long each request waited and was worked on. */
  readonly times?: ScanTimes;
  /** Module with the functions of a thread; `workers/screen` unless a test says otherwise. */
  readonly workerFile?: URL;
  /** Bounds that differ from `contract/limits.ts`. */
  readonly limits?: Partial<PoolLimits>;
}

/** A scanner that works in threads. */
export interface PooledScanner extends Scanner, Explainer {
  stats(): PoolStats;
}

/**
 * How often waiting requests are checked against their deadlines, and busy threads against
 * `taskMsMax`.
 */
const tickMs = 25;

/** Screens in worker threads, batched (see `batcher.ts`). */
export function createPooledScanner(options: PooledScannerOptions): PooledScanner {
  return new ThreadedScanner(options);
}

class ThreadedScanner implements PooledScanner {
  readonly #limits: PoolLimits;
  readonly #log: Log;
  readonly #times: ScanTimes | undefined;
  readonly #threads: ThreadSet<Pending>;
  readonly #batcher: Batcher<Pending>;
  readonly #lane: SpareLane;
  readonly #admission: Admission<Pending>;
  readonly #traffic = new Traffic();
  readonly #warm = new Set<ScreeningThread>();
  /** As many must be warm before requests are taken. */
  readonly #threadsMin: number;
  #ticker: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;
  #onEmpty: (() => void) | undefined;
  /** Drained, or given up: everything has been answered, and nothing is tried again. */
  #isOver = false;
  #batches = 0;
  #batchedRequests = 0;
  #batchesFailed = 0;

  constructor(options: PooledScannerOptions) {
    if (!Number.isInteger(options.threads) || options.threads < 1) {
      throw new RangeError('threads must be a whole number from 1: set it to the free cores.');
    }
    this.#threadsMin = options.threads;
    this.#limits = { ...limits, ...options.limits };
    this.#log = options.log;
    this.#times = options.times;
    this.#batcher = new Batcher<Pending>({
      countMax: this.#limits.batchCountMax,
      bytesMax: this.#limits.batchBytesMax,
      workMsMax: this.#limits.batchWorkMsMax,
      rivalWorkMsMax: this.#limits.batchRivalWorkMsMax,
      ageMs: this.#limits.batchAgeMs,
      traffic: this.#traffic,
      handOverMs: () => this.#admission.handOverMs,
      freeWorkers: (kind, waiting) =>
        kind === 'shared' ? this.#threads.freeFor(waiting) : this.#threads.free(kind),
      dispatch: (batch, kind) => void this.#dispatch(batch, kind),
      atEndOfTurn: (callback) => setImmediate(callback),
    });
    this.#lane = new SpareLane({
      countMax: this.#limits.explainQueueMax,
      bytesMax: this.#limits.explainQueueBytesMax,
      log: options.log,
      lend: (isOverdue) => this.#lend(isOverdue),
      returned: () => this.#threadFreed(),
    });
    const workerFile = options.workerFile ?? defaultWorkerFile();
    const start = () => this.#startThread(workerFile);
    this.#threads = new ThreadSet(
      Array.from({ length: options.threads }, start),
      this.#traffic,
      options.threads === 1 ? start : undefined,
    );
    this.#admission = new Admission({
      queueRequestsMax: this.#limits.queueRequestsMax,
      queueBytesMax: this.#limits.queueBytesMax,
      batcher: this.#batcher,
      threads: this.#threads,
    });
  }

  scan(input: ScanInput): Promise<ScanOutcome> {
    const since = performance.now();
    const sized = this.#admission.sizedOf(input.owner ?? '', input.body.length);
    const reason =
      this.#closed === undefined ? this.#admission.refusal(sized, input, since) : 'draining';
    if (reason !== undefined) return Promise.resolve({ kind: 'refused', reason });
    return new Promise((resolve) => {
      this.#keepTicking();
      this.#batcher.add({
        input,
        resolve,
        owner: sized.owner,
        bytes: sized.bytes,
        estimateMs: sized.estimateMs,
        kind: sized.kind,
        since,
        isSuspect: false,
        isAnswered: false,
      });
    });
  }

  refusalOf(head: ScanHead, bytes: number): RefusalReason | undefined {
    if (this.#closed !== undefined) return 'draining';
    // Nothing is made for a request that finds nothing before it.
    if (this.#batcher.size === 0) return undefined;
    const sized = this.#admission.sizedOf(head.owner ?? '', bytes);
    return this.#admission.refusal(sized, head, performance.now());
  }

  explain(input: ExplainInput): Promise<ExplainOutcome> {
    if (input.body.length > limits.bodyBytesMax) {
      return Promise.resolve({ kind: 'refused', reason: 'body-too-large' });
    }
    return this.#spare<ExplainOutcome>({
      bytes: input.body.length,
      work: (thread) => thread.run('explain', thread.desk.packExplain(input)),
      refused: (reason) => ({ kind: 'refused', reason }),
    });
  }

  describe(input: DescribeInput): Promise<readonly StoredEvent[] | undefined> {
    return this.#spare<readonly StoredEvent[] | undefined>({
      bytes: input.blocks.reduce((sum, { record }) => sum + record.body.length, 0),
      work: (thread) => thread.run('describe', thread.desk.packDescribe(input)),
      refused: () => undefined,
    });
  }

  checkPolicy(policy: Policy): Promise<readonly PolicyProblem[] | undefined> {
    return this.#spare<readonly PolicyProblem[] | undefined>({
      bytes: 0,
      work: (thread) => thread.run('checkPolicy', policy),
      refused: () => undefined,
    });
  }

  isReady(): boolean {
    return this.#closed === undefined && this.#warm.size >= this.#threadsMin;
  }

  close(): Promise<void> {
    this.#closed ??= this.#drain();
    this.#lane.close();
    return this.#closed;
  }

  stats(): PoolStats {
    const { slots } = this.#threads;
    return {
      threads: slots.length,
      threadsBusy: slots.filter(({ thread }) => thread.state === 'busy').length,
      requests: this.#batcher.held.requests,
      bytes: this.#batcher.held.bytes,
      batches: this.#batches,
      batchedRequests: this.#batchedRequests,
      batchesFailed: this.#batchesFailed,
      threadsReplaced: slots.reduce((sum, { thread }) => sum + thread.replaced, 0),
    };
  }

  #startThread(workerFile: URL): ScreeningThread {
    const thread: ScreeningThread = new ScreeningThread({
      workerFile,
      taskMsMax: this.#limits.taskMsMax,
      log: this.#log,
      onStarted: () => {
        this.#warm.add(thread);
        this.#threadFreed();
      },
    });
    return thread;
  }

  #spare<T>(job: SpareJob<T>): Promise<T> {
    this.#keepTicking();
    return this.#lane.do(job);
  }

  /** A thread for what can wait. It counts as one with a large body: one stays free of both. */
  #lend(isOverdue: boolean): ScreeningThread | undefined {
    if (this.#batcher.size > 0 && !isOverdue) return undefined;
    return this.#threads.free('large') === 0
      ? undefined
      : this.#threads.take([], 'large', performance.now()).thread;
  }

  #threadFreed(): void {
    this.#lane.offer();
    this.#batcher.workerFreed();
  }

  async #dispatch(taken: readonly Pending[], kind: BatchKind): Promise<void> {
    const batch = this.#stillWanted(taken);
    if (batch.length === 0) return;
    const startedAt = performance.now();
    const slot = this.#threads.take(batch, kind, startedAt);
    this.#batches += 1;
    this.#batchedRequests += batch.length;
    const { thread } = slot;
    const { desk } = thread;
    const message = desk.pack(batch.map(({ input }) => input));
    try {
      const outcomes = desk.unpack(await thread.run('screenBatch', message));
      this.#threads.release(slot, batch);
      const tookMs = performance.now() - startedAt;
      this.#admission.worked(batch, tookMs, (index) => desk.engineMs(index));
      noteTimes(batch, { startedAt, desk }, this.#times);
      // The thread gets its next batch before the answers of this one are written.
      this.#threadFreed();
      for (let index = 0; index < batch.length; index++) {
        const outcome = outcomes[index];
        const pending = batch[index];
        if (outcome !== undefined && pending !== undefined) this.#leave(pending, outcome);
      }
    } catch (error) {
      this.#threads.release(slot, batch);
      const tookMs = performance.now() - startedAt;
      this.#batchFailed(desk.worstLast(batch), { detail: describeError(error), tookMs });
    }
  }

  /** Without those that no caller waits for any more: no thread is to work for them. */
  #stillWanted(batch: readonly Pending[]): readonly Pending[] {
    const now = performance.now();
    const isWanted = (pending: Pending) => !isInVain(pending, now);
    if (batch.every(isWanted)) return batch;
    for (const pending of batch) {
      if (isWanted(pending)) continue;
      this.#batcher.done(pending, 0);
      this.#leave(pending, expired);
    }
    return batch.filter(isWanted);
  }

  /** Each request of a failed batch is tried once more, alone; one that fails alone is at fault. */
  #batchFailed(
    batch: readonly Pending[],
    { detail, tookMs }: { readonly detail: string; readonly tookMs: number },
  ): void {
    this.#batchesFailed += 1;
    this.#log.warn({ requests: batch.length, reason: detail }, 'screening thread lost a batch');
    if (this.#isOver) return;
    const suspects: Pending[] = [];
    for (const pending of batch) {
      if (pending.isSuspect || pending.isAnswered) {
        this.#batcher.done(pending, tookMs);
        this.#leave(pending, { kind: 'refused', reason: 'worker-lost' });
      } else {
        pending.isSuspect = true;
        pending.kind = 'large';
        suspects.push(pending);
      }
    }
    this.#batcher.addFirst(suspects);
  }

  #leave(pending: Pending, outcome: ScanOutcome): void {
    this.#answer(pending, outcome);
    if (this.#batcher.held.requests === 0) this.#onEmpty?.();
  }

  #answer(pending: Pending, outcome: ScanOutcome): void {
    if (pending.isAnswered) return;
    pending.isAnswered = true;
    pending.resolve(outcome);
  }

  // Started by traffic and ended by a tick that finds nothing to watch: an idle pool sets no timer,
  // a busy one does not set and clear one for each request.
  #keepTicking(): void {
    this.#ticker ??= setInterval(() => this.#tick(), tickMs);
  }

  #stopTicking(): void {
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }

  #tick(): void {
    if (this.#batcher.held.requests === 0 && this.#lane.isEmpty) {
      this.#stopTicking();
      return;
    }
    this.#threads.tick(tickMs);
    this.#traffic.tick(tickMs);
    this.#batcher.workerFreed();
    this.#refuseExpired(performance.now());
  }

  #refuseExpired(now: number): void {
    const gone = this.#batcher.remove((pending) => isInVain(pending, now));
    for (const pending of gone) this.#leave(pending, expired);
    // A request that is being screened keeps its place in the count until its thread is done with
    // it; a block that is found is recorded though its caller has gone.
    for (const { batch } of this.#threads.slots) {
      for (const pending of batch) if (isExpired(pending, now)) this.#answer(pending, expired);
    }
  }

  async #drain(): Promise<void> {
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      if (this.#batcher.held.requests === 0) resolve();
    });
    const { promise: late, resolve: giveUp } = Promise.withResolvers<void>();
    const timer = setTimeout(giveUp, this.#limits.drainMsMax);
    await Promise.race([empty, late]);
    clearTimeout(timer);
    this.#stopTicking();
    this.#refuseRest();
    await Promise.all(this.#threads.slots.map(({ thread }) => thread.close()));
  }

  #refuseRest(): void {
    this.#isOver = true;
    const outcome: ScanOutcome = { kind: 'refused', reason: 'draining' };
    for (const pending of this.#batcher.remove(() => true)) this.#leave(pending, outcome);
    for (const { batch } of this.#threads.slots) {
      for (const pending of batch) this.#answer(pending, outcome);
    }
  }
}

// `src` runs as .ts from the sources and as .js from `dist`; the worker has the same ending.
function defaultWorkerFile(): URL {
  return new URL(`../../workers/screen${extname(import.meta.url)}`, import.meta.url);
}
