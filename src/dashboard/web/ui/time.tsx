import { useEffect, useState } from 'preact/hooks';

const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const hourAndMinute = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const dayAndMinute = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const dayMs = 86_400_000;

/** A moment in the zone of the reader; the whole of it, with its zone, on hover. */
export function Time(props: {
  readonly at: string;
  readonly relatively?: boolean;
  /** With the date and the zone, not only on hover. */
  readonly wholly?: boolean;
}) {
  const { at, relatively = false, wholly = false } = props;
  const date = new Date(at);
  const now = useNow(relatively);
  if (Number.isNaN(date.getTime())) return <span>{at}</span>;
  return (
    <time dateTime={at} title={absolute.format(date)}>
      {relatively ? sinceOrUntil(date.getTime() - now) : wholly ? whole.format(date) : short(date)}
    </time>
  );
}

function short(date: Date): string {
  const now = new Date();
  if (date.toDateString() === now.toDateString()) return clock.format(date);
  const sameYear = date.getFullYear() === now.getFullYear();
  return `${(sameYear ? day : dayAndYear).format(date)}, ${clock.format(date)}`;
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

function sinceOrUntil(ms: number): string {
  for (const [unit, length] of units) {
    if (Math.abs(ms) >= length) return relative.format(Math.trunc(ms / length), unit);
  }
  return ms > 0 ? 'in less than a minute' : 'just now';
}

/** Whether an axis over so long a time names days, and not hours. */
export function isNamedByDay(spanMs: number): boolean {
  return spanMs > 2 * dayMs;
}

/** A moment as an axis over so long a time names it. */
export function axisMoment(moment: number, spanMs: number): string {
  return (isNamedByDay(spanMs) ? day : hourAndMinute).format(moment);
}

/** From a moment on, for so long, with the date. */
export function momentRange(from: number, lengthMs: number): string {
  return dayAndMinute.formatRange(from, from + lengthMs);
}

const minuteMs = 60_000;

function useNow(active: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => setNow(Date.now()), minuteMs);
    return () => clearInterval(timer);
  }, [active]);
  return now;
}

/**
 * A moment as the value of an input of type datetime-local, in the zone of the reader; none for a
 * text that is no moment, such as one in an address that was typed by hand.
 */
export function localInput(moment: string): string {
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * minuteMs).toISOString().slice(0, 16);
}
