import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { StoredEvent } from '../contract/event.ts';
import type { PolicyProblem } from '../contract/explanation.ts';
import { limits } from '../contract/limits.ts';
import { defaultPolicy, type Policy } from '../contract/policy.ts';
import type { Log, ScanInput } from '../contract/ports.ts';
import { noContext } from '../contract/request.ts';
import { threadArguments } from '../contract/thread-arguments.ts';
import { BatchDesk } from './batch-desk.ts';
import {
  type BatchMessage,
  type BatchReply,
  type DescribeMessage,
  describeError,
  type Explained,
  type ExplainMessage,
} from './codec.ts';
import { onlyWorker } from './only-worker.ts';
import { WorkWatch } from './work-watch.ts';

/** What a screening thread is made of. */
export interface ScreeningThreadOptions {
  /** Module that exports `screenBatch`. */
  readonly workerFile: URL;
  /** Longest run of one batch; the thread is replaced beyond. */
  readonly taskMsMax: number;
  readonly log: Log;
  /** Called whenever the thread has become free by itself: started, or replaced. */
  onStarted(): void;
}

/** What a thread can be asked to do, by the name of the function in the worker. */
interface Tasks {
  readonly screenBatch: { readonly message: BatchMessage; readonly reply: BatchReply };
  readonly explain: { readonly message: ExplainMessage; readonly reply: Explained };
  readonly describe: {
    readonly message: DescribeMessage;
    readonly reply: readonly StoredEvent[];
  };
  readonly checkPolicy: { readonly message: Policy; readonly reply: readonly PolicyProblem[] };
}

type State = 'starting' | 'idle' | 'busy' | 'closed';

const startMsMax = 20_000;
/** A batch that runs for less is not watched. */
const watchedFromMs = 100;
const restartDelayMs = 50;
const restartDelayMsMax = 5_000;

/**
 * Caps, not reservations. A body of 1 MiB with all its views needs some 30 MiB; a thread that wants
 * ten times this has met a defect and is better ended than the process.
 */
const resourceLimits = {
  maxOldGenerationSizeMb: 320,
  // What a thread allocates is dead a moment later: room for more of it is only resident memory.
  maxYoungGenerationSizeMb: 4,
  stackSizeMb: 4,
};

/**
 * One worker thread, behind a Piscina of one. One Piscina for each thread, so that the scanner
 * knows which thread has which batch: it can keep one free of large bodies, warm up each, and lose
 * one without a doubt about what was lost. Piscina starts a new thread in the place of a dead one
 * and rejects what the dead one held; `#start` covers the threads that die before they are up.
 */
export class ScreeningThread {
  readonly #options: ScreeningThreadOptions;
  readonly #closing = new AbortController();
  #pool: Piscina;
  #desk = new BatchDesk();
  /** The thread that the desk is shared with. */
  #deskOwner: Worker | undefined;
  #state: State = 'starting';
  #runningMs = 0;
  readonly #watch = new WorkWatch();
  /** Processor time that the task may use. */
  #allowedMs = Number.POSITIVE_INFINITY;
  /** Why the running task was given up. */
  #hung: string | undefined;
  #starts = 0;
  #startFailure: AbortController | undefined;

  constructor(options: ScreeningThreadOptions) {
    this.#options = options;
    this.#pool = this.#createPool();
    void this.#start();
  }

