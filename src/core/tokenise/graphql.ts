import { isAlnum, isDigit } from '../text/char-class.ts';
import type { Grammar } from './grammar.ts';

/** What the rules ask of a GraphQL document (GraphQL specification, October 2021, section 2). */
export interface GraphqlDocument {
  /** False when the text does not begin like a document: the other members say nothing then. */
  readonly isDocument: boolean;
  /** Deepest nesting of selection sets. */
  readonly depth: number;
  /** Offset where the deepest selection set opens. */
  readonly deepestAt: number;
  /** Most aliases (`name:` before a field) in one document. */
  readonly aliases: number;
  readonly lastAliasAt: number;
  /** Most directives in a row on one element. */
  readonly directivesInRow: number;
  readonly lastDirectiveAt: number;
  /** Most aliases of one and the same field. */
  readonly sameAliases: number;
  /** Operations in the document. */
  readonly operations: number;
  /** Deepest nesting of lists and objects in arguments. */
  readonly literalDepth: number;
  /** Longest run of the same field name, without arguments, one after the other. */
  readonly repeats: number;
  readonly lastRepeatAt: number;
  /** Offsets of an introspection field: `__schema`, or `__type(`; -1 when there is none. */
  readonly introspectionAt: number;
  /**
   * Offset of a spread that makes a fragment contain itself, directly or through others; -1 for
   * none.
   */
  readonly circularSpreadAt: number;
}

/** Reads a GraphQL document. */
export const graphqlGrammar: Grammar<GraphqlDocument> = {
  name: 'graphql',
  read: (text) => new DocumentReader(text).read(),
};

