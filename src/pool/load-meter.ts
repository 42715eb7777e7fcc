import type { BatchKind } from './batcher.ts';

/** What waits ahead of a request, and how many workers it may go to. */
export interface QueueAhead {
  readonly batches: number;
  readonly workers: number;
}

// A new measurement moves the average by a fifth: some ten batches forget a slow one.
const weightOfNewest = 0.2;

/** Counts what the pool holds and foretells how long the newest request would wait. */
export class LoadMeter {
  readonly #averageMs: Record<BatchKind, number> = { shared: 0, alone: 0 };
  #requests = 0;
  #bytes = 0;

  get requests(): number {
    return this.#requests;
  }

  get bytes(): number {
    return this.#bytes;
  }

  entered(bytes: number): void {
    this.#requests += 1;
    this.#bytes += bytes;
  }

  left(bytes: number): void {
    this.#requests -= 1;
    this.#bytes -= bytes;
  }

  /** Learns from a batch that a worker has answered. */
  batchTook(kind: BatchKind, ms: number): void {
    const average = this.#averageMs[kind];
    this.#averageMs[kind] = average === 0 ? ms : average + (ms - average) * weightOfNewest;
  }

  /** Milliseconds until workers are done with this queue, the batch of the newest included. */
  waitMs(kind: BatchKind, ahead: QueueAhead): number {
    return (ahead.batches * this.#averageMs[kind]) / ahead.workers;
  }
}
