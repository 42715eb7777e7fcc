import { endOfEmptyQuery, endOfGroup, endOfTail, queryOfWith } from './clause-tail.ts';
import { readExpression } from './expression.ts';
import { meaningOfSet, valueMax } from './set-column.ts';
import {
  isCommentMark,
  isQuote,
  isStar,
  isWordOf,
  type SqlTokens,
  skipComments,
  sqlToken,
} from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { endOfAlias, endOfName, isOneOf, isStatementEnd, isWordAt } from './statement-parts.ts';
import { type Expression, stop, trait } from './traits.ts';
import { byClass } from './word-classes.ts';

/** What the rest of a statement is made of, as bits. */
export const restPart = {
  /** FROM and a table. */
  from: 1 << 0,
  /** WHERE, HAVING or ON and a condition. */
  condition: 1 << 1,
  /** THEN … END: the rest of a CASE that the value does not begin. */
  branch: 1 << 2,
  /** `,(…`: one more row of an INSERT. */
  row: 1 << 3,
  /** `, a=b`: one more column of an UPDATE. */
  set: 1 << 4,
  /** `, owner=6`: a column of rights. */
  grant: 1 << 16,
  /** `, price=0`, `, note=pin`, `, note=a||b`: no attribute of a number, by its column or value. */
  state: 1 << 17,
  /** `, a`: one more item of a list. */
  item: 1 << 5,
  /** A parenthesis that the value did not open. */
  close: 1 << 6,
  /** UNION and its relatives with a query behind. */
  union: 1 << 7,
  /** UNION at the very end, for the query of the statement behind it. */
  openUnion: 1 << 8,
  /** ORDER BY, GROUP BY, LIMIT. */
  other: 1 << 9,
  /** An operator and its operand, for what stands before. */
  operator: 1 << 10,
  /** A query of its own. */
  query: 1 << 11,
  /** OR, AND and their relatives with a condition. */
  connective: 1 << 12,
  /** JOIN and a table or query. */
  join: 1 << 13,
  /** A clause that only some servers have, such as CONNECT BY. */
  vendor: 1 << 14,
  /** A comparison or parenthesis within it that only SQL has there. */
  vendorSign: 1 << 15,
  /** What no sentence has behind a table, such as NOT INDEXED. */
  tail: 1 << 18,
} as const;

/** What the column says that is set from one token to the sign at another. */
function columnPart({ text, start }: SqlTokens, from: number, to: number): number {
  const sign = start[to] as number;
  const meaning = meaningOfSet(text.slice(start[from], sign), text.slice(sign, sign + valueMax));
  return meaning === undefined ? 0 : restPart[meaning];
}

/** How the rest of a statement ends. */
export const restEnd = {
  /** With the value. */
  text: 0,
  /** In a literal that the statement's own quote closes. */
  literal: 1,
  /** By a comment that cuts off what the statement has left. */
  cut: 2,
  /** By a semicolon with more behind it, which SQLite does not read (`sqlite3_prepare`: pzTail). */
  semicolon: 3,
} as const;

/** The rest of a statement, read from where a value leaves its place in it. */
export interface Rest {
  readonly parts: number;
  readonly traits: number;
  readonly end: number;
  /** Token of the comment, semicolon or literal that ends it; the count of tokens at the end of the text. */
  readonly at: number;
  /** True when a semicolon stands before the comment. */
  readonly isClosed: boolean;
}

/**
 * Reads clauses, lists and branches up to the end of the text or a comment that cuts the rest off;
 * undefined where they are not the rest of any statement. The grammar is what SQL-92 has behind an
 * operand in SELECT, INSERT, UPDATE and DELETE.
 */
export function readRest(tokens: SqlTokens, from: number): Rest | undefined {
  return new RestReader(tokens, from).read();
}

