import { isAlnum, isDigit } from '../../text/char-class.ts';
import { characterSet } from '../../text/runs.ts';

/** What was done to a word, as bits. */
export const wordTrait = {
  /** Letters are split by quotes, backslashes, `$@` and the like, which the shell removes. */
  split: 1 << 0,
  /** The same with carets, which cmd.exe removes. */
  caret: 1 << 1,
  /** The word is one quoted string. */
  quoted: 1 << 2,
  /** Holds an expansion whose value is not known: `$x`, `${x}`, `%X%`. */
  expansion: 1 << 3,
  /**
   * Put together from variables that were assigned in the same text, or cut out of known
   * ones.
   */
  assembled: 1 << 4,
  /** Holds `?`, `*` or `[`. */
  glob: 1 << 5,
  /** Stands in a brace expansion: `{cat,/etc/passwd}`. */
  braced: 1 << 6,
  /** An opening parenthesis follows directly: a call in some programming language. */
  call: 1 << 7,
  /** `$IFS` stands for a blank beside it. */
  ifs: 1 << 8,
  /** Begins with the value of a variable, function or alias that the same text has set. */
  own: 1 << 9,
  /** Stands behind what only a shell reads: a loop, a function, a redirection, a prefix. */
  structured: 1 << 10,
  /** Holds the word that stands in for a parameter without a value: `${x:-word}`. */
  defaulted: 1 << 11,
  /** What follows is for another command: the action of a trap. */
  whole: 1 << 12,
} as const;

/** How far a look ahead goes, so that no text is read twice over. */
export const lookAheadMax = 256;

/** Characters that the shell takes apart. */
export const shellChar = {
  singleQuote: 39,
  doubleQuote: 34,
  backtick: 96,
  backslash: 92,
  dollar: 36,
  openParen: 40,
  closeParen: 41,
  less: 60,
  greater: 62,
  ampersand: 38,
  pipe: 124,
  semicolon: 59,
  openBrace: 123,
  closeBrace: 125,
  caret: 94,
  percent: 37,
  plus: 43,
  equals: 61,
} as const;

/** Characters that end a word. */
export const endsWord: Uint8Array = characterSet(' \t\n\r\v\f;|&`()<>');
/** The same, and what needs a look inside of a word. */
export const isMark: Uint8Array = characterSet(' \t\n\r\v\f;|&`()<>\'"\\^$%?*[}{,');

/** Offset of the `%` behind a name such as `ProgramFiles(x86)` or `COMSPEC:~0,1`, else -1. */
export function variableEnd(text: string, from: number): number {
  for (let at = from; at < from + 40; at++) {
    const code = text.charCodeAt(at);
    if (code === shellChar.percent) return at;
    if (!(code > 32) || endsVariable[code] === 1) return -1;
  }
  return -1;
}

/** Characters that no name of a variable holds. */
const endsVariable: Uint8Array = characterSet(';|&<>"\'`$');

/** Offset of `$(` or a backtick between two offsets; -1 without. */
export function substitutionMark(text: string, from: number, to: number): number {
  let at = nestedMark(text, from, to);
  while (text.charCodeAt(at) === shellChar.dollar && !text.startsWith('(', at + 1)) {
    at = nestedMark(text, at + 1, to);
  }
  return at;
}

/** Offset of a substitution or a parameter between two offsets; -1 without. */
export function nestedMark(text: string, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === shellChar.dollar || code === shellChar.backtick) return at;
  }
  return -1;
}

/** A single or double quote. */
export function isQuote(code: number): boolean {
  return code === shellChar.singleQuote || code === shellChar.doubleQuote;
}

/** A character of a plain name. */
export function isNamePart(code: number): boolean {
  return isAlnum(code) || code === 45 || code === 95;
}

/** True when nothing but a quote stands between the start of a word and an expansion. */
export function beginsWord(text: string, at: number, from: number): boolean {
  return at === from || (at === from + 1 && isQuote(text.charCodeAt(from)));
}

/** Length of `$IFS`, `${IFS}`, `$IFS$9`, `${IFS%??}`; 0 when there is none. */
export function ifsLength(text: string, at: number): number {
  const braced = text.charCodeAt(at + 1) === shellChar.openBrace;
  const name = braced ? at + 2 : at + 1;
  const isIfs =
    (text.charCodeAt(name) | 32) === 105 &&
    (text.charCodeAt(name + 1) | 32) === 102 &&
    (text.charCodeAt(name + 2) | 32) === 115;
  if (!isIfs) return 0;
  let end = name + 3;
  if (braced) {
    const close = indexWithin(text, '}', end, 12);
    if (close < 0) return 0;
    end = close + 1;
  }
  const isDigitParameter =
    text.charCodeAt(end) === shellChar.dollar && isDigit(text.charCodeAt(end + 1));
  return (isDigitParameter ? end + 2 : end) - at;
}

/** End of `{cat,/etc/passwd}`: a comma and the closing brace before any blank; -1 for others. */
export function braceListEnd(text: string, at: number): number {
  let comma = false;
  const end = Math.min(text.length, at + lookAheadMax);
  for (let i = at + 1; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 44) comma = true;
    else if (code === shellChar.closeBrace) return comma ? i + 1 : -1;
    else if (code <= 32 || code === 58 || code === shellChar.semicolon) return -1;
  }
  return -1;
}

/** The same for a list that is part of a word: `{i,}d` is `id d`. */
export function joinedListEnd(text: string, at: number): number {
  const end = braceListEnd(text, at);
  const isJoined = isJoint(text.charCodeAt(at - 1)) || isJoint(text.charCodeAt(end));
  return end > 0 && isJoined ? end : -1;
}

/** What a list in braces beside it is one word with. */
export function isJoint(code: number): boolean {
  return isNamePart(code) || code === 47;
}

/** Offset of the quote that closes the one at `at` before the word ends, -1 when none does. */
export function closesInWord(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  const end = Math.min(text.length, at + 65);
  for (let i = at + 1; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) return i;
    if (code < 128 && endsWord[code] === 1) return -1;
  }
  return -1;
}

/** Like `indexOf`, but looks at no more than `count` characters. */
export function indexWithin(text: string, character: string, from: number, count: number): number {
  const wanted = character.charCodeAt(0);
  const end = Math.min(text.length, from + count);
  for (let at = from; at < end; at++) {
    if (text.charCodeAt(at) === wanted) return at;
  }
  return -1;
}