  /** How often it came up again after it had died or hung. */
  get replaced(): number {
    return Math.max(0, this.#starts - 1);
  }

  get state(): State {
    return this.#state;
  }

  /** What the thread and the pool share; messages are packed on it right before `run`. */
  get desk(): BatchDesk {
    // Piscina silently replaces a thread that exits while idle.
    if (this.#deskOwner !== this.#pool.threads[0]) this.#renewDesk();
    return this.#desk;
  }

  /** Does one task. Only in state `idle`. Rejects when the thread failed, died or hung. */
  async run<Name extends keyof Tasks>(
    name: Name,
    message: Tasks[Name]['message'],
  ): Promise<Tasks[Name]['reply']> {
    this.#state = 'busy';
    this.#runningMs = 0;
    this.#watch.begin();
    this.#allowedMs = name === 'screenBatch' ? this.#desk.allowedMs : Number.POSITIVE_INFINITY;
    this.#hung = undefined;
    try {
      const reply = await this.#pool.run(message, { name });
      if (this.#state === 'busy') this.#state = 'idle';
      return reply;
    } catch (error) {
      const hung = this.#hung;
      if (this.#state === 'busy') void this.#start();
      throw hung === undefined ? error : new Error(hung);
    }
  }

  /**
   * Tells the thread that time went by; ends a run that takes too long. Time is added up from the
   * caller's ticks, so that a pause of the whole process is not mistaken for a hung thread.
   */
  tick(elapsedMs: number): void {
    if (this.#state !== 'busy') return;
    this.#runningMs += elapsedMs;
    this.#hung ??= this.#whyHung(elapsedMs);
    // Piscina rejects the run and starts another thread. An abort signal would do the same, at a
    // cost for each batch.
    if (this.#hung !== undefined) void this.#pool.threads[0]?.terminate();
  }

  #whyHung(elapsedMs: number): string | undefined {
    const { taskMsMax } = this.#options;
    if (this.#runningMs > taskMsMax) return `Ran longer than ${taskMsMax} ms`;
    // Nearly all batches are over by now: nothing is read for them.
    if (this.#runningMs < watchedFromMs || this.#allowedMs >= taskMsMax) return undefined;
    const { usedMs, stillMs } = this.#watch.look(this.#desk.thread, elapsedMs);
    if (usedMs > this.#allowedMs) {
      return `Used ${Math.round(usedMs)} ms of processor time, more than its batch can need`;
    }
    return stillMs > limits.stillMsMax ? `Slept for ${limits.stillMsMax} ms` : undefined;
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    this.#closing.abort();
    await this.#pool.destroy();
  }

  /** Waits for the thread to answer a first batch; tries again until it does, or is closed. */
  async #start(): Promise<void> {
    this.#state = 'starting';
    for (let waitMs = restartDelayMs; ; waitMs = Math.min(waitMs * 2, restartDelayMsMax)) {
      const failure = new AbortController();
      this.#startFailure = failure;
      const signal = AbortSignal.any([failure.signal, AbortSignal.timeout(startMsMax)]);
      try {
        this.#renewDesk();
        const message = this.#desk.pack(warmUpBatch);
        this.#desk.unpack(await this.#pool.run(message, { name: 'screenBatch', signal }));
        break;
      } catch (error) {
        if (this.#closing.signal.aborted) return;
        this.#options.log.error(
          { reason: describeError(error), retryMs: waitMs },
          'screening thread did not start; check the installation and the free memory',
        );
      }
      // Piscina gives up on threads that die before they are up: start a new pool.
      await this.#pool.destroy();
      await delay(waitMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
      if (this.#closing.signal.aborted) return;
      this.#pool = this.#createPool();
    }
    this.#startFailure = undefined;
    if (this.#closing.signal.aborted) return;
    this.#state = 'idle';
    this.#starts += 1;
    this.#options.onStarted();
  }

  #renewDesk(): void {
    this.#desk = new BatchDesk();
    this.#deskOwner = this.#pool.threads[0];
  }

  #createPool(): Piscina {
    const pool = new Piscina({
      filename: fileURLToPath(this.#options.workerFile),
      execArgv: threadArguments,
      minThreads: 1,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: 1,
      // The thread sleeps in Atomics.wait between batches. Against 'disabled', after 1,000,000
      // requests on two threads: 160 MB resident instead of 210 MB, at no more CPU time (Node 22,
      // two cores).
      atomics: 'sync',
      recordTiming: false,
      resourceLimits,
      loadBalancer: onlyWorker,
    });
    // A thread that dies with no batch in hand is reported here only: one without work, which
    // Piscina replaces, or one that was on its way up. Without a listener it would end the process.
    pool.on('error', (error: unknown) => {
      this.#options.log.warn({ reason: describeError(error) }, 'idle screening thread died');
      this.#startFailure?.abort();
    });
    return pool;
  }
}

/** A few bodies that make the thread load and compile what the first requests will need. */
const warmUpBatch: readonly ScanInput[] = [
  '{"username":"ada","password":"correct horse"}',
  '{"q":"union of 1=1 sets"}',
].map((body) => ({
  body: Buffer.from(body),
  context: noContext,
  policy: defaultPolicy,
  deadline: Number.POSITIVE_INFINITY,
}));
