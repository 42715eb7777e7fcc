import type { PolicyProblem } from './explanation.ts';
import type { Exclusion, Policy } from './policy.ts';

/** Whether an exclusion names no field and no path: it would count in every field of every request. */
export function isWide({ pointer, path }: Pick<Exclusion, 'pointer' | 'path'>): boolean {
  return !isNamed(pointer) && (path === undefined || !isNamed(path));
}

function isNamed(pattern: string): boolean {
  return pattern.split('/').some((one) => one !== '' && !/^\*+$/.test(one));
}

/** What is to be said of one. */
export const wideMessage =
  'names no field, so that this would count in every field of every request. Name one or a path, ' +
  'or send "acceptWide": true (in a command: --accept-wide)';

/** The wide exclusions of a document that none of those stood in which are in force already. */
export function newWide(
  { exclusions }: Policy,
  before: readonly Policy[],
): readonly PolicyProblem[] {
  const known = new Set(before.flatMap((one) => (one.exclusions ?? []).map(markOf)));
  return exclusions.flatMap((one, index) =>
    isWide(one) && !known.has(markOf(one))
      ? [{ pointer: `/exclusions/${index}/pointer`, message: wideMessage }]
      : [],
  );
}

/** One that ended, or ends, is another one when it is to last longer. */
function markOf({ pointer, category, rule, method, path, expiresAt }: Exclusion): string {
  return JSON.stringify([pointer, category, rule, method, path, expiresAt]);
}
