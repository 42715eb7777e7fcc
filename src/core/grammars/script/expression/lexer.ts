import { isDigit, isSpace } from '../../../text/char-class.ts';
import { isQuote, isScriptWord } from '../script.ts';
import { char } from './characters.ts';
import { longMark } from './marks.ts';

/** Kinds of a lexeme. `edge` is a quote without a partner: a literal of the application goes on. */
export const lexeme = {
  end: 0,
  name: 1,
  number: 2,
  text: 3,
  command: 4,
  edge: 5,
  punctuation: 6,
} as const;

/**
 * Lexemes of ECMAScript (ECMA-262 12), PHP, Python and Ruby, read one at a time: whether a `/`, a
 * `:` or a `%` begins an operand depends on what stands before. What one of the languages knows is
 * read in its way wherever the others have no use for it.
 */
export class Cursor {
  readonly text: string;
  /** Where it ends, for now. */
  to: number;
  /** Where the next lexeme is looked for. */
  at: number;
  kind: number = lexeme.end;
  start = -1;
  end = 0;
  /** A name, punctuation, or a text without its escapes. */
  word = '';
  /** Offsets of the characters of a text between its quotes; its quote. */
  from = 0;
  until = 0;
  quote = 0;
  /** A line break stands in front. */
  isAfterBreak = false;
  /** The same, however often the lexeme is looked at. */
  isOnNewLine = false;
  /** A comment without an end stood in front: what follows is read but proves nothing. */
  isTail = false;
  /** The rest of the text stands in a literal that the application closes. */
  isInLiteral = false;
  /** Whether the lexeme was read as an operand; it may be another one when it was not. */
  private isOperand = false;
  /** Marks that close nothing any more, by their codes: made with the first of them. */
  private unclosed: Set<number> | undefined;
  private hasOpenComment = false;
  /** No line break stands behind this offset. */
  private lastBreak = -1;
  /** The quote in front of the text that is read: it ended a literal of the application. */
  private readonly literal: number;
  private readonly wholeTo: number;
  private lastCut = -1;

  constructor(text: string, from: number, to: number) {
    this.text = text;
    this.at = from;
    this.to = to;
    this.wholeTo = to;
    this.literal = from > 0 ? text.charCodeAt(from - 1) : 0;
  }

  /** Goes behind the lexeme that was read last. */
  take(): void {
    this.at = this.end;
  }

  /** Ends the text here until `resume`; false where it was resumed from here. */
  cut(): boolean {
    if (this.at <= this.lastCut) return false;
    this.lastCut = this.at;
    this.to = this.at;
    this.start = -1;
    this.read(true);
    return true;
  }

  /** Goes on where the text was cut; false where it was not. */
  resume(): boolean {
    const isCut = this.to < this.wholeTo;
    this.to = this.wholeTo;
    if (isCut) this.start = -1;
    return isCut;
  }

  /** True when the lexeme is this punctuation. */
  is(mark: string): boolean {
    return this.kind === lexeme.punctuation && this.word === mark;
  }

  /** True when the lexeme is this name. */
  isName(name: string): boolean {
    return this.kind === lexeme.name && this.word === name;
  }

  /** True when a brace stands in front of the lexeme. */
  get isBehindBrace(): boolean {
    return braceBehind.test(this.text.slice(Math.max(0, this.start - 4), this.start));
  }

  /** Reads the lexeme at `at`, as an operand or as what stands between operands. */
  read(isOperand: boolean): void {
    if (this.at === this.start && (isOperand === this.isOperand || !this.isOdd())) {
      this.isAfterBreak = false;
      return;
    }
    this.skip();
    const { text, at } = this;
    this.start = at;
    this.isOperand = isOperand;
    this.word = '';
    if (at >= this.to) {
      this.kind = lexeme.end;
      this.end = at;
      return;
    }
    const code = text.charCodeAt(at);
    if (isNameCode(code)) this.readWord(code);
    else if (isQuote(code)) this.readText(at, code);
    else if (!(isOperand && this.readOdd(code))) this.readPunctuation(code);
  }

  /** An operand begins here with what is an operator elsewhere. */
  private isOdd(): boolean {
    const code = this.text.charCodeAt(this.start);
    return code === char.slash || code === char.colon || code === char.percent;
  }

