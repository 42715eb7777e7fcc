import { isAlnum, isDigit } from '../text/char-class.ts';

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
} as const;

/** Characters that end a word. */
const endsWord: Uint8Array = markCharacters(' \t\n\r\v\f;|&`()<>');
/** The same, and what needs a look inside of a word. */
const isMark: Uint8Array = markCharacters(' \t\n\r\v\f;|&`()<>\'"\\^$%?*[}{,');

/** Characters that no name of a variable holds. */
const endsVariable: Uint8Array = markCharacters(';|&<>"\'`$');

/** A table with a 1 for each of the characters. */
export function markCharacters(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/** Reads single words; one object serves a whole text. */
export class WordReader {
  readonly text: string;
  /** What was assigned, made with the first of them: hardly a text has any. */
  variables: Map<string, string> | undefined;
  /** Commas and the closing brace end words too. */
  braced = false;
  /** The last word as the shell would see it. */
  word = '';
  end = 0;
  traits = 0;
  private isDone = false;
  /** Holds `:`, `%` or `\\`, as Windows paths do; to search the word each time is quadratic. */
  private isPath = false;
  /** No `}` stands between these offsets. */
  private noBraceFrom = 0;
  private noBraceTo = 0;

  constructor(text: string) {
    this.text = text;
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
      else return at;
    }
  }

  /** Reads the word at `from`; an empty word leaves `end` at `from`. */
  read(from: number): void {
    const text = this.text;
    this.word = '';
    this.traits = this.braced ? wordTrait.braced : 0;
    this.isDone = false;
    this.isPath = false;
    let plainFrom = from;
    let at = from;
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (code >= 128 || isMark[code] === 0) {
        at++;
        continue;
      }
      if (endsWord[code] === 1 && !this.isEmptyBackticks(at, from)) break;
      this.append(text.slice(plainFrom, at));
      at = this.special(code, at, from);
      plainFrom = at;
      if (this.isDone) break;
    }
    this.word += text.slice(plainFrom, at);
    this.end = at;
    if (text.charCodeAt(at) === shellChar.openParen) this.traits |= wordTrait.call;
  }

  /** Ends the word at `at`. */
  private finish(at: number): number {
    this.isDone = true;
    return at;
  }

  /** ``wh``oami``: what stands between is nothing. */
  private isEmptyBackticks(at: number, from: number): boolean {
    const { text } = this;
    return (
      at > from &&
      text.charCodeAt(at) === shellChar.backtick &&
      text.charCodeAt(at + 1) === shellChar.backtick
    );
  }

  /** Skips ```` `` ```` and `$()` inside of a word; any other substitution ends the word. */
  private emptySubstitution(at: number, length: number): number {
    const isEmpty = length === 2 || this.text.charCodeAt(at + 2) === shellChar.closeParen;
    const goesOn = isAlnum(this.text.charCodeAt(at + length));
    if (!isEmpty || !goesOn) return this.finish(at);
    this.traits |= wordTrait.split;
    return at + length;
  }

  /** Reads one construct; returns where the word goes on. */
  private special(code: number, at: number, from: number): number {
    switch (code) {
      case shellChar.singleQuote:
      case shellChar.doubleQuote:
        return this.quote(at, from);
      case shellChar.backslash:
        return this.escape(at, from);
      case shellChar.caret:
        return this.caretMark(at, from);
      case shellChar.dollar:
        return this.expansion(at, from);
      case shellChar.percent:
        return this.percentMark(at);
      case shellChar.backtick:
        return this.emptySubstitution(at, 2);
      case shellChar.closeBrace:
      case 44:
        if (this.braced) return this.finish(at);
        break;
      case 63:
      case 42:
      case 91:
        this.traits |= wordTrait.glob;
        break;
    }
    this.word += String.fromCharCode(code);
    return at + 1;
  }

  private append(piece: string): void {
    if (piece === '') return;
    this.word += piece;
    this.isPath ||= pathMark.test(piece);
  }

  private keep(sign: '%' | '\\'): void {
    this.word += sign;
    this.isPath = true;
  }

  private quote(at: number, from: number): number {
    const close = closesInWord(this.text, at);
    if (close < 0) return this.finish(at);
    const isWhole = at === from && this.endsAt(close + 1);
    this.traits |= isWhole ? wordTrait.quoted : wordTrait.split;
    this.append(this.text.slice(at + 1, close));
    return close + 1;
  }

  private endsAt(at: number): boolean {
    const code = this.text.charCodeAt(at);
    return at >= this.text.length || (code < 128 && endsWord[code] === 1);
  }

  private escape(at: number, from: number): number {
    const next = this.text.charCodeAt(at + 1);
    if (next === 10 || next === 13) {
      this.traits |= wordTrait.split;
      return at + 2;
    }
    if (next === shellChar.backslash) return this.backslashes(at);
    const before = this.text.charCodeAt(at - 1);
    // Windows paths keep their backslashes: after a drive, a variable, or at the start of a share.
    const startsPath = before === 58 || before === shellChar.percent;
    if (this.isPath || startsPath || at + 1 >= this.text.length) {
      this.keep('\\');
      return at + 1;
    }
    if (at > from && isAlnum(next)) this.traits |= wordTrait.split;
    return at + 1;
  }

  /** All but the last of a run: each stands at the start of a share. */
  private backslashes(at: number): number {
    let last = at + 1;
    while (this.text.charCodeAt(last + 1) === shellChar.backslash) last++;
    this.append(this.text.slice(at, last));
    return last;
  }

  private caretMark(at: number, from: number): number {
    const next = this.text.charCodeAt(at + 1);
    if (at > from && isAlnum(next) && !isDigit(next)) this.traits |= wordTrait.caret;
    return at + 1;
  }

  private percentMark(at: number): number {
    const close = isAlnum(this.text.charCodeAt(at + 1)) ? this.variableEnd(at + 1) : -1;
    if (close < 0) {
      this.keep('%');
      return at + 1;
    }
    this.traits |= wordTrait.expansion;
    this.append(this.text.slice(at, close + 1));
    return close + 1;
  }

  /** Offset of the `%` behind a name such as `ProgramFiles(x86)` or `COMSPEC:~0,1`, else -1. */
  private variableEnd(from: number): number {
    const { text } = this;
    for (let at = from; at < from + 40; at++) {
      const code = text.charCodeAt(at);
      if (code === shellChar.percent) return at;
      if (!(code > 32) || endsVariable[code] === 1) return -1;
    }
    return -1;
  }

  private expansion(at: number, from: number): number {
    const { text } = this;
    const next = text.charCodeAt(at + 1);
    const ifs = ifsLength(text, at);
    if (ifs > 0) {
      this.traits |= wordTrait.ifs;
      return this.finish(at);
    }
    if (next === shellChar.openParen) return this.emptySubstitution(at, 3);
    if (next === shellChar.singleQuote || next === shellChar.doubleQuote)
      return this.ansiQuote(at + 1, from);
    if (next === shellChar.openBrace) return this.braceExpansion(at);
    if (emptyParameters.includes(next) || isDigit(next)) {
      if (at > from || isAlnum(text.charCodeAt(at + 2))) this.traits |= wordTrait.split;
      return at + 2;
    }
    let end = at + 1;
    while (isAlnum(text.charCodeAt(end)) || text.charCodeAt(end) === 95) end++;
    this.substitute(text.slice(at + 1, end), text.slice(at, end));
    return end;
  }

  /** `$'…'` and `$"…"`; escapes of the former are undone by the decoders. */
  private ansiQuote(at: number, from: number): number {
    const close = closesInWord(this.text, at);
    if (close < 0) return this.finish(at - 1);
    this.traits |= at - 1 === from && this.endsAt(close + 1) ? wordTrait.quoted : wordTrait.split;
    this.append(this.text.slice(at + 1, close));
    return close + 1;
  }

  /** `${name}`, `${name:0:1}`. */
  private braceExpansion(at: number): number {
    const end = this.closingBrace(at);
    if (end < 0) {
      this.word += '${';
      return at + 2;
    }
    const inner = this.text.slice(at + 2, end);
    const colon = inner.indexOf(':');
    const name = colon < 0 ? inner : inner.slice(0, colon);
    if (inner.endsWith(':0:1') && pathVariables.has(name)) {
      this.word += '/';
      this.traits |= wordTrait.assembled;
    } else this.substitute(name, this.text.slice(at, end + 1));
    return end + 1;
  }

  /** Offset of the next `}`, no further than a name is long; -1 without. */
  private closingBrace(from: number): number {
    const { text } = this;
    const end = Math.min(text.length, from + 40);
    // Where many `${` stand, the look for one has mostly been done for those before it.
    const isKnown = from >= this.noBraceFrom && from < this.noBraceTo;
    for (let at = isKnown ? this.noBraceTo : from; at < end; at++) {
      if (text.charCodeAt(at) === shellChar.closeBrace) return at;
    }
    if (!isKnown) this.noBraceFrom = from;
    this.noBraceTo = isKnown ? Math.max(end, this.noBraceTo) : end;
    return -1;
  }

  private substitute(name: string, raw: string): void {
    // Bounded, because a variable may be made of itself, twice.
    const value = this.word.length > lookAheadMax ? undefined : this.variables?.get(name);
    this.traits |= value === undefined ? wordTrait.expansion : wordTrait.assembled;
    this.append(value ?? raw);
  }
}

/** Special parameters that usually expand to nothing: `$@ $* $! $- $?`. */
const emptyParameters: readonly number[] = [64, 42, 33, 45, 63];

const pathMark = /[:%\\]/;

/** Variables whose value starts with a slash. */
const pathVariables: ReadonlySet<string> = new Set(['PATH', 'HOME', 'PWD', 'SHELL', 'OLDPWD']);

/** Length of `$IFS`, `${IFS}`, `$IFS$9`, `${IFS%??}`; 0 when there is none. */
function ifsLength(text: string, at: number): number {
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

/** `{cat,/etc/passwd}`: a comma and the closing brace before any blank. */
export function isBraceList(text: string, at: number): boolean {
  let comma = false;
  const end = Math.min(text.length, at + lookAheadMax);
  for (let i = at + 1; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 44) comma = i > at + 1;
    else if (code === shellChar.closeBrace) return comma;
    else if (code <= 32 || code === 58 || code === shellChar.semicolon) return false;
  }
  return false;
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
