import { Random } from '../../lib/random.ts';
import type { Context, Grammar, Oracle } from '../contract.ts';
import { cross } from './cross.ts';
import { Families, type Family } from './families.ts';
import type { Judged, Working } from './judged.ts';

export interface SearchOptions {
  readonly seed: number;
  readonly seconds: number;
}

/** What a search found that Sallyport lets pass, though it blocks the plain attack. */
export interface SearchReport {
  readonly seconds: number;
  /** Plain attacks that were blocked at the start. */
  readonly started: number;
  /** Of these, how many were brought past. */
  readonly passed: number;
  readonly rewritings: number;
  readonly families: readonly Family[];
}

/** Plain attacks under way at the same time. */
const populationMax = 32;
/** Rewritings of one attack before another takes its place. */
const stepsMax = 120;
const textMax = 4_000;
/** One step in so many crosses two attacks in place of a rewriting. */
const crossEach = 6;

interface Candidate {
  readonly context: Context;
  /** The rule that found the plain attack. */
  readonly rule: string;
  best: Working;
  steps: number;
}

/**
 * Rewrites and crosses blocked attacks for as long as it has, and keeps a child where the attack
 * still works and the score has not risen: a walk downhill, guided by the score.
 */
export async function search(
  oracle: Oracle,
  grammar: Grammar,
  judged: Judged,
  { seed, seconds }: SearchOptions,
): Promise<SearchReport> {
  const random = new Random(seed);
  const families = new Families();
  const population: Candidate[] = [];
  const counts = { started: 0, passed: 0, rewritings: 0 };
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    if (population.length < populationMax) {
      const plain = await blockedAttack(oracle, grammar, judged, random);
      if (plain !== undefined) {
        population.push(plain);
        counts.started += 1;
      }
    }
    const index = random.below(population.length);
    const candidate = population[index];
    if (candidate === undefined) continue;
    candidate.steps += 1;
    counts.rewritings += 1;
    const next = await child(candidate, random.pick(population), judged, random);
    if (next !== undefined && isBetter(next.working, candidate.best)) {
      if (!next.working.verdict.isBlocked) {
        const name = `${candidate.rule} × ${next.by}`;
        families.add(name, candidate.steps, candidate.context, next.working.attack);
        counts.passed += 1;
        population.splice(index, 1);
        continue;
      }
      candidate.best = next.working;
    }
    if (candidate.steps >= stepsMax) population.splice(index, 1);
  }
  return { seconds, ...counts, families: families.all() };
}

/** What the next step makes of a candidate, and by what; undefined when that does not work. */
async function child(
  { context, best }: Candidate,
  other: Candidate,
  judged: Judged,
  random: Random,
): Promise<{ readonly working: Working; readonly by: string } | undefined> {
  if (random.below(crossEach) > 0) {
    const next = await judged.rewrite(context, best.attack, random);
    return next && { working: next.working, by: next.rewriter.name };
  }
  const attack = cross(best.attack, other.best.attack, random);
  const working = attack && (await judged.judge(context, attack));
  return working && { working, by: 'crossing' };
}

function isBetter(next: Working, best: Working): boolean {
  if (next.verdict.score > best.verdict.score) return false;
  return next.attack.values.join('').length <= textMax;
}

/** A plain attack that works and is blocked; undefined when this draw gave none. */
async function blockedAttack(
  oracle: Oracle,
  grammar: Grammar,
  judged: Judged,
  random: Random,
): Promise<Candidate | undefined> {
  const context = random.pick(oracle.contexts);
  const working = await judged.judge(context, grammar.attack(random, oracle, context));
  if (working === undefined || !working.verdict.isBlocked) return undefined;
  return { context, rule: working.verdict.rule, best: working, steps: 0 };
}
