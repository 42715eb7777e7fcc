import type { Policy } from '../contract/policy.ts';

/**
 * The core has no clock: it is handed the exclusions that count now, and again at `until`, when the
 * next one expires. Times are milliseconds since 1970, UTC.
 */
export function withoutExpired(
  document: Policy,
  now: number,
): { readonly policy: Policy; readonly until: number } {
  const expiries = document.exclusions.map(({ expiresAt }) =>
    expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt),
  );
  const until = Math.min(Number.POSITIVE_INFINITY, ...expiries.filter((at) => at > now));
  if (expiries.every((at) => at > now)) return { policy: document, until };
  const exclusions = document.exclusions.filter((_, index) => (expiries[index] ?? 0) > now);
  return { policy: Object.freeze({ ...document, exclusions }), until };
}
