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
  /** How long sizes that miss a target are measured again before that is believed. */
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
 * ever adds to one, and one that lasts hits all sizes. What misses a target is measured again and
 * again, the two sizes of a steep step in turn and no other: a compiler or a collector that was
 * stirred up by the longest texts then comes to rest, and a step that is steep stays so.
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
  for (let round = 0; round < rounds; round += 1) {
    sizes.forEach((_, index) => {
      improve(index);
    });
  }
  let growth = judgeGrowth(ms, sizes);
  const doubtUntil = clock() + growing.doubtMs;
  while (!isWithinTargets(growth) && clock() < doubtUntil) {
    for (const index of suspectsOf(growth, sizes)) improve(index);
    growth = judgeGrowth(ms, sizes);
  }
  return growth;
}

/** Which sizes to measure again, in this order: those that a target is missed at. */
function suspectsOf({ worstStep, worstFrom, slowestAt, fitted }: Growth, sizes: readonly number[]) {
  if (worstStep > doublingMax) {
    const from = sizes.indexOf(worstFrom);
    // Several times before the next look, or one lucky pair of times would hide a steep step.
    return Array.from({ length: 2 * pairRepeats }, (_, turn) => from + (turn % 2));
  }
  return fitted > doublingMax ? [...sizes.keys()] : [sizes.indexOf(slowestAt)];
}

const pairRepeats = 5;

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
export function judgeGrowth(ms: readonly number[], sizes: readonly number[]): Growth {
  let worst = { worstStep: 0, worstFrom: 0 };
  let slowest = { mbPerSecond: Number.POSITIVE_INFINITY, slowestAt: 0 };
  sizes.forEach((size, index) => {
    const time = ms[index] ?? 0;
    const step = index === 0 ? 0 : time / (ms[index - 1] ?? 0);
    if (step > worst.worstStep) worst = { worstStep: step, worstFrom: sizes[index - 1] ?? 0 };
    const speed = size / 1_000 / time;
    if (speed < slowest.mbPerSecond) slowest = { mbPerSecond: speed, slowestAt: size };
  });
  return { ms: [...ms], ...worst, ...slowest, fitted: 2 ** slopeOf(sizes, ms) };
}

/** Least-squares slope of log y over log x: 1 for linear, 2 for quadratic. */
function slopeOf(xs: readonly number[], ys: readonly number[]): number {
  const points = xs.map((x, index) => [Math.log(x), Math.log(ys[index] ?? 0)] as const);
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const covariance = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return covariance / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
