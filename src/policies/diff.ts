import type { PolicyChange } from '../contract/policies.ts';
import { canonicalJson } from './document.ts';

/**
 * The differences between two documents. Entries of a list that have an id are compared with the
 * one of the same id, other entries as members of a set.
 */
export function diffDocuments(from: unknown, to: unknown, pointer = ''): PolicyChange[] {
  if (canonicalJson(from) === canonicalJson(to)) return [];
  if (Array.isArray(from) && Array.isArray(to)) return diffLists(from, to, pointer);
  if (isObject(from) && isObject(to)) {
    const names = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...names].flatMap((name) =>
      diffMembers(from[name], to[name], `${pointer}/${escaped(name)}`),
    );
  }
  return [{ op: 'replace', pointer, from, to }];
}

function diffMembers(from: unknown, to: unknown, pointer: string): PolicyChange[] {
  if (from === undefined) return to === undefined ? [] : [{ op: 'add', pointer, to }];
  return to === undefined ? [{ op: 'remove', pointer, from }] : diffDocuments(from, to, pointer);
}

function diffLists(
  from: readonly unknown[],
  to: readonly unknown[],
  pointer: string,
): PolicyChange[] {
  const before = new Map(from.map((entry, index) => [nameOf(entry), index]));
  const after = new Map(to.map((entry, index) => [nameOf(entry), index]));
  const changes: PolicyChange[] = [];
  for (const [name, index] of before) {
    if (after.has(name)) continue;
    changes.push({ op: 'remove', pointer: `${pointer}/${index}`, from: from[index] });
  }
  for (const [name, index] of after) {
    const old = before.get(name);
    const place = `${pointer}/${index}`;
    if (old === undefined) changes.push({ op: 'add', pointer: place, to: to[index] });
    else changes.push(...diffDocuments(from[old], to[index], place));
  }
  return changes;
}

function nameOf(entry: unknown): string {
  return isObject(entry) && typeof entry['id'] === 'string' ? entry['id'] : canonicalJson(entry);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
