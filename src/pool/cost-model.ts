/** A request as it costs: its bytes, and the thread time that it took in the end. */
export interface Measured {
  readonly bytes: number;
  readonly ms: number;
}

// Sizes from 2^n to 2^(n+1) - 1 share an average: what a byte costs depends on how many there are.
const classes = 24;
// A newer measurement counts for a sixteenth: some fifty requests of a size forget older ones.
const weightOfNewest = 1 / 16;
/** Before anything of about this size was measured. */
const msPerRequest = 0.05;
const msPerByte = 0.00005;

/** Learns from the threads what requests cost, by the class of their size. */
export class CostModel {
  readonly #averages = new Float64Array(classes);

  /** Milliseconds of a thread that a request of this size will probably take. */
  estimateMs(bytes: number): number {
    const average = this.#averages[classOf(bytes)] ?? 0;
    return average === 0 ? msPerRequest + bytes * msPerByte : average;
  }

  /** Learns from a request that a thread has answered. */
  learn({ bytes, ms }: Measured): void {
    const at = classOf(bytes);
    const average = this.#averages[at] ?? 0;
    this.#averages[at] = average === 0 ? ms : average + (ms - average) * weightOfNewest;
  }
}

function classOf(bytes: number): number {
  return Math.min(classes - 1, 31 - Math.clz32(bytes | 1));
}
