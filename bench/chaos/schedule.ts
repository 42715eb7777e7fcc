import { Random } from '../lib/random.ts';
import { type Fault, faults } from './faults.ts';

/** One disturbance of the run. */
export interface Step {
  readonly fault: Fault;
  /** Time without a fault before it. */
  readonly quietMs: number;
  /** For the fault's own choices: how long, how many. */
  readonly random: Random;
}

/**
 * The faults of a run, without an end: the same seed gives the same ones, in the same order, with
 * the same choices. All kinds come before one comes again.
 */
export function* scheduleOf(seed: number, quietMs: number): Generator<Step, never> {
  const random = new Random(seed);
  for (;;) {
    for (const fault of random.shuffled(faults)) {
      yield {
        fault,
        quietMs: quietMs / 2 + random.below(quietMs),
        random: new Random(random.next()),
      };
    }
  }
}
