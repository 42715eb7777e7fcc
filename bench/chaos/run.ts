import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyNamed, type NamedBody, readBodies } from '../lib/inputs.ts';
import { type Measure, measure, type PartResult } from '../lib/measure.ts';
import type { Plan } from '../lib/plan.ts';
import { mountSmallDisk, unmountSmallDisk } from '../lib/small-disk.ts';
import type { Scene } from './faults.ts';
import { scheduleOf } from './schedule.ts';
import { Service, type Usage } from './service.ts';
import { type Counts, tally, type Window } from './tally.ts';
import { Traffic } from './traffic.ts';
import type { Wanted } from './verdicts.ts';

/** Requests a second, and how many at the same time. */
const rate = 120;
const connections = 32;
const floodTimes = 10;
/** Room for the data, and little more. */
const diskMb = 48;
/** From the end of a fault until everything must be as before. */
const recoveryMs = 2_000;
/** Quiet time before a fault, of a run of an hour and of a short one. */
const quietMsMax = 12_000;
const quietShare = 1 / 40;
/** What is not right is shown this often. */
const failuresShown = 20;

/** Bodies of the traffic; the share of each is how often it stands here. */
const mix = [
  ...['login', 'login', 'login', 'login', 'login', 'form-1k', 'form-1k', 'form-1k'],
  ...['attacks', 'attacks', 'small-fields', 'article-16k', 'prose-64k'],
];

