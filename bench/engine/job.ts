import type { Engine } from '../../src/core/engine.ts';
import { bodyNamed, type NamedBody, readBodies } from '../lib/inputs.ts';
import { answerJob } from '../lib/job.ts';
import type { Target } from '../lib/plan.ts';
import { loadEngine, screenChecked } from './load-engine.ts';

/** What is to be timed, and for how long. */
export interface EngineJob {
  readonly target: Target;
  readonly bodies: readonly string[];
  /** Time for one body in one round. */
  readonly ms: number;
  readonly rounds: number;
}

/** Nanoseconds for one request, one for each round, by the name of the body. */
export type EngineAnswer = Readonly<Record<string, readonly number[]>>;

answerJob(async (job: EngineJob): Promise<EngineAnswer> => {
  const engine = await loadEngine(job.target);
  const all = readBodies();
  const bodies = job.bodies.map((name) => bodyNamed(all, name));
  const samples = new Map<string, number[]>(bodies.map(({ name }) => [name, []]));
  // Each round takes the bodies in turn: a disturbance of the machine hits them all alike, and what
  // one of them made the compiler assume is corrected by the others before it counts.
  for (let round = -warmUpRounds; round < job.rounds; round += 1) {
    for (const body of bodies) {
      const perRequest = timeBody(engine, body, job.ms);
      if (round >= 0) samples.get(body.name)?.push(perRequest);
    }
  }
  return Object.fromEntries(samples);
});

/**
 * V8 compiles for a while beside the work, on a busy machine for seconds: until then a request takes
 * up to ten times as long.
 */
const warmUpRounds = 8;

/** Nanoseconds for one request; at least each text of the body is screened once. */
function timeBody(engine: Engine, body: NamedBody, ms: number): number {
  const startedAt = performance.now();
  let requests = 0;
  for (;;) {
    for (const text of body.texts) screenChecked(engine, text, body);
    requests += body.texts.length;
    const took = performance.now() - startedAt;
    if (took >= ms) return (took / requests) * 1e6;
  }
}
