import {
  type Chart,
  type Measure,
  measure,
  type PartResult,
  type Series,
  type Target,
} from '../lib/measure.ts';
import { cellMs, type Plan, repeatsOf } from '../lib/plan.ts';
import { type Started, startService } from '../lib/server.ts';
import {
  type LoadAnswer,
  type LoadPlan,
  latencyOf,
  type MixItem,
  rateOf,
  runLoad,
} from './load.ts';
import { type Cell, ratiosOf, resultOf, runRounds } from './rounds.ts';

/** Rates at which latency is measured, as shares of saturation. */
const shares = [0.25, 0.5, 0.75] as const;

/** More than in the closed loop: a request that is due should find one free. */
const connections = 128;

const smallOnly: readonly MixItem[] = [{ body: 'login', share: 1 }];
const withLarge: readonly MixItem[] = [
  { body: 'login', share: 0.99 },
  { body: 'document-1m', share: 0.01 },
];
const withMedium: readonly MixItem[] = [
  { body: 'login', share: 0.9 },
  { body: 'form-1k', share: 0.1 },
];

const halfName = 'at 50 % of saturation';
const bareName = 'bare route at the rate of 50 %';
const ratioTarget: Target = { kind: 'max', value: 1.6 };
const mixedTarget: Target = { kind: 'max', value: 10 };
/** From here on it is worth saying that requests left late. */
const lateMs = 1;

/** Latency at fixed rates, counted from when each request was due. */
export async function measureLatency(parts: {
  readonly plan: Plan;
  readonly service: Started;
  readonly bare: Started;
  /** Requests a second at saturation. */
  readonly loginRate: number;
}): Promise<PartResult> {
  const { plan, service, bare, loginRate } = parts;
  const cells: Cell[] = shares.map((share) => ({
    name: `at ${share * 100} % of saturation`,
    server: service,
    plan: openLoop(plan, smallOnly, loginRate * share),
  }));
  const half = { server: bare, plan: openLoop(plan, smallOnly, loginRate * 0.5) };
  cells.push({ name: bareName, ...half });
  // With one thread a small request may wait for a large one; two are the least that help it.
  const spacious = plan.smoke ? undefined : await startService(plan.target, ['--workers', '2']);
  const server = spacious ?? service;
  try {
    const mix = plan.smoke ? withMedium : withLarge;
    const mixedRate = await saturationOf(plan, server, mix);
    const mixed = { server, plan: openLoop(plan, mix, mixedRate * 0.5) };
    cells.push({ name: 'at 50 % of saturation, 1 % of 1 MiB', ...mixed });
    const results = await runRounds(cells, repeatsOf(plan, 3));
    const answersOf = ({ name }: Cell) => resultOf(results, name).answers;
    return {
      measures: [
        ...cells.flatMap((cell) => latencyMeasures(cell, answersOf(cell))),
        ratioToBare(resultOf(results, halfName).answers, resultOf(results, bareName).answers),
      ],
      charts: [curves(cells, answersOf)],
      notes: cells.flatMap((cell) => notesOf(cell, answersOf(cell))),
    };
  } finally {
    await spacious?.stop();
  }
}

function openLoop(plan: Plan, mix: readonly MixItem[], rate: number): LoadPlan {
  return {
    mix,
    connections: plan.smoke ? 8 : connections,
    warmUpMs: cellMs(plan, 500),
    ms: plan.smoke ? 150 : cellMs(plan, 3_500),
    rate: plan.smoke ? Math.min(rate, 500) : rate,
  };
}

/**
 * Few connections: in a closed loop nearly all come to wait for a large body, and 64 of them for
 * longer than a request without a deadline may.
 */
async function saturationOf(plan: Plan, server: Started, mix: readonly MixItem[]): Promise<number> {
  const load = { mix, connections: plan.smoke ? 4 : 16, warmUpMs: cellMs(plan, 1_000) };
  return rateOf(await runLoad(server, { ...load, ms: plan.smoke ? 150 : cellMs(plan, 2_500) }));
}

function latencyMeasures({ name, plan }: Cell, answers: readonly LoadAnswer[]): Measure[] {
  const rate = `${Math.round(plan.rate ?? 0).toLocaleString('en')} req/s`;
  return [50, 99, 99.9].map((at) => {
    const target = at === 99 && name.includes('1 MiB') ? mixedTarget : undefined;
    const label = { part: 'http', name: `login p${at}`, input: name, unit: 'ms' } as const;
    const samples = answers.map((answer) => latencyOf(answer, 'login', at));
    return measure({ ...label, note: rate, ...(target === undefined ? {} : { target }) }, samples);
  });
}

/** Both at the same rate in the same round: what others do on the machine delays both. */
function ratioToBare(screened: readonly LoadAnswer[], bare: readonly LoadAnswer[]): Measure {
  const label = { part: 'http', name: 'login p99/bare', input: halfName, unit: 'ratio' } as const;
  const p99s = [screened, bare].map((answers) => answers.map((one) => latencyOf(one, 'login', 99)));
  return measure({ ...label, target: ratioTarget }, ratiosOf(p99s[0] ?? [], p99s[1] ?? []));
}

/** The first round of each cell: percentiles of several rounds cannot be averaged. */
function curves(cells: readonly Cell[], answersOf: (cell: Cell) => readonly LoadAnswer[]): Chart {
  const series: Series[] = cells.map((cell) => ({
    name: cell.name,
    points: (answersOf(cell)[0]?.latencies['login'] ?? []).filter(([at]) => at < 100),
  }));
  return {
    kind: 'line',
    title: 'Latency of a log-in at fixed rates, from when it was due',
    xLabel: 'percentile',
    yLabel: 'milliseconds',
    xScale: 'nines',
    yScale: 'log',
    series,
  };
}

function notesOf({ name }: Cell, answers: readonly LoadAnswer[]): string[] {
  const notes: string[] = [];
  const unsent = answers.reduce((sum, answer) => sum + answer.unsent, 0);
  if (unsent > 0) {
    notes.push(
      `Login ${name}: ${unsent.toLocaleString('en')} requests found no free connection: ` +
        'the server did not keep up with the rate.',
    );
  }
  const latest = Math.max(...answers.map(({ latenessMs }) => latenessMs));
  if (latest > lateMs) {
    notes.push(
      `Login ${name}: requests left up to ${latest.toFixed(1)} ms after they were due (p99), ` +
        'because connections or the generator were busy; this is part of the latency.',
    );
  }
  return notes;
}
