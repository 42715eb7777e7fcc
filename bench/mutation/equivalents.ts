import { readFileSync } from 'node:fs';
import type { Mutation } from './mutations.ts';

/** A mutation that no test can see, and why. Known by its line's text, which moves with edits. */
export interface Equivalent {
  readonly path: string;
  /** The text of the line, without the blanks around it. */
  readonly line: string;
  readonly change: string;
  readonly reason: string;
}

/** The list of `bench/mutation/equivalent.json`. */
export function readEquivalents(): readonly Equivalent[] {
  return JSON.parse(readFileSync(new URL('equivalent.json', import.meta.url), 'utf8'));
}

/** Whether a mutation is in the list. */
export function isEquivalent(list: readonly Equivalent[], mutation: Mutation): boolean {
  return list.some(
    ({ path, line, change }) =>
      path === mutation.path && line === mutation.lineText && change === mutation.change,
  );
}

/** Entries whose line is no longer in the sources, or has no such mutation: to be taken out. */
export function staleEquivalents(
  list: readonly Equivalent[],
  folders: readonly string[],
  all: readonly Mutation[],
): readonly Equivalent[] {
  return list
    .filter(({ path }) => folders.some((folder) => path.startsWith(`src/${folder}/`)))
    .filter((entry) => !all.some((mutation) => isEquivalent([entry], mutation)));
}