const starts =
  /^\s{0,80}(?:\{[\s,]{0,40}(?:[A-Za-z_]|\.\.\.|#)|(?:query|mutation|subscription|fragment)\b[^{}"']{0,400}\{)/;

interface Counts {
  depth: number;
  deepestAt: number;
  aliases: number;
  lastAliasAt: number;
  directivesInRow: number;
  lastDirectiveAt: number;
  sameAliases: number;
  operations: number;
  literalDepth: number;
  repeats: number;
  lastRepeatAt: number;
  introspectionAt: number;
  circularSpreadAt: number;
}

class DocumentReader {
  private readonly text: string;
  private at = 0;
  private depth = 0;
  private parens = 0;
  private literals = 0;
  private directives = 0;
  private repeats = 0;
  private lastName = '';
  private fragment = '';
  /** For each fragment the fragments that it spreads, and where. */
  private readonly spreads: Map<string, Map<string, number>> = new Map();
  private readonly aliased: Map<string, number> = new Map();
  private readonly counts: Counts = {
    depth: 0,
    deepestAt: 0,
    aliases: 0,
    lastAliasAt: 0,
    directivesInRow: 0,
    lastDirectiveAt: 0,
    sameAliases: 0,
    operations: 0,
    literalDepth: 0,
    repeats: 0,
    lastRepeatAt: 0,
    introspectionAt: -1,
    circularSpreadAt: -1,
  };

  constructor(text: string) {
    this.text = text;
  }

  read(): GraphqlDocument {
    const isDocument = starts.test(this.text.slice(0, 600));
    while (isDocument && this.at < this.text.length) this.readToken();
    this.counts.circularSpreadAt = circularSpread(this.spreads);
    return { isDocument, ...this.counts };
  }

  private readToken(): void {
    const start = this.at;
    const code = this.text.charCodeAt(start);
    if (isDigit(code)) this.takeName();
    else if (isName(code)) this.readName();
    else if (code === 34) this.at = stringEnd(this.text, start);
    else if (code === 35) this.at = lineEnd(this.text, start);
    else {
      this.at++;
      this.readPunctuator(code, start);
    }
  }

  private readPunctuator(code: number, start: number): void {
    if (code === 40) this.parens++;
    else if (code === 41) this.parens = Math.max(0, this.parens - 1);
    else if (this.parens > 0) this.readLiteral(code);
    else if (code === 123) this.openSelection(start);
    else if (code === 125) {
      this.depth--;
      this.forgetName();
    } else if (code === 64) this.countDirective(start);
    else if (code === 46) this.readSpread(start);
  }

  /** Brackets and braces of argument values: the same depth for both. */
  private readLiteral(code: number): void {
    if (code === 91 || code === 123) this.literals++;
    else if (code === 93 || code === 125) this.literals = Math.max(0, this.literals - 1);
    this.counts.literalDepth = Math.max(this.counts.literalDepth, this.literals);
  }

  private openSelection(start: number): void {
    this.depth++;
    this.forgetName();
    if (this.depth <= this.counts.depth) return;
    this.counts.depth = this.depth;
    this.counts.deepestAt = start;
  }

  private forgetName(): void {
    this.lastName = '';
    this.directives = 0;
    this.repeats = 0;
  }

  private countDirective(start: number): void {
    while (isName(this.text.charCodeAt(this.at))) this.at++;
    this.directives++;
    if (this.directives <= this.counts.directivesInRow) return;
    this.counts.directivesInRow = this.directives;
    this.counts.lastDirectiveAt = start;
  }

  private readSpread(start: number): void {
    if (!this.text.startsWith('...', start)) return;
    this.at = start + 3;
    const name = this.takeName();
    if (name === '' || this.fragment === '') return;
    const spreads = this.spreads.get(this.fragment) ?? new Map<string, number>();
    this.spreads.set(this.fragment, spreads.set(name, start));
  }

  private takeName(): string {
    const start = this.at;
    while (isName(this.text.charCodeAt(this.at))) this.at++;
    return this.text.slice(start, this.at);
  }

  private readName(): void {
    const start = this.at;
    const name = this.takeName();
    if (this.parens > 0) return;
    if (this.depth === 0) {
      if (name === 'fragment') {
        this.at = skipSpace(this.text, this.at);
        this.fragment = this.takeName();
      } else if (name === 'query' || name === 'mutation') {
        this.fragment = '';
        this.counts.operations++;
      }
      return;
    }
    const next = skipSpace(this.text, this.at);
    if (this.text[next] === ':') return this.countAlias(start, next);
    this.noteIntrospection(name, start);
    this.countRepeat(name, start);
    this.directives = 0;
  }

  private noteIntrospection(name: string, start: number): void {
    if (this.counts.introspectionAt >= 0) return;
    const isType = name === '__type' && this.text[skipSpace(this.text, this.at)] === '(';
    if (isType || name === '__schema') this.counts.introspectionAt = start;
  }

  private countAlias(start: number, colon: number): void {
    this.at = colon + 1;
    this.counts.aliases++;
    this.counts.lastAliasAt = start;
    this.at = skipSpace(this.text, this.at);
    const fieldAt = this.at;
    const field = this.takeName();
    this.noteIntrospection(field, fieldAt);
    const same = (this.aliased.get(field) ?? 0) + 1;
    this.aliased.set(field, same);
    this.counts.sameAliases = Math.max(this.counts.sameAliases, same);
    this.directives = 0;
  }

  private countRepeat(name: string, start: number): void {
    this.repeats = name === this.lastName ? this.repeats + 1 : 1;
    this.lastName = name;
    if (this.repeats <= this.counts.repeats) return;
    this.counts.repeats = this.repeats;
    this.counts.lastRepeatAt = start;
  }
}

type Spreads = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Takes away fragments that spread no open one until none is left, or only circles are. */
function circularSpread(spreads: Spreads): number {
  const open = new Map([...spreads].map(([name, targets]) => [name, new Set(targets.keys())]));
  const users = new Map<string, string[]>();
  for (const [name, targets] of spreads) {
    for (const target of targets.keys()) users.set(target, [...(users.get(target) ?? []), name]);
  }
  const closed = [...users.keys()].filter((name) => !open.has(name));
  for (let i = 0; i < closed.length; i++) {
    for (const user of users.get(closed[i] ?? '') ?? []) {
      const targets = open.get(user);
      targets?.delete(closed[i] ?? '');
      if (targets?.size === 0) {
        open.delete(user);
        closed.push(user);
      }
    }
  }
  for (const [name, targets] of open) {
    for (const target of targets) return spreads.get(name)?.get(target) ?? -1;
  }
  return -1;
}

function isName(code: number): boolean {
  return isAlnum(code) || code === 95 || isDigit(code);
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && ' \t\r\n,'.includes(text[at] as string)) at++;
  return at;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** Offset after the string or block string that starts at `start`. */
export function stringEnd(text: string, start: number): number {
  if (text.startsWith('"""', start)) {
    const end = text.indexOf('"""', start + 3);
    return end < 0 ? text.length : end + 3;
  }
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at++;
    else if (code === 34) return at + 1;
  }
  return text.length;
}
