import { isDigit } from '../../text/char-class.ts';
import { characterSet } from '../../text/runs.ts';
import { wordSet } from '../../text/words.ts';
import type { Grammar } from '../grammar.ts';
import {
  isName,
  lineEnd,
  nameEnd,
  opensArguments,
  skipIgnored,
  stringEnd,
} from './graphql-lexical.ts';

/** What the rules ask of a GraphQL document (GraphQL specification, October 2021, section 2). */
export interface GraphqlDocument {
  /** False when the text is no document: the other members say nothing then. */
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
  /** The same of those that have arguments by name. */
  readonly sameCalls: number;
  /** Operations without variables in the document. */
  readonly operations: number;
  /** Those with variables, of which a server runs one, by its name. */
  readonly namedOperations: number;
  /** Deepest nesting of lists and objects in arguments. */
  readonly literalDepth: number;
  /** Signs that are no token of the language (2.1.6): a server refuses the document. */
  readonly foreignSigns: number;
  /** Longest run of the same field name, without arguments, one after the other. */
  readonly repeats: number;
  readonly lastRepeatAt: number;
  /** Offset of `__schema`, `__type(` or `_service { sdl`; -1 when there is none. */
  readonly introspectionAt: number;
  /** Offset of the password of a person, or the token of another, as an answer; -1 for none. */
  readonly secretAt: number;
  /** Offset of an argument that asks for a page of a hundred thousand items or more; -1 for none. */
  readonly hugePageAt: number;
  /** Offset of a fragment at the end that has a type and no selection; -1 for none. */
  readonly openFragmentAt: number;
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

/** Texts that are no document are known by their first characters. */
const headChars = 600;

/** `{` and a field, or the word of a definition and its selection: true for nearly no prose. */
export function startsDocument(text: string): boolean {
  const start = skipIgnored(text, 0);
  if (text.charCodeAt(start) === 123) {
    const next = skipIgnored(text, start + 1);
    return nameEnd(text, next) > next || text.startsWith('...', next);
  }
  let at = nameEnd(text, start);
  if (!definitions.has(text.slice(start, at))) return false;
  for (at = skipIgnored(text, at); at < text.length && at - start < headChars; ) {
    const code = text.charCodeAt(at);
    if (code === 123) return true;
    if (code === 125 || code === 34 || code === 39) return false;
    at = skipIgnored(text, at + 1);
  }
  return false;
}

/** Not among arguments, where a value in another language may stand. */
const foreign: Uint8Array = characterSet("%'*/;<>?\\^`~");

const definitions: ReadonlySet<string> = new Set(['query', 'mutation', 'subscription', 'fragment']);

type Counts = { -readonly [Name in keyof Omit<GraphqlDocument, 'isDocument'>]: number };

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
  /** The field that was read last, and those that hold it; a fragment's type at its top. */
  private field = '';
  private readonly parents: string[] = [];
  /** False behind `name: "text"` among fields: no alias, and a server runs nothing of the text. */
  private isSyntax = true;
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
    sameCalls: 0,
    operations: 0,
    namedOperations: 0,
    literalDepth: 0,
    foreignSigns: 0,
    repeats: 0,
    lastRepeatAt: 0,
    introspectionAt: -1,
    secretAt: -1,
    hugePageAt: -1,
    openFragmentAt: -1,
    circularSpreadAt: -1,
  };

  constructor(text: string) {
    this.text = text;
  }

  read(): GraphqlDocument {
    this.isSyntax = startsDocument(this.text);
    while (this.isSyntax && this.at < this.text.length) this.readToken();
    this.counts.circularSpreadAt = circularSpread(this.spreads);
    return { isDocument: this.isSyntax, ...this.counts };
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
      this.parents.pop();
      this.forgetName();
    } else if (code === 64) this.countDirective(start);
    else if (code === 46) this.readSpread(start);
    else if (foreign[code] === 1) this.counts.foreignSigns++;
  }

  /** Brackets and braces of argument values: the same depth for both. */
  private readLiteral(code: number): void {
    if (code === 91 || code === 123) this.literals++;
    else if (code === 93 || code === 125) this.literals = Math.max(0, this.literals - 1);
    this.counts.literalDepth = Math.max(this.counts.literalDepth, this.literals);
  }

  private openSelection(start: number): void {
    this.depth++;
    this.parents.push(this.field);
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
    this.at = skipIgnored(this.text, start + 3);
    const name = this.takeName();
    // A fragment without a name and type is of the field around it.
    if (name === '') this.field = this.parents.at(-1) ?? '';
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
    if (this.parens > 0) return this.noteArgument(name, start);
    if (this.depth === 0) {
      if (name === 'fragment') {
        this.at = skipIgnored(this.text, this.at);
        this.fragment = this.takeName();
        if (isOpenFragment(this.text, this.at)) this.counts.openFragmentAt = start;
      } else if (name === 'query' || name === 'mutation') {
        this.fragment = '';
        const end = nameEnd(this.text, skipIgnored(this.text, this.at));
        const isNamed = this.text.charAt(skipIgnored(this.text, end)) === '(';
        this.counts[isNamed ? 'namedOperations' : 'operations']++;
      }
      this.field = name;
      return;
    }
    const next = skipIgnored(this.text, this.at);
    if (this.text[next] === ':') return this.countAlias(start, next);
    this.noteField(name, start);
    this.countRepeat(name, start);
    this.directives = 0;
  }

  private noteField(name: string, start: number): void {
    this.field = name;
    this.noteIntrospection(name, start);
    if (this.counts.secretAt >= 0 || !secretFields.has(name.toLowerCase())) return;
    const holder = this.holder().toLowerCase();
    const isSecret = name.toLowerCase() === 'token' ? others.has(holder) : persons.has(holder);
    if (isSecret) this.counts.secretAt = start;
  }

  /** The field around this one, without the lists and pages in between. */
  private holder(): string {
    const last = this.parents.length - 1;
    for (let at = last; at >= Math.max(0, last - pagesMax); at--) {
      const name = this.parents[at] ?? '';
      if (!pages.has(name)) return name;
    }
    return '';
  }

  private noteIntrospection(name: string, start: number): void {
    if (this.counts.introspectionAt >= 0) return;
    const next = skipIgnored(this.text, this.at);
    const isType = name === '__type' && this.text[next] === '(';
    const isService = name === '_service' && asksForSchema(this.text, next);
    if (isType || isService || name === '__schema') this.counts.introspectionAt = start;
  }

  private noteArgument(name: string, start: number): void {
    if (!pageArguments.has(name)) return;
    const colon = skipIgnored(this.text, this.at);
    const from = skipIgnored(this.text, colon + 1);
    let end = from;
    while (isDigit(this.text.charCodeAt(end))) end++;
    if (this.text[colon] === ':' && end - from >= pageDigits) this.counts.hugePageAt = start;
  }

  private countAlias(start: number, colon: number): void {
    this.at = colon + 1;
    if (isTypeTest(this.text, start)) {
      this.at = skipIgnored(this.text, this.at);
      this.takeName();
      return;
    }
    this.counts.aliases++;
    this.counts.lastAliasAt = start;
    this.at = skipIgnored(this.text, this.at);
    const fieldAt = this.at;
    if (this.text.charCodeAt(fieldAt) === 34) this.isSyntax = false;
    const field = this.takeName();
    this.noteField(field, fieldAt);
    const same = (this.aliased.get(field) ?? 0) + 1;
    this.aliased.set(field, same);
    this.counts.sameAliases = Math.max(this.counts.sameAliases, same);
    if (opensArguments(this.text, this.at)) {
      this.counts.sameCalls = Math.max(this.counts.sameCalls, same);
    }
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

/** Behind the name of a fragment: `on Type`, and nothing more. */
function isOpenFragment(text: string, at: number): boolean {
  const on = skipIgnored(text, at);
  if (text.slice(on, nameEnd(text, on)) !== 'on') return false;
  const type = skipIgnored(text, on + 2);
  const end = nameEnd(text, type);
  return end > type && skipIgnored(text, end) === text.length;
}

/** `{ sdl`: what a gateway of Apollo asks its services for, and no other client does. */
function asksForSchema(text: string, brace: number): boolean {
  if (text[brace] !== '{') return false;
  const at = skipIgnored(text, brace + 1);
  return text.slice(at, nameEnd(text, at)) === 'sdl';
}

const secretFields = wordSet(`
  password passwd pwd passwordhash password_hash passwordsalt password_salt passworddigest
  password_digest hashedpassword hashed_password encryptedpassword encrypted_password token
`);
/** A client is handed a token of its own by `login { user { token } }`. */
const others = wordSet('users author authors owners people admins customers accounts members');
const persons = wordSet(`
  users author authors owners people admins customers accounts members user owner person admin
  customer account member me viewer profile currentuser current_user allusers all_users getuser
  getusers listusers userbyid employees employee staff
`);
const pages = wordSet('edges node nodes items data results records list');
const pagesMax = 4;

/** Arguments that say how many items a page has, and the digits that no page has. */
const pageArguments = wordSet('first last limit take pageSize perPage');
const pageDigits = 6;

/** `__isNode: __typename`, once for each interface: what clients such as Relay add to fragments. */
function isTypeTest(text: string, start: number): boolean {
  typeTest.lastIndex = start;
  return typeTest.test(text);
}

const typeTest = /__is[A-Z]\w{0,60}: __typename\b/y;
