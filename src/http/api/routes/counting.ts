import { type EventFact, eventFacts } from '../../../contract/event.ts';
import { closed, count, listOf, type Schema, text } from '../../../contract/schemas/api/build.ts';

const minuteMs = 60_000;
const stepsMax = 2_000;
/** As many bars as a wide screen shows well. */
const stepsUsual = 96;
const topMax = 50;

/** Values of each fact that an answer names. */
export const topDefault = 10;

/** How finely is counted. */
export const countQuery = {
  stepSeconds: { type: 'integer', minimum: 60, maximum: 2_592_000 },
  top: { type: 'integer', minimum: 0, maximum: topMax },
} as const satisfies Readonly<Record<string, Schema>>;

const values = listOf(closed({ value: text, count }, { label: text }));

/** The most frequent values of each fact. */
export const topAnswer: Schema = closed(
  Object.fromEntries(eventFacts.map((fact): [EventFact, Schema] => [fact, values])),
);

/** A range of time in steps. In milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

/** A range in steps of whole minutes; without a wish in as many as a chart shows. */
export function spanOf(
  { from, to }: Pick<Span, 'from' | 'to'>,
  stepSeconds: number | undefined,
): Span {
  const length = Math.max(to - from, minuteMs);
  const minutes = (steps: number) => Math.ceil(length / steps / minuteMs) * minuteMs;
  const stepMs = Math.max((stepSeconds ?? 0) * 1_000 || minutes(stepsUsual), minutes(stepsMax));
  return { from: Math.floor(from / minuteMs) * minuteMs, to, stepMs };
}

/** One number for each step of a span. */
export function seriesOf<Name extends string>(
  steps: readonly (Readonly<Record<Name, number>> & { readonly step: number })[],
  { from, to, stepMs }: Span,
  name: Name,
): readonly number[] {
  const series = new Array<number>(Math.max(1, Math.ceil((to - from) / stepMs))).fill(0);
  for (const one of steps) if (one.step < series.length) series[one.step] = one[name];
  return series;
}
