const minuteMs = 60_000;
const dayMs = 86_400_000;
const units: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 5, 7, 14, 30, 60].map((days) => days * dayMs),
];
/** Labels that fit a chart on a phone; a range has a step more than its name says. */
const ticksMax = 6.5;
/** Beyond this part of the axis a label would leave it. */
const lastPlace = 0.93;

interface Steps {
  /** When the first step begins, in milliseconds since 1970. */
  readonly from: number;
  readonly stepMs: number;
  readonly length: number;
}

/**
 * Which steps of a chart are named on its axis: those where a round hour or a day begins for the
 * reader. `byDay` where labels are dates: a day is named once.
 */
export function ticksOf({ from, stepMs, length }: Steps, byDay: boolean): readonly number[] {
  const span = length * stepMs;
  const fits = (unit: number) => span / unit <= ticksMax && (!byDay || unit >= dayMs);
  const unit = units.find(fits) ?? span / ticksMax;
  const slotOf = (step: number) => Math.floor(localMs(from + step * stepMs) / unit);
  const steps = Array.from({ length }, (_, step) => step);
  return steps.filter((step) => slotOf(step) !== slotOf(step - 1) && step <= lastPlace * length);
}

/** A moment as if the reader's clock showed UTC. */
function localMs(moment: number): number {
  return moment - new Date(moment).getTimezoneOffset() * minuteMs;
}