const joinKinds = ['left', 'right', 'full', 'inner', 'outer', 'cross', 'natural'];
/** Oracle: SELECT; Transact-SQL: FOR, OPTION, OUTPUT; PostgreSQL: FOR, RETURNING, FETCH. */
const vendorClauses: readonly (readonly [string, readonly string[]])[] = [
  ['connect', ['by']],
  ['start', ['with']],
  ['for', ['update', 'xml', 'json', 'browse', 'share', 'no', 'key']],
  ['order', ['siblings']],
  ['nulls', ['first', 'last']],
  ['option', ['(']],
  ['output', ['inserted', 'deleted']],
  ['log', ['errors']],
  ['model', ['dimension', 'return', 'unique', 'main', 'partition']],
];
const vendorTokensMax = 40;

/** The parts that are a word and an expression. */
const expressionParts = byClass<number>(
  [restPart.connective, 'or and xor'],
  [restPart.condition, 'where having on'],
  [restPart.other, 'limit offset'],
  [restPart.operator, 'is like'],
);

/** Transact-SQL, "Query hints": those that are no words of prose. */
const queryHints = [
  ...['maxdop', 'maxrecursion', 'recompile', 'querytraceon', 'optimize', 'hash', 'force'],
  ...['keepfixed', 'robust', 'expand'],
];

function isRead({ operands, whole, stop: why }: Expression): boolean {
  if (operands === 0) return false;
  return whole || why === stop.comment || why === stop.end || why === stop.semicolon;
}

function isOpening(tokens: SqlTokens, at: number, words: readonly string[]): boolean {
  return isOneOf(tokens, at, words) || (words[0] === '(' && tokens.kind[at] === sqlToken.open);
}

const partsMax = 60;
const lookAhead = 2_000;

class RestReader {
  private readonly tokens: SqlTokens;
  private at: number;
  private parts = 0;
  private traits = 0;
  private openAt = -1;
  private isBranch = false;

  constructor(tokens: SqlTokens, from: number) {
    this.tokens = tokens;
    this.at = from;
  }

  read(): Rest | undefined {
    for (let count = 0; count < partsMax; count++) {
      this.at = skipComments(this.tokens, this.at);
      const end = this.ending();
      if (end !== undefined) return end;
      if (!this.part()) return undefined;
    }
    return undefined;
  }

  private ending(): Rest | undefined {
    const { kind, count } = this.tokens;
    const { parts, traits } = this;
    if (this.openAt >= 0) {
      return { parts, traits, end: restEnd.literal, at: this.openAt, isClosed: false };
    }
    // `='''`: the quote of the statement is half of the last one.
    if (isQuote(kind[this.at] as number) && this.at === count - 1 && parts !== 0) {
      return { parts, traits, end: restEnd.literal, at: this.at, isClosed: false };
    }
    let at = this.at;
    while (kind[at] === sqlToken.semicolon) at = skipComments(this.tokens, at + 1);
    const isClosed = at > this.at;
    // `;/`: the sign is behind the end.
    const isSign = isClosed && at + 1 === count && kind[at] === sqlToken.operator;
    if (at >= count || isSign) return { parts, traits, end: restEnd.text, at: count, isClosed };
    if (isCommentMark(kind[at] as number)) return { parts, traits, end: restEnd.cut, at, isClosed };
    return isClosed ? { parts, traits, end: restEnd.semicolon, at: this.at, isClosed } : undefined;
  }

  /** Reads one part; false when there is none. */
  private part(): boolean {
    const { kind, word } = this.tokens;
    switch (kind[this.at]) {
      case sqlToken.close:
        this.parts |= restPart.close;
        this.at++;
        return true;
      case sqlToken.comma:
        return this.item();
      case sqlToken.pipes:
      case sqlToken.ampersands:
        return this.expression(this.at + 1, restPart.connective);
      case sqlToken.comparison:
      case sqlToken.operator:
        return this.expression(this.at + 1, restPart.operator);
      case sqlToken.open:
        return this.parts === 0 && this.expression(this.at, restPart.query);
      case sqlToken.word:
        return this.clause(word[this.at] as number);
      default:
        return false;
    }
  }

