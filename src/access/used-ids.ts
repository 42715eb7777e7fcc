/** More ids are not kept: the oldest are forgotten first. */
const idsMax = 10_000;

/** Ids that were used, each kept for a while. Bounded. */
export class UsedIds {
  readonly #clock: () => number;
  readonly #keptMs: number;
  /** Until when each is kept, the oldest first. */
  readonly #ids = new Map<string, number>();

  constructor(clock: () => number, keptMs: number) {
    this.#clock = clock;
    this.#keptMs = keptMs;
  }

  has(id: string): boolean {
    return (this.#ids.get(id) ?? 0) > this.#clock();
  }

  add(id: string): void {
    const now = this.#clock();
    this.#ids.delete(id);
    this.#ids.set(id, now + this.#keptMs);
    for (const [one, until] of this.#ids) {
      if (until > now && this.#ids.size <= idsMax) break;
      this.#ids.delete(one);
    }
  }
}