/** Mixed traffic while a seeded schedule of faults goes on; fails when an answer is not right. */
export async function runChaos(plan: Plan): Promise<PartResult> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-chaos-'));
  const dataFolder = join(folder, 'data');
  mkdirSync(dataFolder);
  const hasSmallDisk = mountSmallDisk(dataFolder, diskMb);
  const service = new Service(plan.target, folder, dataFolder);
  try {
    const keys = ['steady', 'flood', 'faults'].map((name) => service.createKey(name));
    await service.start();
    return await new Run(plan, service, keys, hasSmallDisk).whole();
  } finally {
    await service.stop();
    if (hasSmallDisk) unmountSmallDisk(dataFolder);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Reading extends Usage {
  readonly atMs: number;
}

class Run {
  readonly #plan: Plan;
  readonly #service: Service;
  readonly #scene: Scene;
  readonly #wanted: Wanted = new Map();
  readonly #bodies: readonly NamedBody[];
  readonly #steady: Traffic;
  readonly #floods: Traffic[] = [];
  readonly #windows: Window[] = [];
  readonly #readings: Reading[] = [];

  constructor(plan: Plan, service: Service, keys: readonly string[], hasSmallDisk: boolean) {
    this.#plan = plan;
    this.#service = service;
    const [steadyKey = '', floodKey = '', key = ''] = keys;
    const bodies = readBodies();
    this.#bodies = mix.map((name) => bodyNamed(bodies, name));
    this.#steady = this.#traffic(steadyKey);
    const flood = (ms: number) => this.#flood(floodKey, ms);
    this.#scene = { service, key, hasSmallDisk, flood };
  }

  async whole(): Promise<PartResult> {
    const { minutes, seed } = this.#plan.chaos;
    const startedAt = performance.now();
    const ms = minutes * 60_000;
    this.#steady.start(rate);
    const quietMs = Math.min(quietMsMax, ms * quietShare);
    const replacedFrom = startedAt + ms / 2;
    for (const { fault, quietMs: pause, random } of scheduleOf(seed, quietMs)) {
      // In the first half one process lives through everything: growth shows there.
      if (fault.replaces && performance.now() < replacedFrom) continue;
      await delay(pause);
      this.#read(startedAt);
      if (performance.now() - startedAt > ms) break;
      const from = performance.now();
      await fault.run(this.#scene, random);
      await delay(recoveryMs);
      const { name, allows } = fault;
      this.#windows.push({ name, allows, from, to: performance.now() });
      if (!this.#service.isAlive()) throw new Error(`The service died of: ${name}.`);
    }
    await this.#steady.stop();
    return this.#result();
  }

  #traffic(key: string): Traffic {
    const line = { port: () => this.#service.port, key, connections };
    return new Traffic(line, this.#bodies, this.#wanted, this.#plan.chaos.seed);
  }

  async #flood(key: string, ms: number): Promise<void> {
    const traffic = this.#traffic(key);
    this.#floods.push(traffic);
    traffic.start(rate * floodTimes);
    await delay(ms);
    await traffic.stop();
  }

  #read(startedAt: number): void {
    const usage = this.#service.usage();
    const atMs = performance.now() - startedAt;
    if (usage !== undefined) this.#readings.push({ ...usage, atMs });
  }

  #result(): PartResult {
    const ended = [this.#steady, ...this.#floods].flatMap((traffic) => traffic.ended);
    const { counts, failures } = tally(ended, this.#windows);
    if (failures.length > 0) {
      const shown = failures.slice(0, failuresShown).join('\n');
      throw new Error(
        `${failures.length} of ${ended.length} requests were not answered rightly:\n${shown}\n` +
          `seed ${this.#plan.chaos.seed}; ${counts.map(countsLine).join('; ')}`,
      );
    }
    const first = this.#readings.filter(({ pid }) => pid === this.#readings[0]?.pid);
    const series = first.map(({ atMs, residentMb }) => [atMs / 1_000, residentMb] as const);
    return {
      measures: [...requestMeasures(counts, ended.length), ...growthMeasures(first)],
      charts: [
        {
          kind: 'line',
          title: 'Resident memory of one process through hangs, floods and full disks',
          xLabel: 'seconds',
          yLabel: 'MB',
          xScale: 'linear',
          yScale: 'linear',
          series: [{ name: 'resident', points: series }],
        },
      ],
      notes: [
        `chaos: seed ${this.#plan.chaos.seed}, ${this.#plan.chaos.minutes} minutes, ` +
          `${rate} requests a second.`,
        ...counts.map(countsLine),
        ...(this.#scene.hasSmallDisk ? [] : ['The disk was not filled: only root may mount one.']),
      ],
    };
  }
}

function countsLine({ name, times, requests, by }: Counts): string {
  const others = Object.entries(by)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`);
  return `${name}${times === 0 ? '' : ` (${times} times)`}: ${requests} requests, ${others.join(', ')}`;
}

const part = 'chaos' as const;

function requestMeasures(counts: readonly Counts[], requests: number): Measure[] {
  const input = `${requests.toLocaleString('en')} requests`;
  const sum = (outcome: keyof Counts['by']) =>
    counts.reduce((total, { by }) => total + by[outcome], 0);
  const [quiet] = counts;
  const goodput = quiet === undefined ? 0 : quiet.by.good / Math.max(1, quiet.requests);
  const none = { kind: 'max', value: 0 } as const;
  const lostUnkilled = sum('lost') - lostBy(counts, 'SIGKILL');
  return [
    measure({ part, name: 'wrong answers', input, unit: 'requests', target: none }, [sum('wrong')]),
    measure({ part, name: 'lost', input: 'without SIGKILL', unit: 'requests', target: none }, [
      lostUnkilled,
    ]),
    measure({ part, name: 'lost', input: 'in flight at SIGKILL', unit: 'requests' }, [
      lostBy(counts, 'SIGKILL'),
    ]),
    measure(
      { part, name: 'good', input: 'without a fault', unit: 'ratio', target: goodputTarget },
      [goodput],
    ),
  ];
}

const goodputTarget = { kind: 'min', value: 0.99 } as const;

function lostBy(counts: readonly Counts[], word: string): number {
  return counts
    .filter(({ name }) => name.includes(word))
    .reduce((total, { by }) => total + by.lost, 0);
}

/** Growth of the process that lived through the first half, after its first quarter. */
function growthMeasures(readings: readonly Reading[]): Measure[] {
  const warm = readings.slice(Math.floor(readings.length / 4));
  const [first, last] = [warm[0], warm.at(-1)];
  if (first === undefined || last === undefined) return [];
  const input = `${Math.round(last.atMs / 1_000)} s, one process`;
  const note = `${first.residentMb.toFixed(0)} MB, then ${last.residentMb.toFixed(0)} MB`;
  const memory = { kind: 'max', value: 1.25 } as const;
  const descriptors = { kind: 'max', value: connections } as const;
  return [
    measure(
      { part, name: 'resident, end/after warm-up', input, unit: 'ratio', target: memory, note },
      [last.residentMb / first.residentMb],
    ),
    measure({ part, name: 'descriptors, growth', input, unit: 'files', target: descriptors }, [
      Math.max(0, last.descriptors - first.descriptors),
    ]),
  ];
}
