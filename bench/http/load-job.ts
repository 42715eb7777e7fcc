import { bodyNamed, readBodies } from '../lib/inputs.ts';
import { answerJob } from '../lib/job.ts';
import { quantile } from '../lib/measure.ts';
import { type CpuTime, cpuTimeOf, cpuTimeSince } from '../lib/process-usage.ts';
import { type Answered, Connection, type Shot, wireOf } from './exchange.ts';
import type { LoadAnswer, LoadJob, MixItem } from './load.ts';
import { nap } from './nap.ts';

// The load generator, a process of its own. Closed loop: each connection sends its next request
// when it has its answer. Open loop: requests are due at fixed times, whatever became of the ones
// before, and latency counts from when a request was due.

answerJob(async (job: LoadJob): Promise<LoadAnswer> => {
  const load = new Load(job);
  await load.open();
  const answer = job.rate === undefined ? await load.closedLoop() : await load.openLoop(job.rate);
  load.close();
  return answer;
});

/** Percentiles that are kept of the latencies. */
const percentiles = [0, 50, 75, 90, 95, 99, 99.5, 99.9, 99.99, 100] as const;
/** How long the last answers of an open loop are waited for. */
const drainMs = 10_000;

class Load {
  readonly #job: LoadJob;
  readonly #shots: readonly Shot[];
  readonly #latencies = new Map<string, number[]>();
  readonly #wrong = new Map<string, number>();
  #free: Connection[] = [];
  #all: Connection[] = [];
  #next = 0;
  #answers = 0;
  #isCounting = false;
  #isSending = true;
  #lost: Error | undefined;
  #onAnswer: (connection: Connection) => void = () => undefined;

  constructor(job: LoadJob) {
    this.#job = job;
    this.#shots = sequenceOf(job);
  }

