import { bodyNamed, readBodies } from '../lib/inputs.ts';
import { runJob } from '../lib/job.ts';
import {
  barsOf,
  type Chart,
  type Measure,
  measure,
  type PartResult,
  type Target,
} from '../lib/measure.ts';
import { cellMs, type Plan, repeatsOf } from '../lib/plan.ts';
import type { AllocationAnswer, AllocationJob } from './allocation-job.ts';
import type { Doubling, DoublingJob } from './doubling-job.ts';
import { doublingMax, type Growth, mbPerSecondMin } from './growth.ts';
import type { EngineAnswer, EngineJob } from './job.ts';

/** The bodies that the engine is timed on, with what is expected of them. */
const timedBodies: readonly { readonly name: string; readonly target?: Target }[] = [
  { name: 'login' },
  { name: 'form-1k' },
  { name: 'article-16k' },
  { name: 'plain-64k', target: { kind: 'min', value: 100 } },
  { name: 'prose-64k', target: { kind: 'min', value: 100 } },
  { name: 'document-256k' },
  { name: 'document-1m' },
  { name: 'small-fields' },
  { name: 'deep-json' },
  { name: 'percent-heavy' },
  { name: 'base64-heavy' },
  { name: 'attacks' },
];

/** Times whole screenings, what they allocate, and how the time grows with the input. */
export async function runEngine(plan: Plan): Promise<PartResult> {
  const times = await timeEngine(plan);
  const throughput = throughputOf(times);
  const allocations = await measureAllocations(plan);
  const doubling = await measureDoubling(plan);
  const measures = [...throughput, ...smallFields(times), ...allocations, ...doubling.measures];
  const rated = throughput.filter(({ unit }) => unit === 'MB/s');
  const charts: readonly Chart[] = [
    {
      kind: 'bar',
      title: 'Engine: text read in a second, one thread',
      unit: 'MB/s',
      bars: barsOf(rated, ({ input }) => input),
    },
    ...doubling.charts,
  ];
  return { measures, charts, notes: [] };
}

/** Nanoseconds for one request of each body. */
export function timeEngine(plan: Plan): Promise<EngineAnswer> {
  const bodies = timedBodies.map(({ name }) => name);
  return runJob<EngineJob, EngineAnswer>('engine/job', {
    target: plan.target,
    bodies: plan.smoke ? bodies.filter((name) => !/-(?:256k|1m)$/.test(name)) : bodies,
    ms: plan.smoke ? 1 : cellMs(plan, 180),
    rounds: repeatsOf(plan, 5),
  });
}

function throughputOf(times: EngineAnswer): Measure[] {
  const bodies = readBodies();
  return timedBodies.flatMap(({ name, target }) => {
    const samples = times[name];
    if (samples === undefined) return [];
    const { bytes } = bodyNamed(bodies, name);
    const label = { part: 'engine', name: 'screen', input: name } as const;
    const rates = samples.map((ns) => (bytes * 1_000) / ns);
    return [
      measure({ ...label, unit: 'ns/op' }, samples),
      measure({ ...label, unit: 'MB/s', ...(target === undefined ? {} : { target }) }, rates),
    ];
  });
}

function smallFields(times: EngineAnswer): Measure[] {
  const name = 'small-fields';
  const { fields = 0 } = bodyNamed(readBodies(), name);
  const rates = (times[name] ?? []).map((ns) => (fields * 1e9) / ns);
  const target = { kind: 'min', value: 1_000_000 } as const;
  const label = { part: 'engine', name: 'fields', input: name, unit: 'fields/s', target } as const;
  return [measure(label, rates)];
}

async function measureAllocations(plan: Plan): Promise<Measure[]> {
  const names = ['login', 'form-1k', 'article-16k', 'attacks', 'document-1m'];
  const job = { target: plan.target, bodies: names.slice(0, plan.smoke ? 2 : undefined) };
  // With so much room for young objects nothing is collected while it is counted.
  const flags = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256'];
  const answer = await runJob<AllocationJob, AllocationAnswer>('engine/allocation-job', job, flags);
  return Object.entries(answer).map(([input, bytes]) =>
    measure({ part: 'engine', name: 'allocated', input, unit: 'bytes/op' }, [bytes]),
  );
}

