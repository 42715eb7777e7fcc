import { basename } from 'node:path';
import type { Baselines } from './baselines.ts';
import type { Mutation } from './mutations.ts';
import type { Tree } from './tree.ts';
import type { WhichTests } from './which-tests.ts';

/** What became of a mutation. */
export interface Tried {
  readonly mutation: Mutation;
  readonly outcome: 'killed' | 'survived' | 'not compiled' | 'timed out' | 'equivalent';
  /** The test that killed it, or how many did not. */
  readonly by: string;
}

/** Enough for a test file on a machine that does other things too, and more than `until` waits. */
const leastMs = 30_000;
const slack = 5;

/** Tries mutations with the tests that come to their places, the likeliest first. */
export class Trial {
  readonly #baselines: Baselines;
  readonly #which: WhichTests;
  /** The tests that have noticed a mutation of a file. */
  readonly #noticed = new Map<string, Set<string>>();

  constructor(baselines: Baselines, which: WhichTests) {
    this.#baselines = baselines;
    this.#which = which;
  }

  /** Makes the mutation of this number in a tree and tries the tests of its file. */
  try(tree: Tree, mutation: Mutation, number: number): Promise<Tried> {
    return tree.with(mutation, async () => {
      let count = 0;
      for (const test of this.#inOrder(mutation, number)) {
        const usual = await this.#baselines.of(test);
        if (!usual.passes || usual.reached?.has(number) === false) continue;
        count += 1;
        const msMax = Math.max(leastMs, usual.ms * slack);
        const run = () => tree.runTest(test, msMax);
        if ((await run()).outcome === 'passed') continue;
        // A busy machine makes a test fail now and then, a mutation always.
        const end = await run();
        if (end.outcome === 'passed') continue;
        // What takes longer than usual may have failed by that.
        const isLate = end.ms > usual.ms;
        if (isLate && !(await this.#baselines.passesNow(test, msMax))) continue;
        this.#noticedBy(mutation.path).add(test);
        const outcome = end.outcome === 'failed' ? 'killed' : 'timed out';
        return { mutation, outcome, by: `${test}: ${end.failed}` };
      }
      const by = count === 0 ? 'no test comes to it' : `${count} test files`;
      return { mutation, outcome: 'survived', by };
    });
  }

  /** First what noticed mutations of this file, imports it or has its name; then the quickest. */
  #inOrder({ path }: Mutation, number: number): readonly string[] {
    const tests = this.#which.testsOf(path);
    const noticed = this.#noticedBy(path);
    const name = `${basename(path, '.ts')}.test.ts`;
    const rank = (test: string) => {
      const isLikely =
        noticed.has(test) || basename(test) === name || this.#which.imports(test, path);
      const ms = this.#baselines.msTo(test, number) ?? msUnknown(test);
      return isLikely ? ms / likelier : ms;
    };
    const ranks = new Map(tests.map((test) => [test, rank(test)]));
    return tests.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  }

  #noticedBy(path: string): Set<string> {
    const noticed = this.#noticed.get(path) ?? new Set();
    this.#noticed.set(path, noticed);
    return noticed;
  }
}

/** A test that is not known has to run without the mutation too. */
const msUnknown = (test: string): number => (test.endsWith('.slow.test.ts') ? 300_000 : 60_000);
/** A likely test may take so many times as long as another that goes behind it. */
const likelier = 20;
