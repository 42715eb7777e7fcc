import { Fifo } from './fifo.ts';

/** What the batcher must know of a request. */
export interface Batchable {
  readonly bytes: number;
  /** Arrival, ascending: the older of two queue heads goes first. */
  readonly order: number;
  /** Must be the only one of its batch: a large body, or one that may have killed a worker. */
  readonly isAlone: boolean;
}

/** `shared` batches hold any number of requests, `alone` batches one. */
export type BatchKind = 'shared' | 'alone';

/** What waits to travel in shared batches. */
export interface Waiting {
  readonly requests: number;
  readonly bytes: number;
}

/** The batcher's bounds and what it calls. */
export interface BatcherOptions<T extends Batchable> {
  readonly countMax: number;
  readonly bytesMax: number;
  readonly ageMs: number;
  /** How many workers are to start on batches of this kind at once, while so much waits. */
  freeWorkers(kind: BatchKind, waiting: Waiting): number;
  /** Hands a batch to a free worker. Called only while `freeWorkers(kind)` is above zero. */
  dispatch(batch: readonly T[], kind: BatchKind): void;
  /** Runs the callback when the event loop has read all that had arrived; `setImmediate`. */
  atEndOfTurn(callback: () => void): void;
}

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
export class Batcher<T extends Batchable> {
  readonly #options: BatcherOptions<T>;
  readonly #shared = new Fifo<T>();
  readonly #alone = new Fifo<T>();
  #state: 'empty' | 'open' | 'blocked' = 'empty';
  #sharedBytes = 0;
  #openedAt = 0;
  #endOfTurnIsDue = false;

  constructor(options: BatcherOptions<T>) {
    this.#options = options;
  }

  get state(): 'empty' | 'open' | 'blocked' {
    return this.#state;
  }

  /** How many requests of a kind wait. */
  waiting(kind: BatchKind): number {
    return kind === 'alone' ? this.#alone.size : this.#shared.size;
  }

  /** Bytes of what waits for shared batches. */
  get sharedBytes(): number {
    return this.#sharedBytes;
  }

  /** Adds a request; `now` in milliseconds of any steady clock. */
  add(item: T, now: number): void {
    if (item.isAlone) {
      this.#alone.push(item);
    } else {
      this.#shared.push(item);
      this.#sharedBytes += item.bytes;
    }
    if (this.#state === 'empty' || (this.#state === 'blocked' && this.#canGo(item))) {
      this.#state = 'open';
      this.#openedAt = now;
      this.#awaitEndOfTurn();
    } else if (this.#state === 'open' && this.#isFull(now)) {
      this.#flush();
    }
  }

  /** Puts back requests whose batch failed, each to travel alone, before all that wait. */
  addFirst(items: readonly T[]): void {
    this.#alone.pushFront(items);
    this.#flush();
  }

  /** To be called when a worker has become free. */
  workerFreed(): void {
    if (this.#state === 'blocked') this.#flush();
  }

  /** Takes out the waiting requests for which `isGone` holds. */
  remove(isGone: (item: T) => boolean): T[] {
    const gone = [...this.#shared.remove(isGone), ...this.#alone.remove(isGone)];
    for (const item of gone) if (!item.isAlone) this.#sharedBytes -= item.bytes;
    if (this.#size === 0) this.#state = 'empty';
    return gone;
  }

  get #size(): number {
    return this.#shared.size + this.#alone.size;
  }

  // A large body may wait for its turn while a worker is free for small ones.
  #canGo(item: T): boolean {
    return this.#freeWorkers(item.isAlone ? 'alone' : 'shared') > 0;
  }

  #freeWorkers(kind: BatchKind): number {
    const waiting = { requests: this.#shared.size, bytes: this.#sharedBytes };
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
      this.#shared.size >= this.#options.countMax ||
      this.#sharedBytes >= this.#options.bytesMax ||
      now - this.#openedAt >= this.#options.ageMs
    );
  }

  #flush(): void {
    for (;;) {
      const kind = this.#nextKind();
      if (kind === undefined) break;
      const batch = kind === 'alone' ? this.#takeAlone() : this.#takeShared();
      this.#options.dispatch(batch, kind);
    }
    this.#state = this.#size === 0 ? 'empty' : 'blocked';
  }

  /** The kind whose oldest request has waited longest, among those that a worker would take. */
  #nextKind(): BatchKind | undefined {
    const shared = this.#shared.peek();
    const alone = this.#alone.peek();
    const sharedCanGo = shared !== undefined && this.#freeWorkers('shared') > 0;
    const aloneCanGo = alone !== undefined && this.#freeWorkers('alone') > 0;
    if (sharedCanGo && aloneCanGo) return shared.order < alone.order ? 'shared' : 'alone';
    if (sharedCanGo) return 'shared';
    return aloneCanGo ? 'alone' : undefined;
  }

  #takeAlone(): T[] {
    const item = this.#alone.shift();
    return item === undefined ? [] : [item];
  }

  #takeShared(): T[] {
    const { countMax, bytesMax } = this.#options;
    const share = Math.ceil(this.#sharedBytes / this.#freeWorkers('shared'));
    const target = Math.min(bytesMax, Math.max(splitBytesMin, share));
    const batch: T[] = [];
    let bytes = 0;
    while (batch.length < countMax) {
      const next = this.#shared.peek();
      if (next === undefined || (batch.length > 0 && bytes + next.bytes > target)) break;
      this.#shared.shift();
      batch.push(next);
      bytes += next.bytes;
    }
    this.#sharedBytes -= bytes;
    return batch;
  }
}