/**
 * The collector and the compiler then work on the thread that they work for, so that the CPU time
 * of the process is the whole cost of the screening and of nothing else.
 */
const doublingFlags: readonly string[] = ['--single-threaded'];

/** How many of the worst patterns are named. */
const namedPatterns = 5;

async function measureDoubling(plan: Plan): Promise<Pick<PartResult, 'measures' | 'charts'>> {
  const doublings = plan.smoke ? 2 : 10;
  const sizes = Array.from({ length: doublings + 1 }, (_, index) => 1_000 * 2 ** index);
  const rounds = repeatsOf(plan, 2);
  const job: DoublingJob = {
    target: plan.target,
    sizes,
    patterns: plan.smoke ? 8 : Number.POSITIVE_INFINITY,
    cellMs: plan.smoke ? 0 : 4,
    rounds,
    doubtMs: plan.smoke ? 0 : 4_000,
  };
  const results = await runJob<DoublingJob, Doubling[]>('engine/doubling-job', job, doublingFlags);
  const by = (key: (growth: Growth) => number) =>
    results.toSorted((a, b) => key(a.growth) - key(b.growth));
  const steepest = by(({ worstStep }) => -worstStep);
  const slowest = by(({ mbPerSecond }) => mbPerSecond);
  return {
    measures: [
      ...growthMeasures(rounds, steepest, stepOf),
      ...growthMeasures(
        rounds,
        by(({ fitted }) => -fitted),
        fitOf,
      ),
      ...growthMeasures(rounds, slowest, speedOf),
    ],
    charts: [chartOf(new Set([...steepest.slice(0, 3), ...slowest.slice(0, 3)]), sizes, results)],
  };
}

type GrowthMeasure = Pick<Measure, 'name' | 'unit' | 'target'> & {
  readonly value: number;
  readonly note: string;
};

function growthMeasures(
  repeats: number,
  worstFirst: readonly Doubling[],
  measureOf: (growth: Growth) => GrowthMeasure,
): Measure[] {
  return worstFirst.slice(0, namedPatterns).map(({ name: input, growth }) => {
    const { value, ...label } = measureOf(growth);
    return { part: 'engine', input, ...label, median: value, low: value, high: value, repeats };
  });
}

const doublingTarget: Target = { kind: 'max', value: doublingMax };

function stepOf({ worstStep, worstFrom }: Growth): GrowthMeasure {
  const note = `from ${worstFrom.toLocaleString('en')} characters`;
  const name = 'time(2n)/time(n), worst';
  return { name, unit: 'ratio', target: doublingTarget, value: worstStep, note };
}

function fitOf({ fitted, ms }: Growth): GrowthMeasure {
  const first = (ms[0] ?? 0).toPrecision(2);
  const last = (ms[ms.length - 1] ?? 0).toPrecision(2);
  const note = `all sizes: ${first} ms to ${last} ms`;
  const name = 'time(2n)/time(n), fitted';
  return { name, unit: 'ratio', target: doublingTarget, value: fitted, note };
}

function speedOf({ mbPerSecond, slowestAt }: Growth): GrowthMeasure {
  const note = `at ${slowestAt.toLocaleString('en')} characters`;
  const target: Target = { kind: 'min', value: mbPerSecondMin };
  return { name: 'adversarial speed, lowest', unit: 'MB/s', target, value: mbPerSecond, note };
}

function chartOf(
  shown: ReadonlySet<Doubling>,
  sizes: readonly number[],
  results: readonly Doubling[],
): Chart {
  return {
    kind: 'line',
    title: `CPU time by length: the hardest of ${results.length} patterns`,
    xLabel: 'characters',
    yLabel: 'milliseconds',
    xScale: 'log',
    yScale: 'log',
    series: [...shown].map(({ name, growth }) => ({
      name,
      points: growth.ms.map((value, index) => [sizes[index] ?? 0, value] as const),
    })),
  };
}
