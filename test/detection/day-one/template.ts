import type { Lot } from '../uploads.ts';

/** Lists of texts by name; a text may name lists: `«person» wrote «number» lines`. */
export type Pools = Readonly<Record<string, readonly string[]>>;

/** One of several. */
export function pick<T>(lot: Lot, list: readonly T[]): T {
  const one = list[lot.below(list.length)];
  if (one === undefined) throw new Error('an empty list');
  return one;
}

/** Several of a list, in the order in which the lot falls. */
export function some<T>(lot: Lot, list: readonly T[], count: number): T[] {
  return Array.from({ length: count }, () => pick(lot, list));
}

/** A template with its names replaced, again and again, by texts of the lists. */
export function fill(lot: Lot, template: string, pools: Pools): string {
  let text = template;
  for (let round = 0; round < 6 && text.includes('«'); round++) {
    text = text.replaceAll(/«(\w+)»/g, (_, name: string) => textOf(lot, name, pools));
  }
  return text;
}

function textOf(lot: Lot, name: string, pools: Pools): string {
  if (name === 'number') return String(lot.below(10 ** (1 + lot.below(5))));
  if (name === 'byte') return String(lot.below(256));
  if (name === 'hex') return lot.bytes(8).toString('hex');
  if (name === 'uuid') {
    return lot
      .bytes(16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }
  const list = pools[name];
  if (list === undefined) throw new Error(`no list «${name}»`);
  return pick(lot, list);
}
