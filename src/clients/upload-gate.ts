import type { IncomingMessage } from 'node:http';
import type { MultipartSieve } from '../client-request/multipart-sieve.ts';
import type { RawBody } from '../client-request/raw-body.ts';
import type { Refusal } from '../client-request/refusal.ts';

/** How a long upload is screened while it comes, and what is done when it must not go on. */
export interface Watcher {
  judge(body: RawBody): Promise<Refusal | undefined>;
  refuse(refusal: Refusal): void;
}

/**
 * Stands between the connection and the stream of a request whose body is longer than was read
 * ahead. The content of files goes on to the application as it comes. Heads and fields are held
 * back until they were screened; those that must not go on are never delivered, and the body never
 * ends.
 */
export class UploadGate {
  readonly #sieve: MultipartSieve;
  readonly #keptBytesMax: number;
  readonly #req: IncomingMessage;
  readonly #deliver: (chunk: Buffer | null) => boolean;
  readonly #watchers: Watcher[] = [];
  #held: (Buffer | null)[] = [];
  #state: 'open' | 'judging' | 'shut' | 'gone' = 'open';
  #hasEnded = false;
  /** Called when the rest of a refused body has come. */
  #onRest: (() => void) | undefined;
  #hasRest = false;

  constructor(req: IncomingMessage, sieve: MultipartSieve, keptBytesMax: number) {
    this.#req = req;
    this.#sieve = sieve;
    this.#keptBytesMax = keptBytesMax;
    this.#deliver = req.push.bind(req);
    req.push = (chunk: Buffer | null) => this.#take(chunk);
  }

  /** Until there is a watcher, nothing but the content of files goes on. */
  watch(watcher: Watcher): void {
    this.#watchers.push(watcher);
    this.#look();
    if (this.#state === 'open') this.#readOn();
  }

  /** From now on everything passes: for a body that is not read. */
  release(): void {
    if (this.#state === 'gone') return;
    this.#state = 'gone';
    this.#deliverHeld(this.#held.length);
  }

  /** Resolves when all of a refused body was read away. */
  get drained(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#hasRest) resolve();
      else this.#onRest = resolve;
    });
  }

  #take(chunk: Buffer | null): boolean {
    if (this.#state === 'gone') return this.#deliver(chunk);
    if (this.#state === 'shut') {
      if (chunk === null) this.#noteRest();
      return true;
    }
    if (chunk === null) this.#end();
    else this.#sieve.take(chunk);
    const isFileOnly = chunk !== null && !this.#sieve.hasNews;
    if (this.#held.length === 0 && isFileOnly) return this.#deliver(chunk);
    this.#held.push(chunk);
    this.#look();
    // What comes meanwhile waits in the connection.
    return this.#state === 'open' && this.#watchers.length > 0;
  }

  #end(): void {
    this.#hasEnded = true;
    this.#sieve.end();
  }

  /** Screens what was held, once it is whole. */
  #look(): void {
    if (this.#state !== 'open' || this.#held.length === 0 || this.#watchers.length === 0) return;
    const isTooLong = this.#sieve.keptBytes > this.#keptBytesMax;
    if (!isTooLong && !this.#hasEnded && !this.#sieve.isInFile) return;
    this.#state = 'judging';
    const [count, isLast] = [this.#held.length, this.#hasEnded];
    // The last time all of it: what is harmless by itself may not be so together.
    const news = this.#sieve.takeNews();
    const bytes = isLast || isTooLong ? this.#sieve.all() : news;
    void this.#judge({ bytes, isComplete: !isTooLong }).then((refused) => {
      if (this.#state !== 'judging') return;
      if (refused) this.#shut();
      else if (isTooLong) this.release();
      else this.#open(isLast ? undefined : count);
    });
  }

  async #judge(body: RawBody): Promise<boolean> {
    for (const { judge, refuse } of this.#watchers) {
      const refusal = await judge(body);
      if (refusal === undefined) continue;
      refuse(refusal);
      return true;
    }
    return false;
  }

  /** Delivers the first `count` of what was held, and the rest where it is content of files. */
  #open(count?: number): void {
    this.#state = 'open';
    const hasMore = this.#sieve.hasNews || this.#hasEnded;
    this.#deliverHeld(count !== undefined && hasMore ? count : this.#held.length);
    this.#look();
  }

  #deliverHeld(count: number): void {
    for (const chunk of this.#held.splice(0, count)) this.#deliver(chunk);
  }

  #shut(): void {
    this.#state = 'shut';
    this.#held = [];
    if (this.#hasEnded) this.#noteRest();
    this.#readOn();
  }

  #noteRest(): void {
    this.#hasRest = true;
    this.#onRest?.();
  }

  /** Takes more from the connection: the stream asks for none while nothing is delivered. */
  #readOn(): void {
    this.#req._read(0);
  }
}
