import { limits } from '../../../contract/limits.ts';
import { enlarge } from '../../text/bytes.ts';
import { isDigit } from '../../text/char-class.ts';
import type { Grammar } from '../grammar.ts';
import {
  characterType,
  characterTypes,
  isComparisonPart,
  isLetter,
  isNamePart,
  isNullSafe,
  nameParts,
  signKinds,
  wideType,
} from './sql-characters.ts';
import { endComments, linkComments } from './sql-comments.ts';
import { dollarTextEnd, numberEnd, prefixedNumberEnd } from './sql-number.ts';
import { escapedName, isFreeName, quotedName, variableEnd } from './sql-quoted-name.ts';
import { isQuote, type SqlTokens, sqlToken } from './sql-token.ts';
import { classOfWord, sqlWord } from './sql-words.ts';
import { endsOperand, isReserved } from './word-classes.ts';

/**
 * The SQL reading of a text. The arrays are reused: a reading holds until the next text is read.
 */
export const sql: Grammar<SqlTokens> = {
  name: 'sql',
  read: (text) => reader.read(text),
};

class SqlReader {
  private kind = new Uint8Array(256);
  private start = new Int32Array(256);
  private end = new Int32Array(256);
  private word = new Uint8Array(256);
  private gap = new Uint8Array(256);
  private jump = new Int32Array(256);
  private text = '';
  private count = 0;
  private gapNext = 0;
  /** Last of the block comments that are open, linked through `jump`; -1 for none. */
  private openBlock = -1;
  /** Line comments of this line, linked in the same way. */
  private openLine = -1;
  /** The last quote of each kind; -1 for none. */
  private readonly lastQuotes = new Int32Array(3);
  private hasComments = false;
  /** Depth of executable comments, whose end mark is white space. */
  private executable = 0;

  read(text: string): SqlTokens {
    this.text = text;
    this.count = 0;
    this.gapNext = 0;
    this.openBlock = -1;
    this.openLine = -1;
    this.lastQuotes.fill(-1);
    this.hasComments = false;
    this.executable = 0;
    let at = 0;
    while (at < text.length && this.count < limits.tokensMax) at = this.step(at);
    const complete = at >= text.length;
    endComments(this.jump, this.openBlock, -1);
    endComments(this.jump, this.openLine, -1);
    if (this.hasComments) linkComments(this.kind, this.jump, this.count);
    const { count } = this;
    for (let i = 0; i < endsKept; i++) this.push(sqlToken.end, text.length, text.length, 0);
    return {
      text,
      count,
      kind: this.kind,
      start: this.start,
      end: this.end,
      word: this.word,
      gap: this.gap,
      jump: this.jump,
      complete,
    };
  }

  /** Reads one token, or one character of white space; returns where the next begins. */
  private step(at: number): number {
    const code = this.text.charCodeAt(at);
    const type = code < 128 ? (characterTypes[code] as number) : wideType(code);
    if (type === characterType.letter) return this.name(at);
    if (type === characterType.space) return this.space(at, code);
    return type === characterType.digit ? this.number(at) : this.sign(at, code);
  }

  /**
   * The character at an offset, -1 behind the end: a look there would cost the compiler's short cut
   * for all other looks.
   */
  private code(at: number): number {
    return at < this.text.length ? this.text.charCodeAt(at) : -1;
  }

  private space(at: number, code: number): number {
    this.gapNext = 1;
    if (code === 0 && this.endsText(at)) return this.push(sqlToken.lineComment, at, at + 1, 0);
    if ((code === 10 || code === 13) && this.openLine >= 0) {
      endComments(this.jump, this.openLine, this.count);
      this.openLine = -1;
    }
    return at + 1;
  }

  /**
   * SQLite reads a statement as a C string: it ends with the NUL. In what a filter removes NUL bytes
   * from they stand between letters, in UTF-16 behind each character.
   */
  private endsText(at: number): boolean {
    if (at === this.text.length - 1 || this.isAfterClose(at)) return true;
    const before = this.text.charCodeAt(at - 1);
    const isApart = before === 32 || (before > 8 && before < 14);
    return isApart && this.text.charCodeAt(at - 2) !== 0;
  }

  /** Behind a semicolon, a parenthesis or a quote. */
  private isAfterClose(at: number): boolean {
    const last = this.count > 0 ? (this.kind[this.count - 1] as number) : 0;
    return (
      last === sqlToken.semicolon ||
      ((last === sqlToken.close || isQuote(last)) && this.code(at + 2) !== 0)
    );
  }

  private number(at: number): number {
    const prefixed = prefixedNumberEnd(this.text, at);
    if (prefixed > 0) return this.push(sqlToken.number, at, prefixed, 1);
    return this.push(sqlToken.number, at, numberEnd(this.text, at), 0);
  }

