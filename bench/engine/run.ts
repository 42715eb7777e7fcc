import { bodyNamed, readBodies } from '../lib/inputs.ts';
import { runJob } from '../lib/job.ts';
import {
  barsOf,
  type Chart,
  type Measure,
  measure,
  type PartResult,
  summarise,
  type Target,
} from '../lib/measure.ts';
import { cellMs, type Plan, repeatsOf } from '../lib/plan.ts';
import type { AllocationAnswer, AllocationJob } from './allocation-job.ts';
import type { Doubling, DoublingJob } from './doubling-job.ts';
import type { EngineAnswer, EngineJob } from './job.ts';

/** The bodies that the engine is timed on, with what is expected of them. */
const timedBodies: readonly { readonly name: string; readonly target?: Target }[] = [
  { name: 'login' },
  { name: 'form-1k' },
  { name: 'article-16k' },
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

const doublingTarget: Target = { kind: 'max', value: 2.2 };
const speedTarget: Target = { kind: 'min', value: 10 };
/** How many of the worst patterns are named. */
const namedPatterns = 5;

async function measureDoubling(plan: Plan): Promise<Pick<PartResult, 'measures' | 'charts'>> {
  const doublings = plan.smoke ? 2 : 10;
  const sizes = Array.from({ length: doublings + 1 }, (_, index) => 1_000 * 2 ** index);
  const results = await runJob<DoublingJob, Doubling[]>('engine/doubling-job', {
    target: plan.target,
    sizes,
    patterns: plan.smoke ? 8 : Number.POSITIVE_INFINITY,
    cellMs: plan.smoke ? 0 : 3,
    rounds: repeatsOf(plan, 2),
  });
  const judged = results.map((result) => judgeDoubling(result, sizes));
  const steepest = judged.toSorted((a, b) => b.ratio - a.ratio);
  const slowest = judged.toSorted((a, b) => a.mbPerSecond - b.mbPerSecond);
  const label = { part: 'engine', ...summarise([0]), repeats: repeatsOf(plan, 2) } as const;
  const shown = new Set([...steepest.slice(0, 3), ...slowest.slice(0, 3)]);
  return {
    measures: [
      ...steepest.slice(0, namedPatterns).map(({ name, ratio, at }) => ({
        ...label,
        ...same(ratio),
        name: 'time(2n)/time(n), worst',
        input: name,
        unit: 'ratio',
        target: doublingTarget,
        note: `from ${at.toLocaleString('en')} characters`,
      })),
      ...slowest.slice(0, namedPatterns).map(({ name, mbPerSecond, slowestAt }) => ({
        ...label,
        ...same(mbPerSecond),
        name: 'adversarial speed, lowest',
        input: name,
        unit: 'MB/s',
        target: speedTarget,
        note: `at ${slowestAt.toLocaleString('en')} characters`,
      })),
    ],
    charts: [
      {
        kind: 'line',
        title: `Time by length: the hardest of ${judged.length} patterns`,
        xLabel: 'characters',
        yLabel: 'milliseconds',
        xScale: 'log',
        yScale: 'log',
        series: [...shown].map(({ name, ms }) => ({
          name,
          points: ms.map((value, index) => [sizes[index] ?? 0, value] as const),
        })),
      },
    ],
  };
}

function same(value: number): Pick<Measure, 'median' | 'low' | 'high'> {
  return { median: value, low: value, high: value };
}

/** The steepest step of a pattern, and its lowest speed. */
function judgeDoubling({ name, ms }: Doubling, sizes: readonly number[]) {
  let ratio = 0;
  let at = 0;
  let mbPerSecond = Number.POSITIVE_INFINITY;
  let slowestAt = 0;
  sizes.forEach((size, index) => {
    const time = ms[index] ?? 0;
    const before = ms[index - 1];
    if (before !== undefined && time / before > ratio) [ratio, at] = [time / before, size / 2];
    const speed = size / 1_000 / time;
    if (speed < mbPerSecond) [mbPerSecond, slowestAt] = [speed, size];
  });
  return { name, ms, ratio, at, mbPerSecond, slowestAt };
}
