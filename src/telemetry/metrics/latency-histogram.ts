/** Each doubling of the time is split into this many steps: a reading is at most 3 % off. */
const stepsPerOctave = 32;
const octaves = 24;

/** Counts times from 1 µs to 16 s in steps that grow with them. Adding one allocates nothing. */
export class LatencyHistogram {
  readonly #counts = new Uint32Array(stepsPerOctave * octaves);
  #total = 0;

  add(ms: number): void {
    const us = Math.min(Math.max(ms * 1_000, 1), 0x7fffffff) | 0;
    const octave = 31 - Math.clz32(us);
    const step = ((us - 2 ** octave) * stepsPerOctave) / 2 ** octave;
    const index =
      Math.min(octave, octaves - 1) * stepsPerOctave + Math.min(step, stepsPerOctave - 1);
    this.#counts[index | 0] = (this.#counts[index | 0] ?? 0) + 1;
    this.#total += 1;
  }

  /** Adds all that another one counted. */
  merge(other: LatencyHistogram): void {
    for (let index = 0; index < this.#counts.length; index += 1) {
      this.#counts[index] = (this.#counts[index] ?? 0) + (other.#counts[index] ?? 0);
    }
    this.#total += other.#total;
  }

  /** Milliseconds that the given share of all times did not exceed; 0 without any. */
  quantile(share: number): number {
    const rank = Math.ceil(share * this.#total);
    let seen = 0;
    for (let index = 0; index < this.#counts.length && rank > 0; index += 1) {
      seen += this.#counts[index] ?? 0;
      if (seen >= rank) return upperBoundMs(index);
    }
    return 0;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#total = 0;
  }
}

function upperBoundMs(index: number): number {
  const octave = Math.floor(index / stepsPerOctave);
  const step = (index % stepsPerOctave) + 1;
  return Math.round(2 ** octave * (1 + step / stepsPerOctave)) / 1_000;
}
