import { setTimeout as delay } from 'node:timers/promises';
import { type LoadAnswer, latencyOf, type MixItem, runLoad } from '../http/load.ts';
import { cpuPerRequest } from '../http/rounds.ts';
import { runJob } from '../lib/job.ts';
import {
  barsOf,
  type Label,
  type Measure,
  measure,
  type PartResult,
  type Target,
} from '../lib/measure.ts';
import { cellMs, type Plan, repeatsOf } from '../lib/plan.ts';
import { type Started, startService } from '../lib/server.ts';
import type { CeilingAnswer, CeilingJob } from './job.ts';

/** Blocks a second that are sent; with 0 the benign requests are alone. */
const rates = [0, 500, 2_000, 4_000] as const;
/** Benign requests a second beside them. */
const besideRate = 1_000;
const connections = 128;

/** Blocks that may wait at once: with few of them events get their steps, with many not. */
const ceilings = [
  { name: 'ceiling, with steps', waitingMax: 400 },
  { name: 'ceiling, without steps', waitingMax: 1_900 },
] as const;
const ceilingTarget: Target = { kind: 'min', value: 2_000 };

/** Of 2,000 blocks a second all are to be stored. */
const wholeTarget: Target = { kind: 'min', value: 1 };
const targetRate = 2_000;

const pollMs = 20;
const settleMsMax = 60_000;

/** What became of one flood. */
interface Flood {
  readonly rate: number;
  readonly answer: LoadAnswer;
  readonly blocks: number;
  readonly stored: number;
  /** From the first request until the last event was stored or given up. */
  readonly ms: number;
}

/**
 * Events stored on SQLite at fixed rates of blocks, and what that does to benign requests beside
 * them. Each flood has a fresh server; the sum of what was stored and what was dropped must be exact.
 */
export async function runEvents(plan: Plan): Promise<PartResult> {
  const floods: Flood[] = [];
  const wanted = plan.smoke ? [0, 500] : rates;
  for (let repeat = 0; repeat < repeatsOf(plan, 3); repeat += 1) {
    for (const rate of repeat % 2 === 0 ? wanted : wanted.toReversed()) {
      floods.push(await flood(plan, rate));
    }
  }
  const alone = await measureCeilings(plan);
  const of = (rate: number) => floods.filter((one) => one.rate === rate);
  const flooded = wanted.filter((rate) => rate > 0);
  const stored = flooded.map((rate) => storedOf(rate, of(rate)));
  return {
    measures: [
      ...alone,
      ...stored,
      ...flooded.map((rate) => wholeOf(rate, of(rate))),
      ...wanted.flatMap((rate) => costOf(rate, of(rate))),
      ...wanted.map((rate) => besideOf(rate, of(rate))),
    ],
    charts: [
      {
        kind: 'bar',
        title: 'Events stored on SQLite',
        unit: 'events/s',
        bars: barsOf(stored, ({ input }) => input),
      },
    ],
    notes: [
      'Stored a second counts until the last event is there; what was not stored was dropped and counted.',
    ],
  };
}

/** What can be stored at all, and what an event costs, where nothing else is to be done. */
async function measureCeilings(plan: Plan): Promise<Measure[]> {
  const blocks = plan.smoke ? 500 : 8_000;
  const measures: Measure[] = [];
  for (const { name, waitingMax } of ceilings) {
    const answers: CeilingAnswer[] = [];
    for (let repeat = 0; repeat < repeatsOf(plan, 3); repeat += 1) {
      answers.push(await runJob<CeilingJob, CeilingAnswer>('events/job', { blocks, waitingMax }));
    }
    const label = { part: 'events', input: 'nothing else to do' } as const;
    measures.push(
      measure(
        { ...label, name, unit: 'events/s', target: ceilingTarget },
        answers.map(({ stored, ms }) => (stored / ms) * 1_000),
      ),
    );
    // Processor time is not known without `/proc`.
    const costs = answers.flatMap(({ stored, cpu }) =>
      cpu === undefined ? [] : { front: cpu.mainMs / stored, others: cpu.otherMs / stored },
    );
    if (costs.length === 0) continue;
    measures.push(
      measure(
        { ...label, name: `${name}: front end`, unit: 'µs/event' },
        costs.map(({ front }) => front * 1_000),
      ),
      measure(
        { ...label, name: `${name}: all threads`, unit: 'µs/event' },
        costs.map(({ front, others }) => (front + others) * 1_000),
      ),
    );
  }
  return measures;
}

async function flood(plan: Plan, rate: number): Promise<Flood> {
  const service = await startService(plan.target, ['--workers', '2']);
  try {
    const beside = plan.smoke ? 100 : besideRate;
    const all = rate + beside;
    const mix: MixItem[] = [{ body: 'login', share: beside / all }];
    if (rate > 0) mix.push({ body: 'attacks', share: rate / all });
    const startedAt = performance.now();
    const answer = await runLoad(service, {
      mix,
      connections,
      warmUpMs: 0,
      ms: cellMs(plan, 6_000),
      rate: all,
    });
    const counts = await untilSettled(service);
    return { rate, answer, ...counts, ms: performance.now() - startedAt };
  } finally {
    await service.stop();
  }
}

/** Waits until each block is stored or dropped; fails when some are neither. */
async function untilSettled(service: Started): Promise<{ blocks: number; stored: number }> {
  const giveUpAt = performance.now() + settleMsMax;
  for (;;) {
    const answer = await fetch(`http://${service.host}:${service.port}/metrics`);
    const text = await answer.text();
    const value = (name: string) =>
      Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? '0');
    const blocks = value('sallyport_requests_total\\{decision="block"\\}');
    const stored = value('sallyport_events_stored_total');
    const dropped = value('sallyport_events_dropped_total');
    if (stored + dropped === blocks) return { blocks, stored };
    if (performance.now() > giveUpAt) {
      throw new Error(`Of ${blocks} blocks ${stored} were stored and ${dropped} dropped.`);
    }
    await delay(pollMs);
  }
}

function labelOf(name: string, rate: number, unit: Label['unit']): Label {
  return { part: 'events', name, input: `${rate.toLocaleString('en')} blocks/s`, unit };
}

function storedOf(rate: number, floods: readonly Flood[]): Measure {
  const label = labelOf('stored', rate, 'events/s');
  return measure(
    label,
    floods.map(({ stored, ms }) => (stored / ms) * 1_000),
  );
}

function wholeOf(rate: number, floods: readonly Flood[]): Measure {
  const target = rate <= targetRate ? { target: wholeTarget } : {};
  return measure(
    { ...labelOf('stored/blocked', rate, 'ratio'), ...target },
    floods.map(({ blocks, stored }) => stored / blocks),
  );
}

/** What a block costs the thread that answers requests, its event included. */
function costOf(rate: number, floods: readonly Flood[]): Measure[] {
  const costs = floods.flatMap(({ answer }) => cpuPerRequest([answer])?.mainMs ?? []);
  if (costs.length === 0) return [];
  return [measure(labelOf('front end, all requests', rate, 'µs/request'), costs)];
}

function besideOf(rate: number, floods: readonly Flood[]): Measure {
  return measure(
    labelOf('login beside, p99', rate, 'ms'),
    floods.map(({ answer }) => latencyOf(answer, 'login', 99)),
  );
}
