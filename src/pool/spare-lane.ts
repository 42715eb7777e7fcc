import type { Log } from '../contract/ports.ts';
import { describeError } from './codec.ts';
import { Fifo } from './fifo.ts';
import type { ScreeningThread } from './screening-thread.ts';

export type SpareRefusal = 'overloaded' | 'draining' | 'worker-lost';

/** Work that can wait. */
export interface SpareJob<T> {
  readonly bytes: number;
  work(thread: ScreeningThread): Promise<T>;
  /** The answer where the work was not done. */
  refused(reason: SpareRefusal): T;
}

export interface SpareLaneOptions {
  readonly countMax: number;
  readonly bytesMax: number;
  readonly log: Log;
  /** A free thread that no request waits for; with `isOverdue` one that requests do wait for. */
  lend(isOverdue: boolean): ScreeningThread | undefined;
  /** A thread has come back. */
  returned(): void;
}

interface Waiting {
  readonly bytes: number;
  readonly since: number;
  run(thread: ScreeningThread): Promise<void>;
  refuse(reason: SpareRefusal): void;
}

/** A job that has waited longer goes before the next batch. */
const patienceMs = 500;

/**
 * The lane of what can wait, beside that of the requests: one job at a time over all threads, when
 * a thread has nothing else to do, and now and then when none ever has.
 */
export class SpareLane {
  readonly #options: SpareLaneOptions;
  readonly #waiting = new Fifo<Waiting>();
  #bytes = 0;
  #isRunning = false;
  #isClosed = false;

  constructor(options: SpareLaneOptions) {
    this.#options = options;
  }

  /** Whether no job is at work or waits: else threads must be watched. */
  get isEmpty(): boolean {
    return !this.#isRunning && this.#waiting.size === 0;
  }

  /** Does a job when there is time. Never rejects. */
  do<T>(job: SpareJob<T>): Promise<T> {
    return new Promise((resolve) => {
      const refuse = (reason: SpareRefusal): void => resolve(job.refused(reason));
      const run = async (thread: ScreeningThread): Promise<void> => {
        try {
          resolve(await job.work(thread));
        } catch (error) {
          this.#options.log.warn({ reason: describeError(error) }, 'a spare job was lost');
          refuse(this.#isClosed ? 'draining' : 'worker-lost');
        }
      };
      this.#add({ bytes: job.bytes, since: performance.now(), run, refuse });
    });
  }

  /** To be called whenever a thread may be free. */
  offer(): void {
    if (this.#isRunning) return;
    const head = this.#waiting.peek();
    if (head === undefined) return;
    const thread = this.#options.lend(performance.now() - head.since > patienceMs);
    if (thread === undefined) return;
    this.#waiting.shift();
    this.#isRunning = true;
    void head.run(thread).then(() => {
      this.#isRunning = false;
      this.#bytes -= head.bytes;
      this.#options.returned();
    });
  }

  /** Refuses what waits and what still comes. */
  close(): void {
    this.#isClosed = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#bytes -= next.bytes;
      next.refuse('draining');
    }
  }

  #add(job: Waiting): void {
    const { countMax, bytesMax } = this.#options;
    if (this.#isClosed) job.refuse('draining');
    else if (this.#waiting.size >= countMax || this.#bytes + job.bytes > bytesMax) {
      job.refuse('overloaded');
    } else {
      this.#bytes += job.bytes;
      this.#waiting.push(job);
      this.offer();
    }
  }
}
