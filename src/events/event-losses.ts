import type { Log } from '../contract/ports.ts';

/** The first line counts the losses of a moment, each further one those of a minute. */
const firstLineMs = 1_000;
const lineMs = 60_000;
/** A loss counts as recent for so long. */
const recentMs = 300_000;

/** Counts events that are lost, and logs them: one line a minute, however many they are. */
export class EventLosses {
  readonly #log: Log;
  #total = 0;
  #unsaid = 0;
  #reason = '';
  #lastAt = Number.NEGATIVE_INFINITY;
  #saidAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Events lost since the start. */
  get total(): number {
    return this.#total;
  }

  /** Whether any were lost within the last minutes. */
  get isRecent(): boolean {
    return performance.now() - this.#lastAt < recentMs;
  }

  add(count: number, reason: string): void {
    if (count === 0) return;
    this.#total += count;
    this.#unsaid += count;
    this.#reason = reason;
    this.#lastAt = performance.now();
    const dueMs = Math.max(firstLineMs, this.#saidAt + lineMs - this.#lastAt);
    this.#timer ??= setTimeout(() => this.flush(), dueMs).unref();
  }

  /** Logs what was not logged yet. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unsaid === 0) return;
    this.#saidAt = performance.now();
    this.#log.warn({ dropped: this.#unsaid, reason: this.#reason }, 'events were lost');
    this.#unsaid = 0;
  }
}
