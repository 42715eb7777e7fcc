import type { Grammar } from '../grammar.ts';
import { endOfIs, endOfPostfix, isSilent } from './break-filter.ts';
import {
  connective,
  nextVerbs,
  noConnective,
  signConnectives,
  wordConnectives,
} from './connectives.ts';
import { type Lead, readLead, scanExpression } from './expression.ts';
import { isNegated } from './expression-places.ts';
import { methods } from './expression-words.ts';
import { withClauses, withClosers } from './later-clauses.ts';
import { sql } from './sql.ts';
import {
  isCommentMark,
  isQuote,
  type SqlTokens,
  skipComments,
  skipOpening,
  sqlToken,
} from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { type Expression, noExpression, stop } from './traits.ts';
import { classesOf, classSet } from './word-classes.ts';

/** What stands before a break: where the value would leave the statement that it is put into. */
export const context = {
  /** Nothing: the value begins with the break. */
  start: 0,
  /** A quote: the end of a literal. */
  quote: 1,
  number: 2,
  /** A name or any other word. */
  word: 3,
  variable: 4,
  /** A closing parenthesis or bracket after none of these. */
  close: 5,
  other: 6,
} as const;

/**
 * A place where a value can leave its literal or operand and the statement goes on in its own
 * words.
 */
export interface Break {
  /** What stands before: one of `context`. */
  readonly context: number;
  /** Token of the quote or operand before; equal to `at` when there is none. */
  readonly before: number;
  /** Closing parentheses between. */
  readonly closers: number;
  /** True when one of them closes what the value did not open. */
  readonly leavesParenthesis: boolean;
  /** True when the quote closes a literal that the value itself opened. */
  readonly isBalanced: boolean;
  /** Token of the connective. */
  readonly at: number;
  readonly connective: number;
  /** The expression after the connective; empty where the rules read on by themselves. */
  readonly expression: Expression;
}

/** All breaks of a text, the calls of known functions, and the SELECTs, in its order. */
export interface Breaks {
  readonly tokens: SqlTokens;
  readonly breaks: readonly Break[];
  /** Words of function classes that stand before a parenthesis. */
  readonly calls: readonly number[];
  readonly selects: readonly number[];
  /** The constant that the text begins with. */
  readonly lead: Lead;
}

/** The reading that the rules of this category share. */
export const sqlBreaks: Grammar<Breaks> = {
  name: 'sql-breaks',
  read: (text) => new Survey(sql.read(text)).read(),
};

/** Steps that one expression may take while the text has budget left, and after. */
const lookAhead = 400;
const lookAheadShort = 8;
const earlyTokens = 8;
/** What counts behind a sign far inside a text. */
const telling = classSet(classesOf('select timeCall sharedTimeCall errorCall outsideCall'));
/** All expressions of a text together: so many steps for each token, and a start. */
const stepsPerToken = 2;
const stepsFree = 2_000;

/** Tokens from a comment to the end that leave it the last. */
const lastTokens = 3;
const commentsKept = 8;
/** That end a statement together. */
const semicolonsMax = 4;
/** Expressions of a text that are followed through the clauses behind them. */
const clausesKept = 16;
/** Tokens of a name or a number. */
const dataTokens = 4;

class Survey {
  private readonly tokens: SqlTokens;
  private readonly lead: Lead;
  private readonly breaks: Break[] = [];
  private readonly calls: number[] = [];
  private readonly selects: number[] = [];
  private stepsLeft: number;
  private comments = 0;
  private clauses = 0;
  /** No SELECT stands between the place of the last question and this token. */
  private nextSelect = 0;
  private before = -1;
  private closers = 0;
  /** Parentheses that the text has open, and closing ones before the next token that it had not. */
  private depth = 0;
  private foreignClosers = 0;
  /** While the walk is inside a comment: where it ends, and what stood before it. */
  private commentEnd = -1;
  private commentBefore = -1;
  private commentClosers = 0;
  /** First token behind what makes another operand of the one before, such as NOT NULL. */
  private postfixEnd = 0;
  /** Quotes of each kind so far. */
  private readonly quotes: number[] = [0, 0, 0];

  constructor(tokens: SqlTokens) {
    this.tokens = tokens;
    this.lead = readLead(tokens);
    this.stepsLeft = stepsFree + stepsPerToken * tokens.count;
  }

  read(): Breaks {
    const { tokens } = this;
    const { kind: kinds, word: words, count } = tokens;
    for (let i = 0; i < count; i++) {
      const kind = kinds[i] as number;
      if (i === this.commentEnd) {
        this.before = this.commentBefore;
        this.closers = this.commentClosers;
        this.commentEnd = -1;
      }
      if (i < this.postfixEnd) continue;
      if (kind === sqlToken.word) {
        if (words[i] !== sqlWord.name) this.word(i, words[i] as number);
      } else {
        const type = signConnectives[kind] as number;
        if (type !== noConnective) this.sign(i, type);
      }
      this.step(i, kind);
    }
    const { breaks, calls, selects, lead } = this;
    return { tokens, breaks, calls, selects, lead };
  }

