import { limits } from '../../../contract/limits.ts';
import { bracedNames } from '../../knowledge/template-objects.ts';
import type { Subject } from '../../placement/subject.ts';
import type { WordTable } from '../../text/word-table.ts';
import { wordList } from '../../text/words.ts';
import { family, type TemplateTokens, template, templateToken } from './template.ts';

/** The delimiters of all engine families: nothing is a template without one of them. */
export const delimiters: readonly string[] = [
  ...wordList(
    '{{ {% ${ $!{ !{ #{ *{ %{ @{ ~{ <% @( [[ #[ [( <# [# [= #set #foreach #include #parse',
    '#evaluate #define #macro {$ <@ [@',
  ),
  "'|",
  '"|',
  ...bracedNames.map((name) => `{${name}`),
];

/** The tokens of a text with the questions that rules ask about them. */
export class Expressions {
  readonly text: string;
  readonly tokens: TemplateTokens;

  constructor(subject: Subject) {
    this.text = subject.text;
    this.tokens = subject.tokens(template);
    if (!this.tokens.complete) subject.incomplete('tokens');
  }

  kind(index: number): number {
    return this.has(index) ? (this.tokens.kinds[index] as number) : -1;
  }

  family(index: number): number {
    return this.has(index) ? (this.tokens.families[index] as number) : 0;
  }

  start(index: number): number {
    return this.has(index) ? (this.tokens.starts[index] as number) : this.text.length;
  }

  end(index: number): number {
    return this.has(index) ? (this.tokens.ends[index] as number) : this.text.length;
  }

  private has(index: number): boolean {
    return index >= 0 && index < this.tokens.count;
  }

  /** The word of a table that the token is, in any case; `''` for any other. */
  wordOf(index: number, words: WordTable): string {
    return words.wordBetween(this.text, this.start(index), this.end(index));
  }

  /** Text of a token, without the quotes of a string. */
  content(index: number): string {
    const start = this.start(index);
    const end = this.end(index);
    return this.kind(index) === templateToken.string && end - start >= 2
      ? this.text.slice(start + 1, end - 1)
      : this.text.slice(start, end);
  }

  /** The same with the strings that are joined to a string: `'syste'~'m'`. */
  folded(index: number): string {
    let text = this.content(index);
    const end = this.foldedEnd(index);
    for (let at = index + 2; at <= end; at += 2) text += this.content(at);
    return text;
  }

  /** Index of the last of the strings that are joined to a string; of any other token its own. */
  foldedEnd(index: number): number {
    let at = index;
    while (this.kind(at) === templateToken.string && at < index + foldedMax) {
      const isJoined = this.isMark(at + 1, '~') || this.isMark(at + 1, '+');
      if (!isJoined || this.kind(at + 2) !== templateToken.string) return at;
      at += 2;
    }
    return at;
  }

  /** Index of the member that is asked of a name or of a member by name: `b` in `a.b`, `["a"]["b"]`; else -1. */
  member(index: number): number {
    const at = this.memberEnd(index);
    return this.isMark(at + 1, '.') || this.isMark(at + 1, '[') ? at + 2 : -1;
  }

  /** Index of the last token of a member, with its bracket. */
  memberEnd(index: number): number {
    const at = this.foldedEnd(index);
    return this.kind(index) === templateToken.string && this.isMark(at + 1, ']') ? at + 1 : at;
  }

  isMark(index: number, mark: string): boolean {
    const start = this.start(index);
    const isSame = this.end(index) - start === mark.length && this.text.startsWith(mark, start);
    return isSame && this.kind(index) === templateToken.mark;
  }

  /**
   * True when the token is the first of its expression; `{{= x`, `{{- x`, `${@x` have marks
   * before it.
   */
  isFirst(index: number): boolean {
    let at = index - 1;
    while (this.kind(at) === templateToken.mark && leading.includes(this.content(at))) at--;
    return this.kind(at) === templateToken.open;
  }

  /**
   * True for the `__class__` of `{self.__class__.__name__}`: a program that formats a string
   * asks for the name of a class, in braces that are not those of a template.
   */
  isTypeName(index: number): boolean {
    const one = this.family(index);
    if (one === family.mustache || one === family.statement) return false;
    const name = this.content(index);
    if (typeNames.has(name)) {
      const owner = this.content(index - 2);
      return typeOwners.has(owner) && this.kind(index + 1) !== templateToken.mark;
    }
    const next = this.content(index + 2);
    const isAsked = this.isMark(index + 1, '.') && (next === '__name__' || next === '__qualname__');
    return name === '__class__' && isAsked;
  }

  /**
   * Span of evidence around a token: from the delimiter before it to the one after it, when
   * near.
   */
  evidence(index: number): { start: number; end: number } {
    let from = index;
    while (from > 0 && index - from < reach && this.kind(from) !== templateToken.open) from--;
    let to = index;
    while (to < this.tokens.count && to - index < reach && this.kind(to) !== templateToken.close)
      to++;
    const end = Math.min(this.end(to), this.start(from) + limits.evidenceCharsMax);
    return { start: this.start(from), end: Math.max(end, this.end(index)) };
  }
}

const typeNames: ReadonlySet<string> = new Set(['__name__', '__qualname__', '__module__']);
/** What a program asks for the name of its own class. */
const typeOwners: ReadonlySet<string> = new Set(['__class__', 'self', 'cls']);
const leading: readonly string[] = wordList('= == - @ ! { ( [ $ * ~ + .');
const reach = 40;
/** Tokens of a joined string. */
const foldedMax = 64;
