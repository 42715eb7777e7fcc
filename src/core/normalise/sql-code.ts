import { classOfWord, sqlWord } from '../grammars/sql/sql-words.ts';
import { charClass, isAlnum, quoteClasses } from '../text/char-class.ts';
import { createFinder } from '../text/char-finder.ts';
import { isEscaped } from '../text/closing-quote.ts';
import type { Decoder, Marks } from './decoder.ts';
import { codeStart, endOfBlock, levelsOf, mayHoldBlock } from './sql-comment.ts';

/**
 * The text as code without comments, as a lexer of SQL takes it (SQL-92, 5.2; MySQL 8.4, 11.7):
 * marks of comments in literals are text, quotes in comments are none. It is code from its start, or
 * behind the first quote of a kind, by which a value leaves its literal. A literal of MySQL that holds a
 * quote behind a backslash is read as one, and empty.
 */
export const sqlCode: Decoder = {
  name: 'sql-code',
  readBy: 'sqli',
  applies: (text, marks) =>
    mayHoldBlock(text, marks) || mayHoldLine(text, marks) || mayHoldEscape(text, marks),
  decode: (text, emit) => {
    for (const mark of starts) {
      const start = mark === '' ? 0 : exitAt(text, mark) + 1;
      if (start === 0 && mark !== '') continue;
      // Behind as much code without a comment nothing is read.
      for (const how of dialectsOf(text.slice(start, start + codeMax))) {
        const read = new Lexer(text, start, how).read(mark);
        if (read !== undefined) emit(read, how + mark);
      }
    }
  },
};

/**
 * Whether a line comment may hold a quote that is none, or a carriage return that ends no line, or
 * have a minus in front.
 */
export function mayHoldLine(text: string, { classes }: Pick<Marks, 'classes'>): boolean {
  if ((classes & charClass.lineBreak) === 0 || (classes & lineClasses) === 0) return false;
  if (text.includes('\r') && loneReturn.test(text)) return true;
  if (text.includes('---') && minusAndLine.test(text)) return true;
  if (text.length <= wholeMax && holdsLine(text)) return true;
  return (classes & quoteClasses) !== 0 && holdsQuoteInLine(text, classes);
}

/** Whether a literal of MySQL may hold a quote behind a backslash: a value that leaves one is short. */
function mayHoldEscape(text: string, { classes }: Pick<Marks, 'classes'>): boolean {
  const isShort = (classes & charClass.backslash) !== 0 && text.length <= codeMax;
  return isShort && escaped.test(text);
}

/** Most lines end with a comment: people put one on a line of its own, here and there. */
function holdsLine(text: string): boolean {
  if (bareHash.test(text)) return true;
  if (!text.includes('--')) return false;
  let balance = 0;
  let from = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
    const line = text.slice(from, end);
    if (line.includes('--')) balance++;
    else if (line.trim() !== '') balance--;
    from = end + 1;
  }
  return balance > 0;
}

/** A necessary condition: a mark, a quote behind it, and the end of its line. */
function holdsQuoteInLine(text: string, classes: number): boolean {
  const hashAt = text.indexOf('#');
  const dashAt = text.indexOf('--');
  const mark = hashAt < 0 || (dashAt >= 0 && dashAt < hashAt) ? dashAt : hashAt;
  const end = text.lastIndexOf('\n');
  if (mark < 0 || end < mark || !quotes.test(text.slice(mark, end))) return false;
  // `order #7`: no literal has a mark besides that of the comment, and it stands in none.
  const isAlone = dashAt < 0 && (classes & oddClasses) === 0 && text.indexOf('#', mark + 1) < 0;
  const startOf = (quote: string) => (quote === '' ? 0 : exitAt(text, quote) + 1);
  return !isAlone || starts.some((quote) => isOutside(text, startOf(quote), mark));
}

/** Whether a lexer that begins at an offset meets a mark outside of literals. */
function isOutside(text: string, from: number, mark: number): boolean {
  let at = nextQuote(text, from);
  while (at < mark) {
    const end = text.indexOf(text.charAt(at), at + 1);
    if (end < 0 || end > mark) return false;
    at = nextQuote(text, end + 1);
  }
  return from <= mark;
}

const lineClasses = charClass.dash | charClass.hash;
/** Comments that are no lines, and escapes. */
const oddClasses = charClass.star | charClass.backslash;
/** `#⏎a from b`: no heading and no number has nothing to say. */
const bareHash = /^[ \t]{0,8}#[^\s\d#]?[\r\n]/;
const minusAndLine = /[\d)'"`]---\s/;
const loneReturn = /\r(?!\n)/;

