import { addressWords, lastAddress, networkOf } from './address.ts';

/** What stands in a table: at least its network, as text. */
export interface Listed {
  readonly network: string;
}

interface Range<Entry> {
  readonly entry: Entry;
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly bits: number;
}

/** What was found: an entry, and how long its prefix is. */
export interface TableHit<Entry> {
  readonly entry: Entry;
  readonly bits: number;
}

/**
 * Networks as disjoint ranges in order, each with the narrowest network that holds it: found by
 * halving, so at most some fifteen comparisons for ten thousand networks.
 */
export class AddressTable<Entry extends Listed> {
  /** Four words for the start of each range. */
  readonly #starts: Uint32Array;
  readonly #hits: readonly (TableHit<Entry> | undefined)[];

  constructor(entries: readonly Entry[]) {
    const { starts, hits } = rangesOf(entries.flatMap(rangeOf).sort(byStart));
    this.#starts = Uint32Array.from(starts.flat());
    this.#hits = hits;
  }

  /** The narrowest network that an address lies in. */
  find(address: Uint32Array): TableHit<Entry> | undefined {
    let low = 0;
    let high = this.#hits.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isAfter(middle, address)) high = middle;
      else low = middle + 1;
    }
    return low === 0 ? undefined : this.#hits[low - 1];
  }

  #isAfter(range: number, address: Uint32Array): boolean {
    for (let word = 0; word < addressWords; word++) {
      const start = this.#starts[range * addressWords + word] ?? 0;
      const wanted = address[word] ?? 0;
      if (start !== wanted) return start > wanted;
    }
    return false;
  }
}

function rangeOf<Entry extends Listed>(entry: Entry): Range<Entry>[] {
  const network = networkOf(entry.network);
  if ('problem' in network) return [];
  const { words, bits } = network;
  return [{ entry, first: words, last: lastAddress(network), bits }];
}

/** By the first address; of those that begin together the widest first. */
function byStart(a: Range<Listed>, b: Range<Listed>): number {
  return compare(a.first, b.first) || a.bits - b.bits;
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let word = 0; word < addressWords; word++) {
    const difference = (a[word] ?? 0) - (b[word] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Networks lie in one another or apart, so that those that are open form a stack. */
function rangesOf<Entry>(sorted: readonly Range<Entry>[]) {
  const starts: (readonly number[])[] = [];
  const hits: (TableHit<Entry> | undefined)[] = [];
  const open: Range<Entry>[] = [];
  const begin = (at: readonly number[], hit: Range<Entry> | undefined): void => {
    // A range of no length: the next one begins where it did.
    if (starts.length > 0 && compare(starts.at(-1) ?? [], at) === 0) {
      starts.pop();
      hits.pop();
    }
    starts.push(at);
    hits.push(hit === undefined ? undefined : { entry: hit.entry, bits: hit.bits });
  };
  const closeBefore = (at: readonly number[] | undefined): void => {
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      if (at !== undefined && compare(top.last, at) >= 0) return;
      open.pop();
      const next = after(top.last);
      if (next !== undefined) begin(next, open.at(-1));
    }
  };
  for (const range of sorted) {
    closeBefore(range.first);
    begin(range.first, range);
    open.push(range);
  }
  closeBefore(undefined);
  return { starts, hits };
}

/** The address after another; undefined after the last one. */
function after(words: readonly number[]): readonly number[] | undefined {
  const next = [...words];
  for (let word = addressWords - 1; word >= 0; word--) {
    if (next[word] === 0xffff_ffff) next[word] = 0;
    else {
      next[word] = (next[word] ?? 0) + 1;
      return next;
    }
  }
  return undefined;
}
