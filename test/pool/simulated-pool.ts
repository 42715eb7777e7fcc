import { limits } from '../../src/contract/limits.ts';
import { Admission } from '../../src/pool/admission.ts';
import { Batcher } from '../../src/pool/batcher.ts';
import type { Queued } from '../../src/pool/fair-queue.ts';
import type { ScreeningThread } from '../../src/pool/screening-thread.ts';
import { type Slot, ThreadSet } from '../../src/pool/thread-set.ts';
import { Traffic } from '../../src/pool/traffic.ts';
import { scanInput } from '../support/scan-input.ts';

/** A request of a simulation; times in milliseconds of its own clock. */
export interface Ask {
  readonly owner: string;
  readonly bytes: number;
  /** What it takes on a thread. */
  readonly costMs: number;
  /** How long its caller waits. */
  readonly patienceMs: number;
}

/** What became of a request. */
export interface Told {
  readonly ask: Ask;
  readonly outcome: 'good' | 'refused' | 'late';
  readonly tookMs: number;
}

interface Item extends Queued {
  readonly ask: Ask;
  readonly tell: (told: Told) => void;
}

const tickMs = 25;

/**
 * Queue, admission and threads as in the pool, on a clock that moves from event to event: the same
 * on any machine, whatever else it does.
 */
export class SimulatedPool {
  readonly #events: { readonly at: number; readonly run: () => void }[] = [];
  readonly #traffic = new Traffic();
  readonly #threads: ThreadSet<Item>;
  readonly #batcher: Batcher<Item>;
  readonly #admission: Admission<Item>;
  readonly #handOverMs: number;
  #now = 0;

  /** `handOverMs` is the way of a batch to its thread and back, until its answers are read. */
  constructor(threads: number, handOverMs = 0.05) {
    this.#handOverMs = handOverMs;
    const idle = () => ({ state: 'idle', tick: () => undefined }) as unknown as ScreeningThread;
    this.#threads = new ThreadSet(Array.from({ length: threads }, idle), this.#traffic);
    this.#batcher = new Batcher<Item>({
      countMax: limits.batchCountMax,
      bytesMax: limits.batchBytesMax,
      workMsMax: limits.batchWorkMsMax,
      rivalWorkMsMax: limits.batchRivalWorkMsMax,
      ageMs: limits.batchAgeMs,
      traffic: this.#traffic,
      handOverMs: () => this.#admission.handOverMs,
      freeWorkers: (kind, waiting) =>
        kind === 'shared' ? this.#threads.freeFor(waiting) : this.#threads.free(kind),
      dispatch: (batch, kind) => this.#work(this.#threads.take(batch, kind, this.#now), batch),
      atEndOfTurn: (callback) => this.at(this.#now, callback),
    });
    const { queueRequestsMax, queueBytesMax } = limits;
    const parts = { batcher: this.#batcher, threads: this.#threads };
    this.#admission = new Admission({ queueRequestsMax, queueBytesMax, ...parts });
    this.at(tickMs, () => this.#tick());
  }

  get now(): number {
    return this.#now;
  }

  at(at: number, run: () => void): void {
    const index = this.#events.findLastIndex((event) => event.at <= at);
    this.#events.splice(index + 1, 0, { at, run });
  }

  run(untilMs: number): void {
    for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) {
      if (event.at > untilMs) return;
      this.#now = event.at;
      event.run();
    }
  }

  ask(ask: Ask, tell: (told: Told) => void): void {
    const since = this.#now;
    const sized = this.#admission.sizedOf(ask.owner, ask.bytes);
    const input = scanInput('', { deadline: since + ask.patienceMs });
    if (this.#admission.refusal(sized, input, since) !== undefined) {
      tell({ ask, outcome: 'refused', tookMs: 0 });
    } else this.#batcher.add({ ...sized, since, ask, tell });
  }

  #work(slot: Slot<Item>, batch: readonly Item[]): void {
    const thread = slot.thread as unknown as { state: string };
    thread.state = 'busy';
    const workMs = batch.reduce((sum, { ask }) => sum + ask.costMs, 0);
    const tookMs = workMs + this.#handOverMs;
    this.at(this.#now + tookMs, () => {
      thread.state = 'idle';
      this.#threads.release(slot, batch);
      this.#admission.worked(batch, tookMs, (index) => batch[index]?.ask.costMs ?? 0);
      this.#batcher.workerFreed();
      for (const item of batch) this.#tell(item, 'good');
    });
  }

  #tell({ ask, since, tell }: Item, outcome: 'good' | 'late'): void {
    const tookMs = this.#now - since;
    tell({ ask, tookMs, outcome: tookMs > ask.patienceMs ? 'late' : outcome });
  }

  #tick(): void {
    this.#threads.tick(tickMs);
    this.#traffic.tick(tickMs);
    this.#batcher.workerFreed();
    const isLate = ({ since, ask }: Item) => this.#now - since >= ask.patienceMs;
    for (const item of this.#batcher.remove(isLate)) this.#tell(item, 'late');
    this.at(this.#now + tickMs, () => this.#tick());
  }
}
