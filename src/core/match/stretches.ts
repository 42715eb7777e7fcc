import type { CharSet } from './char-set.ts';
import { itemsOfWhole, type Node } from './pattern-syntax.ts';

/** Characters of one set, at least and at most so many of them. */
interface Stretch {
  /** One for each ASCII character of the set. */
  readonly table: Uint8Array;
  readonly min: number;
  readonly max: number;
}

/** Whether a text is what a pattern stands for. */
type WholeTest = (text: string) => boolean;

/**
 * A test for patterns of a whole text that are stretches of characters, one after the other, such as
 * `^[A-Z]{3}-[0-9]{4}$`: most that schemas have. Where each one ends before a character that is not
 * its own, there is one way to read a text, and each character is read once. Undefined for other
 * patterns.
 */
export function wholeTestOf(root: Node): WholeTest | undefined {
  const items = itemsOfWhole(root);
  if (items === undefined) return undefined;
  const stretches: Stretch[] = [];
  for (const item of items) {
    const stretch = stretchOf(item);
    if (stretch === undefined) return undefined;
    stretches.push(stretch);
  }
  if (!stretches.every((one, at) => endsForCertain(one, stretches, at + 1))) return undefined;
  return (text) => isMadeOf(text, stretches);
}

function stretchOf(node: Node): Stretch | undefined {
  const [item, min, max] = node.kind === 'repeat' ? [node.item, node.min, node.max] : [node, 1, 1];
  const table = item.kind === 'set' ? asciiTable(item.set) : undefined;
  return table === undefined ? undefined : { table, min, max };
}

function asciiTable({ ranges, isNegated }: CharSet): Uint8Array | undefined {
  const table = new Uint8Array(128);
  for (let at = 0; at < ranges.length; at += 2) {
    const last = ranges[at + 1] ?? 0;
    if (isNegated || last > 127) return undefined;
    table.fill(1, ranges[at] ?? 0, last + 1);
  }
  return table;
}

/** Whether nothing that may come next begins with a character of this one. */
function endsForCertain(
  { table, min, max }: Stretch,
  all: readonly Stretch[],
  from: number,
): boolean {
  if (min === max) return true;
  for (const next of all.slice(from)) {
    if (next.table.some((own, code) => own === 1 && table[code] === 1)) return false;
    if (next.min > 0) return true;
  }
  return true;
}

function isMadeOf(text: string, stretches: readonly Stretch[]): boolean {
  let at = 0;
  for (let index = 0; index < stretches.length; index++) {
    const { table, min, max } = stretches[index] as Stretch;
    const start = at;
    const end = Math.min(text.length, start + max);
    // Beyond ASCII there is nothing in the table, and undefined is not 1.
    while (at < end && table[text.charCodeAt(at)] === 1) at++;
    if (at - start < min) return false;
  }
  return at === text.length;
}
