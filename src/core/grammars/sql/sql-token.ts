import { sqlWord } from './sql-words.ts';

/**
 * Kinds of SQL tokens. Quotes are tokens of their own: where a value stands in a statement is not
 * known, so that each quote may end a literal, begin one, or be an apostrophe. `jump` tells where
 * the literal or the comment that a token opens would end, and readers take the way that they
 * judge.
 */
export const sqlToken = {
  /** After the last token. */
  end: 0,
  number: 1,
  word: 2,
  /** `@name`, `@@name`, `:name`, `$1`. */
  variable: 3,
  single: 4,
  double: 5,
  backtick: 6,
  /** `= < > <= >= <> != <=> == !< !> :=` */
  comparison: 7,
  /** `||` */
  pipes: 8,
  /** `&&` */
  ampersands: 9,
  /**
   * `+ - * / % ^ & | ~ !` and shifts, JSON arrows; `word` holds the code of the first character.
   */
  operator: 10,
  open: 11,
  close: 12,
  comma: 13,
  dot: 14,
  semicolon: 15,
  /** `/*` that is no executable comment. */
  blockComment: 16,
  /** `--` or `#`. */
  lineComment: 17,
  bracket: 18,
  bracketEnd: 19,
  brace: 20,
  braceEnd: 21,
  /** `::` */
  cast: 22,
  other: 23,
} as const;

/** Tokens as parallel arrays. A few more rows than tokens: these have the kind `end`. */
export interface SqlTokens {
  readonly text: string;
  readonly count: number;
  readonly kind: Uint8Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  /** Class of a word (`sqlWord`), character code of an operator or comparison; else 0. */
  readonly word: Uint8Array;
  /** 1 when white space or an executable-comment mark stands before the token. */
  readonly gap: Uint8Array;
  /**
   * Of a quote: the next quote of its kind. Of a comment: the first token after it and the comments
   * that follow at once. -1 when there is none.
   */
  readonly jump: Int32Array;
  /** False when the text has more tokens than the bound. */
  readonly complete: boolean;
}

/** True for the three kinds of quotes. */
export function isQuote(kind: number): boolean {
  return kind >= sqlToken.single && kind <= sqlToken.backtick;
}

/** True for the mark of a comment. */
export function isCommentMark(kind: number): boolean {
  return kind === sqlToken.blockComment || kind === sqlToken.lineComment;
}

/**
 * The token at or after `at` that is no comment. An open-ended comment stays: it cuts the
 * statement.
 */
export function skipComments(tokens: SqlTokens, at: number): number {
  if (!isCommentMark(tokens.kind[at] as number)) return at;
  const after = tokens.jump[at] as number;
  return after < 0 ? at : after;
}

/** The token behind the parentheses that open at `at`, and behind the comments between them. */
export function skipOpening(tokens: SqlTokens, at: number): number {
  let inner = at;
  for (let depth = 0; depth < openingMax && tokens.kind[inner] === sqlToken.open; depth++) {
    inner = skipComments(tokens, inner + 1);
  }
  return inner;
}

/** Parentheses that may stand before a query. */
const openingMax = 8;

/** True when the token is a word of the class. */
export function isWordOf(tokens: SqlTokens, at: number, wordClass: number): boolean {
  return tokens.kind[at] === sqlToken.word && tokens.word[at] === wordClass;
}

/** True when a word of the class stands from one token on, before another. */
export function holdsWord(tokens: SqlTokens, from: number, to: number, wordClass: number): boolean {
  for (let at = from; at < to; at++) if (isWordOf(tokens, at, wordClass)) return true;
  return false;
}

/** True when a token of some kind stands from one token on, before another. */
export function holdsKind(
  { kind }: SqlTokens,
  from: number,
  to: number,
  isKind: (kind: number) => boolean,
): boolean {
  for (let at = from; at < to; at++) if (isKind(kind[at] as number)) return true;
  return false;
}

/** True for `*`. */
export function isStar({ kind, word }: SqlTokens, at: number): boolean {
  return kind[at] === sqlToken.operator && word[at] === 42;
}

/** Parentheses that open between two tokens, less those that close. */
export function depthBetween({ kind }: SqlTokens, from: number, to: number): number {
  let depth = 0;
  for (let at = from; at < to; at++) {
    if (kind[at] === sqlToken.open) depth++;
    else if (kind[at] === sqlToken.close) depth--;
  }
  return depth;
}

/** True when the token is a word that names something: not one of the listed words. */
export function isName(tokens: SqlTokens, at: number): boolean {
  return isWordOf(tokens, at, sqlWord.name);
}
