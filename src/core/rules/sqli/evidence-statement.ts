import type { Break } from '../../grammars/sql/break-list.ts';
import { type Breaks, context } from '../../grammars/sql/breaks.ts';
import type { Subject } from '../../placement/subject.ts';
import type { Match } from '../rule.ts';
import { certain, findBreaks, spanOfTokens } from './evidence.ts';

/** What a rule found after a break: how sure it is and the first token after it. */
export interface Found {
  readonly score: number;
  readonly end: number;
}

/**
 * Judges all breaks of a text by what follows them; the strongest match counts, the first of
 * equals.
 */
export function strongestStatement(
  subject: Subject,
  find: (one: Break, all: Breaks) => Found | undefined,
): Match | undefined {
  const all = findBreaks(subject);
  if (all === undefined) return undefined;
  let best: Match | undefined;
  for (const one of all.breaks) {
    const found = find(one, all);
    if (found === undefined || found.score <= (best?.score ?? 0)) continue;
    const from = one.context === context.quote ? one.before : one.at;
    best = { ...spanOfTokens(all, from, Math.max(found.end, one.at + 1)), score: found.score };
    if (found.score >= certain) break;
  }
  return best;
}
