import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import type { Engine } from '../../src/core/engine.ts';
import { type Adversary, adversarialBody, readAdversaries } from '../lib/inputs.ts';
import { answerJob } from '../lib/job.ts';
import type { Target } from '../lib/plan.ts';
import { loadEngine } from './load-engine.ts';

/** How far the doubling goes. */
export interface DoublingJob {
  readonly target: Target;
  /** Lengths of the texts, each twice the one before. */
  readonly sizes: readonly number[];
  readonly patterns: number;
  /** Shortest time that is taken for a measurement; small texts are screened again and again. */
  readonly cellMs: number;
  readonly rounds: number;
}

/** What doubling did to one pattern. */
export interface Doubling {
  readonly name: string;
  /** Milliseconds for each of the sizes. */
  readonly ms: readonly number[];
}

answerJob(async (job: DoublingJob): Promise<Doubling[]> => {
  const engine = await loadEngine(job.target);
  const adversaries = readAdversaries().slice(0, job.patterns);
  return adversaries.map((adversary) => doubled(engine, adversary, job));
});

/** A ratio above this, or a speed below, is measured again before it is believed. */
const doubtedRatio = 2.1;
const doubtedMbPerSecond = 12;
const tries = 4;
/** A pattern that stays bad must not take the time of all others. */
const doubtMsMax = 500;
const warmUpFactor = 10;
/** Larger texts take long enough to need no second time. */
const onceChars = 400_000;

function doubled(engine: Engine, adversary: Adversary, job: DoublingJob): Doubling {
  const bodies = job.sizes.map((size) => adversarialBody(adversary, size));
  // The shortest of some times: a disturbance only ever adds to one.
  const ms = bodies.map(() => Number.POSITIVE_INFINITY);
  // Cold code would make the small sizes look slow, and so hide a steep step.
  timeOnce(engine, bodies[0] ?? '', job.cellMs * warmUpFactor);
  const time = (index: number) => {
    const took = timeOnce(engine, bodies[index] ?? '', job.cellMs);
    ms[index] = Math.min(ms[index] ?? took, took);
  };
  for (let round = 0; round < job.rounds; round += 1) {
    bodies.forEach((body, index) => {
      if (round === 0 || body.length < onceChars) time(index);
    });
  }
  const giveUpAt = performance.now() + doubtMsMax;
  for (let i = 0; i < tries; i += 1) {
    for (let index = 0; index < bodies.length && performance.now() < giveUpAt; index += 1) {
      if (isDoubted(ms, index, job.sizes[index] ?? 0)) time(index);
    }
  }
  return { name: adversary.name, ms };
}

function isDoubted(ms: readonly number[], index: number, size: number): boolean {
  const took = ms[index] ?? 0;
  if (size / 1_000 / took < doubtedMbPerSecond) return true;
  return index > 0 && took / (ms[index - 1] ?? took) > doubtedRatio;
}

/** Milliseconds for one request, over as many as fill the time. */
function timeOnce(engine: Engine, body: string, cellMs: number): number {
  const startedAt = performance.now();
  for (let requests = 1; ; requests += 1) {
    const result = engine.screen({ body, context: noContext }, defaultPolicy);
    if (result.kind !== 'verdict')
      throw new Error(`An adversarial body is refused: ${result.fault}`);
    const took = performance.now() - startedAt;
    if (took >= cellMs) return took / requests;
  }
}