  private readWord(first: number): void {
    if (isDigit(first)) return this.readNumber();
    const { text, at, to } = this;
    let isPlain = true;
    let end = at;
    while (end < to) {
      const code = text.charCodeAt(end);
      if (!isNameCode(code)) break;
      isPlain = isPlain && code < 128 && code !== char.backslash;
      const length = code === char.backslash ? escapeLength(text, end) : 1;
      if (length === 0) break;
      end += length;
    }
    if (end === at) return this.readPunctuation(first);
    const raw = text.slice(at, Math.min(end, at + nameMax));
    this.kind = lexeme.name;
    this.end = end;
    this.word = isPlain ? raw : decodeName(raw);
    const quote = text.charCodeAt(end);
    // Prefixes of Python's literals.
    if (end - at <= 2 && (quote === char.single || quote === char.double) && prefix.test(raw)) {
      this.readText(end, quote);
      if (this.kind === lexeme.edge) {
        this.kind = lexeme.name;
        this.end = end;
      }
    }
  }

  private readNumber(): void {
    const { text, at } = this;
    radix.lastIndex = at;
    const prefixed = text.charCodeAt(at) === char.zero ? radix.exec(text)?.[0] : undefined;
    let end = prefixed === undefined ? digitsEnd(text, at) : at + prefixed.length;
    if (prefixed === undefined) {
      const next = text.charCodeAt(end + 1);
      // `1..toString`
      if (text.charCodeAt(end) === char.dot && (next === char.dot || isDigit(next))) {
        end = digitsEnd(text, end + 1);
      }
      exponent.lastIndex = end;
      if (isNameCode(text.charCodeAt(end)) && exponent.test(text)) {
        end = digitsEnd(text, exponent.lastIndex);
      }
    }
    this.kind = lexeme.number;
    this.word = text.slice(at, Math.min(end, at + nameMax)).replaceAll('_', '');
    this.end = Math.min(this.to, text.charCodeAt(end) === char.smallN ? end + 1 : end);
  }

  private readText(at: number, quote: number): void {
    const end = this.closing(at + 1, quote, quote);
    if (end < 0) {
      this.kind = lexeme.edge;
      this.isInLiteral ||= quote === this.literal;
      this.end = quote === this.literal ? this.to : at + 1;
      return;
    }
    this.setText(at + 1, end, quote, lexeme.text);
  }

  private setText(from: number, until: number, quote: number, kind: number): void {
    const raw = this.text.slice(from, Math.min(until, from + literalMax));
    this.kind = kind;
    this.from = from;
    this.until = until;
    this.quote = quote;
    this.end = until + 1;
    this.word = raw.includes('\\') ? decodeText(raw) : raw;
  }

  /** Offset of the character that closes a literal, -1 without one. */
  private closing(from: number, open: number, close: number): number {
    if (this.unclosed?.has(close) === true) return -1;
    let depth = 0;
    for (let at = from; at < this.to; at++) {
      const code = this.text.charCodeAt(at);
      if (code === char.backslash) at++;
      else if (code === close) {
        if (depth === 0) return at;
        depth--;
      } else if (code === open) depth++;
    }
    this.unclosed ??= new Set();
    this.unclosed.add(close);
    return -1;
  }

  /** Literals that begin with a mark of another meaning: `/x/`, `%q(x)`, `:name`. */
  private readOdd(code: number): boolean {
    const { text, at } = this;
    if (code === char.slash) {
      const line = this.nextBreak(at);
      const end = this.closing(at + 1, 0, char.slash);
      if (end < 0 || end > line) return false;
      this.setText(at + 1, end, char.slash, lexeme.text);
      flags.lastIndex = this.end;
      this.end += flags.exec(text)?.[0].length ?? 0;
      return true;
    }
    if (code === char.colon && isNameStart(text.charCodeAt(at + 1))) {
      this.at = at + 1;
      this.readWord(text.charCodeAt(at + 1));
      this.at = at;
      this.kind = lexeme.text;
      this.from = -1;
      this.until = -1;
      return true;
    }
    if (code !== char.percent) return false;
    literal.lastIndex = at;
    const found = literal.exec(text);
    if (found === null) return false;
    const from = at + found[0].length;
    const open = text.charCodeAt(from - 1);
    const close = closers.get(open) ?? open;
    const end = this.closing(from, close === open ? 0 : open, close);
    if (end < 0) return false;
    this.setText(from, end, char.percent, found[1] === 'x' ? lexeme.command : lexeme.text);
    return true;
  }

