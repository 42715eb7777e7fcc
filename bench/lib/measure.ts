/** The parts of a run that names none, in five minutes; the others run when they are named. */
export const usualParts = ['micro', 'engine', 'pool', 'http', 'scaling', 'memory'] as const;

/** The parts of the suite, in the order in which they run. */
export const partNames = [
  ...usualParts,
  'overload',
  'blocks',
  'events',
  'edges',
  'shape',
  'chaos',
] as const;

export type PartName = (typeof partNames)[number];

/** What a measure must reach (`min`) or stay below (`max`), from design.md, section 8. */
export interface Target {
  readonly kind: 'min' | 'max';
  readonly value: number;
}

/** Median and spread of repeated measurements of one thing. */
export interface Summary {
  readonly median: number;
  /** The quartiles of eight and more repeats; the lowest and the highest of fewer. */
  readonly low: number;
  readonly high: number;
  readonly repeats: number;
}

/** One line of the report. */
export interface Measure extends Summary {
  readonly part: PartName;
  /** What was measured. */
  readonly name: string;
  /** The named input (`bench/data`), or the setting that was varied. */
  readonly input: string;
  /** `ns/op`, `req/s`, `MB/s`, `ms`, `ratio` … */
  readonly unit: string;
  /** MB/s, where the unit is a time and the input has a size. */
  readonly mbPerSecond?: number;
  readonly target?: Target;
  /** What a reader must know to read the number rightly. */
  readonly note?: string;
}

/** What stands beside the numbers of a measure. */
export type Label = Pick<Measure, 'part' | 'name' | 'input' | 'unit'> &
  Partial<Pick<Measure, 'mbPerSecond' | 'target' | 'note'>>;

/** What a part of the suite gives back. */
export interface PartResult {
  readonly measures: readonly Measure[];
  readonly charts: readonly Chart[];
  /** Sentences for the end of the report: what was skipped and why, what is not to be trusted. */
  readonly notes: readonly string[];
}

/** A chart of the report; the page draws it. */
export type Chart = BarChart | LineChart;

export interface BarChart {
  readonly kind: 'bar';
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly {
    readonly label: string;
    readonly value: number;
    readonly low: number;
    readonly high: number;
  }[];
}

export interface LineChart {
  readonly kind: 'line';
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  /** `nines` spreads the percentiles 0, 90, 99, 99.9 … evenly. */
  readonly xScale: 'linear' | 'log' | 'nines';
  readonly yScale: 'linear' | 'log';
  readonly series: readonly Series[];
}

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** A measure of some repeats. */
export function measure(label: Label, samples: readonly number[]): Measure {
  return { ...label, ...summarise(samples) };
}

/** Median and spread of some repeats. */
export function summarise(samples: readonly number[]): Summary {
  if (samples.length === 0) throw new RangeError('Nothing was measured: allow more time.');
  const sorted = samples.toSorted((a, b) => a - b);
  const isMany = sorted.length >= quartilesFrom;
  return {
    median: quantile(sorted, 0.5),
    low: quantile(sorted, isMany ? 0.25 : 0),
    high: quantile(sorted, isMany ? 0.75 : 1),
    repeats: sorted.length,
  };
}

const quartilesFrom = 8;

/** The value below which a share of ascending values lies, interpolated between neighbours. */
export function quantile(sorted: readonly number[] | Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

/** Whether a measure reaches its target; undefined without one. */
export function reachesTarget({ median, target }: Measure): boolean | undefined {
  if (target === undefined) return undefined;
  return target.kind === 'min' ? median >= target.value : median <= target.value;
}

/** The bars of measures that differ in their input or their name. */
export function barsOf(
  measures: readonly Measure[],
  labelOf: (measure: Measure) => string,
): BarChart['bars'] {
  return measures.map((one) => ({
    label: labelOf(one),
    value: one.median,
    low: one.low,
    high: one.high,
  }));
}
