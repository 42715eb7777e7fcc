import { limits } from '../../../contract/limits.ts';
import { isDigit, isSpace } from '../../text/char-class.ts';
import type { Grammar } from '../grammar.ts';

/**
 * Kinds of a script token. A kind above 32 is a punctuation or quotation mark: its character code.
 */
export const scriptKind = { none: 0, word: 1, number: 2 } as const;

/** The tokens of a script, as parallel lists. */
export interface ScriptTokens {
  readonly text: string;
  readonly count: number;
  /** Of these, the first `count` hold. */
  readonly kinds: Readonly<Uint16Array>;
  readonly starts: Readonly<Int32Array>;
  readonly ends: Readonly<Int32Array>;
  /** False when the text has more tokens than the limit. */
  readonly isComplete: boolean;
}

/**
 * JavaScript lexemes (ECMA-262, section 12), read without a start context: a value may land in a
 * string of either quotation mark, in a template, or in code. So a quotation mark is a token of
 * its own and what stands between two of them is read like code; the judge puts strings together.
 * Closed block comments and white space only separate tokens, and so do comments up to the end of a
 * line between a callee and its arguments; elsewhere `//` may be of an address. `a?.b` reads as `a.b`.
 */
export const script: Grammar<ScriptTokens> = { name: 'script', read: readScript };

interface Lists {
  readonly kinds: Uint16Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

function listsOf(length: number): Lists {
  return {
    kinds: new Uint16Array(length),
    starts: new Int32Array(length),
    ends: new Int32Array(length),
  };
}

/** Reused, as to make them takes longer than to read: a reading holds until the next is made. */
let lists = listsOf(1_024);

function readScript(text: string): ScriptTokens {
  const length = text.length;
  const countMax = Math.min(length, limits.tokensMax);
  if (countMax > lists.kinds.length) lists = listsOf(countMax);
  const { kinds, starts, ends } = lists;
  let count = 0;
  let commentsEnd = true;
  let gaps: Gaps | undefined;
  let at = 0;
  while (at < length && count < countMax) {
    const code = text.charCodeAt(at);
    if (isSpace(code) || isOptional(text, at, code)) {
      at++;
      continue;
    }
    if (code === 47 && commentsEnd && text.charCodeAt(at + 1) === 42) {
      const end = text.indexOf('*/', at + 2);
      if (end >= 0) {
        at = end + 2;
        continue;
      }
      commentsEnd = false;
    }
    if (count > 0 && isLineComment(text, at, code) && endsCallee(kinds[count - 1] as number)) {
      gaps ??= new Gaps(text);
      const end = gaps.endAt(at);
      if (opensArguments(text.charCodeAt(end))) {
        at = end;
        continue;
      }
    }
    const kind = kindOf(code);
    kinds[count] = kind;
    starts[count] = at;
    at = kind === scriptKind.word || kind === scriptKind.number ? wordEnd(text, at + 1) : at + 1;
    ends[count] = at;
    count++;
  }
  return { text, count, kinds, starts, ends, isComplete: at >= length };
}

/** `//` and `<!--` (ECMA-262, 12.4 and B.1.1); `-->` is one where a line begins. */
function isLineComment(text: string, at: number, code: number): boolean {
  return code === 47
    ? text.charCodeAt(at + 1) === 47
    : code === 60 && text.startsWith('!--', at + 1);
}

/** Comments up to the end of a line, in one text; what is known of a line is not looked for again. */
class Gaps {
  private readonly text: string;
  private lineEnd = -1;
  private end = 0;
  private commentsEnd = true;

  constructor(text: string) {
    this.text = text;
  }

  /** Where the comment at an offset ends, and those on the lines below and the white space between. */
  endAt(from: number): number {
    if (this.lineEnd >= from) return this.end;
    this.lineEnd = this.breakAt(from);
    let at = this.lineEnd;
    for (;;) {
      const code = this.text.charCodeAt(at);
      if (isSpace(code)) at++;
      else if (isLineComment(this.text, at, code) || this.text.startsWith('-->', at))
        at = this.breakAt(at);
      else {
        const end = this.blockEnd(at);
        if (end < 0) break;
        at = end;
      }
    }
    this.end = at;
    return at;
  }

