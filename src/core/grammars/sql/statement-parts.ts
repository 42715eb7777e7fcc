import {
  isCommentMark,
  isName,
  isQuote,
  isWordOf,
  type SqlTokens,
  skipComments,
  sqlToken,
} from './sql-token.ts';
import { sameWord, sqlWord } from './sql-words.ts';
import { trait, traitsOf } from './traits.ts';

/** How surely tokens are a statement and no sentence. */
export const strength = {
  none: 0,
  /** Words that a sentence could have in this order: `drop table reservations`. */
  weak: 1,
  /** The shape of a statement from its verb to its end. */
  shaped: 2,
  /** What only SQL can say. */
  certain: 3,
} as const;

/** A statement at some token. */
export interface Statement {
  readonly strength: number;
  /** First token after what was looked at. */
  readonly end: number;
}

/** Nothing that is a statement. */
export const noStatement: Statement = { strength: strength.none, end: 0 };

/** Steps that the expressions of a statement may take. */
export const lookAhead = 200;

/** A statement of this strength that ends before a token. */
export function make(value: number, end: number): Statement {
  return { strength: value, end };
}

/** True where a statement ends. */
export function isEnd(tokens: SqlTokens, at: number): boolean {
  return isStatementEnd(tokens.kind[at] as number);
}

/** True for the mark of a comment. */
export function isComment(tokens: SqlTokens, at: number): boolean {
  return isCommentMark(tokens.kind[at] as number);
}

/** True when the token is this word. */
export function isWordAt(tokens: SqlTokens, at: number, word: string): boolean {
  if (tokens.kind[at] !== sqlToken.word) return false;
  return sameWord(tokens.text, tokens.start[at] as number, tokens.end[at] as number, word);
}

/** True when the token is one of these words. */
export function isOneOf(tokens: SqlTokens, at: number, words: readonly string[]): boolean {
  return words.some((word) => isWordAt(tokens, at, word));
}

/**
 * First token after a name: `a`, `a.b`, `master..x`, `[a]`, `"a"`, `` `a` ``; `at` itself when
 * there is none.
 */
export function endOfName(tokens: SqlTokens, from: number): number {
  const { kind, jump } = tokens;
  // `DELETE FROM ONLY a`: not the tables that inherit from it.
  let at = isWordAt(tokens, from, 'only') && kind[from + 1] === sqlToken.word ? from + 1 : from;
  for (let parts = 0; parts < 5; parts++) {
    const type = kind[at] as number;
    if (type === sqlToken.word) at = at + 1;
    else if (type === sqlToken.bracket && kind[at + 2] === sqlToken.bracketEnd) at += 3;
    else if (isQuote(type) && jump[at] === at + 2) at += 3;
    else return parts === 0 ? from : at;
    const dot = skipComments(tokens, at);
    if (kind[dot] !== sqlToken.dot) return at;
    at = dot;
    while (kind[at] === sqlToken.dot) at = skipComments(tokens, at + 1);
  }
  return at;
}

/**
 * First token after a new name: a word, or what stands in quotes or brackets, also nothing, as SQLite
 * takes it; `at` itself when there is none.
 */
export function endOfAlias(tokens: SqlTokens, at: number): number {
  const { kind, jump } = tokens;
  const type = kind[at] as number;
  if (isName(tokens, at)) return at + 1;
  const closing = isQuote(type) ? (jump[at] as number) : -1;
  if (closing > 0 && closing <= at + 2) return closing + 1;
  if (type !== sqlToken.bracket) return at;
  const end = kind[at + 1] === sqlToken.bracketEnd ? at + 1 : at + 2;
  return kind[end] === sqlToken.bracketEnd ? end + 1 : at;
}

/** `ON a(`, `a ON b`, `a AS ON INSERT`, where a statement ends or goes on as SQL; -1 for all else. */
export function endOfPlace(tokens: SqlTokens, from: number): number {
  for (let at = skipComments(tokens, from), words = 0; words < 3; words++) {
    const next = skipComments(tokens, at + 1);
    if (isWordAt(tokens, at, 'on')) {
      const end = skipComments(tokens, endOfName(tokens, next));
      const isList =
        tokens.kind[end] === sqlToken.comma ||
        (tokens.kind[end] === sqlToken.open && tokens.gap[end] === 0);
      const isEvent = isWordAt(tokens, end, 'to') && isOneOf(tokens, next, ruleEvents);
      return end > next && (isList || isEvent || isOneOf(tokens, end, placeEnds)) ? end : -1;
    }
    if (!isName(tokens, at) && !isWordAt(tokens, at, 'as')) return -1;
    at = next;
  }
  return -1;
}

