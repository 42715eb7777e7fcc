import type { QuietHours } from '../contract/notification.ts';

const timePattern = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Whether a text is a time of day, `HH:MM`. */
export function isTimeOfDay(text: string): boolean {
  return timePattern.test(text);
}

/** Whether a text names a time zone. */
export function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined;
  } catch {
    return false;
  }
}

/** Whether quiet hours hold at a moment, in milliseconds since 1970. Their end is not in them. */
export function isQuietAt({ from, to, timeZone }: QuietHours, moment: number): boolean {
  // The clock on the wall decides, also on days with a change to or from summer time.
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(moment);
  return from <= to ? from <= time && time < to : from <= time || time < to;
}
