import { isStar, isWordOf, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { endOfWords, isOneOf, isWordAt, skipWords } from './statement-parts.ts';

/**
 * First token behind what follows a table, a sort key or a count and has no operand of its own:
 * `INTO @a, @b`, `NOT INDEXED`, `INDEXED BY a` (SQLite, qualified-table-name), `TABLESAMPLE a(1) REPEATABLE (2)`,
 * `USE INDEX ()`, `WITH ORDINALITY`, `RETURNING *`, `WINDOW a AS (…)`, `USING <`, `LIMIT ALL`, `ROWS`, `FETCH FIRST 2 ROWS ONLY`,
 * `FOR UPDATE` (PostgreSQL, SELECT), `LOCK IN SHARE MODE`; `from` itself where none of them stands.
 */
export function endOfTail(tokens: SqlTokens, from: number): number {
  const at = skipComments(tokens, from);
  const next = skipComments(tokens, at + 1);
  const third = skipComments(tokens, next + 1);
  switch (tokens.word[at]) {
    case sqlWord.not:
    case sqlWord.with:
      return isPair(tokens, at, next) ? third : from;
    case sqlWord.into:
      return isPair(tokens, at, next) ? third : endOfVariables(tokens, next, from);
    case sqlWord.limit:
      return endOfCount(tokens, from, [at, next, third]);
    case sqlWord.for:
      return endOfLock(tokens, from, next, third);
    case sqlWord.on:
      return isWordAt(tokens, at, 'using') && isSign(tokens.kind[next]) ? third : from;
    case sqlWord.statement:
    case sqlWord.textCall:
    case sqlWord.name:
      return endOfIndexHint(tokens, at) ?? endOfNamedTail(tokens, from, [at, next, third]);
    default:
      return from;
  }
}

/** `USE INDEX (a)`, `IGNORE KEY FOR JOIN ()`: MySQL, "Index Hints". */
function endOfIndexHint(tokens: SqlTokens, at: number): number | undefined {
  if (!isOneOf(tokens, at, ['use', 'ignore', 'force'])) return undefined;
  const next = skipComments(tokens, at + 1);
  if (!isOneOf(tokens, next, ['index', 'key'])) return undefined;
  const end = endOfGroup(tokens, endOfWords(tokens, next), -1);
  return end < 0 ? undefined : end;
}

function endOfNamedTail(
  tokens: SqlTokens,
  from: number,
  [at, next, third]: readonly [number, number, number],
): number {
  const { kind } = tokens;
  if (isWordAt(tokens, at, 'window') && isWordOf(tokens, third, sqlWord.as)) {
    return endOfGroup(tokens, skipComments(tokens, third + 1), from);
  }
  if (isWordAt(tokens, at, 'tablesample') && kind[third] === sqlToken.open) {
    const end = skipComments(tokens, endOfGroup(tokens, third, from));
    return isWordAt(tokens, end, 'repeatable')
      ? endOfGroup(tokens, skipComments(tokens, end + 1), end)
      : end;
  }
  const isShared = isWordAt(tokens, at, 'lock') && isWordAt(tokens, third, 'share');
  if (isShared) return endOfWords(tokens, third);
  if (isWordAt(tokens, at, 'indexed') && isWordOf(tokens, next, sqlWord.by)) return third + 1;
  const isCounted = isOneOf(tokens, at, ['row', 'rows']) && kind[at - 1] === sqlToken.number;
  if (!isCounted) return from;
  // `LIMIT 1 ROWS EXAMINED 9` of MariaDB
  return isWordAt(tokens, next, 'examined') ? third + 1 : next;
}

function endOfLock(tokens: SqlTokens, from: number, at: number, next: number): number {
  const isLock =
    isOneOf(tokens, at, ['update', 'share']) || isOneOf(tokens, next, ['key', 'share']);
  return isLock ? endOfWords(tokens, at) : from;
}

/** `NOT INDEXED`, `WITH ORDINALITY`, `RETURNING *` */
function isPair(tokens: SqlTokens, at: number, next: number): boolean {
  if (isStar(tokens, next)) return isWordAt(tokens, at, 'returning');
  return isOneOf(tokens, next, isWordOf(tokens, at, sqlWord.not) ? ['indexed'] : withWords);
}

const withWords = ['ordinality', 'rollup'];

/** `@a, @b`, where MySQL puts the columns of a row; `otherwise` where no variable stands. */
function endOfVariables(tokens: SqlTokens, from: number, otherwise: number): number {
  const { kind } = tokens;
  // `INTO TEMP a FROM b` of PostgreSQL
  const table = skipWords(tokens, from, ['temp', 'temporary', 'unlogged', 'table']);
  if (table > from && kind[table] === sqlToken.word) return table + 1;
  let end = otherwise;
  for (let at = from; kind[at] === sqlToken.variable; at = skipComments(tokens, end + 1)) {
    end = skipComments(tokens, at + 1);
    if (kind[end] !== sqlToken.comma) break;
  }
  return end;
}

/** Behind `LIMIT ALL`, `FETCH FIRST 2 ROWS ONLY` and `FETCH NEXT ROW WITH TIES`. */
function endOfCount(
  tokens: SqlTokens,
  from: number,
  [at, first, count]: readonly [number, number, number],
): number {
  if (!isWordAt(tokens, at, 'fetch'))
    return isWordOf(tokens, first, sqlWord.quantifier) ? count : from;
  if (!isOneOf(tokens, first, ['first', 'next'])) return from;
  const isBare = isOneOf(tokens, count, ['row', 'rows']);
  const rows = isBare ? count : skipComments(tokens, endOfGroup(tokens, count, count + 1));
  return isOneOf(tokens, rows, ['row', 'rows']) ? endOfWords(tokens, rows) : from;
}

function isSign(kind: number | undefined): boolean {
  return kind === sqlToken.comparison || kind === sqlToken.operator;
}

/** The SELECT behind the tables of `WITH a AS (…), b AS (…) SELECT …`; -1 without. */
export function queryOfWith(tokens: SqlTokens, from: number): number {
  if (!isWordOf(tokens, from, sqlWord.with)) return -1;
  let at = from + 1;
  for (let parts = 0; parts < withPartsMax; parts++) {
    at = skipComments(tokens, at);
    if (isWordOf(tokens, at, sqlWord.select)) return at;
    const kind = tokens.kind[at];
    if (kind !== sqlToken.word && kind !== sqlToken.comma && kind !== sqlToken.open) return -1;
    at = endOfGroup(tokens, at, at + 1);
  }
  return -1;
}

const withPartsMax = 30;

/** First token behind the parenthesis that opens at `open`; `otherwise` where none does, or ends. */
export function endOfGroup({ kind }: SqlTokens, open: number, otherwise: number): number {
  if (kind[open] !== sqlToken.open) return otherwise;
  let depth = 0;
  for (let at = open; at < open + groupTokensMax; at++) {
    const type = kind[at] as number;
    if (type === sqlToken.open) depth++;
    else if (type === sqlToken.close && --depth === 0) return at + 1;
    else if (type === sqlToken.end) return otherwise;
  }
  return otherwise;
}

const groupTokensMax = 60;

/** Behind `(SELECT)`, which lists nothing, as PostgreSQL allows; `from` itself elsewhere. */
export function endOfEmptyQuery(tokens: SqlTokens, from: number): number {
  const open = skipComments(tokens, from);
  const select = skipComments(tokens, open + 1);
  const close = skipComments(tokens, select + 1);
  const isQuery = tokens.kind[open] === sqlToken.open && isWordOf(tokens, select, sqlWord.select);
  return isQuery && tokens.kind[close] === sqlToken.close ? close + 1 : from;
}
