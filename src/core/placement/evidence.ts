import type { Match } from '../rules/rule.ts';
import { confidence } from './confidence.ts';

/**
 * The strongest of what was read, the first of several alike. `scoreOf` says 0 where it is no
 * evidence; one that scores `enough` ends the search.
 */
export function strongest<One extends { readonly start: number; readonly end: number }>(
  list: Iterable<One>,
  scoreOf: (one: One) => number,
  enough: number = confidence.certain,
): Match | undefined {
  let best: Match | undefined;
  for (const one of list) {
    const score = scoreOf(one);
    if (score <= (best?.score ?? 0)) continue;
    best = { start: one.start, end: one.end, score };
    if (score >= enough) break;
  }
  return best;
}

/** Where a pattern has matched. */
export function foundBy(found: RegExpExecArray | null | undefined): Match | undefined {
  if (found === null || found === undefined) return undefined;
  return { start: found.index, end: found.index + found[0].length };
}