  private readPunctuation(code: number): void {
    const { text, at } = this;
    this.kind = lexeme.punctuation;
    // Ruby's `#{` of a literal that began before the text.
    const isInner = code === char.hash && text.charCodeAt(at + 1) === char.openBrace;
    const word = longMark(text, at, code);
    this.word = isInner ? '{' : word;
    this.end = Math.min(this.to, at + (isInner ? 2 : word.length));
  }

  /** White space and comments. */
  private skip(): void {
    this.isAfterBreak = this.isOnNewLine = false;
    for (;;) {
      const code = this.at < this.to ? this.text.charCodeAt(this.at) : char.exclamation;
      if (isSpace(code)) {
        if (code === char.lineFeed || code === char.carriageReturn)
          this.isAfterBreak = this.isOnNewLine = true;
        this.at++;
      } else if (!this.skipComment(code)) return;
    }
  }

  private skipComment(code: number): boolean {
    if (code !== char.slash && code !== char.hash) return false;
    const next = this.text.charCodeAt(this.at + 1);
    if (code === char.slash && next === char.star && !this.hasOpenComment) {
      const end = this.text.indexOf('*/', this.at + 2);
      if (end >= 0 && end < this.to) {
        this.at = end + 2;
        return true;
      }
      this.hasOpenComment = true;
    }
    const isLine =
      code === char.slash
        ? next === char.slash
        : next !== char.openBrace && this.text.charCodeAt(this.at - 1) !== char.ampersand;
    if (!isLine) return false;
    const line = this.nextBreak(this.at);
    // Without a line behind it, what stands here may be in a literal that began before the value.
    if (line >= this.to) {
      this.isTail = true;
      this.at += code === char.hash ? 1 : 2;
    } else this.at = line;
    return true;
  }

  private nextBreak(from: number): number {
    if (this.lastBreak >= from) return this.lastBreak;
    lineBreak.lastIndex = from;
    this.lastBreak = lineBreak.exec(this.text)?.index ?? this.to;
    return this.lastBreak;
  }
}

const nameMax = 64;
const literalMax = 8_000;
const prefix = /^(?:[bBrRuUfF]{1,2})$/;
const radix = /0(?:[xX][\da-fA-F_]+|[bB][01_]+|[oO][0-7_]+)/y;
const flags = /[dgimsuvy]{1,8}(?![\w$])/y;
const exponent = /[eE][-+]?(?=\d)/y;
const literal = /%([qQxwWiI]?)[([{<|!/]/y;
const braceBehind = /\}\s{0,3}$/;
const lineBreak = /[\n\r\u2028\u2029]/g;
const closers: ReadonlyMap<number, number> = new Map([
  [char.openParen, char.closeParen],
  [char.openBracket, char.closeBracket],
  [char.openBrace, char.closeBrace],
  [char.less, char.greater],
]);

/** Offset behind the digits at `from`, and behind the underscores between them. */
function digitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at)) || text.charCodeAt(at) === char.underscore) at++;
  return at;
}

function isNameStart(code: number): boolean {
  return isScriptWord(code) && !isDigit(code);
}

/** What names are made of, and the backslash of an escape. */
function isNameCode(code: number): boolean {
  return isScriptWord(code) || code === char.backslash;
}

/** Length of `\u0061` or `\u{61}` in a name; 0 for any other backslash. */
function escapeLength(text: string, at: number): number {
  nameEscape.lastIndex = at;
  return nameEscape.exec(text)?.[0].length ?? 0;
}

const nameEscape = /\\u(?:[\da-fA-F]{4}|\{[\da-fA-F]{1,8}\})/y;
const textEscape =
  /\\(?:u\{([\da-fA-F]{1,8})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|([0-7]{1,3})|([\s\S]))/g;

/** Escapes of a name, and what Python (PEP 3131) makes of letters of another kind. */
function decodeName(raw: string): string {
  return decodeText(raw).normalize('NFKC');
}

const controls: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['\n', ''],
]);

function decodeText(raw: string): string {
  return raw.replace(
    textEscape,
    (_, braced?: string, wide?: string, hex?: string, octal?: string, other = '') => {
      const digits = braced ?? wide ?? hex;
      if (digits !== undefined) return character(Number.parseInt(digits, 16));
      if (octal !== undefined) return character(Number.parseInt(octal, 8));
      return controls.get(other) ?? other;
    },
  );
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
