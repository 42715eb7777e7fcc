import type { Random } from '../../../lib/random.ts';

/** A span of the value. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A word of a command, as it is written. */
export interface Word extends Span {
  readonly text: string;
  /** Without quotes, expansions and patterns: it means what it says. */
  readonly isPlain: boolean;
  /** The name of the program. */
  readonly isName: boolean;
}

/** A simple command that the value brings along: the program and its arguments. */
export interface Command extends Span {
  readonly text: string;
  readonly words: readonly Word[];
}

/** What a value is to a shell that is in the midst of a statement. */
export interface Fragment {
  readonly commands: readonly Command[];
  /** `;`, `|`, `&&`, a line feed … between commands. */
  readonly separators: readonly (Span & { readonly text: string })[];
  /** Substitutions, with their marks: `$(…)` and backticks. */
  readonly substitutions: readonly Span[];
}

/** Where the statement is when the value begins. */
type Place = 'code' | 'single' | 'double';

/** Reads a value from a place in which it brings a command; undefined where there is none. */
export function readFragment(value: string, random: Random): Fragment | undefined {
  for (const place of random.shuffled<Place>(['code', 'single', 'double'])) {
    const fragment = new Reader(value, place).read();
    if (fragment.commands.length > 0) return fragment;
  }
  return undefined;
}

interface Frame {
  readonly kind: 'code' | 'double';
  /** What ends it, and where it began. */
  readonly closer: string;
  readonly start: number;
  words: Word[];
  /** The next word is the name of a program. */
  isExpecting: boolean;
  wordStart: number;
  isWordPlain: boolean;
  /** Words that belong to a `for`, a `case`, or to the command of the application. */
  isSkipping: boolean;
}

const reserved = new Set(['if', 'then', 'else', 'elif', 'do', 'while', 'until', '!', '{', 'time']);
const closers = new Set(['fi', 'done', 'esac', '}', ')']);

class Reader {
  readonly #text: string;
  readonly #frames: Frame[] = [];
  readonly #commands: Command[] = [];
  readonly #separators: (Span & { text: string })[] = [];
  readonly #substitutions: Span[] = [];
  #at = 0;
  #isRedirect = false;

  constructor(text: string, place: Place) {
    this.#text = text;
    this.#open('code', '', 0);
    this.#top().isExpecting = false;
    this.#top().isSkipping = true;
    if (place !== 'code') {
      this.#top().wordStart = 0;
      this.#top().isWordPlain = false;
    }
    if (place === 'single') this.#at = this.#after("'", 0);
    if (place === 'double') this.#open('double', '"', 0);
  }

  read(): Fragment {
    while (this.#at < this.#text.length) {
      if (this.#top().kind === 'double') this.#stepInDouble();
      else this.#step();
    }
    // What is still open goes on in the statement of the application.
    while (this.#frames.length > 0) {
      if (this.#top().kind === 'code') this.#endCommand();
      this.#frames.pop();
    }
    return {
      commands: this.#commands,
      separators: this.#separators,
      substitutions: this.#substitutions,
    };
  }

  #step(): void {
    const frame = this.#top();
    const char = this.#text[this.#at] ?? '';
    if (char === frame.closer) return this.#close();
    switch (char) {
      case ' ':
      case '\t':
        this.#endWord();
        this.#at += 1;
        return;
      case '#':
        if (frame.wordStart >= 0) break;
        this.#at = this.#after('\n', this.#at) - 1;
        if (this.#text[this.#at] !== '\n') this.#at = this.#text.length;
        return;
      case ';':
      case '&':
      case '|':
      case '\n':
      case '(':
      case ')':
        return this.#operator();
      case '<':
      case '>':
        return this.#redirect();
      default:
        break;
    }
    if (frame.wordStart < 0) {
      frame.wordStart = this.#at;
      frame.isWordPlain = true;
    }
    this.#stepInWord(char);
  }

  #stepInWord(char: string): void {
    if (/[^\w./:@%+,=-]/.test(char)) this.#top().isWordPlain = false;
    if (char === "'") this.#at = this.#after("'", this.#at + 1);
    else if (char === '"') this.#open('double', '"', 1);
    else this.#expansion(char);
  }

  #stepInDouble(): void {
    const char = this.#text[this.#at] ?? '';
    if (char === '"') {
      this.#frames.pop();
      this.#at += 1;
    } else this.#expansion(char);
  }

