/**
 * Changes the sources a little, one change at a time and in a copy, and checks whether a test
 * notices:
 *
 *   npm run bench:mutation -- [--mutations N] [--seed S] [--folders A,B] [--minutes M] [--at PATH:LINE]
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageInfo } from '../../src/config/package-info.ts';
import { runCommand } from '../lib/command.ts';
import { inTurn, numbered } from '../lib/in-turn.ts';
import { Baselines } from './baselines.ts';
import { Compiler } from './compiler.ts';
import { draw } from './draw.ts';
import { isEquivalent, readEquivalents, staleEquivalents } from './equivalents.ts';
import type { Mutation } from './mutations.ts';
import { folders, type Options, readOptions, usage } from './options.ts';
import { killedShare, lineOf, reportOf } from './report.ts';
import { filesOf, Tree } from './tree.ts';
import { Trial, type Tried } from './try-mutation.ts';
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
  readonly #copies: readonly Tree[];
  readonly #compiler: Compiler;
  readonly #all: readonly Mutation[];
  readonly #trial: Trial;

  constructor(root: string, files: readonly string[], folder: string, options: Options) {
    this.#options = options;
    const sources = files.filter((path) => path.endsWith('.ts'));
    const copy = (name: string) => new Tree(root, files, join(folder, name));
    this.#copies = numbered(options.jobs).map((index) => copy(`tree-${index}`));
    this.#compiler = new Compiler(copy('compiled').folder);
    // Of all folders, whichever are asked for: what a test comes to has the same numbers then.
    this.#all = this.#compiler.mutationsIn(sources.filter((path) => isIn(folders, path)));
    const store = join(root, 'bench/out/mutation-baselines.ndjson');
    const trees = { plain: copy('plain'), probed: copy('probed') };
    const baselines = new Baselines({ ...trees, files, all: this.#all, store });
    this.#trial = new Trial(baselines, new WhichTests(root, sources));
  }

  async whole(): Promise<Tried[]> {
    const { seed, folders, minutes } = this.#options;
    const all = this.#all.filter(({ path }) => isIn(folders, path));
    const chosen = chosenOf(all, this.#options);
    console.log(`seed ${seed}: ${chosen.length} of ${all.length} mutations`);
    const equivalents = readEquivalents();
    for (const { path, line, change } of staleEquivalents(equivalents, folders, all)) {
      console.log(`equivalent.json: ${path} has no ${change} in \`${line}\`; take it out.`);
    }
    const endsAt = performance.now() + minutes * 60_000;
    const tried: Tried[] = [];
    await inTurn(chosen, this.#copies, async (mutation, tree) => {
      if (performance.now() > endsAt) return;
      const one = isEquivalent(equivalents, mutation)
        ? { mutation, outcome: 'equivalent' as const, by: 'equivalent.json' }
        : await this.#try(mutation, tree);
      tried.push(one);
      console.log(lineOf(one));
    });
    this.#compiler.close();
    return tried;
  }

  async #try(mutation: Mutation, tree: Tree): Promise<Tried> {
    if (!this.#compiler.takes(mutation)) return { mutation, outcome: 'not compiled', by: '' };
    const number = this.#all.indexOf(mutation);
    return this.#trial.try(tree, mutation, number);
  }
}

function isIn(folders: readonly string[], path: string): boolean {
  return folders.some((name) => path.startsWith(`src/${name}/`));
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
