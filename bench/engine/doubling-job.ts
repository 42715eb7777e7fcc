import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import type { Engine } from '../../src/core/engine.ts';
import { type Adversary, adversarialBody, readAdversaries } from '../lib/inputs.ts';
import { answerJob } from '../lib/job.ts';
import type { Target } from '../lib/plan.ts';
import { type Growth, measureGrowth } from './growth.ts';
import { loadEngine } from './load-engine.ts';

/** How far the doubling goes. */
export interface DoublingJob {
  readonly target: Target;
  /** Lengths of the texts, each twice the one before. */
  readonly sizes: readonly number[];
  readonly patterns: number;
  /** Least CPU time for one measurement. */
  readonly cellMs: number;
  readonly rounds: number;
  readonly doubtMs: number;
}

/** What doubling did to one pattern. */
export interface Doubling {
  readonly name: string;
  readonly growth: Growth;
}

answerJob(async (job: DoublingJob): Promise<Doubling[]> => {
  const engine = await loadEngine(job.target);
  const adversaries = readAdversaries().slice(0, job.patterns);
  return adversaries.map((adversary) => ({
    name: adversary.name,
    growth: growthOf(engine, adversary, job),
  }));
});

function growthOf(engine: Engine, adversary: Adversary, job: DoublingJob): Growth {
  const bodies = job.sizes.map((size) => adversarialBody(adversary, size));
  return measureGrowth({
    ...job,
    run: (index) => screenHostile(engine, bodies[index] ?? ''),
    clock: cpuMs,
  });
}

function screenHostile(engine: Engine, body: string): void {
  const result = engine.screen({ body, context: noContext }, defaultPolicy);
  if (result.kind !== 'verdict') throw new Error(`An adversarial body is refused: ${result.fault}`);
}

/** CPU time, because the time on the clock has that of all others on the machine in it. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