  #expansion(char: string): void {
    const next = this.#text[this.#at + 1];
    if (char === '\\') this.#at += 2;
    else if (char === '`' && this.#isOpen('`')) this.#close();
    else if (char === '`') this.#open('code', '`', 1);
    else if (char === '$' && next === '(') this.#open('code', ')', 2);
    else if (char === '$' && next === '{') this.#at = this.#after('}', this.#at);
    else this.#at += 1;
  }

  #operator(): void {
    const text = /^(?:&&|\|\||\|&|;;|[;&|\n()])/.exec(this.#text.slice(this.#at))?.[0] ?? ';';
    this.#endCommand();
    if (/^(?:&&|\|\||[;&|\n])$/.test(text)) {
      this.#separators.push({ start: this.#at, end: this.#at + text.length, text });
    }
    this.#top().isExpecting = true;
    this.#top().isSkipping = false;
    this.#at += text.length;
  }

  #redirect(): void {
    // A number in front belongs to it.
    if (/^\d+$/.test(this.#text.slice(this.#top().wordStart, this.#at))) this.#top().wordStart = -1;
    this.#endWord();
    const text = /^[<>&|-]+[ \t]*/.exec(this.#text.slice(this.#at))?.[0] ?? '<';
    this.#at += text.length;
    if (this.#text[this.#at] === '(') this.#open('code', ')', 1);
    else this.#isRedirect = true;
  }

  #endWord(): void {
    const frame = this.#top();
    if (frame.wordStart < 0) return;
    const text = this.#text.slice(frame.wordStart, this.#at);
    const span = { start: frame.wordStart, end: this.#at, text, isPlain: frame.isWordPlain };
    frame.wordStart = -1;
    if (this.#isRedirect) {
      this.#isRedirect = false;
      return;
    }
    if (!frame.isExpecting) {
      if (!frame.isSkipping) frame.words.push({ ...span, isName: false });
    } else if (text === 'for' || text === 'case' || closers.has(text)) {
      frame.isSkipping = true;
      frame.isExpecting = false;
    } else if (!reserved.has(text) && !/^\w+=/.test(text)) {
      frame.words.push({ ...span, isName: true });
      frame.isExpecting = false;
    }
  }

  #endCommand(): void {
    this.#endWord();
    this.#isRedirect = false;
    const { words } = this.#top();
    this.#top().words = [];
    const [first] = words;
    const last = words.at(-1);
    if (first === undefined || last === undefined) return;
    const span = { start: first.start, end: last.end };
    this.#commands.push({ ...span, text: this.#text.slice(span.start, span.end), words });
  }

  #open(kind: Frame['kind'], closer: string, length: number): void {
    this.#frames.push({
      kind,
      closer,
      start: this.#at,
      words: [],
      isExpecting: true,
      wordStart: -1,
      isWordPlain: false,
      isSkipping: false,
    });
    this.#at += length;
  }

  #close(): void {
    this.#endCommand();
    this.#at += 1;
    if (this.#top().closer !== '') {
      this.#substitutions.push({ start: this.#top().start, end: this.#at });
    }
    this.#frames.pop();
    this.#top().isWordPlain = false;
  }

  #isOpen(closer: string): boolean {
    return this.#top().closer === closer;
  }

  #top(): Frame {
    const frame = this.#frames.at(-1);
    if (frame === undefined) throw new RangeError('The outermost frame is never closed.');
    return frame;
  }

  #after(mark: string, from: number): number {
    const found = this.#text.indexOf(mark, from);
    return found < 0 ? this.#text.length : found + mark.length;
  }
}

/** Puts a text in the place of a span. */
export function replaced(value: string, { start, end }: Span, text: string): string {
  return value.slice(0, start) + text + value.slice(end);
}
