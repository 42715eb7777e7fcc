import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutation } from './mutations.ts';
import { probed, probeFile, probeText, reachedVariable } from './probes.ts';
import type { TestEnd, Tree } from './tree.ts';

/** What became of a mutation. */
export interface Tried {
  readonly mutation: Mutation;
  readonly outcome: 'killed' | 'survived' | 'not compiled' | 'timed out' | 'equivalent';
  /** The test that killed it, or how many did not. */
  readonly by: string;
}

/** A test file that ran without a mutation. */
export interface Baseline {
  readonly test: string;
  readonly end: TestEnd;
  /** Numbers of the mutations whose place it comes to. */
  readonly reached: ReadonlySet<number>;
}

/** Enough for a test file on a machine that does other things too. */
const leastMs = 60_000;
const slack = 5;
const baselineMsMax = 300_000;

/** Puts a probe at the place of each mutation. */
export function addProbes(tree: Tree, mutations: readonly Mutation[]): void {
  tree.write(probeFile, probeText);
  for (const path of new Set(mutations.map((mutation) => mutation.path))) {
    const own = mutations.filter((mutation) => mutation.path === path);
    const text = readFileSync(join(tree.folder, path), 'utf8');
    tree.write(
      path,
      probed(path, text, own, (mutation) => mutations.indexOf(mutation)),
    );
  }
}

/** Runs a test in the tree with the probes; once more if it fails. */
export async function baselineOf(tree: Tree, test: string): Promise<Baseline> {
  const file = join(tree.folder, `reached-${test.replaceAll('/', '-')}`);
  const run = () => tree.runTest(test, baselineMsMax, { [reachedVariable]: file });
  let end = await run();
  if (end.outcome !== 'passed') end = await run();
  const numbers = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return { test, end, reached: new Set(numbers.map(Number)) };
}

/** Makes the mutation in a tree and tries the tests that come to its place. */
export function tryIn(
  tree: Tree,
  mutation: Mutation,
  baselines: readonly Baseline[],
): Promise<Tried> {
  return tree.with(mutation, async () => {
    for (const { test, end: usual } of baselines) {
      const run = () => tree.runTest(test, Math.max(leastMs, usual.ms * slack));
      if ((await run()).outcome === 'passed') continue;
      // A busy machine makes a test fail now and then, a mutation always.
      const end = await run();
      if (end.outcome === 'passed') continue;
      const outcome = end.outcome === 'failed' ? 'killed' : 'timed out';
      return { mutation, outcome, by: `${test}: ${end.failed}` };
    }
    const by = baselines.length === 0 ? 'no test comes to it' : `${baselines.length} test files`;
    return { mutation, outcome: 'survived', by };
  });
}
