import { timeEngine } from '../engine/run.ts';
import { rateOf, runLoad } from '../http/load.ts';
import { closedLoop } from '../http/run.ts';
import { bodyNamed, readBodies } from '../lib/inputs.ts';
import { type Measure, measure, quantile, summarise } from '../lib/measure.ts';
import { type Plan, repeatsOf, type Target } from '../lib/plan.ts';
import { startService } from '../lib/server.ts';
import { tableOf } from '../lib/table.ts';
import { type Prepared, prepareCommit, prepareWorkingFiles } from './prepare.ts';

const rounds = 5;

/** Measures two commits (`A` against the working files, or `A..B`) and says what changed. */
export async function runCompare(plan: Plan, asked: string, repository: string): Promise<string> {
  const [before = '', after] = asked.split('..');
  const prepared: Prepared[] = [];
  try {
    prepared.push(prepareCommit(repository, before));
    prepared.push(
      after === undefined ? prepareWorkingFiles(repository) : prepareCommit(repository, after),
    );
    const [a, b] = prepared;
    if (a === undefined || b === undefined) throw new RangeError('Two trees are compared.');
    const measures = await compareTargets(plan, a.target, b.target);
    return (
      `${b.commit} against ${a.commit}, speed ratios: above 1 is faster\n\n${tableOf(measures)}\n\n` +
      'Noise: no further from 1 than the rounds are from each other.'
    );
  } finally {
    for (const one of prepared) one.remove();
  }
}

/** Speed of `b` over that of `a`, a sample for each round; who goes first changes every round. */
export async function compareTargets(plan: Plan, a: Target, b: Target): Promise<Measure[]> {
  const ratios = new Map<string, number[]>();
  for (let round = 0; round < repeatsOf(plan, rounds); round += 1) {
    const first = await measureTarget(plan, round % 2 === 0 ? a : b);
    const second = await measureTarget(plan, round % 2 === 0 ? b : a);
    const [ofA, ofB] = round % 2 === 0 ? [first, second] : [second, first];
    for (const [name, speed] of ofB) {
      const before = ofA.get(name);
      if (before === undefined) continue;
      const list = ratios.get(name) ?? [];
      list.push(speed / before);
      ratios.set(name, list);
    }
  }
  return [...ratios].map(([what, samples]) => {
    const [name = '', input = ''] = what.split('\t');
    const part = name === 'engine' ? 'engine' : 'http';
    const note = isNoise(samples) ? 'noise' : '';
    return measure({ part, name, input, unit: 'ratio', note }, samples);
  });
}

/** A change is further from 1 than the rounds are from each other. */
function isNoise(samples: readonly number[]): boolean {
  const { median, low, high } = summarise(samples);
  return Math.abs(median - 1) <= high - low;
}

/** Requests or megabytes a second, by benchmark and input. */
async function measureTarget(plan: Plan, target: Target): Promise<ReadonlyMap<string, number>> {
  const speeds = new Map<string, number>();
  const bodies = readBodies();
  const quick = { ...plan, target, scale: plan.scale * engineShare };
  for (const [name, times] of Object.entries(await timeEngine(quick))) {
    const fastest = quantile(
      times.toSorted((a, b) => a - b),
      0.5,
    );
    speeds.set(`engine\t${name}`, (bodyNamed(bodies, name).bytes * 1_000) / fastest);
  }
  const service = await startService(target, ['--workers', '1']);
  try {
    for (const body of ['login', 'form-1k', 'article-16k']) {
      const answer = await runLoad(service, closedLoop(plan, [{ body, share: 1 }]));
      speeds.set(`http\t${body}`, rateOf(answer));
    }
  } finally {
    await service.stop();
  }
  return speeds;
}

/** Ten runs of the engine benchmark take part, so that each may be shorter. */
const engineShare = 0.4;
