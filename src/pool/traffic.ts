import type { BatchKind } from './fair-queue.ts';

/** What has not come for longer comes no more. */
const latelyMs = 100;

/**
 * What has come in the last moments. Its time is that of the pool's ticks: no clock is read for a
 * request.
 */
export class Traffic {
  #lightForMs = 0;
  #rivalForMs = 0;

  /** Whether requests come that do not take long: they should not wait for those that do. */
  get isLight(): boolean {
    return this.#lightForMs > 0;
  }

  /** Whether several owners want the threads. */
  get isRival(): boolean {
    return this.#rivalForMs > 0;
  }

  /** To be called when a request has come; `owners` have something waiting or at work. */
  came(kind: BatchKind, owners: number): void {
    if (kind === 'shared') this.#lightForMs = latelyMs;
    if (owners > 1) this.#rivalForMs = latelyMs;
  }

  /** Tells that time went by. */
  tick(elapsedMs: number): void {
    this.#lightForMs -= elapsedMs;
    this.#rivalForMs -= elapsedMs;
  }
}
