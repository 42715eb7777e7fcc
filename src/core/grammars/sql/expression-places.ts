import { endOfGroup } from './clause-tail.ts';
import { methods } from './expression-words.ts';
import { isQuote, isWordOf, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { isOneOf, isWordAt } from './statement-parts.ts';
import { classesOf, classSet } from './word-classes.ts';

// What the tokens around a place of an expression are.

/** Quotes that names stand in. */
export function holdsName(kind: number): boolean {
  return kind === sqlToken.double || kind === sqlToken.backtick;
}

/** End of `.b.c` after a name, stars and bracketed names included. */
export function endOfDotted(tokens: SqlTokens, from: number): number {
  const { kind, gap, jump } = tokens;
  let end = from;
  let dot = skipComments(tokens, from);
  for (let parts = 0; parts < 6 && kind[dot] === sqlToken.dot; parts++) {
    const at = skipComments(tokens, dot + 1);
    const next = kind[at];
    // `said so. "We …`: the end of a sentence; a name has blanks on both sides of its dot, or none.
    const isApart = at === dot + 1 && gap[dot] === 0 && gap[at] === 1;
    if (next === sqlToken.dot) end = at;
    else if (next === sqlToken.word || next === sqlToken.operator) end = at + 1;
    else if (next === sqlToken.bracket && kind[at + 2] === sqlToken.bracketEnd) end = at + 3;
    else if (holdsName(next ?? 0) && !isApart && (jump[at] as number) > 0) {
      end = (jump[at] as number) + 1;
    } else break;
    dot = skipComments(tokens, end);
  }
  return end;
}

/** The token behind a name in brackets; -1 for anything else in them. */
export function endOfBracketed(tokens: SqlTokens, at: number): number {
  const { kind } = tokens;
  for (let i = at + 1; i < at + 5; i++) {
    if (kind[i] === sqlToken.bracketEnd) return i + 1;
  }
  return -1;
}

/**
 * Token of the parenthesis behind `AS DECIMAL(9,2)`, the type in a CAST: any name to SQLite, or none;
 * -1 where none closes it.
 */
export function endOfType({ kind }: SqlTokens, from: number): number {
  let depth = 0;
  for (let at = from; at < from + typeTokensMax; at++) {
    const type = kind[at] as number;
    if (type === sqlToken.open) depth++;
    else if (type === sqlToken.close && depth-- === 0) return at;
    else if (type === sqlToken.end || type === sqlToken.semicolon) return -1;
  }
  return -1;
}

/** With its size, and comments. */
const typeTokensMax = 12;

/** A dot, and right behind it a name; in front no name that it could be a part of. */
export function isNameGlued({ kind, gap, end, start }: SqlTokens, at: number): boolean {
  const before = at - 1;
  const isSign = before >= 0 && (kind[before] as number) > sqlToken.backtick;
  const isApart = before < 0 || isSign || gap[at] === 1 || end[before] !== start[at];
  return isApart && kind[at + 1] === sqlToken.word && gap[at + 1] === 0;
}

/** `abs(`, in one piece with what stands before it. */
export function isCallGlued({ kind, gap }: SqlTokens, at: number): boolean {
  const isCall = kind[at] === sqlToken.word && kind[at + 1] === sqlToken.open;
  return isCall && gap[at] === 0 && gap[at + 1] === 0;
}

/** `~*`, `!~~*`: in PostgreSQL an operator is all signs in a row (4.1.3). */
export function isOperatorGoingOn(tokens: SqlTokens, at: number): boolean {
  const { kind, word, start, end } = tokens;
  const before = at - 1;
  if (before < 0 || kind[before] !== sqlToken.operator) return false;
  return end[before] === start[at] && (word[before] === 126 || word[before] === 94);
}

/** `@@ box'…'`, `?| lseg'…'`: operators of PostgreSQL before a literal (9.11), or a type and its literal. */
export function isPrefixOperator({ kind, word, gap }: SqlTokens, at: number): boolean {
  const isSign = word[at] === 64 || word[at] === 63;
  const text = kind[at + 1] === sqlToken.word && gap[at + 2] === 0 ? at + 2 : at + 1;
  return isSign && isQuote(kind[text] as number);
}

/** `|/ 4`: the square root of PostgreSQL, before its operand. */
export function isRoot(tokens: SqlTokens, at: number, code: number): boolean {
  const { start, end } = tokens;
  if (code === 124) return isOperator(tokens, at + 1, 47) && end[at] === start[at + 1];
  return code === 47 && isOperator(tokens, at - 1, 124) && end[at - 1] === start[at];
}

/** An operand behind a lone `@`, with white space or a comment between, or in parentheses. */
export function isAbsolute(tokens: SqlTokens, from: number): boolean {
  const at = skipComments(tokens, from);
  const type = tokens.kind[at] as number;
  const isOperand = type > sqlToken.end && type <= sqlToken.backtick;
  return type === sqlToken.open || (isOperand && (at > from || tokens.gap[at] === 1));
}

/** `||/ 4`: the cube root of PostgreSQL, before its operand. */
export function isCubeRoot(tokens: SqlTokens, at: number): boolean {
  return isOperator(tokens, at + 1, 47) && tokens.end[at] === tokens.start[at + 1];
}

/** `FROM ONLY a`: not the tables that inherit from it. */
export function isOnly(tokens: SqlTokens, at: number): boolean {
  if (tokens.word[at - 1] !== sqlWord.from && tokens.word[at - 1] !== sqlWord.join) return false;
  const next = tokens.kind[skipComments(tokens, at + 1)] as number;
  return isWordAt(tokens, at, 'only') && (next === sqlToken.word || isQuote(next));
}

/**
 * Last token of an operator of PostgreSQL that is written in words, or of the word between two
 * arguments; -1 where none stands: `OPERATOR(a.=)`, `AT TIME ZONE`, `PLACING`, `PASSING`.
 */
export function endOfInfix(tokens: SqlTokens, at: number): number {
  const next = skipComments(tokens, at + 1);
  if (isWordAt(tokens, at, 'operator')) return endOfGroup(tokens, next, 0) - 1;
  const zone = skipComments(tokens, next + 1);
  const isZone = isWordAt(tokens, next, 'time') && isWordAt(tokens, zone, 'zone');
  if (isZone) return isWordAt(tokens, at, 'at') ? zone : -1;
  return isOneOf(tokens, at, ['placing', 'passing']) && tokens.kind[next] === sqlToken.single
    ? at
    : -1;
}

/** `WINDOW a AS`, `RETURNING a`, `FOR UPDATE`: a clause that its first word alone does not tell. */
export function beginsLaterClause(tokens: SqlTokens, at: number): boolean {
  if (isWordOf(tokens, at, sqlWord.for)) return isOneOf(tokens, at + 1, ['update', 'share', 'no']);
  return isOneOf(tokens, at, ['window', 'returning']);
}

/** A comparison right behind what stands before it. */
export function isComparisonGlued({ kind, gap }: SqlTokens, at: number): boolean {
  return kind[at] === sqlToken.comparison && gap[at] === 0;
}

export function isOperator({ kind, word }: SqlTokens, at: number, code: number): boolean {
  return kind[at] === sqlToken.operator && word[at] === code;
}

/** Behind `(goods).id` and `(goods)."id"`, a column of a row; `at` for all else. */
export function endOfField({ kind, gap, jump }: SqlTokens, at: number): number {
  const isGlued = gap[at] === 0 && gap[at + 1] === 0 && kind[at - 1] === sqlToken.close;
  if (isGlued && kind[at + 1] === sqlToken.word) return at + 2;
  return isGlued && holdsName(kind[at + 1] as number) && jump[at + 1] === at + 3 ? at + 4 : at;
}

/** `(--6)`: two signs to MySQL, where a comment has a blank behind its mark. */
export function isTwoSigns({ text, kind, start, gap }: SqlTokens, at: number): boolean {
  const isOperand = kind[at + 1] !== sqlToken.end && gap[at + 1] === 0;
  return (
    kind[at] === sqlToken.lineComment && isOperand && text.charCodeAt(start[at] as number) === 45
  );
}

export function isNullNext(tokens: SqlTokens, at: number): boolean {
  const { text, start } = tokens;
  const next = at + 1;
  // Of the constants only this one begins with an n.
  return (
    isWordOf(tokens, next, sqlWord.constant) &&
    (text.charCodeAt(start[next] as number) | 32) === 110
  );
}

/** `NOT LIKE`, `NOT IN`: behind an operand, NOT stands before an operator in words. */
export function isNegated(tokens: SqlTokens, at: number): boolean {
  const next = skipComments(tokens, at + 1);
  return tokens.kind[next] === sqlToken.word && negated[tokens.word[next] as number] === 1;
}

const negated: Uint8Array = classSet(classesOf('like in between is'));

/** IN takes a list in parentheses, or a function of SQLite that gives one; all else is a sentence. */
export function opensList(tokens: SqlTokens, at: number): boolean {
  const { kind, word, gap } = tokens;
  const list = skipComments(tokens, at + 1);
  const next = kind[list] as number;
  // `"a" in str(b)` is Python.
  if (next === sqlToken.word && kind[list + 1] === sqlToken.open)
    return gap[list + 1] === 0 && !methods.has(word[list] as number);
  return next === sqlToken.open || next === sqlToken.variable || next === sqlToken.end;
}

/** `OVER (…)`, `FILTER (…)`: what a function of a query is computed over. */
export function isWindow(tokens: SqlTokens, at: number): boolean {
  if (tokens.kind[at - 1] !== sqlToken.close) return false;
  if (tokens.kind[skipComments(tokens, at + 1)] !== sqlToken.open) return false;
  return isOneOf(tokens, at, ['over', 'filter']);
}

/** `OVER a`: a window that a later clause defines. */
export function isNamedWindow(tokens: SqlTokens, at: number): boolean {
  const { kind, gap } = tokens;
  const isBehindCall = kind[at - 1] === sqlToken.close && kind[at + 1] === sqlToken.word;
  return isBehindCall && gap[at + 1] === 1 && isWordAt(tokens, at, 'over');
}

/** `""a""`: a literal whose quotes were doubled on the way. */
export function isDoubled({ kind, gap }: SqlTokens, at: number): boolean {
  const inner = at + 2;
  if (gap[inner] === 1 || gap[at + 1] === 1) return false;
  if (kind[inner] !== sqlToken.word && kind[inner] !== sqlToken.number) return false;
  return kind[inner + 1] === kind[at] || kind[inner + 1] === sqlToken.end;
}

/** Behind `::int[]`, `::numeric(9,2)`, `::"int4"`, a cast; -1 where what follows is none. */
export function endOfCast({ kind }: SqlTokens, type: number): number {
  let at = type + (holdsName(kind[type] as number) ? 3 : 1);
  if (kind[at] === sqlToken.bracket && kind[at + 1] === sqlToken.bracketEnd) at += 2;
  if (kind[at] !== sqlToken.open) return at;
  for (let end = at + 1; end < at + 5; end++) if (kind[end] === sqlToken.close) return end + 1;
  return -1;
}

/** `regclass`: a type of PostgreSQL that looks a name up in the catalogue (8.19). */
export function isNameCast({ text, start, end }: SqlTokens, at: number): boolean {
  return nameTypes.test(text.slice(start[at], end[at]));
}

const nameTypes = /^reg[a-z]{4,12}$/i;

/** Token of the name behind the brace of `{fn now()}`, an escape of ODBC, of which MySQL takes any name for the first; `at` for none. */
export function endOfEscape(tokens: SqlTokens, at: number): number {
  const { kind } = tokens;
  const name = skipComments(tokens, at + 1);
  const next = kind[skipComments(tokens, name + 1)] as number;
  const isNamed = kind[name] === sqlToken.word && next !== sqlToken.open && next !== sqlToken.dot;
  if (isNamed) return name;
  const close = kind[name] === sqlToken.backtick ? (tokens.jump[name] as number) : -1;
  return close > 0 && close <= name + 2 ? close : at;
}
