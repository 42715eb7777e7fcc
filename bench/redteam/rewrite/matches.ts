import type { Random } from '../../lib/random.ts';

/** The value with one or more matches rewritten; undefined where there is none, or none changed. */
export function rewriteMatches(
  value: string,
  pattern: RegExp,
  random: Random,
  change: (match: RegExpExecArray, random: Random) => string,
): string | undefined {
  const matches = [...value.matchAll(pattern)];
  if (matches.length === 0) return undefined;
  const kept = random.pick(matches);
  const all = random.pick([0, 40, 100]);
  let written = '';
  let from = 0;
  for (const match of matches) {
    const isChanged = match === kept || random.chance(all);
    written += value.slice(from, match.index) + (isChanged ? change(match, random) : match[0]);
    from = match.index + match[0].length;
  }
  written += value.slice(from);
  return written === value ? undefined : written;
}
