import { UsageError } from './command.ts';

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};
const duration = /^(\d{1,6})([smhdwy])$/;
const date = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** The end of the year 9999: nothing can be written of what is later. */
const latest = 253_402_300_799_999;

/** `90d` from now, or an ISO 8601 date, in milliseconds since 1970. A date is its midnight in UTC. */
export function parseMoment(option: string, text: string, now: number): number {
  return checked(
    option,
    text,
    momentOf(text, (span) => now + span),
  );
}

/** The same of times that are over: `2h` is two hours ago. */
export function parsePast(option: string, text: string, now: number): number {
  return checked(
    option,
    text,
    momentOf(text, (span) => now - span),
  );
}

function momentOf(text: string, at: (span: number) => number): number {
  const [, count, unit] = duration.exec(text) ?? [];
  return count === undefined || unit === undefined
    ? Date.parse(date.test(text) ? text : '')
    : at(Number(count) * (unitMs[unit] ?? 0));
}

function checked(option: string, text: string, moment: number): number {
  if (!Number.isNaN(moment) && moment <= latest) return moment;
  throw new UsageError(
    `--${option} must be a time span such as 12h, 90d or 1y, or a date such as 2030-12-31 or ` +
      `2030-12-31T18:00:00Z, up to the year 9999, not ${text}`,
  );
}

/** A moment as people and JSON readers like it, to the second. */
export function formatMoment(moment: number): string {
  return new Date(moment).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
