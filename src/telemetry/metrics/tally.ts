/** Counts by a few known words, and those of them that are always exported, also at zero. */
export class Tally<Word extends string> {
  readonly #counts: Map<Word, number>;

  constructor(always: readonly Word[] = []) {
    this.#counts = new Map(always.map((word) => [word, 0]));
  }

  add(word: Word, count = 1): void {
    this.#counts.set(word, (this.#counts.get(word) ?? 0) + count);
  }

  entries(): Iterable<readonly [Word, number]> {
    return this.#counts.entries();
  }
}