  /** Remembers what stands before the next token. */
  private step(at: number, kind: number): void {
    if (this.isAfterQuote() || this.isAfterLead()) {
      this.postfixEnd = endOfPostfix(this.tokens, at, this.before);
      if (this.postfixEnd > at) return;
    }
    if (kind <= sqlToken.variable) {
      this.foreignClosers = 0;
      this.before = at;
      this.closers = 0;
      return;
    }
    if (isCommentMark(kind)) {
      const end = this.tokens.jump[at] as number;
      if (end < 0) {
        this.before = at;
        this.closers = 0;
      } else if (end > this.commentEnd) {
        if (this.commentEnd < 0) {
          this.commentBefore = this.before;
          this.commentClosers = this.closers;
        }
        this.commentEnd = end;
      }
      return;
    }
    if (kind === sqlToken.semicolon && this.isCutAfter(at)) return;
    if (isQuote(kind)) this.countQuote(kind);
    else if (kind === sqlToken.open) this.depth++;
    if (kind === sqlToken.close) {
      if (this.depth > 0) this.depth--;
      else this.foreignClosers++;
      if (this.before >= 0) {
        this.closers++;
        return;
      }
    } else this.foreignClosers = 0;
    this.before = at;
    this.closers = 0;
  }

  /** `admin';#`: the semicolon ends the statement, and a comment cuts off the rest; of `5;;delete` one is empty. */
  private isCutAfter(at: number): boolean {
    const { kind, jump } = this.tokens;
    if (kind[at + 1] === sqlToken.semicolon && this.before >= 0) return true;
    let next = at + 1;
    while (kind[next] === sqlToken.semicolon && next < at + semicolonsMax) next++;
    const isComment = isCommentMark(kind[next] as number);
    return isComment && this.isAfterQuote() && (jump[next] as number) < 0;
  }

  private countQuote(kind: number): void {
    const at = kind - sqlToken.single;
    this.quotes[at] = (this.quotes[at] as number) + 1;
  }

  private word(at: number, word: number): void {
    if (word >= sqlWord.timeCall || word === sqlWord.flow) {
      const next = skipComments(this.tokens, at + 1);
      const { kind } = this.tokens;
      const isCall = kind[next] === sqlToken.open || kind[next] === sqlToken.dot;
      if (isCall || word === sqlWord.serverProcedure) this.calls.push(at);
      if (this.isAfterQuote()) this.add(at, connective.operand, at);
      if (word === sqlWord.flow) this.verb(at);
      return;
    }
    if (word === sqlWord.select) this.selects.push(at);
    const type = wordConnectives[word] as number;
    if (word === sqlWord.in && !this.opensList(at)) return;
    if (type !== noConnective) this.add(at, type, this.afterOperator(at));
    else if (nextVerbs.has(word)) this.verb(at);
    else if (this.isAfterQuote()) this.add(at, connective.operand, at);
  }

  /** Past both words of SOUNDS LIKE and NOT LIKE, and all of IS NOT DISTINCT FROM. */
  private afterOperator(at: number): number {
    const { tokens } = this;
    const next = skipComments(tokens, at + 1);
    if (tokens.kind[next] !== sqlToken.word) return at + 1;
    if (tokens.word[at] === sqlWord.is) return endOfIs(tokens, at);
    const isPair = tokens.word[at] === sqlWord.like && tokens.word[next] === sqlWord.like;
    const isWhole = isPair || (tokens.word[at] === sqlWord.not && isNegated(tokens, at));
    return isWhole ? next + 1 : at + 1;
  }

  /** IN takes a list, and in a full-text search its mode. */
  private opensList(at: number): boolean {
    const { kind, word } = this.tokens;
    const list = skipComments(this.tokens, at + 1);
    const next = kind[list];
    if (next === sqlToken.open || next === sqlToken.variable) return true;
    // `"a" in str(b)` is Python: a text is no list.
    const isText = methods.has(word[list] as number) && kind[list + 1] === sqlToken.open;
    return this.isAfterQuote() && !isText;
  }

  private verb(at: number): void {
    const kind = this.tokens.kind[this.before];
    const isNumber = kind === sqlToken.number && this.before <= 1;
    if (isNumber || this.closers > 0 || this.isAfterQuote() || this.isAfterName()) {
      this.add(at, connective.statement, at);
    }
  }

  /** `name DROP …`, `name] DROP …`: behind the name that the value begins with. */
  private isAfterName(): boolean {
    const { kind } = this.tokens;
    if (this.before === 0) return kind[0] === sqlToken.word;
    return this.before === 1 && kind[1] === sqlToken.bracketEnd;
  }

  private sign(at: number, type: number): void {
    if (type === connective.logical) this.add(at, type, at + 1);
    else if (type === connective.semicolon) this.semicolon(at);
    else if (type === connective.operand) this.operand(at);
    else if (type === connective.comment) this.comment(at);
    else if (type === connective.comma && this.opensOperand(at + 1)) this.add(at, type, at + 1);
    else if (this.foreignClosers > 0 && this.isAfterLead()) this.add(at, type, at + 1);
    else if (this.isAfterQuote() && (this.before <= earlyTokens || this.isQueryNear(at + 1))) {
      this.add(at, type, at + 1, true);
    }
  }

