import type { CoverageReason } from '../../contract/limits.ts';
import type { Where } from '../../contract/verdict.ts';
import type { Grammar } from '../grammars/grammar.ts';
import type { FieldRole } from './field-role.ts';

/** One view of one field, as a rule sees it. */
export interface Subject {
  readonly text: string;
  /** Class bits of the text (`text/char-class.ts`). */
  readonly classes: number;
  readonly where: Where;
  /**
   * Name of the member that the text is the value of, or is: `user[name]`; `''` for items of a bare
   * array.
   */
  readonly member: string;
  /** How many members and items hold the text: 1 at the top level of the body. */
  readonly depth: number;
  /** Decodings that led here; empty for the raw text. */
  readonly decoded: readonly string[];
  /** What the member is for, where that is declared: in the place of what its name tells. */
  readonly role: FieldRole | undefined;
  /** The text read by a grammar; read once for all rules. */
  tokens<Tokens>(grammar: Grammar<Tokens>): Tokens;
  /** Says that the text could not be read to its end. */
  incomplete(reason: CoverageReason): void;
}

/** The engine's subject: one object, reused for all views of all fields. */
export class ReusableSubject implements Subject {
  text = '';
  classes = 0;
  where: Where = 'value';
  member = '';
  depth = 0;
  decoded: readonly string[] = [];
  role: FieldRole | undefined;
  /** Characters that grammars have read: the measure of work. */
  steps = 0;
  readonly reasons: Set<CoverageReason> = new Set();
  /** What the text was read by, and to what. Few at a time: a search is faster than a map. */
  private readonly grammars: Grammar<unknown>[] = [];
  private readonly readings: unknown[] = [];
  private count = 0;

  /** Forgets the readings of the previous text, and lets go of them. */
  reset(): void {
    while (this.count > 0) this.readings[--this.count] = undefined;
  }

  tokens<Tokens>(grammar: Grammar<Tokens>): Tokens {
    for (let i = 0; i < this.count; i++) {
      if (this.grammars[i] === grammar) return this.readings[i] as Tokens;
    }
    this.steps += this.text.length;
    const tokens = grammar.read(this.text);
    this.grammars[this.count] = grammar;
    this.readings[this.count++] = tokens;
    return tokens;
  }

  /** What a judge finds in another text at the same place. */
  judgedAs<Found>(text: string, judge: (subject: Subject) => Found): Found {
    const own = this.text;
    this.reset();
    this.text = text;
    const found = judge(this);
    this.reset();
    this.text = own;
    return found;
  }

  incomplete(reason: CoverageReason): void {
    this.reasons.add(reason);
  }
}
