import { limits } from '../../contract/limits.ts';

const end = (limits.pointerCharsMax - 1) >> 1;

/**
 * A pointer as reported: of a long one its two ends. A hostile one is as long as the body, and
 * would stand in each finding. Shortening what was shortened keeps the same ends.
 */
export function shortened(text: string): string {
  if (text.length <= limits.pointerCharsMax) return text;
  return `${text.slice(0, end)}…${text.slice(-end)}`;
}
