import { answerJob } from './job.ts';
import { slowestLivez } from './livez.ts';

/** Whose health check is asked again and again, and how long. */
export interface LivezJob {
  readonly host: string;
  readonly port: number;
  readonly ms: number;
}

const pauseMs = 10;

/** Gives the longest time that an answer took, in a process that does nothing else. */
answerJob<LivezJob, number>(({ ms, ...server }) =>
  slowestLivez(server, { pauseMs, until: AbortSignal.timeout(ms) }),
);