  async open(): Promise<void> {
    const { host, port, connections } = this.#job;
    this.#all = await Promise.all(
      Array.from({ length: connections }, () =>
        Connection.open(
          { host, port },
          (connection, answered) => this.#receive(connection, answered),
          (error) => {
            this.#lost ??= error;
          },
        ),
      ),
    );
    this.#free = [...this.#all];
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  async closedLoop(): Promise<LoadAnswer> {
    this.#onAnswer = (connection) => {
      if (this.#isSending) connection.send(this.#nextShot(), performance.now());
      else this.#free.push(connection);
    };
    const idle = this.#free;
    this.#free = [];
    for (const connection of idle) connection.send(this.#nextShot(), performance.now());
    // A slow server is given more time: less than an answer for each connection says nothing.
    this.#startCounting();
    await this.#pause(this.#job.warmUpMs);
    await this.#untilAllAnswered();
    const window = this.#startCounting();
    await this.#pause(this.#job.ms);
    await this.#untilAllAnswered();
    const answer = this.#stopCounting(window, []);
    this.#isSending = false;
    await this.#drain(() => this.#free.length === this.#all.length);
    return answer;
  }

  async openLoop(perSecond: number): Promise<LoadAnswer> {
    this.#onAnswer = (connection) => {
      this.#free.push(connection);
    };
    const startedAt = performance.now();
    const perMs = perSecond / 1_000;
    const warm = Math.round(this.#job.warmUpMs * perMs);
    const total = warm + Math.round(this.#job.ms * perMs);
    const lateness: number[] = [];
    let window = this.#startCounting();
    const giveUpAt = startedAt + this.#job.warmUpMs + this.#job.ms + drainMs;
    while (this.#next < total && this.#lost === undefined && performance.now() < giveUpAt) {
      if (this.#next <= warm) window = this.#startCounting();
      this.#sendDue({ startedAt, perMs, total, lateness });
      await nap();
    }
    await this.#drain(() => this.#free.length === this.#all.length);
    // What could not even be sent has waited this long at least.
    const unsent = total - this.#next;
    while (this.#next < total) {
      const dueAt = startedAt + this.#next / perMs;
      this.#latencies.get(this.#nextShot().name)?.push(performance.now() - dueAt);
    }
    return { ...this.#stopCounting(window, lateness), unsent };
  }

  /**
   * Sends what is due, as far as connections are free; what is not sent now is sent late, and its
   * latency still counts from when it was due.
   */
  #sendDue(plan: {
    readonly startedAt: number;
    readonly perMs: number;
    readonly total: number;
    readonly lateness: number[];
  }): void {
    const now = performance.now();
    const due = Math.min(plan.total, Math.floor((now - plan.startedAt) * plan.perMs) + 1);
    while (this.#next < due) {
      const connection = this.#free.pop();
      if (connection === undefined) return;
      const dueAt = plan.startedAt + this.#next / plan.perMs;
      plan.lateness.push(performance.now() - dueAt);
      connection.send(this.#nextShot(), dueAt);
    }
  }

  #nextShot(): Shot {
    const shot = this.#shots[this.#next++ % this.#shots.length];
    if (shot === undefined) throw new RangeError('The load has no requests: give it a mix.');
    return shot;
  }

  #receive(connection: Connection, { shot, from, status }: Answered): void {
    if (shot.status !== 0 && status !== shot.status) {
      const what = `${shot.name}: ${status} instead of ${shot.status}`;
      this.#wrong.set(what, (this.#wrong.get(what) ?? 0) + 1);
    }
    if (this.#isCounting) {
      this.#answers += 1;
      this.#latencies.get(shot.name)?.push(performance.now() - from);
    }
    this.#onAnswer(connection);
  }

  #startCounting(): Window {
    this.#answers = 0;
    for (const { name } of this.#shots) this.#latencies.set(name, []);
    this.#isCounting = true;
    return { at: performance.now(), server: cpuTimeOf(this.#job.pids), own: process.cpuUsage() };
  }

  #stopCounting(window: Window, lateness: readonly number[]): LoadAnswer {
    this.#isCounting = false;
    const serverCpu = cpuTimeSince(window.server, this.#job.pids);
    const own = process.cpuUsage(window.own);
    const latencies: Record<string, LoadAnswer['latencies'][string]> = {};
    for (const [name, values] of this.#latencies) {
      const sorted = Float64Array.from(values).sort();
      latencies[name] = percentiles.map((at) => [at, quantile(sorted, at / 100)] as const);
    }
    const ms = performance.now() - window.at;
    return {
      answers: this.#answers,
      ms,
      generatorCpuMs: (own.user + own.system) / 1_000,
      serverCpu,
      wrong: [...this.#wrong].map(([what, count]) => `${count} × ${what}`),
      wrongAnswers: [...this.#wrong.values()].reduce((sum, count) => sum + count, 0),
      latencies,
      unsent: 0,
      latenessMs: quantile(Float64Array.from(lateness).sort(), 0.99),
    };
  }

  async #pause(ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms));
    if (this.#lost !== undefined) throw this.#lost;
  }

  async #untilAllAnswered(): Promise<void> {
    const giveUpAt = performance.now() + drainMs;
    while (this.#answers < this.#all.length && performance.now() < giveUpAt) await this.#pause(5);
  }

  async #drain(isDone: () => boolean): Promise<void> {
    const giveUpAt = performance.now() + drainMs;
    while (!isDone()) {
      if (this.#lost !== undefined) throw this.#lost;
      if (performance.now() > giveUpAt) throw new Error('The server left requests unanswered.');
      await nap();
    }
  }
}

interface Window {
  readonly at: number;
  readonly server: CpuTime | undefined;
  readonly own: NodeJS.CpuUsage;
}

/** The requests of a mix in a fixed order, each kind spread evenly. */
function sequenceOf({ mix, texts, key, statuses }: LoadJob): Shot[] {
  if (texts !== undefined) {
    return texts.map(({ text, status }) => ({ name: 'text', wire: wireOf(text, key), status }));
  }
  const bodies = readBodies();
  const length = mix.length === 1 ? 1 : sequenceLength;
  const kinds = mix.map((item) => shotsOf(item, key, statuses, bodies));
  const taken = mix.map(() => 0);
  return Array.from({ length: length * (kinds[0]?.length ?? 1) }, (_, index) => {
    // The kind that is furthest behind its share.
    let kind = 0;
    let furthest = Number.NEGATIVE_INFINITY;
    mix.forEach(({ share }, other) => {
      const behind = share * (index + 1) - (taken[other] ?? 0);
      if (behind > furthest) [kind, furthest] = [other, behind];
    });
    const shots = kinds[kind] ?? [];
    const shot = shots[(taken[kind] ?? 0) % shots.length];
    taken[kind] = (taken[kind] ?? 0) + 1;
    if (shot === undefined) throw new RangeError('A kind of request has no body.');
    return shot;
  });
}

const sequenceLength = 400;

function shotsOf(
  { body, share: _share }: MixItem,
  key: string,
  statuses: LoadJob['statuses'],
  bodies: ReturnType<typeof readBodies>,
): Shot[] {
  const { name, texts, expect } = bodyNamed(bodies, body);
  return texts.map((text) => ({ name, wire: wireOf(text, key), status: statuses[expect] }));
}
