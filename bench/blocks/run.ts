import { availableParallelism } from 'node:os';
import { latencyOf, type MixItem } from '../http/load.ts';
import {
  type Cell,
  type CellResult,
  cpuPerRequest,
  ratiosOf,
  resultOf,
  runRounds,
} from '../http/rounds.ts';
import { closedLoop } from '../http/run.ts';
import { barsOf, type Measure, measure, type PartResult } from '../lib/measure.ts';
import { cellMs, type Plan, repeatsOf } from '../lib/plan.ts';
import { startService } from '../lib/server.ts';

const allows: readonly MixItem[] = [{ body: 'login', share: 1 }];
const blocks: readonly MixItem[] = [{ body: 'attacks', share: 1 }];
const half: readonly MixItem[] = [
  { body: 'login', share: 0.5 },
  { body: 'attacks', share: 0.5 },
];

/** Allows a second beside which as many blocks are sent, where the machine can. */
const floodRateMax = 10_000;
/** Of the saturation with half attacks: beyond, the generator and the server starve each other. */
const floodShare = 0.6;
/** More than in a closed loop: a request that is due should find one free. */
const connections = 128;
const rounds = 5;

/** What a flood of blocks costs the thread that answers, and the allows beside it. */
export async function runBlocks(plan: Plan): Promise<PartResult> {
  const threads = Math.max(1, availableParallelism() - 1);
  const server = await startService(plan.target, ['--workers', String(threads)]);
  try {
    const saturated = await runRounds(
      [
        { name: 'allows', server, plan: closedLoop(plan, allows) },
        { name: 'blocks', server, plan: closedLoop(plan, blocks) },
        { name: 'half', server, plan: closedLoop(plan, half) },
      ],
      repeatsOf(plan, rounds),
    );
    const [halfRate = 0] = resultOf(saturated, 'half').rates.toSorted((a, b) => b - a);
    const rate = Math.min(floodRateMax, (halfRate * floodShare) / 2);
    const flooded = await runRounds(floodCells(plan, server, rate), repeatsOf(plan, rounds));
    const cost = costMeasures(saturated);
    const flood = floodMeasures(flooded, rate);
    return {
      measures: [...cost, ...flood],
      charts: [
        {
          kind: 'bar',
          title: 'Requests a second at saturation, closed loop',
          unit: 'req/s',
          bars: barsOf(
            cost.filter(({ unit }) => unit === 'req/s'),
            ({ input }) => input,
          ),
        },
      ],
      notes: [noteOf(rate)],
    };
  } finally {
    await server.stop();
  }
}

function floodCells(plan: Plan, server: Cell['server'], rate: number): Cell[] {
  const load = {
    connections: plan.smoke ? 8 : connections,
    warmUpMs: cellMs(plan, 500),
    ms: plan.smoke ? 150 : cellMs(plan, 2_500),
  };
  return [
    { name: 'alone', server, plan: { ...load, mix: allows, rate } },
    { name: 'beside as many allows', server, plan: { ...load, mix: allows, rate: 2 * rate } },
    { name: 'beside as many blocks', server, plan: { ...load, mix: half, rate: 2 * rate } },
  ];
}

function costMeasures(results: ReadonlyMap<string, CellResult>): Measure[] {
  const cells = ['allows', 'blocks', 'half'].map((input) => {
    const { rates, answers } = resultOf(results, input);
    const cpu = answers.flatMap((answer) => cpuPerRequest([answer]) ?? []);
    return {
      input,
      rates,
      front: cpu.map(({ mainMs }) => mainMs),
      threads: cpu.map(({ otherMs }) => otherMs),
    };
  });
  const [allow, block] = cells;
  const label = { part: 'blocks' } as const;
  return [
    ...cells.map(({ input, rates }) =>
      measure({ ...label, name: 'saturation', input, unit: 'req/s' }, rates),
    ),
    ...cells.flatMap(({ input, front, threads }) =>
      front.length === 0
        ? []
        : [
            measure({ ...label, name: 'CPU of front end', input, unit: 'µs/req' }, front),
            measure({ ...label, name: 'CPU of threads', input, unit: 'µs/req' }, threads),
          ],
    ),
    ...ratioMeasures(block?.front ?? [], allow?.front ?? []),
  ];
}

/** None where `/proc` is missing, or counts no tick in the short time of a smoke run. */
function ratioMeasures(block: readonly number[], allow: readonly number[]): Measure[] {
  const ratios = ratiosOf(block, allow).filter(Number.isFinite);
  if (ratios.length === 0) return [];
  const label = { part: 'blocks', name: 'block/allow', input: 'CPU of front end' } as const;
  return [measure({ ...label, unit: 'ratio', target: { kind: 'max', value: 3 } }, ratios)];
}

function floodMeasures(results: ReadonlyMap<string, CellResult>, rate: number): Measure[] {
  const p99 = new Map(
    [...results].map(([name, { answers }]) => [
      name,
      answers.map((answer) => latencyOf(answer, 'login', 99)),
    ]),
  );
  const flooded = p99.get('beside as many blocks') ?? [];
  const note = `${Math.round(rate).toLocaleString('en')} allows/s`;
  const target = { kind: 'max', value: 2 } as const;
  return [
    ...[...p99].map(([input, samples]) =>
      measure({ part: 'blocks', name: 'p99 of allows', input, unit: 'ms', note }, samples),
    ),
    ...['alone', 'beside as many allows'].map((calm) =>
      measure(
        {
          part: 'blocks',
          name: 'p99 with blocks/without',
          input: calm,
          unit: 'ratio',
          ...(calm === 'alone' ? { target } : {}),
        },
        ratiosOf(flooded, p99.get(calm) ?? []),
      ),
    ),
  ];
}

function noteOf(rate: number): string {
  const sent = Math.round(rate).toLocaleString('en');
  return rate < floodRateMax
    ? `The flood was ${sent} blocks/s beside ${sent} allows/s, ${floodShare * 100} % of what this machine, ` +
        `which the generator shares, can do; the aim is ${floodRateMax.toLocaleString('en')} of each.`
    : `The flood was ${sent} blocks/s beside ${sent} allows/s.`;
}
