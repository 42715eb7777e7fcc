/** The ranges of time that are one click away. */
export const spans = [
  { name: '1h', label: '1 h', words: 'the last hour', ms: 3_600_000 },
  { name: '24h', label: '24 h', words: 'the last 24 hours', ms: 86_400_000 },
  { name: '7d', label: '7 d', words: 'the last 7 days', ms: 604_800_000 },
  { name: '30d', label: '30 d', words: 'the last 30 days', ms: 2_592_000_000 },
] as const;

export type SpanName = (typeof spans)[number]['name'];

/** What an address says of time. `from` and `to` are ISO 8601 and go before `range`. */
export interface RangeQuery {
  readonly range?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A range of time in steps of a chart. In milliseconds since 1970. */
export interface Range {
  readonly name: SpanName | 'custom';
  readonly words: string;
  /** The beginning of a step. */
  readonly from: number;
  /** Undefined for a range that ends now. */
  readonly to: number | undefined;
  readonly stepSeconds: number;
}

const stepsMax = 97;
const minute = 60;
const day = 86_400;
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 480, 720]
  .map((minutes) => minutes * minute)
  .concat([1, 2, 4, 7, 14, 30].map((days) => days * day));

/** The range that an address names; `fallback` where it names none that can be read. */
export function rangeOf(query: RangeQuery, fallback: SpanName, now: number): Range {
  const from = Date.parse(query.from ?? '');
  const to = Date.parse(query.to ?? '');
  const end = Number.isNaN(to) ? now : to;
  if (from < end) {
    const words = Number.isNaN(to) ? 'the time since then' : 'the chosen time';
    return inSteps({ name: 'custom', words, from, to: Number.isNaN(to) ? undefined : to }, now);
  }
  const { name, words, ms } = spanOf(query.range) ?? spanOf(fallback) ?? spans[1];
  return inSteps({ name, words, from: now - ms, to: undefined }, now);
}

export function spanOf(name: string | undefined) {
  return spans.find((span) => span.name === name);
}

/** From the beginning of a step on, so that a chart that is fetched again does not move. */
function inSteps(range: Omit<Range, 'stepSeconds'>, now: number): Range {
  const length = ((range.to ?? now) - range.from) / 1_000;
  const stepSeconds = steps.find((step) => length / step <= stepsMax) ?? 30 * day;
  const stepMs = stepSeconds * 1_000;
  return { ...range, stepSeconds, from: Math.floor(range.from / stepMs) * stepMs };
}

/** The same length of time before a range. */
export function before({ from, to }: Range, now: number): { from: number; to: number } {
  return { from: from - ((to ?? now) - from), to: from };
}

/** A range as an address has it, to carry it to another page. */
export function queryOf({ name, from, to }: Range): RangeQuery {
  if (name !== 'custom') return { range: name };
  return { from: iso(from), to: to === undefined ? undefined : iso(to) };
}

export function iso(moment: number): string {
  return new Date(moment).toISOString();
}
