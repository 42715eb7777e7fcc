import { setTimeout as delay } from 'node:timers/promises';

/** What the work gives; undefined after so long, and the work goes on then. */
export async function inTime<T>(
  work: Promise<T> | undefined,
  msMax: number,
): Promise<T | undefined> {
  const late = new AbortController();
  const giveUp = delay(msMax, undefined, { signal: late.signal }).catch(() => undefined);
  return await Promise.race([work, giveUp]).finally(() => late.abort());
}
