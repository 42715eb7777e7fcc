import type { PolicyProblem } from './explanation.ts';
import type { PolicyRecord } from './policies.ts';
import type { Exclusion, Policy } from './policy.ts';

/**
 * Whether an exclusion names no field, no path and no client: it would count in every field of every
 * request.
 */
export function isWide(exclusion: Pick<Exclusion, 'pointer' | 'path' | 'clients'>): boolean {
  const { pointer, path, clients } = exclusion;
  return !isNamed(pointer) && (path === undefined || !isNamed(path)) && clients === undefined;
}

function isNamed(pattern: string): boolean {
  return pattern.split('/').some((one) => one !== '' && !/^\*+$/.test(one));
}

/** The message for a wide exclusion that was not accepted. */
export const wideMessage =
  'names no field, so that this would count in every field of every request. Name one, a path or clients, ' +
  'or send "acceptWide": true (in a command: --accept-wide)';

/** The wide exclusions of a document that no stored policy and no candidate of these has already. */
export function newWide(
  { exclusions }: Policy,
  stored: readonly Pick<PolicyRecord, 'document' | 'candidate'>[],
): readonly PolicyProblem[] {
  const documents = stored.flatMap(({ document, candidate }) =>
    candidate === undefined ? [document] : [document, candidate.document],
  );
  const known = new Set(documents.flatMap((one) => (one.exclusions ?? []).map(markOf)));
  return exclusions.flatMap((one, index) =>
    isWide(one) && !known.has(markOf(one))
      ? [{ pointer: `/exclusions/${index}/pointer`, message: wideMessage }]
      : [],
  );
}

/** What an exclusion is recognised by. With another end it is a new one. */
function markOf(exclusion: Exclusion): string {
  const { pointer, category, rule, method, path, clients, expiresAt } = exclusion;
  return JSON.stringify([pointer, category, rule, method, path, clients, expiresAt]);
}
