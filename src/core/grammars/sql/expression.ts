import { ExpressionReader } from './expression-reader.ts';
import { goOn } from './expression-state.ts';
import { introducesText } from './expression-words.ts';
import { isQuote, isStar, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { type Expression, trait } from './traits.ts';
import { classesOf, classSet } from './word-classes.ts';

/** Reads the expression that begins at a token, no further than `bound` steps. */
export function readExpression(tokens: SqlTokens, from: number, bound: number): Expression {
  return { ...reader.read(tokens, from, bound) };
}

/** The same, but the result holds only until the next reading. */
export function scanExpression(tokens: SqlTokens, from: number, bound: number): Expression {
  return reader.read(tokens, from, bound);
}

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
  return reader.readLead(tokens);
}

const noLead: Lead = { end: 0, isComputed: false };
const stepsMax = 2_000;

/** The same walk, which goes no further than a constant does. */
class LeadReader extends ExpressionReader {
  private isForParenthesis = false;
  /** Token of a literal that a word introduces. */
  private introduced = -1;

  readLead(tokens: SqlTokens): Lead {
    this.start(tokens, 0);
    this.isFixed = true;
    this.isForParenthesis = false;
    this.introduced = -1;
    const { kind: kinds } = tokens;
    let end = 0;
    let isWhole = false;
    /** Where a list of numbers begins to be one; -1 before. */
    let listedAt = -1;
    for (let steps = 0; steps < stepsMax; steps++) {
      this.at = skipComments(tokens, this.at);
      const kind = kinds[this.at] as number;
      if (!(this.isOperandNext ? this.mayBegin(kind) : this.mayGoOn(kind))) break;
      if (kind === sqlToken.comma && !this.isInside()) {
        if (listedAt < 0) listedAt = this.at;
        this.expectOperand();
      } else if (this.step(kind) !== goOn || (this.traits & unfixed) !== 0) break;
      if (this.isInside() || this.isOperandNext || !this.endsHere()) continue;
      end = this.at;
      isWhole = this.isComputed();
    }
    // A list is one where the value leaves the parentheses around it.
    const isList = listedAt >= 0 && kinds[end] !== sqlToken.close;
    return { end: isList ? listedAt : end, isComputed: isWhole && !isList };
  }

  /** In parentheses or a CASE. */
  private isInside(): boolean {
    return this.depth > 0 || this.cases > 0;
  }

  private isComputed(): boolean {
    return (this.traits & computed) !== 0;
  }

  /** `'')`, `@a)`, `1+1)`: a lead only where the value leaves a parenthesis right behind it. */
  private endsHere(): boolean {
    const next = skipComments(this.tokens, this.at);
    return !this.isForParenthesis || this.tokens.kind[next] === sqlToken.close;
  }

  private mayBegin(kind: number): boolean {
    const { word } = this.tokens;
    if (isQuote(kind)) return this.isOwnText();
    if (kind === sqlToken.word) return this.mayBeginWith(word[this.at] as number);
    if (kind === sqlToken.variable && !this.isInside()) this.isForParenthesis = true;
    return begins[kind] === 1;
  }

  /** Outside of parentheses only `'5'`, `''` and `B'011'`. */
  private isOwnText(): boolean {
    const { kind, jump } = this.tokens;
    if (this.isInside() || this.introduced === this.at) return true;
    const length = (jump[this.at] as number) - this.at;
    if (length === 1) this.isForParenthesis = true;
    return length === 1 || (length === 2 && kind[this.at + 1] === sqlToken.number);
  }

  private mayBeginWith(word: number): boolean {
    const { kind } = this.tokens;
    const next = kind[this.at + 1] as number;
    if (isQuote(next) && introducesText(this.tokens, this.at)) {
      this.introduced = this.at + 1;
      return true;
    }
    // `length(pg_catalog.decode('','hex'))`
    if (word === sqlWord.name) return this.isInside() && this.isComputed();
    const isCall = next === sqlToken.open && (word >= sqlWord.timeCall || calls[word] === 1);
    return isCall || this.isInside() || operands[word] === 1;
  }

  private mayGoOn(kind: number): boolean {
    if (this.isInside()) return true;
    const isSign = kind === sqlToken.operator && !isStar(this.tokens, this.at);
    if (isSign || kind === sqlToken.comparison || kind === sqlToken.pipes)
      this.isForParenthesis = true;
    return goesOn[kind] === 1;
  }
}

/** What is no constant. */
const unfixed = trait.name | trait.catalogue | trait.openText | trait.statement;
const computed = trait.call | trait.case | trait.query;

const { number, variable, open, close, operator, comma, comparison, pipes, cast } = sqlToken;
const begins = classSet([number, variable, open, close, operator]);
const goesOn = classSet([comma, operator, comparison, pipes, cast]);
const operands = classSet(classesOf('constant prefix case'));
/** Functions whose names are words of other classes. */
const calls = classSet(classesOf('flow arithmetic replace insert like counted values'));

/** One reader for all: an expression is read to its end before the next, and a text has many. */
const reader = new LeadReader();