  /** Signs after quotes are common; far inside a text only a query or a call that waits, right behind them, counts. */
  private isQueryNear(from: number): boolean {
    const { kind, word, count } = this.tokens;
    let at = Math.max(from, this.nextSelect);
    while (at < count && (kind[at] !== sqlToken.word || telling[word[at] as number] !== 1)) at++;
    this.nextSelect = at;
    return at < from + lookAheadShort;
  }

  /** A semicolon with a word of SQL, a call or a parenthesis behind it. */
  private semicolon(at: number): void {
    const { kind, word } = this.tokens;
    const next = skipComments(this.tokens, at + 1);
    if (kind[next] !== sqlToken.open) {
      if (kind[next] !== sqlToken.word) return;
      const after = kind[next + 1];
      const isCall = after === sqlToken.open || after === sqlToken.dot;
      if (word[next] === sqlWord.name && !isCall && !this.isEarlyQuote() && this.before > 0) return;
    }
    this.push(at, connective.semicolon, noExpression);
  }

  /** Only the last comments of a text can cut it; of the others few are kept. */
  private comment(at: number): void {
    if (!this.isAfterQuote() || (this.tokens.jump[at] as number) >= 0) return;
    const isLast = this.tokens.count - at <= lastTokens;
    if (isLast || this.comments++ < commentsKept) this.push(at, connective.comment, noExpression);
  }

  /** `(SELECT` right after an operand. */
  private operand(at: number): void {
    const isOperandBefore = this.before < 0 || this.isAfterQuote() || this.closers > 0;
    const isNumberBefore = this.tokens.kind[this.before] === sqlToken.number;
    if ((isOperandBefore || isNumberBefore) && this.opensQuery(at)) {
      this.add(at, connective.operand, at);
    }
  }

  private opensQuery(from: number): boolean {
    return this.tokens.kind[from] === sqlToken.open && this.opensOperand(from);
  }

  /** `(SELECT`, `(CASE`, `IF(` */
  private opensOperand(from: number): boolean {
    const { tokens } = this;
    const first = skipComments(tokens, from);
    const isOpen = tokens.kind[first] === sqlToken.open;
    const at = skipOpening(tokens, first);
    if (tokens.kind[at] !== sqlToken.word) return false;
    const word = tokens.word[at];
    if (word === sqlWord.flow) return tokens.kind[skipComments(tokens, at + 1)] === sqlToken.open;
    return (word === sqlWord.select && isOpen) || word === sqlWord.case;
  }

  /** Right behind the constant that the text begins with. */
  private isAfterLead(): boolean {
    return this.before >= 0 && this.before < this.lead.end;
  }

  /** Behind the literal of a value that begins with it: any word may be a statement there. */
  private isEarlyQuote(): boolean {
    return this.isAfterQuote() && this.before <= dataTokens;
  }

  private isAfterQuote(): boolean {
    return this.before >= 0 && isQuote(this.tokens.kind[this.before] as number);
  }

  private add(at: number, type: number, from: number, isNear = false): void {
    const isMinor = type >= connective.wordOperator && type <= connective.comma;
    const isEarly = isNear || this.before <= earlyTokens;
    const isShort = this.stepsLeft <= 0 || (isMinor && !isEarly);
    const bound = isShort ? lookAheadShort : lookAhead;
    const expression = scanExpression(this.tokens, from, bound);
    this.stepsLeft -= expression.steps;
    if (type <= connective.operator && isSilent(expression, isEarly)) return;
    const goesOn = expression.stop === stop.clause && !isShort && this.clauses++ < clausesKept;
    const follow = goesOn ? withClauses : this.depth === 0 ? withClosers : undefined;
    this.push(at, type, follow?.(this.tokens, { ...expression }) ?? { ...expression });
  }

  private push(at: number, type: number, expression: Expression): void {
    this.breaks.push({
      context: this.contextOf(at),
      before: this.before < 0 ? at : this.before,
      closers: this.closers,
      leavesParenthesis: this.foreignClosers > 0,
      isBalanced: this.isBalanced(),
      at,
      connective: type,
      expression,
    });
  }

  private isBalanced(): boolean {
    const kind = this.before < 0 ? 0 : (this.tokens.kind[this.before] as number);
    return isQuote(kind) && (this.quotes[kind - sqlToken.single] as number) % 2 === 0;
  }

  /** NULL at the very start is data, as a number is. */
  private isNull(kind: number): boolean {
    const { word } = this.tokens;
    return kind === sqlToken.word && this.before === 0 && word[0] === sqlWord.constant;
  }

  private contextOf(at: number): number {
    if (this.before < 0) return this.closers > 0 ? context.close : context.start;
    if (this.isAfterLead() && at >= this.lead.end) return context.number;
    const kind = this.tokens.kind[this.before] as number;
    if (isQuote(kind)) return context.quote;
    if (kind === sqlToken.number || this.isNull(kind)) return context.number;
    if (kind === sqlToken.word) return context.word;
    if (kind === sqlToken.variable) return context.variable;
    if (kind === sqlToken.close) return context.close;
    return context.other;
  }
}
