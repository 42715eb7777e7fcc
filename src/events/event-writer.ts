import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore, EventSummary, StoredEvent } from '../contract/event.ts';
import type { BlockRecord, DescribeInput, Explainer, KnownBlock, Log } from '../contract/ports.ts';
import { inTime } from '../storage/in-time.ts';
import type { NetworkOf } from './asn-table.ts';
import type { CountryOf } from './country-table.ts';
import { EventLosses } from './event-losses.ts';
import { eventOf } from './event-of.ts';
import { EventSpool } from './event-spool.ts';
import { StoreQueue } from './store-queue.ts';

/** Blocks that wait for a thread to describe them; more are dropped and counted. */
const waitingMax = 2_000;
const waitingBytesMax = 16_777_216;
/** From here on blocks are described without steps: better many events than whole ones. */
const pressedFrom = 500;
/** A block waits this long for others, which then share a message to a thread. */
const gatherMs = 50;
/**
 * Blocks of one message: requests wait for its thread for a millisecond or two. Bytes: a large
 * block goes alone.
 */
const chunkMax: Readonly<Record<DescribeInput['depth'], number>> = { steps: 4, bare: 24 };
const chunkBytesMax = 65_536;
/** Messages that wait for a thread at once. When threads are busy, they wait half a second for one. */
const chunksMax = 12;
const closeMsMax = 3_000;
/** Who reads events waits this long for those that are on their way to the store. */
const settleMsMax = 500;

/** What the writer is made of. */
export interface EventWriterParts {
  readonly store: Pick<EventStore, 'insert'>;
  readonly explainer: Pick<Explainer, 'describe'>;
  readonly log: Log;
  /** Where what cannot be stored waits on disk, and how much. */
  readonly spool: { readonly dataDir: string; readonly bytesMax: number };
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
  readonly keyNameOf: (keyId: string) => string;
  /** Where the address of a client is; absent without a country database. */
  readonly countryOf?: CountryOf | undefined;
  /** In whose network it is; absent without a network database. */
  readonly networkOf?: NetworkOf | undefined;
  /** Called with each event that was made, whether it can be stored or not. */
  readonly onMade?: (event: StoredEvent) => void;
  /** Called with the bytes that were stored; the next batch waits until it has resolved. */
  readonly onBytes?: (bytes: number) => Promise<void>;
  /** Called with each event that was stored. */
  readonly onStored: (event: EventSummary) => void;
}

/** What became of the blocks since the start. */
export interface EventWriterStats {
  readonly stored: number;
  /** Could not be stored and never will be. */
  readonly dropped: number;
  /** Waiting in memory. */
  readonly waiting: number;
  /** What those take that wait on disk. */
  readonly spoolBytes: number;
}

/** Stores blocks, off the path of requests. */
export interface EventWriter {
  /** Never waits and never throws. */
  add(record: BlockRecord, client?: string): void;
  stats(): EventWriterStats;
  /** Whether the database did not take the last events. */
  isFailing(): boolean;
  /** Whether events were lost within the last minutes. */
  hasLost(): boolean;
  /** Resolves when the blocks of before the call are stored or dropped, or after a short time. */
  settled(): Promise<void>;
  /** Writes what waits, for a bounded time. */
  close(): Promise<void>;
}

/** Starts a writer: explains, redacts and stores blocks in batches. */
export function startEventWriter(parts: EventWriterParts): EventWriter {
  return new BufferedWriter(parts);
}

class BufferedWriter implements EventWriter {
  readonly #parts: EventWriterParts;
  readonly #losses: EventLosses;
  readonly #spool: EventSpool;
  readonly #queue: StoreQueue;
  #waiting: KnownBlock[] = [];
  #bytes = 0;
  /** Blocks that were taken, and those of them that are done with. */
  #taken = 0;
  #done = 0;
  #readers: { readonly wanted: number; readonly resolve: () => void }[] = [];
  #running: Promise<void> | undefined;
  readonly #closing = new AbortController();

