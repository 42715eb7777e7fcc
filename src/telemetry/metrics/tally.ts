/** Counts by a few known words, and those of them that are always exported, also at zero. */
export class Tally<Word extends string> {
  readonly #counts: Map<Word, number>;

  constructor(always: readonly Word[] = []) {
    this.#counts = new Map(always.map((word) => [word, 0]));
  }

  add(word: Word): void {
    this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  entries(): Iterable<readonly [Word, number]> {
    return this.#counts.entries();
  }
}
