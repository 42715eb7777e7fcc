import { setTimeout as delay } from 'node:timers/promises';

/** Resolves when the work is done, or after so long; the work goes on then. */
export async function inTime(work: Promise<unknown> | undefined, msMax: number): Promise<void> {
  const late = new AbortController();
  const giveUp = delay(msMax, undefined, { signal: late.signal }).catch(() => undefined);
  await Promise.race([work, giveUp]).finally(() => late.abort());
}