  private name(at: number): number {
    const { text } = this;
    if (text.charCodeAt(at + 1) === 38 && (text.charCodeAt(at) | 32) === 117) {
      const name = escapedName(text, at);
      if (name !== undefined) {
        return this.push(sqlToken.word, at, name.end, classOfWord(name.text, 0, name.text.length));
      }
      // U&'…' is a literal as any other.
      if (text.charCodeAt(at + 2) === 39) return at + 2;
    }
    let end = at + 1;
    while (end < text.length) {
      const code = text.charCodeAt(end);
      if (code < 128 ? (nameParts[code] as number) === 0 : !isLetter(code)) break;
      end++;
    }
    const word = classOfWord(text, at, end);
    if (word === sqlWord.name) return this.push(sqlToken.word, at, end, word);
    if (isReserved(word) && this.isPlus(this.count - 1)) this.dropPlus();
    return this.push(sqlToken.word, at, end, word);
  }

  private isPlus(at: number): boolean {
    return at >= 0 && this.kind[at] === sqlToken.operator && this.word[at] === 43;
  }

  /**
   * A plus before a reserved word is the space of a form that was decoded less often than it was
   * encoded.
   */
  private dropPlus(): void {
    this.count--;
    this.gapNext = 1;
  }

  /** After a reserved word or a semicolon a plus says nothing, so it is a space too. */
  private plus(at: number): number {
    const last = this.count - 1;
    const length = (this.end[last] as number) - (this.start[last] as number);
    const isSpace =
      this.kind[last] === sqlToken.semicolon ||
      (this.kind[last] === sqlToken.word && !endsOperand(this.word[last] as number, length));
    if (!isSpace) return this.operator(at, 1);
    this.gapNext = 1;
    return at + 1;
  }

  /** A quote, and the link to it from the last of its kind. */
  private quote(kind: number, at: number): number {
    const before = this.lastQuotes[kind - sqlToken.single] as number;
    if (before >= 0) this.jump[before] = this.count;
    this.lastQuotes[kind - sqlToken.single] = this.count;
    return this.push(kind, at, at + 1, 0);
  }

  private sign(at: number, code: number): number {
    const alone = code < 128 ? (signKinds[code] as number) : sqlToken.other;
    const name = quotedName(this.text, at, alone);
    if (name >= 0 && isFreeName(this.text, at + 1, name)) {
      this.push(sqlToken.word, at + 1, name, classOfWord(this.text, at + 1, name));
      return name + 1;
    }
    if (isQuote(alone)) return this.quote(alone, at);
    if (alone !== 0) {
      return this.push(alone, at, at + 1, alone === sqlToken.operator ? code : 0);
    }
    return isComparisonPart(code) ? this.comparison(at, code) : this.longSign(at, code);
  }

  /** A sign of standard SQL that what follows may make another token. */
  private longSign(at: number, code: number): number {
    const next = this.code(at + 1);
    switch (code) {
      case 33: // !
        return isComparisonPart(next) ? this.comparison(at, code) : this.operator(at, 1);
      case 46: // .
        return isDigit(next) ? this.number(at) : this.push(sqlToken.dot, at, at + 1, 0);
      case 35: // #
        return this.lineComment(at, at + 1);
      case 47: // /
        return next === 42 ? this.block(at) : this.operator(at, 1);
      case 45: // -
        return next === 45 ? this.lineComment(at, at + 2) : this.minus(at, next);
      case 42: // *
        return this.star(at, next);
      case 124: // |
        return next === 124 ? this.push(sqlToken.pipes, at, at + 2, 0) : this.operator(at, 1);
      case 38: // &
        return next === 38 ? this.push(sqlToken.ampersands, at, at + 2, 0) : this.operator(at, 1);
      case 43: // +
        return this.plus(at);
      default:
        return this.dialectSign(at, code, next);
    }
  }

  /** A sign that only some servers read. */
  private dialectSign(at: number, code: number, next: number): number {
    switch (code) {
      case 92: // \
        return this.backslash(at, next);
      case 63: // ?
        return this.question(at, next);
      case 64: // @
        return this.variable(at, next);
      case 36: // $
        return this.dollar(at);
      case 58: // :
        if (next === 61) return this.push(sqlToken.comparison, at, at + 2, 58);
        if (next === 58) return this.push(sqlToken.cast, at, at + 2, 0);
        break;
    }
    return this.push(sqlToken.other, at, at + 1, 0);
  }

  private star(at: number, next: number): number {
    return next === 47 && this.closeBlock() ? at + 2 : this.operator(at, 1);
  }

  /** `->` and `->>` are JSON operators. */
  private minus(at: number, next: number): number {
    if (next !== 62) return this.operator(at, 1);
    return this.operator(at, this.code(at + 2) === 62 ? 3 : 2);
  }

  /**
   * `$$…$$` and `$a$…$a$` are literals of PostgreSQL (4.1.2.4); a number stands for them, as both are
   * constants.
   */
  private dollar(at: number): number {
    const end = dollarTextEnd(this.text, at);
    const kind = end < 0 ? sqlToken.other : sqlToken.number;
    return this.push(kind, at, Math.max(end, at + 1), 0);
  }

