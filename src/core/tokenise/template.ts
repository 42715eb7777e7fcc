import { limits } from '../../contract/limits.ts';
import { isAlnum, isDigit, isWord } from '../text/char-class.ts';
import type { Grammar } from './grammar.ts';

/**
 * Reads the expressions that template engines find in a text, all families at once: what
 * stands between `{{ }}`, `{% %}`, `${ }`, `<%= %>` and so on becomes tokens, the text
 * outside of them none. One pass with a stack of open delimiters, so that nested delimiters
 * cost nothing extra.
 */
export const template: Grammar<TemplateTokens> = { name: 'template', read: readTemplate };

/** Engine families by their delimiters. */
export const family = {
  /** `{{ }}`: Jinja, Twig, Handlebars, Angular, Go … */
  mustache: 1,
  /** `{% %}`: statements of Jinja, Twig, Liquid … */
  statement: 2,
  /** `${ }`: EL, Freemarker, Mako, Velocity … */
  dollar: 3,
  /** `#{ }`: EL, Pug, Ruby … */
  hash: 4,
  /** `*{ }`: Thymeleaf */
  star: 5,
  /** `%{ }`: OGNL */
  percent: 6,
  /** `@{ }`: Razor, Thymeleaf */
  at: 7,
  /** `~{ }`: Thymeleaf */
  tilde: 8,
  /** `<% %>`: ERB, EJS, JSP, ASP */
  angle: 9,
  /** `@( )`: Razor */
  razor: 10,
  /** `[[ ]]`, `[( )]`: Thymeleaf in text */
  inline: 11,
  /** `<#name >`, `[#name ]`: Freemarker */
  directive: 12,
  /** `#name( )`: Velocity */
  velocity: 13,
  /** `{name }`, `{$name }`: Smarty and others */
  single: 14,
} as const;

export type Family = (typeof family)[keyof typeof family];

export const templateToken = {
  open: 0,
  close: 1,
  name: 2,
  number: 3,
  string: 4,
  /** Any other character, or a run of equal ones. */
  mark: 5,
} as const;

/** Tokens as parallel arrays; offsets count in the text that was read. */
export interface TemplateTokens {
  readonly count: number;
  readonly kinds: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  /** Family of the innermost delimiters around each token, or of the delimiter itself. */
  readonly families: readonly number[];
  readonly complete: boolean;
}

function readTemplate(text: string): TemplateTokens {
  return new TemplateReader(text).readAll();
}

const stringMax = 2_048;
/** Deeper nesting is read as plain marks. */
const depthMax = 32;
/** `* | & =`, which mean something else when doubled. */
const doubles: readonly number[] = [42, 124, 38, 61];

const mayOpen: Uint8Array = mark('{$#*%@~<[');

