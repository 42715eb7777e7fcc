import type { ScanInput, ScanTimes } from '../contract/ports.ts';
import type { BatchDesk } from './batch-desk.ts';

/** Tells how long the requests of a batch waited and were worked on, one after the other. */
export function noteTimes(
  batch: readonly { readonly input: ScanInput; readonly since: number }[],
  from: { readonly startedAt: number; readonly desk: BatchDesk },
  times: ScanTimes | undefined,
): void {
  const { startedAt, desk } = from;
  let engineFrom = startedAt;
  for (let index = 0; index < batch.length; index++) {
    const item = batch[index];
    if (item === undefined) continue;
    const engineMs = desk.engineMs(index);
    times?.screened(startedAt - item.since, engineMs);
    const { timing } = item.input;
    if (timing !== undefined) {
      Object.assign(timing, { queuedAt: item.since, startedAt, engineFrom, engineMs });
    }
    engineFrom += engineMs;
  }
}