  private comparison(at: number, code: number): number {
    const next = this.code(at + 1);
    // <@, the JSON and array operator of PostgreSQL; <@name is a comparison with a variable.
    if (code === 60 && next === 64 && !this.isVariable(at + 1)) {
      return this.push(sqlToken.comparison, at, at + 2, code);
    }
    let end = at + 1;
    // <=> is the longest.
    while (end < at + 3 && isComparisonPart(this.code(end))) end++;
    // === and !== are comparisons of other languages.
    if (end === at + 3 && !isNullSafe(this.text, at)) return this.push(sqlToken.other, at, end, 0);
    if (end === at + 2 && code === next && code !== 61) return this.operator(at, 2);
    return this.push(sqlToken.comparison, at, end, code);
  }

  /** `@name`, but not `<@array[1]` nor `<@box(a)`. */
  private isVariable(at: number): boolean {
    const end = variableEnd(this.text, at);
    const next = this.code(end);
    return end > at + 1 && next !== 91 && next !== 40;
  }

  private operator(at: number, length: number): number {
    return this.push(sqlToken.operator, at, at + length, this.text.charCodeAt(at));
  }

  /** `\N` is NULL in MySQL. */
  private backslash(at: number, next: number): number {
    return next === 78 && !isNamePart(this.code(at + 2))
      ? this.push(sqlToken.word, at, at + 2, sqlWord.constant)
      : this.push(sqlToken.other, at, at + 1, 0);
  }

  /** `?|`, `?&` and `?` before a literal are JSON operators of PostgreSQL; `?1` is a parameter. */
  private question(at: number, next: number): number {
    if (next === 124 || next === 38) return this.push(sqlToken.comparison, at, at + 2, 63);
    if (isDigit(next)) return this.push(sqlToken.variable, at, numberEnd(this.text, at + 1), 0);
    const quote = next === 32 ? this.code(at + 2) : next;
    return this.push(quote === 39 ? sqlToken.comparison : sqlToken.other, at, at + 1, 63);
  }

  /** `@name`, and the operators `@>`, `@?` and `@@` of PostgreSQL. */
  private variable(at: number, next: number): number {
    const end = variableEnd(this.text, at);
    const isBare = end === at + 2 && next === 64;
    if (next === 62 || next === 63 || isBare) {
      return this.push(sqlToken.comparison, at, at + 2, 64);
    }
    // `a ^@ 'b'`: the operator goes on. A lone @ elsewhere is a user variable: `!@"a"`, or of the empty name.
    const isName = (next === 34 || next === 39) && this.code(at - 1) !== 94;
    if (end === at + 1 && !isName && this.isOperatorBefore(at)) return this.operator(at, 1);
    return this.push(sqlToken.variable, at, end, 0);
  }

  private isOperatorBefore(at: number): boolean {
    const last = this.count - 1;
    return last >= 0 && this.kind[last] === sqlToken.operator && this.end[last] === at;
  }

  private lineComment(at: number, end: number): number {
    this.hasComments = true;
    this.push(sqlToken.lineComment, at, end, 0);
    this.jump[this.count - 1] = this.openLine;
    this.openLine = this.count - 1;
    return end;
  }

  /** A comment begins, or with an exclamation mark code that only some servers run. */
  private block(at: number): number {
    // `/*/*/`: where comments do not nest, the second one begins in the first, and ends it.
    if (this.code(at + 2) === 47 && this.openBlock >= 0 && this.closeBlock()) return at + 3;
    const mark = (this.code(at + 2) | 32) === 109 ? at + 3 : at + 2;
    // `/*!` at the very end opens no code of MySQL, and to the others it is a comment.
    if (this.code(mark) !== 33 || mark + 1 === this.text.length) {
      this.hasComments = true;
      this.push(sqlToken.blockComment, at, at + 2, 0);
      this.jump[this.count - 1] = this.openBlock;
      this.openBlock = this.count - 1;
      return at + 2;
    }
    let end = mark + 1;
    while (end < mark + 7 && isDigit(this.code(end))) end++;
    this.executable++;
    this.gapNext = 1;
    return end;
  }

  /** Takes an end mark as the end of what is open; false when nothing is. */
  private closeBlock(): boolean {
    if (this.openBlock >= 0) {
      endComments(this.jump, this.openBlock, this.count);
      this.openBlock = -1;
    } else if (this.executable > 0) this.executable--;
    else return false;
    this.gapNext = 1;
    return true;
  }

  private push(kind: number, start: number, end: number, word: number): number {
    const at = this.count;
    if (at === this.kind.length) this.grow();
    this.kind[at] = kind;
    this.start[at] = start;
    this.end[at] = end;
    this.word[at] = word;
    this.gap[at] = this.gapNext;
    this.jump[at] = -1;
    this.gapNext = 0;
    this.count = at + 1;
    return end;
  }

  private grow(): void {
    const size = this.kind.length * 2;
    this.kind = enlarge(this.kind, new Uint8Array(size));
    this.start = enlarge(this.start, new Int32Array(size));
    this.end = enlarge(this.end, new Int32Array(size));
    this.word = enlarge(this.word, new Uint8Array(size));
    this.gap = enlarge(this.gap, new Uint8Array(size));
    this.jump = enlarge(this.jump, new Int32Array(size));
  }
}

/** Rows behind the last token: who looks a few ahead must not see tokens of an earlier text. */
const endsKept = 8;

const reader = new SqlReader();
