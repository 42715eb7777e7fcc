import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import { bodyNamed, readBodies } from '../lib/inputs.ts';
import { answerJob } from '../lib/job.ts';
import { quantile } from '../lib/measure.ts';
import type { Target } from '../lib/plan.ts';
import { loadEngine } from './load-engine.ts';

/** Which bodies are screened to see what they allocate. */
export interface AllocationJob {
  readonly target: Target;
  readonly bodies: readonly string[];
}

/** Bytes of the heap that one request takes, by the name of the body. */
export type AllocationAnswer = Readonly<Record<string, number>>;

const warmUps = 40;
const tries = 15;
const heapWantedBytes = 2_000_000;

answerJob(async (job: AllocationJob): Promise<AllocationAnswer> => {
  const engine = await loadEngine(job.target);
  const all = readBodies();
  const answer: Record<string, number> = {};
  for (const name of job.bodies) {
    const { texts } = bodyNamed(all, name);
    const screenAll = () => {
      for (const body of texts) engine.screen({ body, context: noContext }, defaultPolicy);
    };
    for (let i = 0; i < warmUps; i += 1) screenAll();
    answer[name] = Math.round(allocatedBy(screenAll) / texts.length);
  }
  return answer;
});

/** Bytes of one call. A try during which memory was collected shows too little and is left out. */
function allocatedBy(work: () => void): number {
  let calls = 1;
  const seen: number[] = [];
  for (let i = 0; i < tries; i += 1) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    for (let call = 0; call < calls; call += 1) work();
    const grown = process.memoryUsage().heapUsed - before;
    if (grown <= 0) continue;
    // Small requests are counted by the hundred: the answer of memoryUsage takes memory itself.
    if (grown < heapWantedBytes && calls < 1_000) calls *= 4;
    else seen.push(grown / calls);
  }
  if (seen.length === 0) throw new Error('Memory was collected in each try: give it more room.');
  return quantile(
    seen.toSorted((a, b) => a - b),
    0.5,
  );
}
