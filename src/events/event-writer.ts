import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore, EventSummary, StoredEvent } from '../contract/event.ts';
import type { BlockRecord, Explainer, Log } from '../contract/ports.ts';
import { eventOf } from './event-of.ts';

/** Blocks that wait for their steps and for the database; more are dropped and counted. */
const waitingMax = 1_000;
const waitingBytesMax = 16_777_216;
const batchMax = 50;
/**
 * A block waits this long for others, which then share its transaction. With `batchMax` it also
 * says how many are stored in a second, 500: a block costs this thread some 90 µs, and a flood of
 * them must not take it away from requests.
 */
const gatherMs = 100;
/** After a failure the database is left alone for so long. */
const pauseMs = 2_000;
const closeMsMax = 3_000;
/** Who reads events waits this long for those that are on their way to the store. */
const settleMsMax = 500;

/** What the writer is made of. */
export interface EventWriterParts {
  readonly store: Pick<EventStore, 'insert'>;
  readonly explainer: Pick<Explainer, 'describe'>;
  readonly log: Log;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
  readonly keyNameOf: (keyId: string) => string;
  /** Called with each event that was made, whether it can be stored or not. */
  readonly onMade?: (event: StoredEvent) => void;
  /** Called with the bytes that were stored; the next batch waits until it has resolved. */
  readonly onBytes?: (bytes: number) => Promise<void>;
  /** Called with each event that was stored. */
  readonly onStored: (event: EventSummary) => void;
}

/** Stores blocks, off the path of requests. */
export interface EventWriter {
  /** Never waits and never throws. */
  add(record: BlockRecord): void;
  /** Blocks that could not be stored since the start. */
  dropped(): number;
  /** Resolves when the blocks of before the call are stored or dropped, or after a short time. */
  settled(): Promise<void>;
  /** Writes what waits, for a bounded time. */
  close(): Promise<void>;
}

/** Starts a writer: explains, redacts and stores blocks in batches. */
export function startEventWriter(parts: EventWriterParts): EventWriter {
  return new BufferedWriter(parts);
}

interface Waiting {
  readonly record: BlockRecord;
  readonly at: number;
}

class BufferedWriter implements EventWriter {
  readonly #parts: EventWriterParts;
  #waiting: Waiting[] = [];
  #bytes = 0;
  #dropped = 0;
  /** Blocks that were taken, and those of them that are done with; the first come first. */
  #taken = 0;
  #done = 0;
  #batch = Promise.resolve();
  #fails = false;
  #running: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(parts: EventWriterParts) {
    this.#parts = parts;
  }

  add(record: BlockRecord): void {
    const size = record.body.length;
    const isFull = this.#waiting.length >= waitingMax || this.#bytes + size > waitingBytesMax;
    if (isFull) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push({ record, at: this.#parts.clock() });
    this.#bytes += size;
    this.#taken += 1;
    this.#running ??= this.#run();
  }

  dropped(): number {
    return this.#dropped;
  }

  async settled(): Promise<void> {
    const wanted = this.#taken;
    const giveUp = new AbortController();
    const late = delay(settleMsMax, undefined, { signal: giveUp.signal }).catch(() => undefined);
    const isLate = late.then(() => true);
    while (this.#done < wanted && !this.#fails) {
      if (await Promise.race([this.#batch.then(() => false), isLate])) break;
    }
    giveUp.abort();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const late = new AbortController();
    const giveUp = delay(closeMsMax, undefined, { signal: late.signal }).catch(() => undefined);
    await Promise.race([this.#running, giveUp]);
    late.abort();
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      this.#batch = this.#writeNext();
      await this.#batch;
    }
    this.#running = undefined;
  }

  async #writeNext(): Promise<void> {
    await this.#rest(this.#fails ? pauseMs : gatherMs);
    const batch = this.#waiting.splice(0, batchMax);
    for (const { record } of batch) this.#bytes -= record.body.length;
    await this.#write(batch);
    this.#done += batch.length;
  }

  /** Waits, but not when there is no time left. */
  async #rest(ms: number): Promise<void> {
    const { signal } = this.#closing;
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const { store, log, onMade, onBytes, onStored } = this.#parts;
    try {
      const events = await Promise.all(batch.map((waiting) => this.#eventOf(waiting)));
      for (const event of events) onMade?.(event);
      const bytes = await store.insert(events);
      if (this.#fails) log.info({ dropped: this.#dropped }, 'events can be stored again');
      this.#fails = false;
      for (const event of events) onStored(event);
      await onBytes?.(bytes);
    } catch (error) {
      this.#dropped += batch.length;
      if (!this.#fails) {
        log.warn({ err: error }, 'events cannot be stored; they are dropped and counted');
      }
      this.#fails = true;
    }
  }

  async #eventOf({ record, at }: Waiting): Promise<StoredEvent> {
    const { explainer, keyNameOf } = this.#parts;
    const facts = { at, keyName: keyNameOf(record.keyId) };
    return (await explainer.describe(record, facts)) ?? eventOf(record, facts);
  }
}