  private breakAt(from: number): number {
    lineBreak.lastIndex = from;
    return lineBreak.exec(this.text)?.index ?? this.text.length;
  }

  private blockEnd(at: number): number {
    if (!this.commentsEnd || !this.text.startsWith('/*', at)) return -1;
    const end = this.text.indexOf('*/', at + 2);
    this.commentsEnd = end >= 0;
    return end < 0 ? -1 : end + 2;
  }
}

const lineBreak = /[\n\r\u2028\u2029]/g;
/** A loop: most brackets stand next to what is in front of them. */
function holdsBreak(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13 || code === 0x2028 || code === 0x2029) return true;
  }
  return false;
}
/** Longer lines are taken for comments. */
const lineCharsMax = 1_000;

/** True for the first character of a line whose line above has, or may have, a comment up to its end. */
export function isBelowComment(text: string, end: number, at: number): boolean {
  if (!holdsBreak(text, end, at)) return false;
  for (let i = end - 1; i > end - lineCharsMax; i--) {
    const code = text.charCodeAt(i);
    if (i < 0 || code === 10) return false;
    if (isLineComment(text, i, code)) return true;
  }
  return true;
}

/** `(` or a backtick: a callee may stand on a line above. */
function opensArguments(code: number): boolean {
  return code === 40 || code === 96;
}

function endsCallee(kind: number): boolean {
  return kind === scriptKind.word || kind === 41 || kind === 93 || kind === 46;
}

/** `?.` in front of a name; `a?.5:b` is a choice. */
function isOptional(text: string, at: number, code: number): boolean {
  if (code !== 63 || text.charCodeAt(at + 1) !== 46) return false;
  const next = text.charCodeAt(at + 2);
  return isScriptWord(next) && !isDigit(next);
}

function kindOf(code: number): number {
  if (code >= 48 && code <= 57) return scriptKind.number;
  return isScriptWord(code) ? scriptKind.word : code;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isScriptWord(text.charCodeAt(at))) at++;
  return at;
}

/**
 * Letters, digits, `_`, `$`, and all of Unicode but its white space and typographic quotation
 * marks.
 */
export function isScriptWord(code: number): boolean {
  if (code < 128) {
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 36
    );
  }
  return !isSpace(code) && (code < 0x2010 || code > 0x2060);
}

/** Index of the first token that starts at or after an offset. */
export function tokenIndexAt(tokens: ScriptTokens, offset: number): number {
  let low = 0;
  let high = tokens.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tokens.starts[middle] as number) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Kind of a token; `none` outside the text. */
export function kindAt(tokens: ScriptTokens, index: number): number {
  return index >= 0 && index < tokens.count ? (tokens.kinds[index] as number) : scriptKind.none;
}

/** Longer words are no name that anything is known about. */
const wordCharsMax = 40;

/** Text of a token in lower case; `''` outside the text and for very long words. */
export function wordAt(tokens: ScriptTokens, index: number): string {
  if (!(index >= 0 && index < tokens.count)) return '';
  const start = tokens.starts[index] as number;
  const end = tokens.ends[index] as number;
  if (end - start > wordCharsMax) return '';
  return tokens.text.slice(start, end).toLowerCase();
}

/**
 * True when nothing, or a comment or the mark of an optional chain, stands between a token and the one
 * before.
 */
export function isAdjacent(tokens: ScriptTokens, index: number): boolean {
  if (!(index > 0 && index <= tokens.count)) return false;
  const before = tokens.ends[index - 1] as number;
  const code = tokens.text.charCodeAt(before);
  if (code === 47 || code === 63) return true;
  return index < tokens.count && tokens.starts[index] === before;
}

/** Offset of the first character of a token; the end of the text behind the last one. */
export function startOf(tokens: ScriptTokens, index: number): number {
  return index < tokens.count ? (tokens.starts[Math.max(0, index)] as number) : tokens.text.length;
}

/** Offset behind token `index`, the last one at most; 0 when there is none. */
export function endOf(tokens: ScriptTokens, index: number): number {
  const last = Math.min(index, tokens.count - 1);
  return last < 0 ? 0 : (tokens.ends[last] as number);
}

/** `"`, `'` or the backtick. */
export function isQuote(kind: number): boolean {
  return kind === 34 || kind === 39 || kind === 96;
}
