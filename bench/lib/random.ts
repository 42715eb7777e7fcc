/**
 * Numbers from a seed (mulberry32): the same seed makes the same requests on every machine. Not
 * for secrets.
 */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but without, 2^32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** A whole number from 0 up to, but without, `bound`. */
  below(bound: number): number {
    return bound <= 0 ? 0 : this.next() % bound;
  }

  /** True in about `percent` of a hundred calls. */
  chance(percent: number): boolean {
    return this.next() % 10_000 < percent * 100;
  }

  /** One of the list, which must not be empty. */
  pick<T>(list: readonly T[]): T {
    const picked = list[this.below(list.length)];
    if (picked === undefined && list.length === 0) throw new RangeError('Nothing to pick from.');
    return picked as T;
  }

  /** The list in another order. */
  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, key: this.next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  }

  /** `count` results of a call. */
  times<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make);
  }
}