/**
 * Offset of the first quote of a kind, by which a value leaves its literal; -1 for none, and for an
 * apostrophe, behind which no statement goes on: `O'Brien`, but `x'or`.
 */
function exitAt(text: string, mark: string): number {
  const at = text.indexOf(mark);
  const isApostrophe = at > 0 && isAlnum(text.charCodeAt(at - 1)) && isPlainWord(text, at + 1);
  return isApostrophe ? -1 : at;
}

function isPlainWord(text: string, start: number): boolean {
  let end = start;
  while (end - start < wordMax && isAlnum(text.charCodeAt(end))) end++;
  return end > start && classOfWord(text, start, end) === sqlWord.name;
}

const wordMax = 32;

const wholeMax = 2_048;

/** Back-ticks quote names only, and prose is full of them. */
const starts = ['', "'", '"'] as const;
type Dialect = 'standard' | 'nesting' | 'mysql';

/**
 * Servers differ, and each reads otherwise only what has a mark of its own: comments nest in
 * PostgreSQL and SQL Server, and MySQL has its own comments, escapes and rule for dashes.
 */
function dialectsOf(code: string): readonly Dialect[] {
  const block = code.includes('*') ? code.indexOf('/*') : -1;
  const hasComment = block >= 0 || code.includes('--');
  const isOwnOfMySql =
    code.includes('#') || code.includes('\\') || (hasComment && ownOfMySql.test(code));
  const found: Dialect[] = hasComment ? ['standard'] : [];
  if (block >= 0 && code.indexOf('/*', block + 1) >= 0) found.push('nesting');
  if (isOwnOfMySql) found.push('mysql');
  return found;
}

const ownOfMySql = /--\S|\/\*[mM]?!/;

/** Characters of the literal that are kept in front of the code: all of it is data. */
const dataMax = 64;
/** Characters of code that are kept: what leaves its place in a statement does so at its start. */
const codeMax = 512;

class Lexer {
  private readonly text: string;
  private readonly how: Dialect;
  private readonly isShort: boolean;
  private isCommented: boolean | undefined;
  /** Begin and end by turns of what stands in front of a comment. */
  private readonly pieces: number[] = [];
  private at: number;
  /** Up to here the text was taken. */
  private taken: number;
  private kept = 0;
  /** Comments whose text is code. */
  private open = 0;
  /** A comment stands outside of literals. */
  private hasComment = false;
  /** A line comment held a quote or a return, or a literal the mark of a comment. */
  private isOdd = false;
  /** A literal held a quote behind a backslash. */
  private hasEscape = false;
  /** A backslash stands outside of literals. */
  private isForeign = false;
  /** Where a literal begins that does not end; -1 for none. */
  private openAt = -1;
  private isCut = false;

  constructor(text: string, from: number, how: Dialect) {
    this.text = text;
    this.how = how;
    this.at = from;
    this.taken = Math.max(0, from - dataMax);
    this.isShort = text.length <= wholeMax;
    // A comment that begins in the literal which the value leaves is none.
    const data = this.isShort && from < dataMax ? text.slice(0, from) : '';
    this.isOdd = data.lastIndexOf('/*') > data.lastIndexOf('*/');
  }

  /** Undefined where a lexer that knows of no literals or no comments reads the same. */
  read(mark: string): string | undefined {
    const { text } = this;
    while (this.at < text.length && this.kept < codeMax) {
      const last = Math.min(text.length, this.at + codeMax - this.kept);
      const next = Math.min(last, nextMark(text, this.at));
      this.keep(next);
      if (next < last) this.step(text.charAt(next));
    }
    const { pieces } = this;
    const isOwn = this.hasEscape && this.isWhole(mark);
    if (!isOwn && (!this.hasComment || !this.isOdd)) return undefined;
    let code = '';
    for (let i = 0; i < pieces.length; i += 2) code += `${text.slice(pieces[i], pieces[i + 1])} `;
    return code + text.slice(this.taken, this.at);
  }

  /**
   * Programs have escapes as well: what breaks out of a literal by its first quote is read to its end
   * without one in the code, and cuts the statement's own quote off or opens a literal for it.
   */
  private isWhole(mark: string): boolean {
    const { text, openAt } = this;
    if (this.isForeign) return false;
    if (mark === '') return number.test(text);
    if (text.length - (openAt < 0 ? this.at : openAt) > restMax) return false;
    return openAt < 0 ? this.isCut || closed.test(text) : text.startsWith(mark, openAt);
  }