  private clause(word: number): boolean {
    if (this.rareClause()) return true;
    const next = this.at + 1;
    const part = expressionParts[word];
    if (part !== undefined) return this.expression(next, part);
    switch (word) {
      case sqlWord.from:
        return this.table(next);
      case sqlWord.join:
        this.parts |= restPart.join;
        return this.table(next);
      case sqlWord.branch:
        this.isBranch = true;
        return this.expression(next, 0);
      case sqlWord.end:
        if (!this.isBranch) return false;
        this.parts |= restPart.branch;
        this.at++;
        return true;
      case sqlWord.order:
      case sqlWord.group:
        return isWordOf(this.tokens, skipComments(this.tokens, next), sqlWord.by)
          ? this.expression(skipComments(this.tokens, next) + 1, restPart.other)
          : false;
      case sqlWord.asc:
      case sqlWord.show:
        this.at++;
        return true;
      case sqlWord.as:
        return this.alias(skipComments(this.tokens, next));
      case sqlWord.union:
        return this.union(next);
      case sqlWord.select:
        return this.expression(this.at, restPart.query);
      default:
        if (!this.isJoined()) return false;
        this.at++;
        return true;
    }
  }

  /** What few statements have. */
  private rareClause(): boolean {
    const { tokens, at } = this;
    if (this.vendorClause()) return true;
    this.at = endOfTail(tokens, at);
    if (this.at > at) {
      this.parts |= restPart.tail;
      return true;
    }
    if (isWordAt(tokens, at, 'returning')) return this.expression(at + 1, restPart.other);
    const query = queryOfWith(tokens, at);
    return query > at && this.expression(query, restPart.query);
  }

  /** The words that such a clause begins with, and all up to where the statement ends. */
  private vendorClause(): boolean {
    const { tokens } = this;
    const next = skipComments(tokens, this.at + 1);
    const isOpened = vendorClauses.some(
      ([first, second]) => isWordAt(tokens, this.at, first) && isOpening(tokens, next, second),
    );
    if (!isOpened) return false;
    const { kind } = tokens;
    const isCondition = isOneOf(tokens, this.at, ['connect', 'start']);
    this.parts |= restPart.vendor;
    for (let at = next; at < next + vendorTokensMax; at++) {
      if (kind[at] === sqlToken.single && (tokens.jump[at] as number) > at) {
        at = tokens.jump[at] as number;
        continue;
      }
      if (isStatementEnd(kind[at] as number)) {
        this.at = at;
        return true;
      }
      if (this.isVendorSign(at, isCondition)) this.parts |= restPart.vendorSign;
    }
    return false;
  }

  /** `level<9`, `path('')`, `(maxdop 1)`, `deleted.pin`; `2 option(s)` and `3 log errors (see below)` have none. */
  private isVendorSign(at: number, isCondition: boolean): boolean {
    const { kind } = this.tokens;
    if (kind[at] === sqlToken.comparison) return isCondition;
    if (kind[at] === sqlToken.dot) return isOneOf(this.tokens, at - 1, ['inserted', 'deleted']);
    if (kind[at] !== sqlToken.open) return false;
    const inner = skipComments(this.tokens, at + 1);
    return kind[inner] === sqlToken.single || isOneOf(this.tokens, inner, queryHints);
  }

  /** `LEFT` and its relatives before JOIN. */
  private isJoined(): boolean {
    const next = skipComments(this.tokens, this.at + 1);
    const isLast =
      isWordOf(this.tokens, next, sqlWord.join) || isWordAt(this.tokens, next, 'outer');
    return isLast && isOneOf(this.tokens, this.at, joinKinds);
  }

