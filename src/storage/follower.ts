import type { ChangeFeed } from './change-feed.ts';
import { isOutage } from './fault.ts';

/** How often a store is asked whether something changed. A change counts within a second. */
export const pollMs = 250;
/** While changes are notified, asking is only a safety net. */
const livePollMs = 1_000;
/** From this age on what is held counts as out of date. */
const staleMsMax = 5_000;

export interface FollowerParts {
  /** Notifications under this name concern what is followed. */
  readonly topic: string;
  readonly feed: ChangeFeed;
  /** Reads what changed since the last time. May reject; is never called twice at once. */
  read(): Promise<void>;
  /** Called when reading fails for the first time, and when it works again. */
  failed(error: unknown): void;
  recovered(): void;
}

/** Keeps a copy of what is stored up to date: by notifications, and by asking. */
export class Follower {
  readonly #parts: FollowerParts;
  #reading: Promise<void> | undefined;
  #isDirty = false;
  #fails = false;
  #readAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /**
   * Reads for the first time and begins to follow. Where the store is unavailable, `orElse` puts
   * something else in force until it can be read; without it the start fails.
   */
  async start(orElse?: () => void | Promise<void>): Promise<void> {
    try {
      await this.#parts.read();
      this.#readAt = performance.now();
    } catch (error) {
      if (orElse === undefined || !isOutage(error)) throw error;
      await orElse();
      this.#parts.failed(error);
      this.#fails = true;
    }
    this.#parts.feed.onChange((topic) => {
      if (topic === undefined || topic === this.#parts.topic) this.#wasTold();
    });
    this.#timer = setInterval(() => this.#poll(), pollMs).unref();
  }

  /** False when nothing could be read for a while. */
  isFresh(): boolean {
    return performance.now() - this.#readAt < staleMsMax;
  }

  /** Resolves when what was stored before the call has been read, or could not be. */
  refresh(): Promise<void> {
    // A read that is under way may have passed the place of the change already.
    if (this.#reading !== undefined) this.#isDirty = true;
    return this.#read();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#reading;
  }

  #poll(): void {
    const age = performance.now() - this.#readAt;
    if (age >= (this.#parts.feed.isLive() ? livePollMs : pollMs / 2)) void this.#read();
  }

  #wasTold(): void {
    if (this.#timer !== undefined) void this.refresh();
  }

  #read(): Promise<void> {
    this.#reading ??= Promise.resolve().then(() => this.#tryRead());
    return this.#reading;
  }

  async #tryRead(): Promise<void> {
    try {
      do {
        this.#isDirty = false;
        await this.#parts.read();
      } while (this.#isDirty);
      this.#readAt = performance.now();
      if (this.#fails) this.#parts.recovered();
      this.#fails = false;
    } catch (error) {
      if (!this.#fails) this.#parts.failed(error);
      this.#fails = true;
    } finally {
      // In the same turn as the last check of `#isDirty`: later callers begin a new read.
      this.#reading = undefined;
    }
  }
}
