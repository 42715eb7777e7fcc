import { setTimeout as delay } from 'node:timers/promises';
import { type Answered, Connection, type Shot, wireOf } from '../http/exchange.ts';
import { nap } from '../http/nap.ts';
import { ask } from '../lib/ask.ts';
import { answerJob } from '../lib/job.ts';
import { quantile } from '../lib/measure.ts';
import { residentMb } from '../lib/process-usage.ts';
import type { FloodAnswer, FloodJob } from './flood.ts';

// The generator of a flood, a separate process. It behaves as callers do: each waits as long as
// it says, and then goes, and closes its connection.

type Answer = Omit<FloodAnswer, 'livezMsMax'>;

answerJob(async (job: FloodJob): Promise<Answer> => new Flood(job).run());

const memoryEveryMs = 100;
/** What a probe before the flood may take, and a half more, is as fast as before. */
const probesBefore = 20;
const probeBody = '{"username":"ada","password":"correct horse"}';
const recoveryMsMax = 20_000;

interface Pending {
  readonly connection: Connection;
  readonly goneAt: number;
  readonly counts: boolean;
  isOver: boolean;
}

class Flood {
  readonly #job: FloodJob;
  readonly #shots: readonly Shot[];
  readonly #free: Connection[] = [];
  /** In the order in which their callers go. */
  readonly #waiting: Pending[] = [];
  #waitingFrom = 0;
  readonly #pendingOf = new Map<Connection, Pending>();
  #open = 0;
  #opening = 0;
  readonly #goodMs: number[] = [];
  readonly #refusedMs: number[] = [];
  #wrong = 0;
  #late = 0;
  #unsent = 0;
  #sent = 0;
  readonly #lateMs: number[] = [];

  constructor(job: FloodJob) {
    this.#job = job;
    this.#shots = job.bodies.map((body) => ({
      name: 'flood',
      wire: wireOf(body, job.key, job.deadlineMs),
      status: 0,
    }));
  }

  async run(): Promise<Answer> {
    const { pids, connections, rate, warmUpMs, ms } = this.#job;
    const [pid = 0] = pids;
    const usual = await this.#usualMs();
    await Promise.all(Array.from({ length: connections }, () => this.#connect()));
    const memory = { before: residentMb(pid) ?? Number.NaN, most: 0 };
    const startedAt = performance.now();
    const countsAt = startedAt + warmUpMs;
    const perMs = rate / 1_000;
    const total = Math.round((warmUpMs + ms) * perMs);
    let next = 0;
    let memoryAt = 0;
    while (next < total) {
      const now = performance.now();
      const due = Math.min(total, Math.floor((now - startedAt) * perMs) + 1);
      for (; next < due; next += 1) this.#sendNext(next, startedAt + next / perMs, countsAt);
      this.#leaveLate(now);
      if (now > memoryAt) {
        memory.most = Math.max(memory.most, residentMb(pid) ?? Number.NaN);
        memoryAt = now + memoryEveryMs;
      }
      await nap();
    }
    const took = performance.now() - countsAt;
    const recoveryMs = await this.#recoveryMs(usual);
    await this.#drain();
    return {
      sent: this.#sent,
      good: this.#goodMs.length,
      refused: this.#refusedMs.length,
      wrong: this.#wrong,
      late: this.#late,
      unsent: this.#unsent,
      ms: took,
      goodP99Ms: p99Of(this.#goodMs),
      refusedP99Ms: p99Of(this.#refusedMs),
      generatorP99Ms: p99Of(this.#lateMs),
      memoryMb: memory,
      recoveryMs,
    };
  }

  #sendNext(index: number, dueAt: number, countsAt: number): void {
    const counts = dueAt >= countsAt;
    const shot = this.#shots[index % this.#shots.length];
    const connection = this.#free.pop();
    if (shot === undefined || connection === undefined) {
      if (counts) this.#unsent += 1;
      if (this.#open + this.#opening < this.#job.connections) void this.#connect();
      return;
    }
    const goneAt = dueAt + this.#job.deadlineMs;
    const pending = { connection, goneAt, counts, isOver: false };
    this.#pendingOf.set(connection, pending);
    this.#waiting.push(pending);
    // That the generator is late is no fault of the service: told apart, and not of its latency.
    const now = performance.now();
    connection.send(shot, now);
    if (!counts) return;
    this.#sent += 1;
    this.#lateMs.push(now - dueAt);
  }

  #receive(connection: Connection, { from, status }: Answered): void {
    const pending = this.#pendingOf.get(connection);
    if (pending === undefined) return;
    this.#pendingOf.delete(connection);
    pending.isOver = true;
    this.#free.push(connection);
    if (!pending.counts) return;
    const now = performance.now();
    if (now > pending.goneAt) this.#late += 1;
    else if (status === 200 || status === 403) this.#goodMs.push(now - from);
    else if (status === 503) this.#refusedMs.push(now - from);
    else this.#wrong += 1;
  }

  /** Callers whose time is up close their connections. */
  #leaveLate(now: number): void {
    for (; ; this.#waitingFrom += 1) {
      const oldest = this.#waiting[this.#waitingFrom];
      if (oldest === undefined || (!oldest.isOver && oldest.goneAt > now)) break;
      if (oldest.isOver) continue;
      if (oldest.counts) this.#late += 1;
      this.#pendingOf.delete(oldest.connection);
      oldest.connection.close();
      this.#open -= 1;
      void this.#connect();
    }
  }

  async #connect(): Promise<void> {
    const { host, port } = this.#job;
    this.#opening += 1;
    try {
      const connection = await Connection.open(
        { host, port },
        (from, answered) => this.#receive(from, answered),
        () => undefined,
      );
      this.#open += 1;
      this.#free.push(connection);
    } catch {
      // Refused by the system: the requests that find no connection are counted.
    } finally {
      this.#opening -= 1;
    }
  }

  async #drain(): Promise<void> {
    const until = performance.now() + this.#job.deadlineMs;
    while (this.#pendingOf.size > 0 && performance.now() < until) await delay(5);
    this.#leaveLate(until + this.#job.deadlineMs);
    for (const connection of this.#free) connection.close();
  }

  async #usualMs(): Promise<number> {
    const took: number[] = [];
    for (let index = 0; index < probesBefore; index += 1) took.push(await this.#probe());
    return Math.max(...took) * 1.5;
  }

  /** Small requests one after the other until one is as fast as before the flood. */
  async #recoveryMs(usual: number): Promise<number> {
    const endedAt = performance.now();
    while (performance.now() - endedAt < recoveryMsMax) {
      if ((await this.#probe()) <= usual) break;
    }
    return performance.now() - endedAt;
  }

  /** How long a small request takes; Infinity where it gets no verdict. */
  async #probe(): Promise<number> {
    const { port, key } = this.#job;
    const from = performance.now();
    const { status } = await ask({ port, key, body: probeBody, msMax: recoveryMsMax });
    return status === 200 ? performance.now() - from : Number.POSITIVE_INFINITY;
  }
}

function p99Of(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted.length === 0 ? Number.NaN : quantile(sorted, 0.99);
}
