import { endsWord, ifsLength, shellChar, wordTrait } from './shell-character.ts';
import { valueMax } from './shell-expansion.ts';

/** Longest value that a variable keeps. */
const assignedMax = 64;
const assignmentsMax = 32;
const budgetOfText = 8_192;
const budgetOfCharacter = 12;

/** What a shell knows while it reads a text. */
export class ShellState {
  readonly text: string;
  /** What was assigned, made with the first of them: hardly a text has any. */
  variables: Map<string, string> | undefined;
  aliases: Map<string, string> | undefined;
  /** Commas and the closing brace end words too. */
  braced = false;
  /** Between backticks there are no others. */
  inBackticks = false;
  /** The words are arguments: what comes to nothing is none of them. */
  inArguments = false;
  /** Syntax that only a shell has was seen. */
  isCode = false;
  /** Behind the end of a here-document that began before the text. */
  inDocument = false;
  /** The last introducer opened an arithmetic expansion. */
  inSum = false;
  /** Traits of what was passed in front of the name. */
  passed = 0;
  /** Characters that may still be read ahead: a bounded number for each of the text. */
  protected budget: number;
  /** Offset of the first substitution in what was passed in front of the name; -1 without. */
  skipped = -1;
  private nextParen = -1;

  constructor(text: string) {
    this.text = text;
    this.budget = budgetOfText + budgetOfCharacter * text.length;
  }

  /** Behind a here-document, or within a sum as in `$(( $(id) + 1))`, only a shell reads. */
  beginHead(opensSum: boolean): void {
    this.passed = this.inDocument || this.inSum ? wordTrait.structured : 0;
    this.inSum = opensSum;
  }

  /** Remembers what is assigned to a name. */
  set(name: string, value: string): void {
    this.variables ??= new Map();
    if (this.variables.size < assignmentsMax) this.variables.set(name, value.slice(0, assignedMax));
  }

  /** Remembers a name for a command: `alias n=ls`. */
  setAlias(name: string, value: string): void {
    this.aliases ??= new Map();
    if (this.aliases.size < assignmentsMax) this.aliases.set(name, value.slice(0, assignedMax));
  }

  /** True when the text has made the plain word between the offsets a name for another. */
  isNamed(start: number, end: number): boolean {
    return this.aliases?.has(this.text.slice(start, end)) ?? false;
  }

  /** Offset of the next character that is no blank; `$IFS` and escaped line ends are blanks. */
  skipBlanks(from: number): number {
    const text = this.text;
    let at = from;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === 32 || code === 9 || code === 11 || code === 12 || code === 160) at++;
      else if (this.braced && (code === 44 || code === shellChar.closeBrace)) at++;
      else if (code === shellChar.dollar && ifsLength(text, at) > 0) at += ifsLength(text, at);
      else if (code === shellChar.backslash && text.charCodeAt(at + 1) === 10) at += 2;
      else return at;
    }
  }

  endsAt(at: number): boolean {
    const code = this.text.charCodeAt(at);
    return at >= this.text.length || (code < 128 && endsWord[code] === 1);
  }

  /** Like `closesInWord`, but blanks may stand in a substitution. */
  protected closesDouble(at: number): number {
    const { text } = this;
    const end = Math.min(text.length, at + 65);
    for (let i = at + 1; i < end; i++) {
      const code = text.charCodeAt(i);
      if (code === shellChar.doubleQuote) return i;
      if (code === shellChar.dollar && text.charCodeAt(i + 1) === shellChar.openParen) {
        i = this.closeOf(i + 1, shellChar.openParen, shellChar.closeParen);
        if (i < 0) return -1;
      } else if (code < 128 && endsWord[code] === 1) return -1;
    }
    return -1;
  }

  /** Offset of the character that closes what opens at `at`; -1 when it is far away. */
  protected closeOf(at: number, open: number, close: number): number {
    const { text } = this;
    if (close === shellChar.closeParen && this.parenFrom(at) - at > valueMax) return -1;
    const end = Math.min(text.length, at + valueMax, at + this.budget);
    let depth = 1;
    for (let i = at + 1; i < end; i++) {
      const code = text.charCodeAt(i);
      if (code === shellChar.backslash) i++;
      else if (code === close && --depth === 0) {
        this.budget -= i - at;
        return i;
      } else if (code === open) depth++;
    }
    this.budget -= end - at;
    return -1;
  }

  /** Offset of the next `)`: no character is passed twice, however many parentheses are open. */
  private parenFrom(at: number): number {
    if (this.nextParen < at) {
      const found = this.text.indexOf(')', at);
      this.nextParen = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    return this.nextParen;
  }
}
