import { limits } from '../../../contract/limits.ts';
import { namesBraced } from '../../knowledge/template-objects.ts';
import { enlarge } from '../../text/bytes.ts';
import { hexValue, isAlnum, isDigit, isWord } from '../../text/char-class.ts';
import { characterSet } from '../../text/runs.ts';
import { wordSet } from '../../text/words.ts';
import type { Grammar } from '../grammar.ts';
import { isTextList } from './text-list.ts';

/**
 * Reads the expressions that template engines find in a text, all families at once: what
 * stands between `{{ }}`, `{% %}`, `${ }`, `<%= %>` and so on becomes tokens, the text
 * outside of them none. One pass with a stack of open delimiters, so that nested delimiters
 * cost nothing extra.
 */
export const template: Grammar<TemplateTokens> = {
  name: 'template',
  read: (text) => reader.read(text),
};

/** The same for a text that stands between `{{` and `}}` of an application, which are put around it. */
export const bareTemplate: Grammar<TemplateTokens> = {
  name: 'bare-template',
  read: (text) => bareReader.read(`{{${text}}}`),
};

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

/**
 * Tokens as parallel arrays of which the first `count` entries hold; offsets count in the text that
 * was read. The arrays are reused: a reading holds until the next text is read.
 */
export interface TemplateTokens {
  readonly count: number;
  readonly kinds: Readonly<Uint8Array>;
  readonly starts: Readonly<Int32Array>;
  readonly ends: Readonly<Int32Array>;
  /** Family of the innermost delimiters around each token, or of the delimiter itself. */
  readonly families: Readonly<Uint8Array>;
  readonly complete: boolean;
}

const stringMax = 2_048;
const tagNameMax = 40;
/** Characters of a text with a modifier behind it. */
const modifiedMax = 80;
const unknown = -2;
const closers: readonly string[] = [']]', ')]'];
/** Deeper nesting is read as plain marks. */
const depthMax = 32;
/** `* | & =`, which mean something else when doubled. */
const doubles: Uint8Array = characterSet('*|&=');

/** `0x`, `0o`, `0b` */
const radixes: Uint8Array = characterSet('xXoObB');
const mayOpen: Uint8Array = characterSet('{$#*%@~<[!');

class TemplateReader {
  private text = '';
  private count = 0;
  private kinds = new Uint8Array(256);
  private starts = new Int32Array(256);
  private ends = new Int32Array(256);
  private families = new Uint8Array(256);
  /** What is open: delimiters, and ordinary brackets, which have the family around them. */
  private depth = 0;
  private readonly openFamilies = new Uint8Array(depthMax);
  /** First and second character of what closes each; the second is 0 where one is enough. */
  private readonly closers = new Uint8Array(depthMax);
  private readonly secondClosers = new Uint8Array(depthMax);
  private readonly isBracket = new Uint8Array(depthMax);
  private family = 0;
  /** Where the last of each of `closers` stands in the text, once it was asked. */
  private readonly lastClosers = new Int32Array(closers.length);

  read(text: string): TemplateTokens {
    this.text = text;
    this.count = 0;
    this.depth = 0;
    this.family = 0;
    this.lastClosers.fill(unknown);
    let at = 0;
    while (at < text.length && this.count < limits.tokensMax) {
      const code = text.charCodeAt(at);
      if (code < 128 && mayOpen[code] === 1) {
        const opened = this.open(at, code);
        if (opened > 0) {
          at += opened;
          continue;
        }
      }
      at = this.depth === 0 ? at + 1 : this.inside(at, code);
    }
    const { count, kinds, starts, ends, families } = this;
    return { count, kinds, starts, ends, families, complete: at >= text.length };
  }

  private push(kind: number, start: number, end: number): number {
    const at = this.count;
    if (at === this.kinds.length) this.grow();
    this.kinds[at] = kind;
    this.starts[at] = start;
    this.ends[at] = end;
    this.families[at] = this.family;
    this.count = at + 1;
    return end;
  }

  private grow(): void {
    const size = this.kinds.length * 2;
    this.kinds = enlarge(this.kinds, new Uint8Array(size));
    this.starts = enlarge(this.starts, new Int32Array(size));
    this.ends = enlarge(this.ends, new Int32Array(size));
    this.families = enlarge(this.families, new Uint8Array(size));
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
        return next === 37 ? this.enter(family.angle, at, 2, '%>') : this.openDirective(at, '>');
      case 91:
        return this.openSquare(at, next);
      case 64:
        return next === 40 ? this.enter(family.razor, at, 2, ')') : 0;
      case 35:
        return next === 91 ? this.openTag(at) : this.openVelocity(at);
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
    if (code === 123) return this.enter(family.mustache, at, 2, '}}');
    // `${{`, `#{{`: the doubled brace is the delimiter.
    const isDoubled = this.text.charCodeAt(at + 2) === 123;
    if (isDoubled && code !== 64 && code !== 126) return 0;
    const directive = code === 35 ? this.openVelocity(at) : 0;
    if (directive > 0) return directive;
    const opened = braced.get(code);
    return opened === undefined ? 0 : this.enter(opened, at, 2, '}');
  }

