import { createHmac } from 'node:crypto';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { LearningThread, LearntReport, RecentEvents } from '../../contract/learnt-shape.ts';
import { limits } from '../../contract/limits.ts';
import type { Log } from '../../contract/ports.ts';
import type { Shape } from '../../contract/shape.ts';
import type { LearningMessage } from './messages.ts';

/** Twice what is counted, for what is being read and merged. */
const resourceLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 };

/**
 * Learns on a thread of its own, which starts with the first request that is learnt from. No request
 * waits for it; when it is lost, what was not saved is lost with it, and another one starts.
 */
export function createLearningThread(options: {
  readonly salt: number;
  readonly log: Log;
}): LearningThread {
  return new Thread(options);
}

/** A number for digests, made of a secret that it does not give away. */
export function saltOf(secret: Uint8Array): number {
  return createHmac('sha256', secret).update('learnt shapes').digest().readInt32BE();
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

class Thread implements LearningThread {
  readonly #salt: number;
  readonly #log: Log;
  readonly #shapes = new Map<string, Shape>();
  #worker: Worker | undefined;
  #waiting: Waiting[] = [];
  #batches = 0;
  #restsUntil = 0;
  #isClosed = false;

  constructor({ salt, log }: { readonly salt: number; readonly log: Log }) {
    this.#salt = salt;
    this.#log = log;
  }

  learn(batch: Parameters<LearningThread['learn']>[0]): Promise<void> | undefined {
    if (this.#isClosed || this.#batches >= limits.learntBatchesWaitingMax) return undefined;
    if (performance.now() < this.#restsUntil) return undefined;
    this.#batches += 1;
    const working = this.#ask<number>({ kind: 'learn', batch }).then((tookMs) => {
      // Hostile requests, each with a hundred new names, must not take a processor of their own.
      this.#restsUntil = performance.now() + tookMs * (1 / limits.learntWorkShareMax - 1);
    });
    return working.finally(() => {
      this.#batches -= 1;
    });
  }

  declare(policyId: string, shape: Shape | undefined): void {
    if (shape === undefined) this.#shapes.delete(policyId);
    else this.#shapes.set(policyId, shape);
    this.#tell({ kind: 'declare', policyId, shape });
  }

  async unsaved(): Promise<readonly string[]> {
    return this.#worker === undefined ? [] : this.#ask({ kind: 'unsaved' });
  }

  save(policyId: string, stored: string | undefined): Promise<string> {
    return this.#ask({ kind: 'save', policyId, stored });
  }

  saved(policyId: string): void {
    this.#tell({ kind: 'saved', policyId });
  }

  reset(policyId: string): void {
    this.#tell({ kind: 'reset', policyId });
    const shape = this.#shapes.get(policyId);
    if (shape !== undefined) this.declare(policyId, shape);
  }

  report(
    stored: string | undefined,
    declared: Shape | undefined,
    events: RecentEvents,
  ): Promise<LearntReport> {
    return this.#ask({ kind: 'report', stored, declared, events });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  /** What a thread that has not started yet need not know. */
  #tell(message: LearningMessage): void {
    if (this.#worker !== undefined) this.#ask(message).catch(() => undefined);
  }

  #ask<T>(message: LearningMessage): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('The thread that learns has ended.'));
    const worker = this.#started();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve: resolve as (value: unknown) => void, reject });
      worker.postMessage(message);
    });
  }

  #started(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const file = new URL(`../../../workers/learn${extname(import.meta.url)}`, import.meta.url);
    const worker = new Worker(file, { workerData: this.#salt, resourceLimits });
    this.#worker = worker;
    worker.unref();
    worker.on('message', (answer: unknown) => this.#waiting.shift()?.resolve(answer));
    worker.on('error', (error) => this.#lost(error instanceof Error ? error.message : 'unknown'));
    worker.on('exit', () => this.#lost('it ended'));
    for (const [policyId, shape] of this.#shapes) this.#tell({ kind: 'declare', policyId, shape });
    return worker;
  }

  #lost(reason: string): void {
    const waiting = this.#waiting;
    if (this.#worker === undefined) return;
    this.#worker = undefined;
    this.#waiting = [];
    if (!this.#isClosed) this.#log.warn({ reason }, 'the thread that learns shapes was lost');
    for (const one of waiting) one.reject(new Error(`The thread that learns was lost: ${reason}`));
  }
}
