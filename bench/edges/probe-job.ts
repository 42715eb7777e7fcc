import { setTimeout as delay } from 'node:timers/promises';
import { answerJob } from '../lib/job.ts';

/** How long a health check is asked again and again. */
export interface ProbeJob {
  readonly url: string;
  readonly ms: number;
}

const pauseMs = 10;
const lateMs = 20_000;

/** Gives the longest time that an answer took, in a process that does nothing else. */
answerJob<ProbeJob, number>(async ({ url, ms }) => {
  let slowest = 0;
  await (await fetch(url)).text();
  for (const end = performance.now() + ms; performance.now() < end; await delay(pauseMs)) {
    const askedAt = performance.now();
    // One that is late is given up, and has taken that long at least.
    const answer = fetch(url, { signal: AbortSignal.timeout(lateMs) });
    await answer.then((got) => got.text()).catch(() => undefined);
    slowest = Math.max(slowest, performance.now() - askedAt);
  }
  return slowest;
});
