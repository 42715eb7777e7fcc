import { createHash } from 'node:crypto';

/** JSON with the members of each object in order: the same document is the same text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(byName))
      : member,
  );
}

/** What tells documents apart. */
export function hashOf(document: unknown): string {
  return createHash('sha256').update(canonicalJson(document)).digest('hex');
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
