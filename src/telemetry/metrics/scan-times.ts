import type { ScanTimes } from '../../contract/ports.ts';
import { DurationHistogram } from './duration-histogram.ts';

/** Counts the times of scans for the metrics. */
export interface ScanTimesCounter extends ScanTimes {
  readonly queue: DurationHistogram;
  readonly engine: DurationHistogram;
}

/** Counts how long requests waited for a thread, and how long a thread worked on each. */
export function createScanTimes(): ScanTimesCounter {
  const queue = new DurationHistogram({ fromUs: 50, toUs: 10_000_000 });
  const engine = new DurationHistogram({ fromUs: 1, toUs: 5_000_000 });
  return {
    queue,
    engine,
    screened(queueMs, engineMs) {
      queue.add(queueMs);
      engine.add(engineMs);
    },
  };
}
