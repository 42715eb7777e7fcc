import { randomUUID } from 'node:crypto';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Verdict } from '../contract/verdict.ts';
import type { Answer } from './outcome.ts';

/** What the package itself found in a request; undefined when it could not screen it. */
export type InlineVerdict = { readonly decision: 'allow' | 'block'; readonly answer: Answer };

/** The longest request that is screened, in characters of its texts. */
export const inlineCharsMax = 2_097_152;
/** Characters that wait, over all requests. */
const inlineWaitingCharsMax = 16_777_216;
/** The longest wait of a request. Short requests go first: only long ones wait at all. */
const inlineWaitMsMax = 5_000;
/** The start of the thread comes on top of that, once. */
const startMsMax = 10_000;
/** A thread that ends this often is not started again. */
const startsMax = 3;

interface Job {
  readonly texts: readonly string[];
  next: number;
  chars: number;
  readonly timer: NodeJS.Timeout;
  readonly resolve: (verdict: InlineVerdict | undefined) => void;
}

/**
 * Screens requests in the process of the application, on a thread that starts when the first one
 * comes: the core takes milliseconds for a long body, and the event loop is not ours.
 */
export class InlineScreener {
  readonly #file: URL;
  readonly #waiting = new Set<Job>();
  #waitingChars = 0;
  #worker: Worker | undefined;
  #isReady = false;
  #starts = 0;
  #current: Job | undefined;

  /** `file` is the module of the thread, unless a test says otherwise. */
  constructor(file: URL = moduleOfThread()) {
    this.#file = file;
  }

  /** Undefined beyond the limits, when too late, or where no thread starts. */
  screen(texts: readonly string[]): Promise<InlineVerdict | undefined> {
    const chars = texts.reduce((sum, text) => sum + text.length, 0);
    const isBeyond = chars > inlineCharsMax || this.#waitingChars + chars > inlineWaitingCharsMax;
    if (isBeyond || !this.#hasThread()) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const waitMs = inlineWaitMsMax + (this.#isReady ? 0 : startMsMax);
      const timer = setTimeout(() => this.#end(job, undefined), waitMs);
      const job: Job = { texts, next: 0, chars, timer, resolve };
      this.#waiting.add(job);
      this.#waitingChars += chars;
      this.#worker?.ref();
      this.#sendNext();
    });
  }

  #hasThread(): boolean {
    if (this.#worker !== undefined) return true;
    if (this.#starts >= startsMax) return false;
    this.#starts += 1;
    const worker = new Worker(this.#file, { name: 'sallyport-inline' });
    this.#worker = worker;
    worker.on('message', (message: Verdict | null | 'ready') => {
      if (message === 'ready') this.#isReady = true;
      else this.#onVerdict(message);
      this.#sendNext();
    });
    worker.on('error', (error: unknown) => this.#onLost(worker, String(error)));
    worker.on('exit', () => this.#onLost(worker, 'its thread ended'));
    return true;
  }

  #sendNext(): void {
    if (!this.#isReady || this.#current !== undefined) return;
    let shortest: Job | undefined;
    for (const job of this.#waiting) {
      if (shortest === undefined || job.chars < shortest.chars) shortest = job;
    }
    this.#current = shortest;
    if (shortest === undefined) this.#worker?.unref();
    else this.#worker?.postMessage(shortest.texts[shortest.next]);
  }

  #onVerdict(verdict: Verdict | null): void {
    const job = this.#current;
    this.#current = undefined;
    if (job === undefined || !this.#waiting.has(job)) return;
    const length = job.texts[job.next]?.length ?? 0;
    job.next += 1;
    job.chars -= length;
    this.#waitingChars -= length;
    const isLast = job.next === job.texts.length;
    if (verdict === null) this.#end(job, undefined);
    else if (verdict.decision === 'block' || isLast) this.#end(job, inlineVerdictOf(verdict));
  }

  #end(job: Job, verdict: InlineVerdict | undefined): void {
    clearTimeout(job.timer);
    if (!this.#waiting.delete(job)) return;
    this.#waitingChars -= job.chars;
    job.resolve(verdict);
  }

  #onLost(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    if (!this.#isReady) this.#starts = startsMax;
    this.#worker = undefined;
    this.#isReady = false;
    this.#current = undefined;
    for (const job of this.#waiting) this.#end(job, undefined);
    if (this.#starts < startsMax) return;
    const consequence = 'Requests that Sallyport does not answer for are left to onOutage alone.';
    process.emitWarning(`No screening inline: ${reason}. ${consequence}`, 'SallyportWarning');
  }
}

function inlineVerdictOf({ decision, score, findings, coverage }: Verdict): InlineVerdict {
  return { decision, answer: { id: randomUUID(), decision, score, findings, coverage } };
}

function moduleOfThread(): URL {
  return new URL(`../../workers/inline${extname(import.meta.url)}`, import.meta.url);
}

let shared: InlineScreener | undefined;

/** One for all middleware of a process. */
export function sharedInlineScreener(): InlineScreener {
  shared ??= new InlineScreener();
  return shared;
}