const ruleEvents = ['select', 'insert', 'update', 'delete'];
/** Behind a place or a table, where prose goes on otherwise. */
export const placeEnds: readonly string[] = ['using', 'cascade', 'restrict'];

/** Behind the words of a list, of which a statement has a few. */
export function skipWords(tokens: SqlTokens, from: number, words: readonly string[]): number {
  let at = from;
  for (let i = 0; i < skippedWordsMax && isOneOf(tokens, at, words); i++) {
    at = skipComments(tokens, at + 1);
  }
  return at;
}

const skippedWordsMax = 6;

/** Behind words in a row, up to the first that begins another query. */
export function endOfWords(tokens: SqlTokens, from: number): number {
  let at = skipComments(tokens, from);
  for (let words = 0; words < wordsMax && tokens.kind[at] === sqlToken.word; words++) {
    if (tokens.word[at] === sqlWord.union) break;
    at = skipComments(tokens, at + 1);
  }
  return at;
}

const wordsMax = 8;

/** Behind `ORDER BY a DESC, 2` and `LIMIT 1`, the order of rows and their number; `from` where neither stands. */
export function endOfOrder(tokens: SqlTokens, from: number): number {
  const { kind } = tokens;
  let at = skipComments(tokens, from);
  const by = skipComments(tokens, at + 1);
  if (isWordOf(tokens, at, sqlWord.order) && isWordOf(tokens, by, sqlWord.by)) {
    at = by;
    for (let keys = 0; keys < keysMax && (at === by || kind[at] === sqlToken.comma); keys++) {
      const key = skipComments(tokens, at + 1);
      const end = kind[key] === sqlToken.number ? key + 1 : endOfName(tokens, key);
      if (end === key) return from;
      at = skipWords(tokens, skipComments(tokens, end), ['asc', 'desc']);
    }
  }
  const number = skipComments(tokens, at + 1);
  const isCounted = isWordOf(tokens, at, sqlWord.limit) && kind[number] === sqlToken.number;
  return isCounted ? number + 1 : at;
}

const keysMax = 8;

/** What only SQL says in an expression. */
export const sqlOnly = traitsOf(
  'query system textCall infoCall timeCall errorCall outsideCall catalogue hex case',
  'constantCompare',
);

/** Calls that no value has a reason to hold. */
export const strongCalls = trait.timeCall | trait.errorCall | trait.outsideCall;

/**
 * True when the token can end a statement: the end of the text, a comment, a semicolon or a quote.
 */
export function isStatementEnd(kind: number): boolean {
  const isMark = kind === sqlToken.end || kind === sqlToken.semicolon || isCommentMark(kind);
  return isMark || isQuote(kind);
}

/** Tokens of a block of PL/SQL, BEGIN and END or the declarations in front of it. */
export const blockTokensMax = 200;

/** `--help`, `--no-cache`, at the end: an option of a command. */
export function isOption({ text, start }: SqlTokens, at: number): boolean {
  return option.test(text.slice(start[at], (start[at] as number) + optionMax));
}

const optionMax = 100;
const option = /^--(?=[a-z-]{3})[a-z]{2,20}(?:-[a-z]{1,20}){0,3}$/;

/** `ALTER SYSTEM SET …`, `ALTER SESSION SET …` */
export function isServerChange(tokens: SqlTokens, at: number): boolean {
  if (!isOneOf(tokens, at, ['system', 'session'])) return false;
  const verb = skipComments(tokens, at + 1);
  if (!isWordOf(tokens, verb, sqlWord.set)) return isOneOf(tokens, verb, serverChanges);
  // `ALTER SYSTEM SET in stone`: a parameter is set to something.
  const name = skipComments(tokens, verb + 1);
  if (isWordAt(tokens, name, 'encryption')) return true;
  const value = skipComments(tokens, endOfName(tokens, name));
  const kind = tokens.kind[value] as number;
  if (value === name) return false;
  return kind === sqlToken.comparison || isQuote(kind) || isWordOf(tokens, value, sqlWord.to);
}

const serverChanges = [
  ...['kill', 'flush', 'switch', 'checkpoint', 'suspend', 'resume', 'archive', 'register'],
  ...['enable', 'disable', 'close', 'disconnect', 'quiesce'],
];
