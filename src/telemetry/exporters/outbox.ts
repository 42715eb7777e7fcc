import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../contract/ports.ts';

/** What became of a batch. */
export type Delivery =
  | { readonly kind: 'sent' }
  /** The other side will never take it. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** It may do so later. */
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs?: number };

/** Things that leave together; each attempt to send them has the same id and time. */
export interface Batch<T> {
  readonly id: string;
  readonly at: Date;
  readonly items: readonly T[];
}

export interface OutboxParts<T> {
  /** Names it in the log. */
  readonly name: string;
  readonly log: Log;
  /** Things that wait at most; what comes beyond is dropped and counted. */
  readonly itemsMax: number;
  readonly batchMax: number;
  /** How long the first of a batch waits for others. */
  readonly gatherMs: number;
  /** Sends a batch. What it throws is a failure, tried again. */
  readonly send: (batch: Batch<T>, signal: AbortSignal) => Promise<Delivery>;
  /** Pauses between attempts: doubled from the first to the last. */
  readonly retryMs?: { readonly first: number; readonly last: number };
}

/** What left and what was lost since the start. */
export interface OutboxStats {
  readonly sent: number;
  readonly dropped: number;
}

const attemptsMax = 8;
const sendMsMax = 10_000;
const closeMsMax = 3_000;
const retryMsDefault = { first: 1_000, last: 60_000 };

/**
 * What leaves the process for another one that may be slow or away: a bounded queue, batches,
 * attempts with growing pauses. Adding never waits and never throws.
 */
export class Outbox<T> {
  readonly #parts: OutboxParts<T>;
  readonly #closing = new AbortController();
  readonly #late = new AbortController();
  #waiting: T[] = [];
  #sent = 0;
  #dropped = 0;
  #fails = false;
  #running: Promise<void> | undefined;

  constructor(parts: OutboxParts<T>) {
    this.#parts = parts;
  }

  add(item: T): void {
    if (this.#waiting.length >= this.#parts.itemsMax || this.#closing.signal.aborted) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(item);
    this.#running ??= this.#run();
  }

  stats(): OutboxStats {
    return { sent: this.#sent, dropped: this.#dropped };
  }

  /** Tries once to send what waits, for a bounded time. */
  async close(): Promise<void> {
    this.#closing.abort();
    const giveUp = setTimeout(() => this.#late.abort(), closeMsMax);
    await this.#running;
    clearTimeout(giveUp);
  }

  async #run(): Promise<void> {
    const { batchMax, gatherMs } = this.#parts;
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < batchMax) await this.#rest(gatherMs);
      const items = this.#waiting.splice(0, batchMax);
      await this.#deliver({ id: randomUUID(), at: new Date(), items });
    }
    this.#running = undefined;
  }

  /** Waits, but not when there is no time left. */
  async #rest(ms: number): Promise<void> {
    const { signal } = this.#closing;
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }

  async #deliver(batch: Batch<T>): Promise<void> {
    const { first, last } = this.#parts.retryMs ?? retryMsDefault;
    for (let attempt = 1; ; attempt += 1) {
      const delivery = await this.#attempt(batch);
      this.#note(delivery);
      if (delivery.kind === 'sent') {
        this.#sent += batch.items.length;
        return;
      }
      const isLast = attempt === attemptsMax || this.#closing.signal.aborted;
      if (delivery.kind === 'refused' || isLast) {
        this.#dropped += batch.items.length;
        return;
      }
      // Not all at the same moment: others may wait for the same one.
      const pauseMs = Math.min(last, first * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
      await this.#rest(Math.min(last, Math.max(pauseMs, delivery.retryAfterMs ?? 0)));
    }
  }

  async #attempt(batch: Batch<T>): Promise<Delivery> {
    const late = this.#late.signal;
    if (late.aborted) return { kind: 'failed', reason: 'no time left' };
    try {
      const signal = AbortSignal.any([late, AbortSignal.timeout(sendMsMax)]);
      return await Promise.race([this.#parts.send(batch, signal), endOf(signal)]);
    } catch (error) {
      return { kind: 'failed', reason: reasonOf(error) };
    }
  }

  /** One line when it begins to fail, and one when it works again. */
  #note(delivery: Delivery): void {
    const { name, log } = this.#parts;
    if (delivery.kind === 'sent') {
      if (this.#fails) log.info({ exporter: name, dropped: this.#dropped }, 'exporter works again');
      this.#fails = false;
    } else {
      const { reason } = delivery;
      if (!this.#fails) log.warn({ exporter: name, reason }, 'exporter fails; see its address');
      this.#fails = true;
    }
  }
}

/** Rejects at the signal: not every carrier can be aborted. */
export function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** What `fetch` and sockets say, with the cause where the reason stands. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
