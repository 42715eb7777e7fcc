import { type BatchKind, FairQueue, type Held, type Queued, type Sized } from './fair-queue.ts';
import { Fifo } from './fifo.ts';
import type { Traffic } from './traffic.ts';

/** What waits to travel in shared batches. */
export interface Waiting {
  readonly requests: number;
  readonly bytes: number;
}

/** The batcher's bounds and what it calls. */
export interface BatcherOptions<T extends Queued> {
  readonly countMax: number;
  readonly bytesMax: number;
  /**
   * Milliseconds that a batch is to take: its first answer waits for its last. More where it takes
   * long to hand a batch over.
   */
  readonly workMsMax: number;
  /** The same while several owners want the workers: one waits for the batch of another. */
  readonly rivalWorkMsMax: number;
  readonly ageMs: number;
  readonly traffic: Traffic;
  /** What a batch takes beside its work, milliseconds. */
  handOverMs(): number;
  /** How many workers are to start on batches of this kind at once, while so much waits. */
  freeWorkers(kind: BatchKind, waiting: Waiting): number;
  /** Hands a batch to a free worker. Called only while `freeWorkers(kind)` is above zero. */
  dispatch(batch: readonly T[], kind: BatchKind): void;
  /** Runs the callback when the event loop has read all that had arrived; `setImmediate`. */
  atEndOfTurn(callback: () => void): void;
}

/** So many times what it takes to hand a batch over, a batch may work: else its thread is idle. */
const workPerHandOver = 8;
// Splitting a batch over free workers pays only when the work outweighs the extra message.
const splitBytesMin = 16_384;

/**
 * Collects requests into batches.
 *
 *     empty ──add──► open ──end of turn, or a bound is reached──► flush ──nothing left──► empty
 *                                                                  ▲ │
 *                                                    a worker frees│ ▼ something left
 *                                                                 blocked
 *
 * `blocked` ends as well when a request comes for which a worker is free.
 * While a worker is free, a request waits for its own turn of the event loop only, and everything
 * that arrived in this turn travels together. While all are busy, batches grow until one is free.
 */
export class Batcher<T extends Queued> {
  readonly #options: BatcherOptions<T>;
  readonly #queue = new FairQueue<T>();
  /** Requests whose batch failed: each travels alone, before all others. */
  readonly #retries = new Fifo<T>();
  #state: 'empty' | 'open' | 'blocked' = 'empty';
  #openedAt = 0;
  #endOfTurnIsDue = false;

  constructor(options: BatcherOptions<T>) {
    this.#options = options;
  }

  get state(): 'empty' | 'open' | 'blocked' {
    return this.#state;
  }

  /** How many requests wait. */
  get size(): number {
    return this.#queue.size + this.#retries.size;
  }

  /** What waits, and what is at work: until `done`. */
  get held(): Held {
    return this.#queue.held;
  }

  /** What an owner has waiting and at work. */
  heldBy(owner: string): Held {
    return this.#queue.heldBy(owner);
  }

  /** Thread time that goes before a new request. */
  aheadMs(item: Sized): number {
    return this.#queue.aheadMs(item);
  }

  /** For how long an owner has had something waiting, without a break. */
  standingMs(owner: string, now: number): number {
    return this.#queue.standingMs(owner, now);
  }

  /** Adds a request. */
  add(item: T): void {
    this.#queue.add(item);
    this.#options.traffic.came(item.kind, this.#queue.owners);
    if (this.#state === 'empty' || (this.#state === 'blocked' && this.#canGo(item))) {
      this.#state = 'open';
      this.#openedAt = item.since;
      this.#awaitEndOfTurn();
    } else if (this.#state === 'open' && this.#isFull(item.since)) {
      this.#flush();
    }
  }

  /** To be called when a request that was dispatched is over, and will not be tried again. */
  done(item: T, tookMs: number): void {
    this.#queue.done(item, tookMs);
  }

  /** Puts back requests whose batch failed, each to travel alone, before all that wait. */
  addFirst(items: readonly T[]): void {
    this.#retries.pushFront(items);
    this.#flush();
  }

  /** To be called when a worker has become free. */
  workerFreed(): void {
    if (this.#state === 'blocked') this.#flush();
  }

  /** Takes out the waiting requests for which `isGone` holds; they are over. */
  remove(isGone: (item: T) => boolean): T[] {
    const gone = this.#retries.remove(isGone);
    for (const item of gone) this.#queue.done(item, 0);
    gone.push(...this.#queue.remove(isGone));
    if (this.size === 0) this.#state = 'empty';
    return gone;
  }

  // A large body may wait for its turn while a worker is free for small ones.
  #canGo(item: T): boolean {
    return this.#freeWorkers(item.kind) > 0;
  }

  #freeWorkers(kind: BatchKind): number {
    const waiting = { requests: this.#queue.waiting('shared'), bytes: this.#queue.sharedBytes };
    return this.#options.freeWorkers(kind, waiting);
  }

  #awaitEndOfTurn(): void {
    if (this.#endOfTurnIsDue) return;
    this.#endOfTurnIsDue = true;
    this.#options.atEndOfTurn(() => {
      this.#endOfTurnIsDue = false;
      if (this.#state === 'open') this.#flush();
    });
  }

  #isFull(now: number): boolean {
    return (
      this.#queue.waiting('shared') >= this.#options.countMax ||
      this.#queue.sharedBytes >= this.#options.bytesMax ||
      now - this.#openedAt >= this.#options.ageMs
    );
  }

  #flush(): void {
    for (;;) {
      const batch = this.#takeRetry() ?? this.#take();
      const [first] = batch;
      if (first === undefined) break;
      this.#options.dispatch(batch, first.kind);
    }
    this.#state = this.size === 0 ? 'empty' : 'blocked';
  }

  #takeRetry(): readonly T[] | undefined {
    if (this.#retries.size === 0 || this.#freeWorkers('large') === 0) return undefined;
    const item = this.#retries.shift();
    return item === undefined ? undefined : [item];
  }

  #take(): readonly T[] {
    const { countMax, bytesMax, workMsMax, rivalWorkMsMax, traffic } = this.#options;
    const free = this.#queue.waiting('shared') > 0 ? this.#freeWorkers('shared') : 0;
    const heavy = this.#canTake('heavy');
    const large = this.#canTake('large');
    if (free === 0 && !heavy && !large) return [];
    const share = Math.ceil(this.#queue.sharedBytes / Math.max(1, free));
    const worthMs = this.#options.handOverMs() * workPerHandOver;
    const rivalShare = traffic.isRival ? rivalWorkMsMax / workMsMax : 1;
    // Small requests are to fill it too: there is room for a usual batch for each millisecond.
    const room = Math.max(1, Math.ceil(worthMs));
    const bounds = {
      count: countMax * room,
      bytes: Math.min(bytesMax * room, Math.max(splitBytesMin, share)),
      ms: Math.max(workMsMax, worthMs) * rivalShare,
    };
    return this.#queue.take({ shared: free > 0, heavy, large }, bounds);
  }

  #canTake(kind: 'heavy' | 'large'): boolean {
    return this.#queue.waiting(kind) > 0 && this.#freeWorkers(kind) > 0;
  }
}
