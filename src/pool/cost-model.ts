/** A request as it costs: its bytes, and the thread time that it took in the end. */
export interface Measured {
  readonly bytes: number;
  readonly ms: number;
}

// Sizes from 2^n to 2^(n+1) - 1 share an average: what a byte costs depends on how many there are.
const classes = 24;
// A newer measurement counts for a sixteenth: some fifty requests of a size forget older ones.
const weightOfNewest = 1 / 16;
/** A thread that was stopped for a while says nothing about requests: no measurement counts more. */
const timesAverageMax = 10;
/** Before anything of about this size was measured. */
const msPerRequest = 0.05;
const msPerByte = 0.00003;
/** In shorter batches the way to the thread and back is most of the time. */
const batchMsMin = 1;
const stretchMax = 4;
/** What takes longer is a stall, which says nothing about the next batch. */
const handOverMsMax = 5;

/** Learns from the threads what requests cost, by the class of their size. */
export class CostModel {
  readonly #averages = Float64Array.from({ length: classes }, (_, at) => atFirst(2 ** at));
  #stretch = 1;
  #handOverMs = 0;

  /** Milliseconds of a thread that a request of this size will probably take. */
  estimateMs(bytes: number): number {
    return this.#averages[classOf(bytes)] ?? 0;
  }

  /** By the clock, work takes so many times as long as on its thread. */
  get stretch(): number {
    return this.#stretch;
  }

  /** What a batch takes beside its work: its way to the thread, and until its answers are read. */
  get handOverMs(): number {
    return this.#handOverMs;
  }

  /** Learns from a request that a thread has answered. */
  learn({ bytes, ms }: Measured): void {
    const at = classOf(bytes);
    const average = this.#averages[at] ?? 0;
    const counted = Math.min(ms, average * timesAverageMax);
    this.#averages[at] = average + (counted - average) * weightOfNewest;
  }

  /** Learns from a batch: what a thread worked, and how long it was away for it. */
  learnBatch(batch: { readonly workedMs: number; readonly tookMs: number }): void {
    const besideMs = Math.min(handOverMsMax, Math.max(0, batch.tookMs - batch.workedMs));
    this.#handOverMs += (besideMs - this.#handOverMs) * weightOfNewest;
    if (batch.workedMs < batchMsMin) return;
    const ratio = Math.min(stretchMax, Math.max(1, batch.tookMs / batch.workedMs));
    this.#stretch += (ratio - this.#stretch) * weightOfNewest;
  }
}

function atFirst(bytes: number): number {
  return msPerRequest + bytes * msPerByte;
}

function classOf(bytes: number): number {
  return Math.min(classes - 1, 31 - Math.clz32(bytes | 1));
}
