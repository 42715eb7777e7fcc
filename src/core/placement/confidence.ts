/**
 * How sure a rule is, in five levels: the score of a match. A policy blocks from 90 (sensitivity 1),
 * 70 (2, the default), 50 (3) or 30 (4) on.
 */
export const confidence = {
  /** No benign text has it. */
  certain: 95,
  /** Benign texts about attacks have it, if any. */
  strong: 88,
  /** Blocked by default, and seldom benign. */
  likely: 75,
  /** As often benign: shown, and blocked at sensitivity 3. */
  hint: 60,
  /** Mostly benign: counts at sensitivity 4 only. */
  trace: 40,
} as const;

/** The level of a score that was weighed: the same policies block it. */
export function levelOf(score: number): number {
  if (score >= 90) return confidence.certain;
  if (score >= 80) return confidence.strong;
  if (score >= 70) return confidence.likely;
  if (score >= 50) return confidence.hint;
  return score > 0 ? confidence.trace : 0;
}
