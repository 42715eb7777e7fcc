import { quantile } from '../lib/measure.ts';

/** What is measured as the input doubles. */
export interface Growing {
  /** Works through the input of the size with this index. */
  readonly run: (index: number) => void;
  /** Lengths of the inputs, each twice the one before. */
  readonly sizes: readonly number[];
  /** Milliseconds of work done so far; only differences count. */
  readonly clock: () => number;
  /** Least time for one measurement: small inputs are run again and again. */
  readonly cellMs: number;
  readonly rounds: number;
  /** How long what misses a target is measured again before it is believed. */
  readonly doubtMs: number;
}

/** How the time of one thing grows with its input. */
export interface Growth {
  /** Milliseconds for each of the sizes. */
  readonly ms: readonly number[];
  /** The steepest single step, `time(2n)/time(n)`, and the size that it starts from. */
  readonly worstStep: number;
  readonly worstFrom: number;
  /** Factor of a doubling on the line through all sizes, both axes logarithmic. */
  readonly fitted: number;
  /** Lowest speed, and the size that has it. Characters per microsecond. */
  readonly mbPerSecond: number;
  readonly slowestAt: number;
}

/** Of each doubling, the fitted as well as the steepest (design.md, section 8). */
export const doublingMax = 2.2;
/** Of each size. */
export const mbPerSecondMin = 10;

const warmUpFactor = 8;

/**
 * Times all sizes in turn, round by round, and takes the shortest time of each: a disturbance only
 * ever adds to one, and one that lasts hits all sizes. What misses a target is measured again, a
 * step by itself.
 */
export function measureGrowth(growing: Growing): Growth {
  const { sizes, rounds, clock } = growing;
  const ms = sizes.map(() => Number.POSITIVE_INFINITY);
  const improve = (index: number) => {
    ms[index] = Math.min(ms[index] ?? 0, timeOnce(growing, index));
  };
  // Code that is not yet compiled makes small sizes look slow, and so hides a steep step.
  const warmUp = { ...growing, cellMs: growing.cellMs * warmUpFactor };
  sizes.forEach((_, index) => {
    timeOnce(warmUp, index);
  });
  const indexes = [...sizes.keys()];
  for (let round = 0; round < rounds; round += 1) for (const index of indexes) improve(index);
  let growth = judgeGrowth(ms, sizes);
  for (const doubtUntil = clock() + growing.doubtMs; clock() < doubtUntil; ) {
    const isSteep = growth.fitted > doublingMax;
    if (!isSteep && growth.mbPerSecond >= mbPerSecondMin) break;
    for (const index of isSteep ? indexes : [sizes.indexOf(growth.slowestAt)]) improve(index);
    growth = judgeGrowth(ms, sizes);
  }
  if (growth.worstStep <= doublingMax) return growth;
  const steps = stepsOf(ms).map((step, index) =>
    step > doublingMax ? measureStep(growing, index) : step,
  );
  return judgeGrowth(ms, sizes, steps);
}

/**
 * A step from nothing but its two sizes in turn, so that both are measured in the same state of the
 * machine, the compiler and the collector: the middle of several ratios of shortest times. The time
 * of one size may be luck, or of code that has since been compiled in another way.
 */
function measureStep(growing: Growing, index: number): number {
  const ratios: number[] = [];
  const until = growing.clock() + growing.doubtMs;
  while (ratios.length < ratiosMin || (ratios.length < ratiosMax && growing.clock() < until)) {
    let from = Number.POSITIVE_INFINITY;
    let to = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < pairTurns; turn += 1) {
      from = Math.min(from, timeOnce(growing, index));
      to = Math.min(to, timeOnce(growing, index + 1));
    }
    ratios.push(to / from);
  }
  ratios.sort((a, b) => a - b);
  return quantile(ratios, 0.5);
}

const ratiosMin = 5;
const ratiosMax = 25;
const pairTurns = 3;

/** Whether the time is linear and the speed enough. */
export function isWithinTargets({ worstStep, fitted, mbPerSecond }: Growth): boolean {
  return Math.max(worstStep, fitted) <= doublingMax && mbPerSecond >= mbPerSecondMin;
}

/** Milliseconds for one run, over as many as fill the time. */
function timeOnce({ run, clock, cellMs }: Growing, index: number): number {
  const startedAt = clock();
  for (let runs = 1; ; runs += 1) {
    run(index);
    const took = clock() - startedAt;
    if (took >= cellMs) return took / runs;
  }
}

/** The steepest step, the line through all, and the lowest speed of a row of times. */
export function judgeGrowth(
  ms: readonly number[],
  sizes: readonly number[],
  steps: readonly number[] = stepsOf(ms),
): Growth {
  const worstStep = Math.max(...steps);
  const worstFrom = sizes[steps.indexOf(worstStep)] ?? 0;
  const speeds = sizes.map((size, index) => size / 1_000 / (ms[index] ?? 0));
  const mbPerSecond = Math.min(...speeds);
  const slowestAt = sizes[speeds.indexOf(mbPerSecond)] ?? 0;
  const fitted = 2 ** slopeOf(sizes, ms);
  return { ms: [...ms], worstStep, worstFrom, mbPerSecond, slowestAt, fitted };
}

/** Of each size but the last: the time of the next by its own. */
function stepsOf(ms: readonly number[]): number[] {
  return ms.slice(1).map((time, index) => time / (ms[index] ?? 0));
}

/** Least-squares slope of log y over log x: 1 for linear, 2 for quadratic. */
function slopeOf(xs: readonly number[], ys: readonly number[]): number {
  const points = xs.map((x, index) => [Math.log(x), Math.log(ys[index] ?? 0)] as const);
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
