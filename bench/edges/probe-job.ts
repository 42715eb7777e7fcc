import { setTimeout as delay } from 'node:timers/promises';
import { answerJob } from '../lib/job.ts';

/** How long a health check is asked again and again. */
export interface ProbeJob {
  readonly url: string;
  readonly ms: number;
}

const pauseMs = 10;

/** Gives the longest time that an answer took, in a process that does nothing else. */
answerJob<ProbeJob, number>(async ({ url, ms }) => {
  let slowest = 0;
  await (await fetch(url)).text();
  for (const end = performance.now() + ms; performance.now() < end; await delay(pauseMs)) {
    const askedAt = performance.now();
    await (await fetch(url)).text();
    slowest = Math.max(slowest, performance.now() - askedAt);
  }
  return slowest;
});