  private openSquare(at: number, next: number): number {
    const { text } = this;
    // `#{[[a][0]][0]}`: a list in a list. Thymeleaf writes no `[[` in another expression.
    if (this.depth > 0) return 0;
    if (next === 91) {
      // `[[`a1b2`](url)]`: a link of Markdown in brackets.
      const isText = text.charCodeAt(at + 2) === 96 || isTextList(text, at + 1);
      return isText ? 0 : this.enterInline(at, ']]');
    }
    if (next === 40) return this.enterInline(at, ')]');
    // FreeMarker's square bracket interpolation.
    if (next === 61) return this.enter(family.dollar, at, 2, ']');
    return this.openDirective(at, ']');
  }

  /** `<#if x>` and `[#if x]` of FreeMarker; `<@a?interpret>`, which calls what a string says. */
  private openDirective(at: number, closer: string): number {
    const sign = this.text.charCodeAt(at + 1);
    if (sign !== 35 && sign !== 64) return 0;
    const isOpen = directiveStart.test(this.text.slice(at + 1, at + directiveMax));
    return isOpen ? this.enter(family.directive, at, 2, closer) : 0;
  }

  private openSingle(at: number, next: number): number {
    const isTag = next === 36 || namesBraced(this.text, at + 1) || this.isModified(at + 1, next);
    if (!isTag || this.depth > 0) return 0;
    return this.enter(family.single, at, 1, '}');
  }

  /** `'id'|system` of Smarty; an object of JSON has a colon behind its string. */
  private isModified(at: number, quote: number): boolean {
    if (quote !== 34 && quote !== 39) return false;
    const { text } = this;
    let end = at + 1;
    while (end - at < modifiedMax && text.charCodeAt(end) !== quote && end < text.length) end++;
    return text.charCodeAt(end) === quote && text.charCodeAt(end + 1) === 124;
  }

  /** `#[b= x]`, `#[span.c!= x]`: https://pugjs.org/language/interpolation.html, "Tag Interpolation". */
  private openTag(at: number): number {
    let end = at + 2;
    const limit = at + tagNameMax;
    while (end < limit && isTagName(this.text.charCodeAt(end))) end++;
    if (end === at + 2) return 0;
    if (this.text.charCodeAt(end) === 33) end++;
    if (this.text.charCodeAt(end) !== 61) return 0;
    return this.enter(family.hash, at, end + 1 - at, ']');
  }

  /** `#set(`, `#foreach (`, `#{set}(`: the Velocity User Guide, "Formal Directive Notation". */
  private openVelocity(at: number): number {
    const { text } = this;
    const isFormal = text.charCodeAt(at + 1) === 123;
    const start = isFormal ? at + 2 : at + 1;
    let end = start;
    while (end - start < 11 && isAlnum(text.charCodeAt(end))) end++;
    if (end === start || (isFormal && text.charCodeAt(end) !== 125)) return 0;
    let open = isFormal ? end + 1 : end;
    const spacesEnd = open + 4;
    while (open < spacesEnd && text.charCodeAt(open) <= 32) open++;
    if (text.charCodeAt(open) !== 40) return 0;
    if (!velocityDirectives.has(text.slice(start, end).toLowerCase())) return 0;
    this.enter(family.velocity, at, start - at, ')');
    this.push(templateToken.name, start, end);
    return open + 1 - at;
  }

  /** `[[a], b]` of a program: without its end an inline expression is text. */
  private enterInline(at: number, closer: string): number {
    const index = closers.indexOf(closer);
    const known = this.lastClosers;
    if (known[index] === unknown) known[index] = this.text.lastIndexOf(closer);
    return (known[index] as number) < at ? 0 : this.enter(family.inline, at, 2, closer);
  }

  private enter(entered: Family, at: number, length: number, closer: string): number {
    if (this.depth >= depthMax) return 0;
    this.family = entered;
    this.nest(closer.charCodeAt(0), closer.length > 1 ? closer.charCodeAt(1) : 0, 0);
    this.push(templateToken.open, at, at + length);
    return length;
  }

