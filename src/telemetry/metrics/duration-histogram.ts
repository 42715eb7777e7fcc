/** Upper bounds of buckets in microseconds: 1, 2 and 5 in each power of ten. */
function boundsBetween(fromUs: number, toUs: number): readonly number[] {
  const bounds: number[] = [];
  for (let power = 1; power <= toUs; power *= 10) {
    bounds.push(...[power, 2 * power, 5 * power].filter((us) => us >= fromUs && us <= toUs));
  }
  return bounds;
}

const octaves = 31;

/**
 * Counts times since the start in buckets with round bounds, as Prometheus wants them. Called for
 * each request: adding one is a few steps and allocates nothing.
 */
export class DurationHistogram {
  /** Upper bounds in microseconds; a last bucket without a bound follows. */
  readonly #boundsUs: readonly number[];
  readonly #counts: Float64Array;
  /** For each power of two, in microseconds, the first bucket that such a time can be in. */
  readonly #firstBucket: Uint8Array;
  #sumMs = 0;
  #count = 0;

  constructor(range: { readonly fromUs: number; readonly toUs: number }) {
    const bounds = boundsBetween(range.fromUs, range.toUs);
    this.#boundsUs = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
    this.#firstBucket = Uint8Array.from({ length: octaves }, (_, octave) =>
      octave === 0 ? 0 : bounds.filter((us) => us < 2 ** octave).length,
    );
  }

  add(ms: number): void {
    const us = ms * 1_000;
    const octave = us < 1 ? 0 : 31 - Math.clz32(Math.min(us, 0x7fff_ffff));
    let bucket = this.#firstBucket[octave] ?? 0;
    while (us > (this.#boundsUs[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sumMs += ms;
    this.#count += 1;
  }

  /** Upper bounds in seconds. */
  get bounds(): readonly number[] {
    return this.#boundsUs.map((us) => us / 1_000_000);
  }

  /** For each bound how many times did not exceed it. */
  get atMost(): readonly number[] {
    let sum = 0;
    return this.#boundsUs.map((_, bucket) => {
      sum += this.#counts[bucket] ?? 0;
      return sum;
    });
  }

  get sumSeconds(): number {
    return this.#sumMs / 1_000;
  }

  get count(): number {
    return this.#count;
  }
}
