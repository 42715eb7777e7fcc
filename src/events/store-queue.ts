import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore, EventSummary, StoredEvent } from '../contract/event.ts';
import type { Log } from '../contract/ports.ts';
import { isRowFault } from '../storage/fault.ts';
import { inTime } from '../storage/in-time.ts';
import type { EventLosses } from './event-losses.ts';
import type { EventSpool } from './event-spool.ts';

/** Events that wait in memory; what the spool cannot take beyond is lost and counted. */
const waitingMax = 2_000;
/** From here on the spool takes the oldest, where the database is slow. */
const spillFrom = 1_000;
/** Events that are spooled with one write. */
const spillMax = 200;
/** Rows of one statement. On SQLite it holds up all others for some ten milliseconds. */
const batchMax = 250;
/** An event waits this long for others, which then share its transaction. */
const gatherMs = 50;
/** After a failure the database is left alone for so long. */
const pauseMs = 1_000;
const closeMsMax = 3_000;
/** The live feed is not for what the spool has held for longer. */
const newsMsMax = 60_000;
/** How often segments are looked for that another process has left. */
const scanMs = 60_000;

/** What the queue is made of. */
export interface StoreQueueParts {
  readonly store: Pick<EventStore, 'insert'>;
  readonly spool: EventSpool;
  readonly losses: EventLosses;
  readonly log: Log;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
  /** Called with the number of events that need no more care: stored, spooled or lost. */
  readonly onDone: (count: number) => void;
  readonly onFailing: () => void;
  /** Called with the bytes that were stored; the next batch waits until it has resolved. */
  readonly onBytes?: ((bytes: number) => Promise<void>) | undefined;
  /** Called with each event that was stored, unless it is old news by then. */
  readonly onStored: (event: EventSummary) => void;
}

/** What is being written, and stays until it is stored. */
interface Head {
  readonly events: StoredEvent[];
  /** Undefined for events that were in memory only. */
  readonly remove: (() => Promise<void>) | undefined;
}

/**
 * Events on their way to the database, in their order: what is being written, then the spool, then
 * what waits in memory. What the database does not take stays; a batch that it did take, although
 * its answer was lost, is written again and changes nothing, because ids are unique.
 */
export class StoreQueue {
  readonly #parts: StoreQueueParts;
  #head: Head | undefined;
  readonly #waiting: StoredEvent[] = [];
  #stored = 0;
  #fails = false;
  #running: Promise<void> | undefined;
  #spilling: Promise<void> | undefined;
  readonly #closing = new AbortController();
  readonly #scanner: NodeJS.Timeout;

  constructor(parts: StoreQueueParts) {
    this.#parts = parts;
    this.#scanner = setInterval(() => void this.#catchUp(), scanMs).unref();
    void this.#catchUp();
  }

  /** Events stored since the start. */
  get stored(): number {
    return this.#stored;
  }

  /** Whether the database did not take the last batch. */
  get isFailing(): boolean {
    return this.#fails;
  }

  /** Events that are in memory only. */
  get waiting(): number {
    return this.#waiting.length + this.#ownHead().length;
  }

