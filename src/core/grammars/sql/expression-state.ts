import {
  beginsLaterClause,
  endOfBracketed,
  endOfCast,
  endOfDotted,
  endOfType,
  holdsName,
  isDoubled,
  isNameCast,
  isNamedWindow,
  isNegated,
  isNullNext,
  isWindow,
} from './expression-places.ts';
import { isBehindSizedType } from './expression-words.ts';
import { sql } from './sql.ts';
import { isQuote, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';
import { sameWord, sqlWord } from './sql-words.ts';
import { isWordAt } from './statement-parts.ts';
import { stop, trait } from './traits.ts';

/** What an operand is, as far as comparisons ask. */
export const operandClass = {
  none: 0,
  number: 1,
  text: 2,
  constant: 3,
  name: 4,
  variable: 5,
  call: 6,
} as const;

/** Result of one step when the expression goes on. */
export const goOn = -1;

/**
 * A literal that is open at the end of the text and longer than this is prose after an apostrophe.
 */
const openTextMax = 120;

/** Longer names are not compared with one another. */
const nameMax = 64;

const noTokens: SqlTokens = sql.read('');

/** Where the reading of an expression stands, and the operands and comparisons that it has seen. */
export class ExpressionState {
  protected tokens: SqlTokens = noTokens;
  protected at = 0;
  protected traits = 0;
  protected depth = 0;
  protected cases = 0;
  /** Operands before the last CASE; none are as many behind its first WHEN. */
  protected caseFrom = 0;
  protected queries = 0;
  protected operands = 0;
  protected calls = 0;
  protected isOperandNext = true;
  /** First token behind the last parenthesis that was opened. */
  protected opened = -1;
  /** Names in a row: a name, then at most one alias. */
  protected aliases = 0;
  protected openAt = -1;
  /** One bit for each open parenthesis that encloses the arguments of an unknown function. */
  protected unknownCalls = 0;
  /** Token of the last comparison, and of the parenthesis that closed around it. */
  protected comparedAt = -1;
  protected closedAt = -1;
  protected last: number = operandClass.none;
  protected lastFrom = 0;
  protected lastTo = 0;
  /** Left side of a comparison whose right side is still to come. */
  protected left: number = operandClass.none;
  protected leftFrom = 0;
  protected leftTo = 0;

  /** Brackets of arrays that are open; each is a level of `depth` too. */
  protected brackets = 0;
  /** INTERVAL has been read: a unit follows its operand. */
  private isInterval = false;
  /** WITH has been read: a query follows its tables. */
  protected isWith = false;

  /** Only a constant is read, which has no aliases: a type stands behind each AS. */
  protected isFixed = false;

  /** True while the left side of a comparison computes with a name, a variable or a call. */
  protected isLoose = false;

  protected start(tokens: SqlTokens, from: number): void {
    this.tokens = tokens;
    this.at = from;
    this.traits = 0;
    this.depth = 0;
    this.cases = 0;
    this.queries = 0;
    this.operands = 0;
    this.calls = 0;
    this.isOperandNext = true;
    this.opened = -1;
    this.aliases = 0;
    this.openAt = -1;
    this.unknownCalls = 0;
    this.isLoose = false;
    this.brackets = 0;
    this.isInterval = false;
    this.isWith = false;
    this.isFixed = false;
    this.comparedAt = -1;
    this.closedAt = -1;
    this.last = operandClass.none;
    this.left = operandClass.none;
  }

  /** Remembers that the parenthesis of this depth is that of a function that SQL does not know. */
  protected openCall(): void {
    if (this.depth < 31) this.unknownCalls |= 1 << this.depth;
  }

  /**
   * The value of an unknown function is none of its arguments: `y(0) = 1` compares no constants.
   */
  protected closeCall(): void {
    const bit = this.depth < 31 ? 1 << this.depth : 0;
    if ((this.unknownCalls & bit) === 0) return;
    this.unknownCalls &= ~bit;
    this.last = operandClass.call;
    this.lastFrom = this.at;
    this.lastTo = this.at + 1;
  }

  protected literal(kind: number): number {
    const tokens = this.tokens;
    const closing = tokens.jump[this.at] as number;
    if (closing === this.at + 1 && isDoubled(this.tokens, this.at)) return this.doubled(kind);
    if (closing >= 0) {
      const end = holdsName(kind) ? endOfDotted(this.tokens, closing + 1) : closing + 1;
      // `"goods"."id"`: a quoted name, as standard SQL has it.
      const isColumn = kind === sqlToken.backtick || end > closing + 1;
      return isColumn
        ? this.take(operandClass.name, end, trait.name)
        : this.take(operandClass.text, end, trait.text);
    }
    const rest = tokens.text.length - (tokens.end[this.at] as number);
    // `'),(7,'There are …`, `',a='There …`: the last item of a row or list, which is not spoken so.
    const before = tokens.kind[this.at - 1];
    const isListed = this.depth > 0 && before === sqlToken.comma;
    const isSet = before === sqlToken.comparison && tokens.gap[this.at] === 0;
    if (rest > openTextMax && !isListed && !isSet) return stop.other;
    return this.takeOpen();
  }

  protected takeOpen(): number {
    this.openAt = this.at;
    return this.take(operandClass.text, this.tokens.count, trait.text | trait.openText);
  }

  protected doubled(kind: number): number {
    const { tokens } = this;
    const closing = this.at + 3;
    const isOpen = tokens.kind[closing] !== kind;
    const end = tokens.kind[closing + 1] === kind ? closing + 2 : closing + 1;
    return isOpen
      ? this.takeOpen()
      : this.take(operandClass.text, Math.min(end, tokens.count), trait.text);
  }

  /** Literals side by side are one literal; after anything else a quote is the end of our text. */
  protected textAfterOperand(kind: number): number {
    const goesOn =
      this.last === operandClass.text ||
      this.queries > 0 ||
      isBehindSizedType(this.tokens, this.at);
    if (goesOn && (this.tokens.jump[this.at] as number) >= 0) return this.literal(kind);
    // A last quote is what our literal left of the one that it replaced.
    return this.tokens.count - this.at <= 1 ? stop.end : stop.quote;
  }

  protected bracketed(): number {
    const end = endOfBracketed(this.tokens, this.at);
    if (end < 0) return stop.other;
    const isListed = this.tokens.word[this.at + 1] === sqlWord.catalogue;
    const bits = isListed ? trait.name | trait.catalogue : trait.name;
    return this.take(operandClass.name, endOfDotted(this.tokens, end), bits);
  }

  /** A second name in a row: the alias of a column or table. */
  protected alias(): number {
    if (this.isInterval) return this.unit();
    if (isWindow(this.tokens, this.at)) return this.openWindow();
    if (isNamedWindow(this.tokens, this.at)) return this.skip(2);
    if (!this.isNested() && beginsLaterClause(this.tokens, this.at)) return stop.clause;
    if (this.queries === 0 || this.aliases > 0) return stop.other;
    this.aliases++;
    this.traits |= trait.alias;
    return this.skip();
  }

  private openWindow(): number {
    this.depth++;
    this.at = skipComments(this.tokens, this.at + 1);
    return this.expectOperand();
  }

  /** `ARRAY[1]`, `a[1]`, `int[]`: right behind a name; in a query it may be an alias. */
  protected bracketAfterOperand(): number {
    const { kind, gap } = this.tokens;
    const next = kind[this.at + 1];
    // `(a)[1]`, `('{1}'::int[])[1]`: an item of an array; `f(x)[0]` is one of other languages, too.
    const isGroup = kind[this.at - 1] === sqlToken.close && this.last !== operandClass.call;
    if (isGroup && gap[this.at] === 0) return this.openArray(this.last >= operandClass.name);
    if (gap[this.at] === 1 || this.last === operandClass.text) return this.bracketedAlias();
    if (next === sqlToken.bracketEnd) {
      this.at += 2;
      return goOn;
    }
    if (this.last !== operandClass.name) return this.bracketedAlias();
    if (isWordAt(this.tokens, this.at - 1, 'array')) return this.openArray(false);
    const isItem = next === sqlToken.number && kind[this.at + 2] === sqlToken.bracketEnd;
    return this.queries === 0 && isItem ? this.item() : this.bracketedAlias();
  }

  private openArray(isItem: boolean): number {
    this.brackets++;
    this.depth++;
    if (isItem) this.openCall();
    this.opened = this.at + 1;
    // An array is none of its items: `ARRAY[1] = ARRAY[2]` compares constants all the same.
    this.comparedAt = -1;
    return this.expectOperand();
  }

  protected closeArray(): number {
    if (this.brackets === 0) return stop.other;
    this.closeCall();
    this.brackets--;
    this.depth--;
    return this.skip();
  }

  /** `a[0] = 'x'` compares what the name holds, not the number. */
  private item(): number {
    this.traits |= trait.number;
    this.operands++;
    this.at += 3;
    this.lastTo = this.at;
    return goOn;
  }

  /** The name or literal behind COLLATE or ESCAPE. */
  protected suffix(): number {
    const { kind, jump } = this.tokens;
    const next = this.at + 1;
    const isQuoted = isQuote(kind[next] as number) && (jump[next] as number) > next;
    this.at = isQuoted ? (jump[next] as number) : next;
    return this.skip();
  }

  protected cast(): number {
    const type = skipComments(this.tokens, this.at + 1);
    const end = endOfCast(this.tokens, type);
    if (end < 0) return stop.other;
    if (isNameCast(this.tokens, type)) this.traits |= trait.errorCall;
    // The same as CAST(…).
    else if (this.last === operandClass.call) this.calls++;
    this.at = end;
    return goOn;
  }

  /** Passes over the type in a CAST, which is no name of a column; false where AS names an alias. */
  protected castType(): boolean {
    const isCall = this.isFixed || (this.queries === 0 && !this.isWith);
    const isCast = this.depth > 0 && isCall;
    const end = isCast ? endOfType(this.tokens, this.at + 1) : -1;
    if (end > 0) this.at = end;
    return end > 0;
  }

  /** `25 [total]` */
  protected bracketedAlias(): number {
    const end = endOfBracketed(this.tokens, this.at);
    if (end < 0 || this.alias() === stop.other) return stop.other;
    this.at = end;
    return goOn;
  }

  /** `INTERVAL 1 DAY`, `INTERVAL(id)DAY`, `TOP 1`. */
  protected counted(next: number): number {
    const { text, start } = this.tokens;
    this.isInterval = (text.charCodeAt(start[this.at] as number) | 32) === 105;
    if (!this.isInterval && this.queries > 0 && next === sqlToken.number) this.at++;
    return this.skip();
  }

  /** The unit of an interval. */
  private unit(): number {
    this.isInterval = false;
    this.last = operandClass.call;
    return this.skip();
  }

  protected isAfterOpen(): boolean {
    return this.depth > 0 && this.opened === this.at;
  }

  /** In a parenthesis or a query. */
  protected isNested(): boolean {
    return this.depth > 0 || this.queries > 0;
  }

  /** `a NOT NULL`, as SQLite has it, is complete in itself. */
  protected not(): number {
    if (!isNullNext(this.tokens, this.at))
      return isNegated(this.tokens, this.at) ? this.skip() : stop.other;
    this.traits |= trait.nullTest | trait.compare;
    this.at += 2;
    return goOn;
  }

  protected compare(bits: number): number {
    this.traits |= bits;
    this.comparedAt = this.at;
    this.left = this.isLoose ? operandClass.call : this.last;
    this.isLoose = false;
    this.leftFrom = this.lastFrom;
    this.leftTo = this.lastTo;
    return this.expectOperand();
  }

  protected compute(): void {
    this.traits |= trait.arithmetic;
    if (this.last > operandClass.constant) this.isLoose = true;
  }

  protected take(type: number, end: number, bits: number): number {
    this.traits |= bits;
    this.last = type;
    this.lastFrom = this.at;
    this.lastTo = end;
    this.at = end;
    this.aliases = 0;
    this.operands++;
    this.isOperandNext = false;
    if (this.left !== operandClass.none) this.finishCompare();
    return goOn;
  }

  protected finishCompare(): void {
    const isLeftFixed = this.left <= operandClass.constant;
    const isRightFixed = this.last <= operandClass.constant;
    if (isLeftFixed && isRightFixed) this.traits |= trait.constantCompare;
    else if (this.left === this.last && this.sameText()) this.traits |= trait.sameCompare;
    this.left = operandClass.none;
  }

  protected sameText(): boolean {
    const { text, start, end } = this.tokens;
    const from = start[this.leftFrom] as number;
    if ((end[this.leftTo - 1] as number) - from > nameMax) return false;
    const left = text.slice(from, end[this.leftTo - 1] as number).toLowerCase();
    const rightFrom = start[this.lastFrom] as number;
    return sameWord(text, rightFrom, end[this.lastTo - 1] as number, left);
  }

  /** A comma, or a word of a query: what stands outside of both ends there. */
  protected nextOperand(outside: number): number {
    return this.isNested() ? this.expectOperand() : outside;
  }

  /** ASC or DESC, in a query. */
  protected direction(): number {
    return this.isNested() ? this.skip() : stop.clause;
  }

  protected expectOperand(): number {
    this.isOperandNext = true;
    return this.skip();
  }

  protected skip(count = 1): number {
    this.at += count;
    return goOn;
  }
}
