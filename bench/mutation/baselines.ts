import { createHash, type Hash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Mutation } from './mutations.ts';
import { probed, probeFile, probeText, reachedVariable } from './probes.ts';
import type { Tree } from './tree.ts';

/** A test file that ran without a mutation. */
export interface Baseline {
  readonly test: string;
  /** False where it fails by itself: it says nothing of a mutation. */
  readonly passes: boolean;
  readonly ms: number;
  /** Numbers of the mutations whose place it comes to; undefined for all of them. */
  readonly reached: ReadonlySet<number> | undefined;
}

/** A line of the file of known baselines. */
interface Known {
  readonly test: string;
  /** Of all that the test could see. */
  readonly hash: string;
  readonly ms: number;
  readonly reached?: readonly number[];
}

/** What baselines are made with. */
export interface BaselineParts {
  /** A copy that stays as it is. */
  readonly plain: Tree;
  /** A copy that gets probes. */
  readonly probed: Tree;
  readonly files: readonly string[];
  /** All mutations of the sources, by their number. */
  readonly all: readonly Mutation[];
  /** Where baselines are kept for the next run. */
  readonly store: string;
}

const baselineMsMax = 300_000;

/**
 * Runs each test file once without a mutation, when it is needed first: whether it passes, how long
 * it takes, and which places it comes to. That is known until a source or the test changes.
 */
export class Baselines {
  readonly #parts: BaselineParts;
  readonly #shared: Hash;
  readonly #known = new Map<string, Known>();
  readonly #running = new Map<string, Promise<Baseline>>();

  constructor(parts: BaselineParts) {
    this.#parts = parts;
    this.#shared = hashOfShared(parts);
    this.#read();
    addProbes(parts.probed, parts.all);
  }

  /** The milliseconds of a test that is known to come to a mutation; undefined for any other. */
  msTo(test: string, number: number): number | undefined {
    const known = this.#known.get(test);
    if (known === undefined || known.reached?.includes(number) === false) return undefined;
    return known.ms;
  }

  /** The baseline of a test file; runs it where it is not known. */
  of(test: string): Promise<Baseline> {
    const known = this.#known.get(test);
    const found =
      this.#running.get(test) ?? (known ? Promise.resolve(asBaseline(known)) : undefined);
    const baseline = found ?? this.#run(test);
    this.#running.set(test, baseline);
    return baseline;
  }

  /** Whether a test passes at this moment, without a mutation and in this time. */
  async passesNow(test: string, msMax: number): Promise<boolean> {
    return (await this.#parts.plain.runTest(test, msMax)).outcome === 'passed';
  }

  async #run(test: string): Promise<Baseline> {
    const { plain, probed, store } = this.#parts;
    const file = join(probed.folder, `reached-${test.replaceAll('/', '-')}`);
    writeFileSync(file, '');
    let end = await probed.runTest(test, baselineMsMax, { [reachedVariable]: file });
    let reached: number[] | undefined;
    if (end.outcome === 'passed') {
      const numbers = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(Number);
      reached = [...new Set(numbers)];
    } else {
      // Some tests do not take the probes, such as those that build a package.
      end = await plain.runTest(test, baselineMsMax);
      if (end.outcome !== 'passed') {
        console.log(`left out, fails by itself: ${test}: ${end.failed}`);
        return { test, passes: false, ms: end.ms, reached: undefined };
      }
    }
    const known = {
      ...{ test, hash: this.#hashOf(test), ms: Math.round(end.ms) },
      ...(reached && { reached }),
    };
    this.#known.set(test, known);
    appendFileSync(store, `${JSON.stringify(known)}\n`);
    return asBaseline(known);
  }

  #read(): void {
    const { store } = this.#parts;
    mkdirSync(dirname(store), { recursive: true });
    for (const line of linesOf(store)) {
      const known: Known = JSON.parse(line);
      if (known.hash === this.#hashOf(known.test)) this.#known.set(known.test, known);
    }
    const lines = [...this.#known.values()].map((known) => `${JSON.stringify(known)}\n`);
    writeFileSync(store, lines.join(''));
  }

  #hashOf(test: string): string {
    const { plain } = this.#parts;
    return addFile(this.#shared.copy(), plain, test).digest('base64url');
  }
}

function linesOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

function asBaseline({ test, ms, reached }: Known): Baseline {
  return { test, passes: true, ms, reached: reached && new Set(reached) };
}

/** All that every test can see: the tree without other tests, and what is only read. */
function hashOfShared({ plain, files }: BaselineParts): Hash {
  const hash = createHash('sha256').update(process.version);
  for (const path of files) if (!unseen.test(path)) addFile(hash, plain, path);
  return hash;
}

const unseen =
  /\.test\.ts$|\.md$|^bench\/(?:record\/|mutation\/(?!mutations\.|options\.|probes\.))/;

function addFile(hash: Hash, { folder }: Tree, path: string): Hash {
  try {
    return hash.update(`${path}\0`).update(readFileSync(join(folder, path)));
  } catch {
    // The test is gone.
    return hash;
  }
}

/** Puts a probe at the place of each mutation. */
function addProbes(tree: Tree, mutations: readonly Mutation[]): void {
  tree.write(probeFile, probeText);
  const byPath = Map.groupBy(mutations.entries(), ([, { path }]) => path);
  for (const [path, own] of byPath) {
    const numbers = new Map(own.map(([number, mutation]) => [mutation, number]));
    const text = readFileSync(join(tree.folder, path), 'utf8');
    tree.write(
      path,
      probed(path, text, [...numbers.keys()], (mutation) => numbers.get(mutation) ?? -1),
    );
  }
}