function mark(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

interface Frame {
  readonly family: number;
  readonly closer: string;
  readonly isBracket: boolean;
}

class TemplateReader {
  private readonly text: string;
  private readonly kinds: number[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly families: number[] = [];
  /** What is open: delimiters, and ordinary brackets, which have the family around them. */
  private readonly stack: Frame[] = [];
  private family = 0;

  constructor(text: string) {
    this.text = text;
  }

  readAll(): TemplateTokens {
    const text = this.text;
    let at = 0;
    while (at < text.length && this.kinds.length < limits.tokensMax) {
      const code = text.charCodeAt(at);
      if (code < 128 && mayOpen[code] === 1) {
        const opened = this.open(at, code);
        if (opened > 0) {
          at += opened;
          continue;
        }
      }
      at = this.stack.length === 0 ? at + 1 : this.inside(at, code);
    }
    const { kinds, starts, ends, families } = this;
    return { count: kinds.length, kinds, starts, ends, families, complete: at >= text.length };
  }

  private push(kind: number, start: number, end: number): number {
    this.kinds.push(kind);
    this.starts.push(start);
    this.ends.push(end);
    this.families.push(this.family);
    return end;
  }

  /** Opens the delimiters at `at`; returns their length, 0 when there are none. */
  private open(at: number, code: number): number {
    const text = this.text;
    const next = text.charCodeAt(at + 1);
    if (next === 123) return this.openBrace(at, code);
    switch (code) {
      case 123:
        return next === 37 ? this.enter(family.statement, at, 2, '%}') : this.openSingle(at, next);
      case 60:
        if (next === 37) return this.enter(family.angle, at, 2, '%>');
        return next === 35 && isAlnum(text.charCodeAt(at + 2))
          ? this.enter(family.directive, at, 2, '>')
          : 0;
      case 91:
        if (next === 91) return this.enter(family.inline, at, 2, ']]');
        if (next === 40 && this.stack.length === 0) return this.enter(family.inline, at, 2, ')]');
        return next === 35 && isAlnum(text.charCodeAt(at + 2)) && this.stack.length === 0
          ? this.enter(family.directive, at, 2, ']')
          : 0;
      case 64:
        return next === 40 ? this.enter(family.razor, at, 2, ')') : 0;
      case 35:
        return this.openVelocity(at);
      case 36:
        // Velocity's quiet reference, `$!{ }`.
        return next === 33 && text.charCodeAt(at + 2) === 123
          ? this.enter(family.dollar, at, 3, '}')
          : 0;
      default:
        return 0;
    }
  }

  private openBrace(at: number, code: number): number {
    switch (code) {
      case 123:
        return this.enter(family.mustache, at, 2, '}}');
      // `${{`, `#{{`: the doubled brace is the delimiter.
      case 36:
        return this.isDoubled(at) ? 0 : this.enter(family.dollar, at, 2, '}');
      case 35:
        return this.isDoubled(at) ? 0 : this.enter(family.hash, at, 2, '}');
      case 42:
        return this.isDoubled(at) ? 0 : this.enter(family.star, at, 2, '}');
      case 37:
        return this.isDoubled(at) ? 0 : this.enter(family.percent, at, 2, '}');
      case 64:
        return this.enter(family.at, at, 2, '}');
      case 126:
        return this.enter(family.tilde, at, 2, '}');
      default:
        return 0;
    }
  }

  private isDoubled(at: number): boolean {
    return this.text.charCodeAt(at + 2) === 123;
  }

  private openSingle(at: number, next: number): number {
    const isTag = next === 36 || next === 47 || (isAlnum(next) && !isDigit(next));
    if (!isTag || this.stack.length > 0) return 0;
    return this.enter(family.single, at, 1, '}');
  }

  /** `#set(`, `#foreach(`, `#{if}(` is rare. */
  private openVelocity(at: number): number {
    let end = at + 1;
    while (end - at < 12 && isAlnum(this.text.charCodeAt(end))) end++;
    let open = end;
    while (open - end < 4 && this.text.charCodeAt(open) === 32) open++;
    if (end === at + 1 || this.text.charCodeAt(open) !== 40) return 0;
    const name = this.text.slice(at + 1, end).toLowerCase();
    if (!velocityDirectives.has(name)) return 0;
    this.enter(family.velocity, at, 1, ')');
    this.push(templateToken.name, at + 1, end);
    return open + 1 - at;
  }

  private enter(entered: Family, at: number, length: number, closer: string): number {
    if (this.stack.length >= depthMax) return 0;
    this.family = entered;
    this.stack.push({ family: entered, closer, isBracket: false });
    this.push(templateToken.open, at, at + length);
    return length;
  }

  /** Reads one token of an expression; returns where the next begins. */
  private inside(at: number, code: number): number {
    const closed = this.close(at);
    if (closed > 0) return at + closed;
    if (code <= 32) return at + 1;
    if (isDigit(code)) return this.push(templateToken.number, at, this.runEnd(at, isNumberPart));
    if (isWord(code) || code === 36)
      return this.push(templateToken.name, at, this.runEnd(at + 1, isWord));
    if (code === 34 || code === 39) {
      const end = this.stringEnd(at);
      return this.push(end > at + 1 ? templateToken.string : templateToken.mark, at, end);
    }
    if (code === 92) return this.push(templateToken.mark, at, Math.min(at + 2, this.text.length));
    if ((code === 123 || code === 40) && this.stack.length < depthMax) {
      const closer = code === 123 ? '}' : ')';
      this.stack.push({ family: this.family, closer, isBracket: true });
    }
    const isDouble = doubles.includes(code) && this.text.charCodeAt(at + 1) === code;
    return this.push(templateToken.mark, at, isDouble ? at + 2 : at + 1);
  }

  private close(at: number): number {
    const frame = this.stack[this.stack.length - 1];
    if (frame === undefined || !this.text.startsWith(frame.closer, at)) return 0;
    const kind = frame.isBracket ? templateToken.mark : templateToken.close;
    this.push(kind, at, at + frame.closer.length);
    this.stack.pop();
    this.family = this.stack[this.stack.length - 1]?.family ?? 0;
    return frame.closer.length;
  }

  private runEnd(from: number, belongs: (code: number) => boolean): number {
    let end = from;
    while (end < this.text.length && belongs(this.text.charCodeAt(end))) end++;
    return Math.max(end, from);
  }

  /** After the closing quote; a quote that nothing closes is a mark of one character. */
  private stringEnd(at: number): number {
    const quote = this.text.charCodeAt(at);
    const end = Math.min(this.text.length, at + stringMax);
    for (let i = at + 1; i < end; i++) {
      const code = this.text.charCodeAt(i);
      if (code === 92) i++;
      else if (code === quote) return i + 1;
    }
    return at + 1;
  }
}

function isNumberPart(code: number): boolean {
  return isDigit(code) || code === 46;
}

const velocityDirectives: ReadonlySet<string> = new Set([
  'set',
  'foreach',
  'if',
  'elseif',
  'include',
  'parse',
  'evaluate',
  'define',
  'macro',
  'stop',
]);
