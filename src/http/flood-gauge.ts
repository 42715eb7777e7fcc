/** Counts what may come only so often within a second. */
export class FloodGauge {
  readonly #perSecondMax: number;
  #since = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(perSecondMax: number) {
    this.#perSecondMax = perSecondMax;
  }

  /** Counts one more, and says whether that is too many. */
  isFlood(): boolean {
    const now = performance.now();
    if (now - this.#since >= 1_000) {
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count > this.#perSecondMax;
  }
}
