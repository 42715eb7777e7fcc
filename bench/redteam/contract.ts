import type { Random } from '../lib/random.ts';

/** What an attack aims at; the categories of the product. */
export type Category =
  | 'cmdi'
  | 'code'
  | 'crlf'
  | 'csrf'
  | 'deserialization'
  | 'graphql'
  | 'jndi'
  | 'ldapi'
  | 'mailinj'
  | 'nosqli'
  | 'protopollution'
  | 'rfi'
  | 'sqli'
  | 'ssi'
  | 'ssrf'
  | 'ssti'
  | 'traversal'
  | 'xpathi'
  | 'xss'
  | 'xxe';

/** What the values did to the interpreter: reached a canary, nothing, or were no valid input. */
export type Effect = 'effective' | 'inert' | 'error';

/** What an application on the interpreter answers, and what the values did. */
export interface Reply {
  readonly effect: Effect;
  /** As the application shows it, unescaped. */
  readonly text: string;
  /** The application shows an error. */
  readonly hasFailed?: boolean;
  /** The interpreter was made to wait; its canary did not. */
  readonly isSlow?: boolean;
}

/** What came of a page that makes a browser send requests. */
export interface Sent {
  readonly effect: Effect;
  /** Each request that had an effect, as the middleware asks the service about it. */
  readonly requests: readonly (readonly string[])[];
}

/** A way in which vulnerable code puts values into a statement. */
export interface Context {
  /** Short and stable, such as `string, single quotes`: records name it. */
  readonly name: string;
  /** Fields of the request that the values come in, such as `body.q`; mostly one. */
  readonly members: readonly string[];
  /** A benign value for each field, which is inert: neighbours and controls of tests. */
  readonly benign: readonly string[];
}

/** An interpreter and vulnerable code on it. */
export interface Oracle {
  /** Unique, such as `sqlite`: records and the command line use it. */
  readonly name: string;
  readonly category: Category;
  /** The grammar and the rewriters that fit, such as `sql`. */
  readonly language: string;
  /** Programs that must be installed; `a b` is a check that `a b` succeeds. */
  readonly tools: readonly string[];
  readonly contexts: readonly Context[];
  start(): Promise<RunningOracle>;
}

/** An interpreter that runs: without privileges, in an empty folder, on loopback, in bounded time. */
export interface RunningOracle {
  /**
   * By behaviour alone: whether a canary was reached. Never throws for odd values. `names` stand in
   * place of the context's members, one for each value.
   */
  judge(context: Context, values: readonly string[], names?: readonly string[]): Promise<Effect>;
  /** The same with what the application answers, for those that tools attack in `range/`. */
  reply?(context: Context, values: readonly string[]): Promise<Reply>;
  /** For values that never come to the application, but make others send what is screened. */
  sent?(context: Context, values: readonly string[]): Promise<Sent>;
  close(): Promise<void>;
}

/** An attack that a grammar made; the oracle says whether it works. */
export interface Attack {
  /** The production, such as `union/number`: bypasses are grouped by it. */
  readonly kind: string;
  /** One for each field of the context. */
  readonly values: readonly string[];
  /**
   * In place of the context's members, where names are part of the attack: `body.user[$ne]` is the
   * field of a form, `body.user.$ne` a member in JSON.
   */
  readonly names?: readonly string[];
}

/** Makes attacks without end: goal × way in × way out × dialect. */
export interface Grammar {
  readonly language: string;
  attack(random: Random, oracle: Oracle, context: Context): Attack;
}

/** Writes a value in another way that means the same in its language. */
export interface Rewriter {
  readonly name: string;
  readonly language: string;
  /** Names of the oracles whose dialect has it; all of the language without. */
  readonly dialects?: readonly string[];
  /** Undefined where there is nothing to rewrite. The oracle says whether the meaning was kept. */
  rewrite(value: string, random: Random): string | undefined | Promise<string | undefined>;
}