  /** Never waits and never throws. */
  add(events: readonly StoredEvent[]): void {
    const room = Math.max(0, waitingMax - this.#waiting.length);
    for (const event of events.slice(0, room)) this.#waiting.push(event);
    const lost = Math.max(0, events.length - room);
    if (lost > 0) this.#lose(lost);
    if (this.#fails || this.#waiting.length > spillFrom) this.#spill();
    this.#start();
  }

  /** Writes what is in memory, for a bounded time; what is left goes to the spool. */
  async close(): Promise<void> {
    clearInterval(this.#scanner);
    this.#closing.abort();
    await inTime(this.#running, closeMsMax);
    await this.#spilling;
    const { spool } = this.#parts;
    const rest = [...this.#ownHead(), ...this.#waiting.splice(0)];
    if (rest.length > 0 && !(await spool.append(rest))) this.#lose(rest.length);
    await spool.close();
  }

  #ownHead(): readonly StoredEvent[] {
    return this.#head === undefined || this.#head.remove !== undefined ? [] : this.#head.events;
  }

  async #catchUp(): Promise<void> {
    await this.#parts.spool.scan();
    this.#start();
  }

  #start(): void {
    if (this.#hasWork()) this.#running ??= this.#run();
  }

  #hasWork(): boolean {
    if (this.#head !== undefined || this.#waiting.length > 0) return true;
    // At the end there is no time for what is safe on disk.
    return !this.#closing.signal.aborted && !this.#parts.spool.isEmpty;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#hasWork() && !(signal.aborted && this.#fails)) {
      await delay(this.#restMs(), undefined, { signal, ref: false }).catch(() => undefined);
      await this.#spilling;
      await this.#writeNext();
    }
    this.#running = undefined;
  }

  #restMs(): number {
    if (this.#fails) return pauseMs;
    const isFull = this.#waiting.length >= batchMax || !this.#parts.spool.isEmpty;
    return isFull ? 0 : gatherMs;
  }

  async #writeNext(): Promise<void> {
    const { log } = this.#parts;
    this.#head ??= await this.#next();
    const head = this.#head;
    if (head === undefined) return;
    try {
      await this.#write(head);
      this.#head = undefined;
      if (this.#fails)
        log.info({ dropped: this.#parts.losses.total }, 'events can be stored again');
      this.#fails = false;
    } catch (error) {
      if (!this.#fails) {
        log.warn({ err: error }, 'events cannot be stored; they wait in memory and in the spool');
      }
      this.#fails = true;
      this.#parts.onFailing();
      // On disk it is safe from a crash as well.
      if (head.remove === undefined) {
        this.#waiting.unshift(...head.events);
        this.#head = undefined;
      }
      this.#spill();
    }
  }

  async #next(): Promise<Head | undefined> {
    const { spool, losses } = this.#parts;
    if (!this.#closing.signal.aborted && !spool.isEmpty) {
      const spooled = await spool.next();
      if (spooled !== undefined) {
        losses.add(spooled.damaged, 'lines of the spool are not whole');
        return spooled;
      }
    }
    const events = this.#waiting.splice(0, batchMax);
    return events.length === 0 ? undefined : { events, remove: undefined };
  }

  async #write({ events, remove }: Head): Promise<void> {
    const { clock, onBytes, onDone, onStored } = this.#parts;
    while (events.length > 0) {
      const batch = events.slice(0, batchMax);
      const bytes = await this.#insert(batch);
      events.splice(0, batch.length);
      const newsFrom = clock() - newsMsMax;
      for (const event of batch) if (Date.parse(event.at) >= newsFrom) onStored(event);
      if (remove === undefined) onDone(batch.length);
      await onBytes?.(bytes);
    }
    await remove?.();
  }

  async #insert(batch: readonly StoredEvent[]): Promise<number> {
    const { store, losses } = this.#parts;
    try {
      const bytes = await store.insert(batch);
      this.#stored += batch.length;
      return bytes;
    } catch (error) {
      if (!isRowFault(error)) throw error;
      if (batch.length > 1) {
        // One of them is at fault, and must not keep the others waiting for ever.
        let bytes = 0;
        for (const event of batch) bytes += await this.#insert([event]);
        return bytes;
      }
      losses.add(1, error instanceof Error ? error.message : String(error));
      return 0;
    }
  }

  /** Moves the oldest events in memory to the spool, as long as it takes them. */
  #spill(): void {
    this.#spilling ??= this.#spillAll().finally(() => {
      this.#spilling = undefined;
      if (!this.#closing.signal.aborted) this.#start();
    });
  }

  async #spillAll(): Promise<void> {
    while (this.#waiting.length > (this.#fails ? 0 : batchMax)) {
      const events = this.#waiting.splice(0, spillMax);
      if (!(await this.#parts.spool.append(events))) {
        this.#waiting.unshift(...events);
        return;
      }
      this.#parts.onDone(events.length);
    }
  }

  #lose(count: number): void {
    this.#parts.losses.add(count, 'the database and the spool take no more');
    this.#parts.onDone(count);
  }
}
