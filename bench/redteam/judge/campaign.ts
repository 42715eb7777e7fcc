import { Random } from '../../lib/random.ts';
import type { Context, Grammar, Oracle } from '../contract.ts';
import { Families, type Family } from './families.ts';
import type { Judged, Working } from './judged.ts';
import type { Verdict } from './verdict.ts';

export interface CampaignOptions {
  readonly seed: number;
  /** Attacks that work and are not rewritten, over all contexts. */
  readonly attacks: number;
}

/** Attacks that work, and how many of them pass. */
export interface Tally {
  effective: number;
  passed: number;
}

/** What came of a campaign against one interpreter. */
export interface CampaignReport {
  readonly oracle: string;
  readonly category: string;
  /** By the number of rewritings, from none to three. */
  readonly depths: readonly Tally[];
  readonly contexts: readonly (Tally & { readonly name: string })[];
  /** Attacks of the grammar that were tried, working or not. */
  readonly tried: number;
  readonly judgements: number;
  /** The heaviest; `familyCount` is of all. */
  readonly families: readonly Family[];
  readonly familyCount: number;
}

export const depthMax = 3;
/** Beyond these most families are a single attack. */
const familiesKept = 60;
/** Drawn for each attack that is wanted, before a context is given up. */
const drawsEach = 12;

/** Attacks an interpreter, rewrites what works, and counts what Sallyport lets pass. */
export async function campaign(
  oracle: Oracle,
  grammar: Grammar,
  judged: Judged,
  options: CampaignOptions,
): Promise<CampaignReport> {
  const run = new Campaign(oracle, grammar, judged, options.seed);
  const each = Math.ceil(options.attacks / oracle.contexts.length);
  for (const context of oracle.contexts) await run.attack(context, each);
  return run.report();
}

class Campaign {
  readonly #oracle: Oracle;
  readonly #grammar: Grammar;
  readonly #judged: Judged;
  readonly #random: Random;
  readonly #families = new Families();
  readonly #depths: Tally[] = Array.from({ length: depthMax + 1 }, () => noTally());
  readonly #contexts: (Tally & { readonly name: string })[] = [];
  #tried = 0;

  constructor(oracle: Oracle, grammar: Grammar, judged: Judged, seed: number) {
    this.#oracle = oracle;
    this.#grammar = grammar;
    this.#judged = judged;
    this.#random = new Random(seed);
  }

  async attack(context: Context, wanted: number): Promise<void> {
    const tally = { name: context.name, ...noTally() };
    this.#contexts.push(tally);
    for (let draws = wanted * drawsEach; draws > 0 && tally.effective < wanted; draws -= 1) {
      this.#tried += 1;
      const attack = this.#grammar.attack(this.#random, this.#oracle, context);
      const working = await this.#judged.judge(context, attack);
      if (working === undefined) continue;
      count(tally, working.verdict);
      count(this.#depths[0], working.verdict);
      if (!working.verdict.isBlocked) this.#families.add(attack.kind, 0, context, attack);
      await this.#rewrite(context, working);
    }
  }

  report(): CampaignReport {
    return {
      oracle: this.#oracle.name,
      category: this.#oracle.category,
      depths: this.#depths,
      contexts: this.#contexts,
      tried: this.#tried,
      judgements: this.#judged.judgements,
      families: this.#families.all().slice(0, familiesKept),
      familyCount: this.#families.all().length,
    };
  }

  async #rewrite(context: Context, first: Working): Promise<void> {
    let before = first;
    for (let depth = 1; depth <= depthMax; depth += 1) {
      const next = await this.#judged.rewrite(context, before.attack, this.#random);
      if (next === undefined) return;
      const { working, rewriter } = next;
      count(this.#depths[depth], working.verdict);
      if (before.verdict.isBlocked && !working.verdict.isBlocked) {
        const family = `${before.verdict.rule} × ${rewriter.name}`;
        this.#families.add(family, depth, context, working.attack);
      }
      before = working;
    }
  }
}

const noTally = (): Tally => ({ effective: 0, passed: 0 });

function count(tally: Tally | undefined, { isBlocked }: Verdict): void {
  if (tally === undefined) return;
  tally.effective += 1;
  if (!isBlocked) tally.passed += 1;
}
