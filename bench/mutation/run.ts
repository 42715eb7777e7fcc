/**
 * Changes the sources a little, one change at a time and in a copy, and checks whether a test
 * notices:
 *
 *   npm run bench:mutation -- [--mutations N] [--seed S] [--folders A,B] [--at PATH:LINE]
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageInfo } from '../../src/config/package-info.ts';
import { runCommand } from '../lib/command.ts';
import { inTurn } from '../lib/in-turn.ts';
import { Compiler } from './compiler.ts';
import { draw } from './draw.ts';
import { isEquivalent, readEquivalents, staleEquivalents } from './equivalents.ts';
import type { Mutation } from './mutations.ts';
import { type Options, readOptions, usage } from './options.ts';
import { killedShare, lineOf, reportOf } from './report.ts';
import { filesOf, Tree } from './tree.ts';
import { addProbes, type Baseline, baselineOf, type Tried, tryIn } from './try-mutation.ts';
import { WhichTests } from './which-tests.ts';

/** The share of mutations that the tests must notice. */
const shareMin = 0.9;

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    console.log(usage);
    return;
  }
  const { root } = packageInfo();
  const files = filesOf(root).filter((path) => existsSync(join(root, path)));
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-mutation-'));
  // Open to others: the PostgreSQL of a test runs as another user.
  chmodSync(folder, 0o755);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const tried = await new Run(root, files, folder, options).whole();
  const report = reportOf(tried);
  console.log(`\n${report}`);
  if (options.record !== undefined) writeFileSync(options.record, `${report}\n`);
  if (killedShare(tried) < shareMin) process.exitCode = 1;
}

/** One run: what is drawn, the copies, and what is learned. */
class Run {
  readonly #options: Options;
  readonly #which: WhichTests;
  readonly #trees: readonly Tree[];
  readonly #sources: readonly string[];

  constructor(root: string, files: readonly string[], folder: string, options: Options) {
    this.#options = options;
    this.#sources = files.filter(
      (path) =>
        path.endsWith('.ts') && options.folders.some((name) => path.startsWith(`src/${name}/`)),
    );
    this.#which = new WhichTests(
      root,
      files.filter((path) => path.endsWith('.ts')),
    );
    this.#trees = Array.from(
      { length: options.jobs + 1 },
      (_, index) => new Tree(root, files, join(folder, `tree-${index}`)),
    );
  }

  async whole(): Promise<Tried[]> {
    const [plain, ...copies] = this.#trees;
    if (plain === undefined) throw new RangeError('A run needs a tree.');
    const { tried, open } = this.#drawn(plain);
    addProbes(plain, open);
    const tests = [...new Set(open.flatMap(({ path }) => this.#which.testsOf(path)))];
    console.log(
      `${open.length} to be tried; ${tests.length} test files run without a change first`,
    );
    const baselines: Baseline[] = [];
    await inTurn(tests, copies, async (test) => {
      const baseline = await baselineOf(plain, test);
      if (baseline.end.outcome === 'passed') baselines.push(baseline);
      else console.log(`left out, fails by itself: ${test}: ${baseline.end.failed}`);
    });
    baselines.sort((a, b) => a.end.ms - b.end.ms);
    const numbered = open.map((mutation, number) => ({ mutation, number }));
    await inTurn(numbered, copies, async ({ mutation, number }, tree) => {
      const able = this.#which.testsOf(mutation.path);
      const one = await tryIn(
        tree,
        mutation,
        baselines.filter(({ test, reached }) => reached.has(number) && able.includes(test)),
      );
      tried.push(one);
      console.log(lineOf(one));
    });
    return tried;
  }

  /** The mutations of this run: those that need no test, and those that are to be tried. */
  #drawn(plain: Tree): { tried: Tried[]; open: Mutation[] } {
    const compiler = new Compiler(plain.folder);
    const all = compiler.mutationsIn(this.#sources);
    const chosen = chosenOf(all, this.#options);
    console.log(`seed ${this.#options.seed}: ${chosen.length} of ${all.length} mutations`);
    const equivalents = readEquivalents();
    for (const { path, line, change } of staleEquivalents(
      equivalents,
      this.#options.folders,
      all,
    )) {
      console.log(`equivalent.json: ${path} has no ${change} in \`${line}\`; take it out.`);
    }
    const tried: Tried[] = [];
    const open: Mutation[] = [];
    for (const mutation of chosen) {
      if (isEquivalent(equivalents, mutation)) {
        tried.push({ mutation, outcome: 'equivalent', by: 'equivalent.json' });
      } else if (compiler.takes(mutation)) {
        open.push(mutation);
      } else {
        tried.push({ mutation, outcome: 'not compiled', by: '' });
      }
    }
    compiler.close();
    return { tried, open };
  }
}

function chosenOf(all: readonly Mutation[], options: Options): readonly Mutation[] {
  const { at } = options;
  if (at === undefined) return draw(all, options);
  const chosen = all.filter(
    ({ path, line }) => path === at.path && (at.line === undefined || line === at.line),
  );
  if (chosen.length === 0) throw new Error(`--at ${at.path}: nothing can be mutated there.`);
  return chosen;
}

runCommand(main);
