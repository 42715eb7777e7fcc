import { readFileSync } from 'node:fs';
import { defaultPolicy } from '../../src/contract/policy.ts';
import { noContext } from '../../src/contract/request.ts';
import { createEngine } from '../../src/core/engine.ts';
import { Random } from '../lib/random.ts';
import { unsureDetectors } from '../lib/unsure.ts';
import { type FuzzRun, Report } from './report.ts';

/** Characters of the short and of the long text that are made of the same pieces. */
const shortChars = 12_000;
const longChars = 60_000;
/** Five times the characters; a decoder more may take part. What is not linear takes 25 times. */
const growthMax = 2 * (longChars / shortChars);
const stepsSpare = 60_000;
const piecesMax = 6;

/** What a field may be called, for the rules that ask. */
const names = ['value', 'query.id', 'body.html', 'path', 'body.comment', 'header.referer', 'sql'];

/** Screens a body and says how many characters were read for it. */
export type CountSteps = (body: string) => number;

/** What is sent, and how long it may take. */
export interface RepeatsRun extends Pick<FuzzRun, 'requests' | 'seed'> {
  /** Processor time that a text may take, in ms; without it none is measured. */
  readonly cpuMsMax?: number;
}

/**
 * Short random pieces of what a grammar opens, closes and joins with, again and again: nothing
 * throws however deep they nest, and the work grows with the length.
 */
export async function fuzzRepeats(
  { requests, seed, cpuMsMax = Number.POSITIVE_INFINITY }: RepeatsRun,
  countSteps: CountSteps = stepsOfEngine(),
): Promise<Report> {
  const report = new Report('repeats');
  const random = new Random(seed);
  const tokens = readTokens();
  for (let at = 0; at < requests; at++) {
    const grammar = random.pick([...tokens.keys()]);
    report.count(grammar);
    const own = tokens.get(grammar) ?? [];
    const others = random.chance(25) ? random.pick([...tokens.values()]) : own;
    const piece = random
      .times(1 + random.below(piecesMax), () => random.pick(random.chance(70) ? own : others))
      .join('');
    const [front, back] = random.times(2, () => (random.chance(30) ? random.pick(own) : ''));
    const name = random.pick(names);
    const steps = [shortChars, longChars].map((chars) => {
      const text = front + piece.repeat(Math.ceil(chars / piece.length)).slice(0, chars) + back;
      const body = JSON.stringify({ [name]: text });
      const before = process.cpuUsage();
      const count = guarded(report, body, countSteps);
      const { user, system } = process.cpuUsage(before);
      if (user + system > cpuMsMax * 1_000) report.fail('a text takes long', body);
      return count;
    });
    const [short, long] = steps;
    if (short === undefined || long === undefined) continue;
    if (long > growthMax * short + stepsSpare)
      report.fail(`${short} steps become ${long}`, JSON.stringify({ [name]: piece }));
  }
  return report;
}

function guarded(report: Report, body: string, countSteps: CountSteps): number | undefined {
  try {
    return countSteps(body);
  } catch (error) {
    report.fail(`threw ${(error as Error).message}`, body);
    return undefined;
  }
}

/** No finding ends the decoding: a long text may hold none where a short one does. */
function stepsOfEngine(): CountSteps {
  const engine = createEngine(unsureDetectors);
  return (body) => {
    const result = engine.screen({ body, context: noContext }, defaultPolicy);
    if (result.kind !== 'verdict') throw new Error(`no verdict but ${result.kind}`);
    return result.steps;
  };
}

/** The tokens by grammar. */
function readTokens(): ReadonlyMap<string, readonly string[]> {
  const file = new URL('../data/tokens.json', import.meta.url);
  return new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as object));
}