  private nest(closer: number, secondCloser: number, isBracket: 0 | 1): void {
    const depth = this.depth++;
    this.openFamilies[depth] = this.family;
    this.closers[depth] = closer;
    this.secondClosers[depth] = secondCloser;
    this.isBracket[depth] = isBracket;
  }

  /** Reads one token of an expression; returns where the next begins. */
  private inside(at: number, code: number): number {
    // `-}}`, `~}}`, `-%>`: it trims what follows.
    const last = this.depth - 1;
    const isTrimmed = (code === 45 || code === 126) && this.secondClosers[last] !== 0;
    const start = isTrimmed ? at + 1 : at;
    if (this.text.charCodeAt(start) === this.closers[last]) {
      const closed = this.close(start);
      if (closed > 0) return start + closed;
    }
    if (code <= 32) return at + 1;
    if (isDigit(code)) return this.push(templateToken.number, at, this.numberEnd(at));
    if (isWord(code) || code === 36) return this.push(templateToken.name, at, this.nameEnd(at + 1));
    if (code === 34 || code === 39) {
      const end = this.stringEnd(at);
      return this.push(end > at + 1 ? templateToken.string : templateToken.mark, at, end);
    }
    if (code === 92) return this.push(templateToken.mark, at, Math.min(at + 2, this.text.length));
    if (this.depth < depthMax) this.nestBracket(code);
    const isDouble = doubles[code] === 1 && this.text.charCodeAt(at + 1) === code;
    return this.push(templateToken.mark, at, isDouble ? at + 2 : at + 1);
  }

  private nestBracket(code: number): void {
    if (code === 123) this.nest(125, 0, 1);
    else if (code === 40) this.nest(41, 0, 1);
    // `#[b= [1][0]]`: elsewhere no square bracket closes what is open.
    else if (code === 91 && this.isSquare()) this.nest(93, 0, 1);
  }

  /** True where one `]` closes what was opened last. */
  private isSquare(): boolean {
    const last = this.depth - 1;
    return this.closers[last] === 93 && this.secondClosers[last] === 0;
  }

  /** Closes what was opened last; the first character of its closer stands at `at`. */
  private close(at: number): number {
    const last = this.depth - 1;
    const second = this.secondClosers[last] as number;
    if (second !== 0 && this.text.charCodeAt(at + 1) !== second) return 0;
    const length = second === 0 ? 1 : 2;
    const kind = this.isBracket[last] === 1 ? templateToken.mark : templateToken.close;
    this.push(kind, at, at + length);
    this.depth = last;
    this.family = last === 0 ? 0 : (this.openFamilies[last - 1] as number);
    return length;
  }

  private numberEnd(from: number): number {
    const { text } = this;
    const isPrefixed = text.charCodeAt(from) === 48 && radixes[text.charCodeAt(from + 1)] === 1;
    let end = isPrefixed ? from + 2 : from;
    for (;;) {
      const code = text.charCodeAt(end);
      const isJoint = (code === 46 && !isPrefixed) || code === 95;
      const isPart = isJoint ? isDigit(text.charCodeAt(end + 1)) : isDigit(code);
      if (!isPart && !(isPrefixed && hexValue(code) >= 0)) return end;
      end++;
    }
  }

  private nameEnd(from: number): number {
    const { text } = this;
    let end = from;
    while (isWord(text.charCodeAt(end))) end++;
    return end;
  }

  /** After the closing quote; one that nothing closes, or with Twig's or Ruby's `#{ }` behind it, is a mark. */
  private stringEnd(at: number): number {
    const quote = this.text.charCodeAt(at);
    const end = Math.min(this.text.length, at + stringMax);
    for (let i = at + 1; i < end; i++) {
      const code = this.text.charCodeAt(i);
      if (code === 92) i++;
      else if (code === quote) return i + 1;
      else if (code === 35 && quote === 34 && this.text.charCodeAt(i + 1) === 123) return at + 1;
    }
    return at + 1;
  }
}

/** Families by the character in front of the brace: Pug has `!{ }`. */
const braced: ReadonlyMap<number, Family> = new Map([
  [36, family.dollar],
  [35, family.hash],
  [33, family.hash],
  [42, family.star],
  [37, family.percent],
  [64, family.at],
  [126, family.tilde],
]);

/** With the marks of classes and ids. */
function isTagName(code: number): boolean {
  return isWord(code) || code === 45 || code === 46 || code === 35;
}

const directiveStart = /^(?:#[a-z\d]|@(?:r?["'(]|[^<>]{0,80}?\?\s{0,8}interpret\b))/i;
const directiveMax = 100;
const velocityDirectives: ReadonlySet<string> = wordSet(
  'set foreach if elseif include parse evaluate define macro stop',
);

const reader = new TemplateReader();
const bareReader = new TemplateReader();
