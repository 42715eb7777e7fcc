import { Random } from '../../lib/random.ts';
import type { Context, Grammar, Oracle } from '../contract.ts';
import { cross } from './cross.ts';
import { Families, type Family } from './families.ts';
import type { Judged, Working } from './judged.ts';
import { shorten } from './shorten.ts';

/**
 * How long a search goes on: some seconds, with one attack after the other, or until each of
 * `attacksTried` had so many tries. The second way gives the same figure on a busy machine.
 */
export type SearchBudget = { readonly seconds: number } | { readonly tries: number };

/** What a search found that Sallyport lets pass, though it blocks the plain attack. */
export interface SearchReport {
  readonly budget: SearchBudget;
  /** Plain attacks that were blocked at the start. */
  readonly started: number;
  /** Of these, how many were brought past. */
  readonly passed: number;
  /** Children of them all: rewritings and crossings. */
  readonly tries: number;
  readonly families: readonly Family[];
}

/** Plain attacks of a search by tries. */
export const attacksTried = 40;
/** Plain attacks under way at the same time, in a search by time. */
const populationMax = 32;
/** Tries in one walk; then another attack takes the place, or the same one begins anew. */
const walkMax = 120;
const textMax = 4_000;
/** One step in so many crosses two attacks in place of a rewriting. */
const crossEach = 6;
/** Drawn for each attack that is wanted, before fewer will do. */
const drawsEach = 50;

interface Candidate {
  readonly context: Context;
  readonly plain: Working;
  best: Working;
  tries: number;
}

/**
 * Rewrites and crosses blocked attacks, and keeps a child where the attack still works and the score
 * has not risen: walks downhill, guided by the score.
 */
export async function search(
  oracle: Oracle,
  grammar: Grammar,
  judged: Judged,
  { seed, budget }: { readonly seed: number; readonly budget: SearchBudget },
): Promise<SearchReport> {
  const run = new Search(oracle, grammar, judged, seed);
  if ('seconds' in budget) await run.forSeconds(budget.seconds);
  else await run.forTries(budget.tries);
  return { budget, ...(await run.report()) };
}

class Search {
  readonly #oracle: Oracle;
  readonly #grammar: Grammar;
  readonly #judged: Judged;
  readonly #random: Random;
  readonly #families = new Families();
  readonly #population: Candidate[] = [];
  #started = 0;
  #passed = 0;
  #tries = 0;

  constructor(oracle: Oracle, grammar: Grammar, judged: Judged, seed: number) {
    this.#oracle = oracle;
    this.#grammar = grammar;
    this.#judged = judged;
    this.#random = new Random(seed);
  }

  async forSeconds(seconds: number): Promise<void> {
    const end = performance.now() + seconds * 1_000;
    while (performance.now() < end) {
      if (this.#population.length < populationMax) await this.#draw();
      await this.#step(walkMax);
    }
  }

  async forTries(tries: number): Promise<void> {
    for (let draws = attacksTried * drawsEach; draws > 0; draws -= 1) {
      if (this.#started === attacksTried) break;
      await this.#draw();
    }
    while (this.#population.length > 0) await this.#step(tries);
  }

  async report(): Promise<Omit<SearchReport, 'budget'>> {
    const families: Family[] = [];
    for (const family of this.#families.all()) {
      families.push({ ...family, example: await this.#shortened(family) });
    }
    return { started: this.#started, passed: this.#passed, tries: this.#tries, families };
  }

  /** The example without what it does not need to work and to pass. */
  async #shortened({ example }: Family): Promise<Family['example']> {
    const context = this.#oracle.contexts.find(({ name }) => name === example.context);
    if (context === undefined) return example;
    const values = await shorten(example.values, async (shorter) => {
      const working = await this.#judged.judge(context, {
        kind: '',
        names: example.names,
        values: shorter,
      });
      return working !== undefined && !working.verdict.isBlocked;
    });
    return { ...example, values };
  }

  /** Another plain attack, if the one that was drawn works and is blocked. */
  async #draw(): Promise<void> {
    const context = this.#random.pick(this.#oracle.contexts);
    const attack = this.#grammar.attack(this.#random, this.#oracle, context);
    const plain = await this.#judged.judge(context, attack);
    if (plain === undefined || !plain.verdict.isBlocked) return;
    this.#population.push({ context, plain, best: plain, tries: 0 });
    this.#started += 1;
  }

  /** One try of one of the attacks, which leaves when it is brought past or had `tries`. */
  async #step(tries: number): Promise<void> {
    const index = this.#random.below(this.#population.length);
    const candidate = this.#population[index];
    if (candidate === undefined) return;
    candidate.tries += 1;
    this.#tries += 1;
    const next = await this.#child(candidate);
    if (next !== undefined && isBetter(next.working, candidate.best)) {
      if (!next.working.verdict.isBlocked) {
        const name = `${candidate.plain.verdict.rule} × ${next.by}`;
        this.#families.add(name, candidate.tries, candidate.context, next.working.attack);
        this.#passed += 1;
        this.#population.splice(index, 1);
        return;
      }
      candidate.best = next.working;
    }
    if (candidate.tries >= tries) this.#population.splice(index, 1);
    else if (candidate.tries % walkMax === 0) candidate.best = candidate.plain;
  }

  /** What the next step makes of a candidate, and by what; undefined when that does not work. */
  async #child({
    context,
    best,
  }: Candidate): Promise<{ readonly working: Working; readonly by: string } | undefined> {
    const random = this.#random;
    if (random.below(crossEach) > 0) {
      const next = await this.#judged.rewrite(context, best.attack, random);
      return next && { working: next.working, by: next.rewriter.name };
    }
    const other = random.pick(this.#population);
    const attack = cross(best.attack, other.best.attack, random);
    const working = attack && (await this.#judged.judge(context, attack));
    return working && { working, by: 'crossing' };
  }
}

function isBetter(next: Working, best: Working): boolean {
  if (next.verdict.score > best.verdict.score) return false;
  return next.attack.values.join('').length <= textMax;
}
