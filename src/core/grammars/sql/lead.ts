import { endOfType } from './expression-places.ts';
import { introducesText } from './expression-words.ts';
import { isQuote, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { classesOf } from './word-classes.ts';

/** The operand that a value begins with, where a number could stand. */
export interface Lead {
  /** First token behind it; 0 for a value that begins otherwise. */
  readonly end: number;
  /** It is no plain number: a function, a CASE or a query computes it. */
  readonly isComputed: boolean;
}

/**
 * Reads the constant that a value begins with: `3`, `-coalesce(1,0)`, `CAST('3' AS DECIMAL)`,
 * `length('')`, `(SELECT 0)`, `1,2,5`. All of these are the same number to a database.
 */
export function readLead(tokens: SqlTokens): Lead {
  const first = tokens.kind[0] as number;
  // Most values begin with a name.
  if (first === sqlToken.word && tokens.word[0] === sqlWord.name && !isQuote(tokens.kind[1] ?? 0)) {
    return noLead;
  }
  return new LeadReader(tokens).read();
}

const noLead: Lead = { end: 0, isComputed: false };
const stepsMax = 2_000;

class LeadReader {
  private readonly tokens: SqlTokens;
  private at = 0;
  private depth = 0;
  private isOperandNext = true;
  private isComputed = false;
  /** The same, up to the end of the last operand that is whole. */
  private isWhole = false;
  private end = 0;
  private isForParenthesis = false;
  /** Where a list of numbers begins to be one; -1 before. */
  private listedAt = -1;

  constructor(tokens: SqlTokens) {
    this.tokens = tokens;
  }

  read(): Lead {
    for (let steps = 0; steps < stepsMax; steps++) {
      this.at = skipComments(this.tokens, this.at);
      const kind = this.tokens.kind[this.at] as number;
      if (!(this.isOperandNext ? this.operand(kind) : this.operator(kind))) break;
      if (this.depth > 0 || this.isOperandNext || !this.endsHere()) continue;
      this.end = this.at;
      this.isWhole = this.isComputed;
    }
    // A list is one where the value leaves the parentheses around it.
    const isList = this.listedAt >= 0 && this.tokens.kind[this.end] !== sqlToken.close;
    return { end: isList ? this.listedAt : this.end, isComputed: this.isWhole && !isList };
  }

  /** `'')`, `@a)`, `1+1)`: a lead only where the value leaves a parenthesis right behind it. */
  private endsHere(): boolean {
    const next = skipComments(this.tokens, this.at);
    return !this.isForParenthesis || this.tokens.kind[next] === sqlToken.close;
  }

  private operand(kind: number): boolean {
    const { kind: kinds, word } = this.tokens;
    switch (kind) {
      case sqlToken.number:
        return this.take(this.at + 1);
      case sqlToken.single:
      case sqlToken.double:
        return this.literal();
      case sqlToken.variable:
        if (this.depth === 0) this.isForParenthesis = true;
        return this.take(this.at + 1);
      case sqlToken.open:
        return this.open(this.at + 1);
      case sqlToken.close:
        return kinds[this.at - 1] === sqlToken.open && this.close();
      case sqlToken.operator:
        return signs.has(word[this.at] as number) && this.skip(1);
      case sqlToken.word:
        return this.wordOperand(word[this.at] as number);
      default:
        return false;
    }
  }

  /** Outside of parentheses only `'5'` and `''`. */
  private literal(): boolean {
    const { kind, jump } = this.tokens;
    const closing = jump[this.at] as number;
    const isNumber = closing === this.at + 2 && kind[this.at + 1] === sqlToken.number;
    const isEmpty = closing === this.at + 1;
    if (isEmpty && this.depth === 0) this.isForParenthesis = true;
    return closing > 0 && (this.depth > 0 || isNumber || isEmpty) && this.take(closing + 1);
  }

  private operator(kind: number): boolean {
    const { word } = this.tokens;
    const isInside = this.depth > 0;
    switch (kind) {
      case sqlToken.close:
        return isInside && this.close();
      case sqlToken.comma:
        if (!isInside && this.listedAt < 0) this.listedAt = this.at;
        return this.expect();
      case sqlToken.operator:
        if (!isInside && word[this.at] !== star) this.isForParenthesis = true;
        return this.expect();
      case sqlToken.comparison:
      case sqlToken.pipes:
        if (!isInside) this.isForParenthesis = true;
        return this.expect();
      case sqlToken.cast:
        return this.skip(2);
      case sqlToken.open:
        return this.skipSize();
      case sqlToken.word:
        return isInside && this.wordOperator(word[this.at] as number);
      default:
        return false;
    }
  }

  private wordOperand(word: number): boolean {
    const { kind } = this.tokens;
    const next = kind[this.at + 1] as number;
    if (isQuote(next) && introducesText(this.tokens, this.at)) return this.introduced();
    const isNested = this.isNestedName(word);
    if (next === sqlToken.open && (isNested || isCall(word))) {
      this.isComputed = true;
      return this.open(this.at + 2);
    }
    if (next === sqlToken.dot && isNested) return this.skip(2);
    switch (word) {
      case sqlWord.constant:
        return this.take(this.at + 1);
      case sqlWord.case:
        this.isComputed = true;
        return this.open(this.at + 1);
      case sqlWord.select:
        this.isComputed = true;
        return this.depth > 0 && this.skip(1);
      case sqlWord.branch:
      case sqlWord.quantifier:
        return this.depth > 0 && this.skip(1);
      case sqlWord.prefix:
        return this.skip(1);
      default:
        return false;
    }
  }

  /** `length(pg_catalog.decode('','hex'))` */
  private isNestedName(word: number): boolean {
    return this.depth > 0 && this.isComputed && word === sqlWord.name;
  }

  /** `B'011'`, `int'5'` */
  private introduced(): boolean {
    const closing = this.tokens.jump[this.at + 1] as number;
    return closing > 0 && this.take(closing + 1);
  }

  private wordOperator(word: number): boolean {
    switch (word) {
      case sqlWord.or:
      case sqlWord.and:
      case sqlWord.xor:
      case sqlWord.branch:
      case sqlWord.arithmetic:
        return this.expect();
      case sqlWord.end:
        return this.close();
      case sqlWord.as:
        return this.skipType();
      case sqlWord.suffix:
        return this.skip(2);
      default:
        return false;
    }
  }

  /** `::DECIMAL(9)`: the size of a type. */
  private skipSize(): boolean {
    const { kind } = this.tokens;
    const isSize = kind[this.at - 1] === sqlToken.word && kind[this.at + 2] === sqlToken.close;
    return isSize && this.skip(3);
  }

  private skipType(): boolean {
    const end = endOfType(this.tokens, this.at + 1);
    return end > 0 && this.skip(end - this.at);
  }

  private open(next: number): boolean {
    this.depth++;
    this.at = next;
    return true;
  }

  private close(): boolean {
    this.depth--;
    return this.take(this.at + 1);
  }

  private take(end: number): boolean {
    this.at = end;
    this.isOperandNext = false;
    return true;
  }

  private expect(): boolean {
    this.isOperandNext = true;
    return this.skip(1);
  }

  private skip(count: number): boolean {
    this.at += count;
    return true;
  }
}

const star = 42;
/** `+ - ~ !` */
const signs: ReadonlySet<number> = new Set([43, 45, 126, 33]);

/** Functions whose names are words of other classes. */
const calls: ReadonlySet<number> = new Set(
  classesOf('flow arithmetic replace insert like counted values'),
);

function isCall(word: number): boolean {
  return word >= sqlWord.timeCall || calls.has(word);
}
