/**
 * First in, first out. The head is an offset, so that taking from a long queue does not move the
 * rest; `Array.shift` does above some thousand entries.
 */
export class Fifo<T> {
  #entries: T[] = [];
  #head = 0;

  get size(): number {
    return this.#entries.length - this.#head;
  }

  /** The oldest entry. */
  peek(): T | undefined {
    return this.#entries[this.#head];
  }

  push(entry: T): void {
    this.#entries.push(entry);
  }

  /** Puts entries before the oldest, in their order. */
  pushFront(entries: readonly T[]): void {
    this.#entries = [...entries, ...this.#entries.slice(this.#head)];
    this.#head = 0;
  }

  shift(): T | undefined {
    const entry = this.#entries[this.#head];
    if (entry === undefined) return undefined;
    this.#head += 1;
    if (this.#head === this.#entries.length) {
      this.#entries = [];
      this.#head = 0;
    } else if (this.#head > 1024 && this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
    return entry;
  }

  /** Removes the entries for which `isGone` holds and gives them back, oldest first. */
  remove(isGone: (entry: T) => boolean): T[] {
    if (this.size === 0) return [];
    const gone: T[] = [];
    const kept: T[] = [];
    for (let index = this.#head; index < this.#entries.length; index++) {
      const entry = this.#entries[index] as T;
      (isGone(entry) ? gone : kept).push(entry);
    }
    this.#entries = kept;
    this.#head = 0;
    return gone;
  }
}