  private step(sign: string): void {
    const next = this.text.charAt(this.at + 1);
    if (sign === '-' && next === '-') return this.isLine() ? this.line(2) : this.minus();
    if (sign === '#' && this.how === 'mysql') return this.line(1);
    if (sign === '/' && next === '*') return this.block();
    if (sign === '*' && next === '/' && this.open > 0) return this.closeCode();
    this.isForeign ||= sign === '\\' && next !== 'N';
    const isQuote = sign === "'" || sign === '"' || sign === '`';
    this.keep(isQuote ? this.endOfQuoted(sign) : this.at + 1);
  }

  private keep(end: number): void {
    const to = Math.min(end, this.at + codeMax - this.kept);
    this.kept += to - this.at;
    this.at = to;
  }

  private drop(end: number): void {
    this.hasComment = true;
    this.pieces.push(this.taken, this.at);
    this.kept++;
    this.at = end;
    this.taken = end;
  }

  /** MySQL asks for white space or a control character behind two dashes. */
  private isLine(): boolean {
    const behind = this.at + 2;
    const isEnd = behind >= this.text.length || this.text.charCodeAt(behind) <= space;
    return this.how !== 'mysql' || isEnd;
  }

  /** `4---\n2`, `4--x`: to MySQL the first of two dashes subtracts, and a blank keeps them apart. */
  private minus(): void {
    this.isOdd ||= this.isShort && operandEnd.test(this.text.charAt(this.at - 1));
    this.keep(this.at + 1);
    this.pieces.push(this.taken, this.at);
    this.taken = this.at;
  }

  /** MySQL and SQLite end it with the line feed, PostgreSQL at a carriage return as well. */
  private line(mark: number): void {
    const end = this.text.indexOf('\n', this.at);
    const comment = this.text.slice(this.at, end < 0 ? undefined : end);
    const hasReturn = loneReturn.test(comment.trimEnd());
    this.isOdd ||= hasReturn;
    if (end >= 0) {
      // Not each look of a rule passes over comments: a short text is read without them as well.
      this.isCommented ??= this.isShort && holdsLine(this.text);
      this.isOdd ||= this.isCommented || quotes.test(comment);
      // The line break stays: lines tell prose and programs.
      this.drop(end);
      return;
    }
    this.hasComment ||= hasReturn;
    this.cutOff(mark);
  }

  private block(): void {
    const code = this.how === 'mysql' ? codeStart(this.text, this.at) : 0;
    if (code > 0) {
      this.open++;
      this.drop(code);
      return;
    }
    const end = endOfBlock(this.text, this.at, levelsOf(code, this.how === 'nesting'));
    if (end >= 0) this.drop(end);
    else this.cutOff(2);
  }

  private closeCode(): void {
    this.open--;
    this.drop(this.at + 2);
  }

  /** A comment without an end: only its mark is kept. */
  private cutOff(mark: number): void {
    this.isCut = true;
    this.keep(this.at + mark);
    this.kept = codeMax;
  }

  private endOfQuoted(quote: string): number {
    const { text, at } = this;
    let end = text.indexOf(quote, at + 1);
    let hasEscape = false;
    while (end >= 0 && end - at <= codeMax) {
      if (this.how === 'mysql' && isEscaped(text, end, at + 1)) hasEscape = true;
      else if (text.startsWith(quote, end + 1)) end++;
      else break;
      end = text.indexOf(quote, end + 1);
    }
    const isOpen = end < 0 || end - at > codeMax;
    if (isOpen) this.openAt = at;
    // Behind an open literal stands no comment.
    if (!isOpen || this.hasComment)
      this.isOdd ||= commentMark.test(text.slice(at, isOpen ? at + codeMax : end));
    this.isForeign ||= isOpen && hasEscape;
    if (hasEscape) this.empty(isOpen ? text.length : end);
    return isOpen ? text.length : end + 1;
  }

  /** What the literal holds is data: a blank stands for it. */
  private empty(end: number): void {
    this.hasEscape = true;
    this.pieces.push(this.taken, this.at + 1);
    this.taken = end;
  }
}

/** Of a comment or a literal. */
const nextMark = createFinder(/['"`#*/\\-]/g);
const quotes = /['"`]/;
const nextQuote = createFinder(/['"`]/g);
/** Also where one ends. */
const commentMark = /#|--|\/\*|\*\//;
const escaped = /\\['"]/;
/** A number, perhaps behind comments. */
const number = /^(?:[\s+~!(-]|\/\*[^*]{0,40}\*{1,8}(?:[^*/][^*]{0,40}\*{1,8}){0,8}\/){0,40}\d/;
const closed = /[;\0]\s*$/;
/** What is left for the statement's own quote, or behind the comment that cuts it off. */
const restMax = 24;
const operandEnd = /[\d)'"`]/;

const space = 32;
