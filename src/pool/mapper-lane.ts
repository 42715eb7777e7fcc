import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Log, MappedRequest, ProxiedRequest } from '../contract/ports.ts';
import { threadArguments } from '../contract/thread-arguments.ts';
import { describeError } from './codec.ts';

/** Without work for this long, a thread ends. */
const idleMs = 60_000;

/** Caps, not reservations: 1 MiB that unpacks to 4 MiB of JSON needs some 100 MiB. */
const resourceLimits = { maxOldGenerationSizeMb: 320, maxYoungGenerationSizeMb: 16 };

/** What a lane is made of. */
export interface MapperLaneOptions {
  readonly threads: number;
  /** Bytes that wait or are being written; more is refused. */
  readonly bytesMax: number;
  /** Longest time from the request to its members; the request is refused then. */
  readonly msMax: number;
  readonly log: Log;
}

interface Waiting {
  readonly bytes: number;
  readonly go: (isItsTurn: boolean) => void;
}

/**
 * Writes requests as members on threads that start with the first of them. The smallest goes first:
 * what takes long makes others wait as little as can be. The queue is kept here and not in Piscina,
 * which starts no thread for what waits when it has ended one that ran too long.
 */
export class MapperLane {
  readonly #options: MapperLaneOptions;
  /** The smallest first. */
  readonly #waiting: Waiting[] = [];
  #pool: Piscina | undefined;
  #bytes = 0;
  #running = 0;
  #isClosed = false;

  constructor(options: MapperLaneOptions) {
    this.#options = options;
  }

  /** Undefined when there is no capacity, or no time. Rejects when the thread was lost. */
  async map(request: ProxiedRequest, bytes: number): Promise<MappedRequest | undefined> {
    const { bytesMax, msMax } = this.#options;
    if (this.#isClosed || this.#bytes + bytes > bytesMax) return undefined;
    this.#bytes += bytes;
    try {
      const signal = AbortSignal.timeout(msMax);
      if (!(await this.#turn(bytes, signal)) || this.#isClosed) return undefined;
      try {
        return await this.#run(request, signal);
      } catch (error) {
        if (signal.aborted || this.#isClosed) return undefined;
        throw error;
      } finally {
        this.#running -= 1;
        this.#goOn();
      }
    } finally {
      this.#bytes -= bytes;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { go } of this.#waiting.splice(0)) go(false);
    await this.#pool?.destroy();
  }

  /** Resolves with true once a thread is free for a request, with false when its time is over. */
  #turn(bytes: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting = { bytes, go: resolve };
      const after = this.#waiting.findIndex((other) => other.bytes > bytes);
      this.#waiting.splice(after < 0 ? this.#waiting.length : after, 0, waiting);
      signal.addEventListener('abort', () => {
        const at = this.#waiting.indexOf(waiting);
        if (at >= 0) this.#waiting.splice(at, 1);
        resolve(false);
      });
      this.#goOn();
    });
  }

  #goOn(): void {
    if (this.#running >= this.#options.threads) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#running += 1;
    next.go(true);
  }

  #run(request: ProxiedRequest, signal: AbortSignal): Promise<MappedRequest> {
    this.#pool ??= this.#start();
    // A small body is a view of a block that holds others.
    const body = new Uint8Array(request.body);
    const transferList = [body.buffer];
    return this.#pool.run({ ...request, body }, { name: 'mapRequest', transferList, signal });
  }

  #start(): Piscina {
    const file = new URL(
      `../../workers/client-request${extname(import.meta.url)}`,
      import.meta.url,
    );
    const started = new Piscina({
      filename: fileURLToPath(file),
      execArgv: threadArguments,
      minThreads: 0,
      maxThreads: this.#options.threads,
      idleTimeout: idleMs,
      recordTiming: false,
      resourceLimits,
    });
    // A thread that dies without work is reported here only.
    started.on('error', (error: unknown) => {
      this.#options.log.warn({ reason: describeError(error) }, 'idle mapping thread died');
    });
    return started;
  }
}
