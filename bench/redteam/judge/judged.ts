import type { Screener } from '../../../src/clients/outcome.ts';
import type { Random } from '../../lib/random.ts';
import type { Attack, Context, Rewriter, RunningOracle } from '../contract.ts';
import { type Verdict, verdictOf, verdictOfRequests } from './verdict.ts';

/** An attack that works, with what was said of it. */
export interface Working {
  readonly attack: Attack;
  readonly verdict: Verdict;
}

/** An attack that still works in another way to write it. */
export interface Rewritten {
  readonly working: Working;
  readonly rewriter: Rewriter;
}

/** Tried before an attack counts as one that cannot be rewritten. */
const rewritesEach = 8;

/** An interpreter and Sallyport side by side: what works, and what is said of it. */
export class Judged {
  readonly #running: RunningOracle;
  readonly #screener: Screener;
  readonly #rewriters: readonly Rewriter[];
  /** How often the interpreter was asked. */
  judgements = 0;

  constructor(running: RunningOracle, screener: Screener, rewriters: readonly Rewriter[]) {
    this.#running = running;
    this.#screener = screener;
    this.#rewriters = rewriters;
  }

  /** Undefined when the attack does not work. */
  async judge(context: Context, attack: Attack): Promise<Working | undefined> {
    this.judgements += 1;
    const sent = await this.#running.sent?.(context, attack.values);
    if (sent !== undefined) {
      if (sent.effect !== 'effective') return undefined;
      return { attack, verdict: await verdictOfRequests(this.#screener, sent.requests) };
    }
    const effect = await this.#running.judge(context, attack.values, attack.names);
    if (effect !== 'effective') return undefined;
    const names = attack.names ?? context.members;
    return { attack, verdict: await verdictOf(this.#screener, names, attack.values) };
  }

  /** The first of some rewritings, drawn by chance, that still works and is another text. */
  async rewrite(context: Context, attack: Attack, random: Random): Promise<Rewritten | undefined> {
    for (let tries = 0; tries < rewritesEach; tries += 1) {
      const rewriter = random.pick(this.#rewriters);
      const values: string[] = [];
      for (const value of attack.values) {
        values.push((await rewriter.rewrite(value, random)) ?? value);
      }
      if (values.every((value, index) => value === attack.values[index])) continue;
      const working = await this.judge(context, { ...attack, values });
      if (working !== undefined) return { working, rewriter };
    }
    return undefined;
  }
}