  constructor(parts: EventWriterParts) {
    this.#parts = parts;
    const { store, log, clock, onBytes, onStored } = parts;
    this.#losses = new EventLosses(log);
    this.#spool = new EventSpool({ ...parts.spool, log });
    this.#queue = new StoreQueue({
      store,
      spool: this.#spool,
      losses: this.#losses,
      log,
      clock,
      onDone: (count) => this.#finished(count),
      onFailing: () => this.#release(Number.POSITIVE_INFINITY),
      onBytes,
      onStored,
    });
  }

  add(record: BlockRecord, client = ''): void {
    const size = record.body.length;
    const isFull = this.#waiting.length >= waitingMax || this.#bytes + size > waitingBytesMax;
    if (isFull) {
      this.#losses.add(1, 'the threads have no time for more');
      return;
    }
    const keyName = this.#parts.keyNameOf(record.keyId);
    const facts = { at: this.#parts.clock(), keyName, ...(client === '' ? {} : { client }) };
    this.#waiting.push({ record, facts });
    this.#bytes += size;
    this.#taken += 1;
    this.#running ??= this.#run();
  }

  stats(): EventWriterStats {
    return {
      stored: this.#queue.stored,
      dropped: this.#losses.total,
      waiting: this.#waiting.length + this.#queue.waiting,
      spoolBytes: this.#spool.bytes,
    };
  }

  isFailing(): boolean {
    return this.#queue.isFailing;
  }

  hasLost(): boolean {
    return this.#losses.isRecent;
  }

  async settled(): Promise<void> {
    if (this.#done >= this.#taken || this.#queue.isFailing) return;
    const wanted = this.#taken;
    const done = new Promise<void>((resolve) => this.#readers.push({ wanted, resolve }));
    await inTime(done, settleMsMax);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await inTime(this.#running, closeMsMax);
    this.#queue.add(this.#make(this.#waiting.splice(0)));
    await this.#queue.close();
    this.#losses.flush();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (this.#waiting.length > 0) {
      const isFew = this.#waiting.length < chunkMax.steps * chunksMax;
      if (isFew) await delay(gatherMs, undefined, { signal, ref: false }).catch(() => undefined);
      await this.#describeSome();
    }
    this.#running = undefined;
  }

  async #describeSome(): Promise<void> {
    const depth = this.#waiting.length < pressedFrom ? 'steps' : 'bare';
    const chunks = Array.from({ length: chunksMax }, () => this.#takeChunk(chunkMax[depth]));
    await Promise.all(
      chunks.map(async (chunk) => {
        if (chunk.length === 0) return;
        const events = await this.#describe({ blocks: chunk, depth });
        for (const event of events) this.#parts.onMade?.(event);
        this.#queue.add(events);
      }),
    );
  }

  #takeChunk(countMax: number): KnownBlock[] {
    let bytes = 0;
    let count = 0;
    while (count < Math.min(countMax, this.#waiting.length)) {
      const size = this.#waiting[count]?.record.body.length ?? 0;
      if (count > 0 && bytes + size > chunkBytesMax) break;
      bytes += size;
      count += 1;
    }
    this.#bytes -= bytes;
    return this.#waiting.splice(0, count);
  }

  async #describe(input: DescribeInput): Promise<readonly StoredEvent[]> {
    const described = await this.#parts.explainer.describe(input);
    return described?.map((event) => this.#located(event)) ?? this.#make(input.blocks);
  }

  #located(event: StoredEvent): StoredEvent {
    const { client = '' } = event;
    if (client === '') return event;
    const country = this.#parts.countryOf?.(client);
    const network = this.#parts.networkOf?.(client);
    return { ...event, ...(country === undefined ? {} : { country }), ...network };
  }

  /** Without steps, on this thread. */
  #make(chunk: readonly KnownBlock[]): StoredEvent[] {
    return chunk.flatMap(({ record, facts }) => {
      try {
        return [this.#located(eventOf(record, facts))];
      } catch (error) {
        this.#parts.log.error({ err: error }, 'an event could not be made');
        this.#losses.add(1, 'an event could not be made');
        this.#finished(1);
        return [];
      }
    });
  }

  #finished(count: number): void {
    this.#done += count;
    this.#release(this.#done);
  }

  #release(done: number): void {
    if (this.#readers.length === 0) return;
    const readers = this.#readers;
    this.#readers = readers.filter(({ wanted }) => wanted > done);
    for (const { wanted, resolve } of readers) if (wanted <= done) resolve();
  }
}
