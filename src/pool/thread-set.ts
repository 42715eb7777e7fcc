import type { Waiting } from './batcher.ts';
import type { BatchKind, Sized } from './fair-queue.ts';
import type { ScreeningThread } from './screening-thread.ts';
import type { Traffic } from './traffic.ts';

/** A thread and the batch that it has. */
export interface Slot<T> {
  readonly thread: ScreeningThread;
  batch: readonly T[];
  kind: BatchKind;
  /** When its batch began, and what that will probably take. */
  startedAt: number;
  estimateMs: number;
  /** Whether its batch is so small that it will be done in a moment. */
  isLight: boolean;
}

/** Less than this is done before another thread has woken up: a fraction of a millisecond. */
const lightBytesMax = 16_384;
/** From here on another thread is woken: half of a batch. */
const worthWakingFor = 32;

/** The threads of a pool: what each is doing, and which may take what. */
export class ThreadSet<T extends Sized> {
  readonly #slots: Slot<T>[];
  /**
   * Starts a second thread for what comes while the only one has a request that travels alone. At
   * any time one of the two at most is at work on shared batches, and one on such a request.
   */
  readonly #startStandIn: (() => ScreeningThread) | undefined;
  /** How many threads may have large bodies: one stays free of them wherever there are two. */
  readonly #largeMax: number;
  readonly #traffic: Traffic;

  /** Without `startStandIn` there are only the threads that are given. */
  constructor(
    threads: readonly ScreeningThread[],
    traffic: Traffic,
    startStandIn?: () => ScreeningThread,
  ) {
    this.#traffic = traffic;
    this.#startStandIn = startStandIn;
    this.#slots = threads.map(slotOf<T>);
    this.#largeMax = Math.max(1, threads.length - 1);
  }

  get slots(): readonly Slot<T>[] {
    return this.#slots;
  }

  /** How many threads take turns at such requests. */
  workersFor(kind: BatchKind): number {
    if (this.#startStandIn !== undefined) return 1;
    return kind === 'shared' ? this.#sharing() || this.slots.length : this.#threadsMax(kind);
  }

  /**
   * Milliseconds by the clock that the threads that a kind waits for will probably need for what
   * they have, all together, where work takes `stretch` times as long by the clock.
   */
  inWorkMs(kind: BatchKind, now: number, stretch: number): number {
    // Shared batches pass by the threads that have a long request, as long as there are others.
    const passesBy = this.#startStandIn !== undefined || (isShared(kind) && this.#sharing() > 0);
    let ms = 0;
    for (const { thread, kind: atWork, startedAt, estimateMs } of this.slots) {
      if (thread.state !== 'busy') continue;
      if (passesBy && isShared(atWork) !== isShared(kind)) continue;
      const leftMs = estimateMs * stretch - (now - startedAt);
      // What takes longer than was thought is taken to be half done.
      ms += leftMs > 0 ? leftMs : now - startedAt;
    }
    return ms;
  }

  /** How many threads have no request that travels alone. */
  #sharing(): number {
    return this.#slots.length - this.#busyAlone();
  }

  /** How many threads would start on a batch of a kind at once. */
  free(kind: BatchKind): number {
    let idle = 0;
    for (const { thread } of this.slots) if (thread.state === 'idle') idle += 1;
    if (this.#startStandIn !== undefined) return idle > 0 && !this.#isAtWorkOn(kind) ? 1 : 0;
    if (kind === 'shared') return idle;
    return Math.max(0, Math.min(idle, this.#threadsMax(kind) - this.#busyAlone()));
  }

  /** While light requests come, one thread stays free of heavy ones as of large ones. */
  #threadsMax(kind: 'heavy' | 'large'): number {
    return kind === 'large' || this.#traffic.isLight ? this.#largeMax : this.slots.length;
  }

  #isAtWorkOn(kind: BatchKind): boolean {
    for (const { thread, kind: atWork } of this.slots) {
      if (thread.state === 'busy' && isShared(atWork) === isShared(kind)) return true;
    }
    return false;
  }

  /** How many threads are at work on a request that travels alone. */
  #busyAlone(): number {
    let count = 0;
    for (const { thread, kind } of this.slots) {
      if (thread.state === 'busy' && kind !== 'shared') count += 1;
    }
    return count;
  }

  /**
   * How many threads are to be used for shared batches when so much waits. While one is at work
   * that will be free in a moment, none is woken for a few small requests: it would make two small
   * batches out of one, at the price of a second wake-up for each.
   */
  freeFor(waiting: Waiting): number {
    const isLittle = waiting.requests < worthWakingFor && waiting.bytes < lightBytesMax;
    if (isLittle) {
      for (const slot of this.slots) if (slot.isLight && slot.thread.state === 'busy') return 0;
    }
    return this.free('shared');
  }

  /** Gives a batch to a free thread. */
  take(batch: readonly T[], kind: BatchKind, now: number): Slot<T> {
    const slot = this.slots.find(({ thread }) => thread.state === 'idle');
    if (slot === undefined) throw new Error('A batch was dispatched though no thread is free.');
    slot.batch = batch;
    slot.kind = kind;
    slot.startedAt = now;
    slot.estimateMs = 0;
    let bytes = 0;
    for (const item of batch) {
      slot.estimateMs += item.estimateMs;
      bytes += item.bytes;
    }
    slot.isLight = kind === 'shared' && bytes < lightBytesMax;
    if (kind !== 'shared' && batch.length > 0) this.#callStandIn();
    return slot;
  }

  /** It takes memory: it is started for the first request that travels alone, not before. */
  #callStandIn(): void {
    if (this.#startStandIn === undefined || this.#slots.length > 1) return;
    this.#slots.push(slotOf<T>(this.#startStandIn()));
  }

  // The thread may have its next batch already: it was free some microtasks before this is called.
  release(slot: Slot<T>, batch: readonly T[]): void {
    if (slot.batch === batch) slot.batch = [];
  }

  /** Tells the threads that time went by: what is still at work was not light. */
  tick(elapsedMs: number): void {
    for (const slot of this.slots) {
      slot.isLight = false;
      slot.thread.tick(elapsedMs);
    }
  }
}

function slotOf<T>(thread: ScreeningThread): Slot<T> {
  return { thread, batch: [], kind: 'shared', startedAt: 0, estimateMs: 0, isLight: false };
}

function isShared(kind: BatchKind): boolean {
  return kind === 'shared';
}
