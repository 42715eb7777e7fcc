import type { EventStore } from '../contract/event.ts';
import type {
  LearningBatch,
  LearningSink,
  LearningThread,
  LearntRequest,
  LearntShapes,
} from '../contract/learnt-shape.ts';
import { limits } from '../contract/limits.ts';
import type { PolicySource } from '../contract/policies.ts';
import type { Log } from '../contract/ports.ts';
import type { Shape } from '../contract/shape.ts';
import type { LearntStore } from './learnt-store.ts';
import { recentEvents } from './recent-events.ts';

/** How long requests are collected for one message. */
const collectMs = 100;
/** Saves of one policy by several nodes at once: each tries again with what the other stored. */
const saveTriesMax = 8;

export interface Learning extends LearningSink, LearntShapes {
  /** Saves what is not saved yet. */
  save(): Promise<void>;
  close(): Promise<void>;
}

interface LearningParts {
  readonly thread: LearningThread;
  readonly store: LearntStore;
  readonly events: Pick<EventStore, 'stream'>;
  readonly policies: PolicySource;
  readonly writeOpenApi: (shape: Shape) => object;
  readonly log: Log;
  /** Milliseconds since 1970, UTC. */
  readonly clock: () => number;
}

/** Learns the shape of the traffic of policies that say so, from a bounded share of it. */
export function startLearning(parts: LearningParts): Learning {
  return new SampledLearning(parts);
}

interface Collected {
  requests: LearningBatch['requests'][number][];
  leftOut: number;
  shape: Shape | undefined;
}

class SampledLearning implements Learning {
  readonly #parts: LearningParts;
  readonly #collected = new Map<string, Collected>();
  readonly #saver: NodeJS.Timeout;
  #collector: NodeJS.Timeout | undefined;
  /** What may still be learnt from within this second. */
  #requestsLeft: number = limits.learntPerSecondMax;
  #bytesLeft: number = limits.learntBytesPerSecondMax;
  #second = 0;
  #saving: Promise<void> | undefined;

  constructor(parts: LearningParts) {
    this.#parts = parts;
    this.#saver = setInterval(() => void this.save(), limits.learntSaveMs);
    this.#saver.unref();
  }

  screened({ policyId, body, context, verdict }: LearntRequest): void {
    const isRefused = verdict.decision === 'block';
    // An attack must not become the shape; what the shape alone refused shows what has changed.
    if (isRefused && !verdict.findings.every(({ category }) => category === 'shape')) return;
    if (isRefused && verdict.findings.length === 0) return;
    const collected = this.#collectedOf(policyId);
    if (!this.#takes(body.length)) {
      collected.leftOut += 1;
      return;
    }
    const at = this.#parts.clock();
    // A copy: the memory of a body serves the next request.
    collected.requests.push({ body: Uint8Array.from(body), context, isRefused, at });
    if (collected.requests.length >= limits.learntBatchMax) this.#hand(policyId, collected);
  }

  #takes(bytes: number): boolean {
    const second = Math.floor(performance.now() / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#requestsLeft = limits.learntPerSecondMax;
      this.#bytesLeft = limits.learntBytesPerSecondMax;
    }
    if (this.#requestsLeft <= 0 || this.#bytesLeft < bytes) return false;
    this.#requestsLeft -= 1;
    this.#bytesLeft -= bytes;
    return true;
  }

  #collectedOf(policyId: string): Collected {
    const known = this.#collected.get(policyId);
    const collected = known ?? { requests: [], leftOut: 0, shape: undefined };
    if (known === undefined) this.#collected.set(policyId, collected);
    this.#collector ??= setTimeout(() => this.#handAll(), collectMs).unref();
    return collected;
  }

  #handAll(): void {
    this.#collector = undefined;
    for (const [policyId, collected] of this.#collected) {
      if (collected.requests.length + collected.leftOut > 0) this.#hand(policyId, collected);
    }
  }

  #hand(policyId: string, collected: Collected): void {
    const { thread, policies } = this.#parts;
    const { shape } = policies.inForce(policyId).policy;
    if (shape !== collected.shape) {
      collected.shape = shape;
      thread.declare(policyId, shape);
    }
    const { requests, leftOut } = collected;
    const taken = thread.learn({ policyId, requests, leftOut });
    collected.requests = [];
    collected.leftOut = taken === undefined ? leftOut + requests.length : 0;
    taken?.catch(() => {
      collected.leftOut += leftOut + requests.length;
    });
  }

  async save(): Promise<void> {
    // One after the other: a save that is asked for now must hold what was learnt until now.
    const before = this.#saving ?? Promise.resolve();
    const own = before.then(() => this.#saveAll());
    this.#saving = own;
    await own;
  }

  async #saveAll(): Promise<void> {
    this.#handAll();
    try {
      for (const policyId of await this.#parts.thread.unsaved()) await this.#saveOne(policyId);
    } catch (error) {
      // It is kept, within its bound, and tried again.
      this.#parts.log.warn({ err: error }, 'what was learnt of the shape could not be saved');
    }
  }

  async #saveOne(policyId: string): Promise<void> {
    const { store, thread, clock } = this.#parts;
    for (let tries = 0; tries < saveTriesMax; tries++) {
      const stored = await store.find(policyId);
      const document = await thread.save(policyId, stored?.document);
      const revision = stored?.revision ?? 0;
      if (await store.put(policyId, { revision, document }, clock())) {
        thread.saved(policyId);
        return;
      }
    }
  }

  async report(policyId: string, declared: Shape | undefined) {
    await this.save();
    const stored = await this.#parts.store.find(policyId);
    const events = await recentEvents(this.#parts.events, policyId);
    return this.#parts.thread.report(stored?.document, declared, events);
  }

  openApiOf(shape: Shape) {
    return this.#parts.writeOpenApi(shape);
  }

  async reset(policyId: string): Promise<void> {
    await this.#saving;
    this.#collected.delete(policyId);
    this.#parts.thread.reset(policyId);
    await this.#parts.store.remove(policyId);
  }

  async close(): Promise<void> {
    clearInterval(this.#saver);
    clearTimeout(this.#collector);
    await this.save();
    await this.#parts.thread.close();
  }
}