  /** A table, with an alias or without. */
  private table(from: number): boolean {
    const isJoin = isWordOf(this.tokens, from, sqlWord.join);
    if (isJoin || this.isOnly(from)) return this.table(skipComments(this.tokens, from) + 1);
    if (this.inherited(from)) return true;
    const { tokens } = this;
    this.at = endOfEmptyQuery(tokens, from);
    if (this.at > from) this.traits |= trait.query;
    else if (!this.expression(from, restPart.from)) return false;
    if (this.openAt >= 0) return true;
    this.at = skipComments(tokens, this.at);
    if (endOfTail(tokens, this.at) > this.at) return true;
    this.at = endOfAlias(tokens, this.at);
    // `a AS b(c, d)`: the columns.
    this.at = endOfGroup(tokens, skipComments(tokens, this.at), this.at);
    return true;
  }

  /** `ONLY public.a`: not the tables that inherit from it. */
  private isOnly(from: number): boolean {
    const only = skipComments(this.tokens, from);
    const dot = skipComments(this.tokens, skipComments(this.tokens, only + 1) + 1);
    return this.tokens.kind[dot] === sqlToken.dot && isWordAt(this.tokens, only, 'only');
  }

  private alias(from: number): boolean {
    this.at = endOfAlias(this.tokens, from);
    return this.at > from;
  }

  /** `a*`: the table with those that inherit from it. */
  private inherited(from: number): boolean {
    const { kind } = this.tokens;
    const star = endOfName(this.tokens, skipComments(this.tokens, from));
    if (!isStar(this.tokens, star)) return false;
    const next = skipComments(this.tokens, star + 1);
    const isClause =
      isWordOf(this.tokens, next, sqlWord.where) ||
      isWordOf(this.tokens, next, sqlWord.join) ||
      isOneOf(this.tokens, next, joinKinds);
    if (!isClause && !isStatementEnd(kind[next] as number)) return false;
    this.parts |= restPart.from;
    this.at = star + 1;
    return true;
  }

  private union(next: number): boolean {
    let at = skipComments(this.tokens, next);
    if (isWordOf(this.tokens, at, sqlWord.quantifier)) at = skipComments(this.tokens, at + 1);
    this.at = at;
    if (this.ending() !== undefined) {
      this.parts |= restPart.openUnion;
      return true;
    }
    this.parts |= restPart.union;
    return isWordOf(this.tokens, at, sqlWord.table) ? this.table(at + 1) : this.expression(at, 0);
  }

  /** What stands behind a comma: a row, an assignment, or a value. */
  private item(): boolean {
    const first = skipComments(this.tokens, this.at + 1);
    if (this.tokens.kind[first] === sqlToken.open) return this.expression(first, restPart.row);
    const sign = skipComments(this.tokens, endOfName(this.tokens, first));
    const isSet = sign > first && this.tokens.kind[sign] === sqlToken.comparison;
    if (!isSet) return this.expression(first, restPart.item);
    return this.expression(first, restPart.set | columnPart(this.tokens, first, sign));
  }

  private expression(from: number, part: number): boolean {
    const expression = readExpression(this.tokens, from, lookAhead);
    if (!isRead(expression)) return false;
    this.parts |= part;
    this.traits |= expression.traits;
    this.at = expression.end;
    if (expression.openAt >= 0) this.openAt = expression.openAt;
    // `SELECT a FROM b UNION`: the expression of a query takes the word with it.
    if ((expression.traits & (trait.statement | trait.query)) !== 0) this.closeQuery(expression);
    return true;
  }

  private closeQuery({ whole, end }: Expression): void {
    const { kind } = this.tokens;
    let last = end - 1;
    while (
      last > 0 &&
      (kind[last] === sqlToken.lineComment || isWordOf(this.tokens, last, sqlWord.quantifier))
    ) {
      last--;
    }
    if (!whole && isWordOf(this.tokens, last, sqlWord.union)) this.parts |= restPart.openUnion;
  }
}
