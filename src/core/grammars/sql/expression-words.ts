import { characterSets, spokenSqlTypes, sqlTypes } from '../../knowledge/sql-types.ts';
import { wordSet } from '../../text/words.ts';
import { isQuote, isWordOf, type SqlTokens, sqlToken } from './sql-token.ts';
import { sameWord, sqlWord } from './sql-words.ts';
import { skipWords } from './statement-parts.ts';
import { trait } from './traits.ts';
import { byClass, classesOf, classSet } from './word-classes.ts';

/** What the call of a function says, by the class of its name. */
export const callTraits: Readonly<Record<number, number>> = byClass(
  [trait.timeCall, 'timeCall sharedTimeCall'],
  [trait.errorCall, 'errorCall'],
  [trait.outsideCall, 'outsideCall'],
  [trait.infoCall, 'infoCall niladic'],
  [trait.textCall, 'textCall replace insert like arithmetic'],
  [trait.flowCall, 'flow is'],
);

/**
 * True when the name is a table or schema of the server: `information_schema.tables`; names that
 * are words of their own, only where a table stands: `from dual`.
 */
export function isCatalogue(tokens: SqlTokens, at: number, end: number): boolean {
  if (tokens.word[at] !== sqlWord.catalogue) return false;
  const { text, kind } = tokens;
  const isShared = sharedNames.some((name) =>
    sameWord(text, tokens.start[at] as number, tokens.end[at] as number, name),
  );
  if (!isShared) return true;
  if (kind[at + 1] === sqlToken.dot && kind[at + 2] === sqlToken.dot) return true;
  if (at === 0 || end === at) return false;
  return isWordOf(tokens, at - 1, sqlWord.from) || isWordOf(tokens, at - 1, sqlWord.join);
}

const sharedNames = ['master', 'mysql', 'sys', 'dual', 'msdb', 'tempdb', 'schemata'];

/**
 * `@@version`, `@@sql_mode`, `@@session.port`: a variable of MySQL, SQL Server or Sybase by its name;
 * `@@relevance` of a search server and `@@urgent` are none, and an error in a database.
 */
export function isServerVariable({ text, kind, start, end }: SqlTokens, at: number): boolean {
  const from = start[at] as number;
  if (!text.startsWith('@@', from)) return false;
  const name = text
    .slice(from + 2, end[at])
    .replaceAll('`', '')
    .toLowerCase();
  if (name.includes('_')) return true;
  return serverVariables.has(name) || (kind[at + 1] === sqlToken.dot && scopes.has(name));
}

/** Their names of one word; nearly all others have an underscore. */
const serverVariables: ReadonlySet<string> = wordSet(
  'autocommit basedir connections datadir datefirst dbts debug error errorlog flush hostname',
  'identity idle isolation langid language license microsoftversion nestlevel options pagesize',
  'port procid profiling rowcount remserver servername servicename socket spid sqlstatus',
  'textsize timestamp timeticks tmpdir trancount tranchained userstat version flushtime new old',
);
const scopes: ReadonlySet<string> = new Set(['global', 'session', 'local', 'persist']);

/** Words after which an opening parenthesis groups and calls nothing. */
export const grouping: ReadonlySet<number> = new Set(
  classesOf(
    'not select from where by having quantifier exists case branch or and xor union in as',
    'on join prefix counted table into',
  ),
);

const clauses = classesOf(
  'from where group order by having limit offset union into outfile values join on',
  'separator for procedure with table set',
);
/** Words of a query that take it to its next operand. */
export const clauseWords: Uint8Array = classSet(clauses);
/** The same behind an operand, to which AS gives a name. */
export const clauseWordsAfterOperand: Uint8Array = classSet([...clauses, sqlWord.as]);

/** Words behind an operand at which the expression ends. */
export const endingWords: Uint8Array = classSet(classesOf('waitfor to'));
/** Words of a direction or a list of tables behind it: ASC, SHOW … */
export const directions: Uint8Array = classSet(classesOf('asc show'));

/** Words that may stand before an operand. */
export const operandPrefixes: Uint8Array = classSet(classesOf('prefix not quantifier'));
/** Words that need an operand before them. */
export const infixWords: Uint8Array = classSet(classesOf('or and xor in is between'));

/** N'…', x'…', b'…', E'…', _latin1'…', int'…' */
export function introducesText(tokens: SqlTokens, at: number): boolean {
  const { text, start, end, gap, kind, jump, count } = tokens;
  const from = start[at] as number;
  if (isCharacterSet(tokens, at)) return true;
  // `xmlparse(content '…')`
  if (kind[at - 1] === sqlToken.open && kind[at - 2] === sqlToken.word) return true;
  const isGlued = gap[at + 1] === 0;
  if (isType(text, from, end[at] as number, isGlued)) return true;
  const isShort = (end[at] as number) - from <= 2 && gap[at + 1] === 0;
  // b'1' is a bit, and b'r2' a name before a literal.
  if ((text.charCodeAt(from) | 32) === 98 && kind[at + 2] === sqlToken.word) return false;
  // y'' is a second derivative.
  const isEmpty = jump[at + 1] === at + 2 || at + 2 >= count;
  return isShort && !isEmpty && introducers.has(text.charCodeAt(from) | 32);
}

/** `_latin1` of MySQL, and `_int4`, an array of PostgreSQL. */
function isCharacterSet({ text, start, end }: SqlTokens, at: number): boolean {
  const from = start[at] as number;
  const to = end[at] as number;
  if (text.charCodeAt(from) !== 95 || to - from > typeMax) return false;
  return (
    characterSets.has(text.slice(from + 1, to).toLowerCase()) || isType(text, from + 1, to, true)
  );
}

/** A type before a literal, as PostgreSQL writes constants (4.1.2.7). */
function isType(text: string, from: number, to: number, isGlued: boolean): boolean {
  if (to - from > typeMax) return false;
  const name = text.slice(from, to).toLowerCase();
  return sqlTypes.has(name) || (isGlued && spokenSqlTypes.has(name));
}

/** `int4'1'`: a cast; behind `text` and other words of prose it may be a quotation. */
export function isTypedText(tokens: SqlTokens, at: number): boolean {
  const { text, start, end, gap } = tokens;
  return gap[at + 1] === 0 && isType(text, start[at] as number, end[at] as number, false);
}

function isTypeAt({ text, start, end }: SqlTokens, at: number): boolean {
  return isType(text, start[at] as number, end[at] as number, true);
}

const typeMax = 15;

/** First letters of the marks before literals: n, x, b, e, u, q, r. */
const introducers: ReadonlySet<number> = new Set([110, 120, 98, 101, 117, 113, 114]);

/**
 * The literal behind what introduces it: N'…', `_latin1 0x6c`, `_latin1 x'6c'`, `integer $$1$$`,
 * `pg_catalog.int4'1'`; `at` where none stands.
 */
export function endOfIntroducer(tokens: SqlTokens, at: number, next: number): number {
  const { text, start, end, kind, gap } = tokens;
  if (isQuote(next)) return introducesText(tokens, at) ? at + 1 : at;
  const isCharset = isCharacterSet(tokens, at);
  if (next === sqlToken.number) {
    const isDollar = text.charCodeAt(start[at + 1] as number) === 36;
    return isCharset || (isDollar && isTypeAt(tokens, at)) ? at + 1 : at;
  }
  const last = next === sqlToken.dot ? at + 2 : endOfLongType(tokens, at + 1);
  if (kind[last] !== sqlToken.word || !isQuote(kind[last + 1] as number) || gap[last + 1] === 1)
    return at;
  if (next === sqlToken.dot) return isTypeAt(tokens, last) ? last + 1 : at;
  if (last > at + 1) return isTypeAt(tokens, at) ? last + 1 : at;
  const isMark = (end[last] as number) - (start[last] as number) === 1;
  return isCharset && isMark ? last + 1 : at;
}

/** Last word of `double precision`, `timestamp with time zone`, `national character varying`. */
function endOfLongType(tokens: SqlTokens, from: number): number {
  const end = skipWords(tokens, from, typeWords);
  return end > from ? end - 1 : from;
}

const typeWords = ['with', 'without', 'time', 'zone', 'varying', 'precision', 'character', 'char'];

/** `varchar(9)'a'`, `bit(1)'1'`: a quote behind a type and its size in parentheses. */
export function isBehindSizedType(tokens: SqlTokens, at: number): boolean {
  const { kind, gap } = tokens;
  let open = at - 1;
  if (gap[at] === 1 || kind[open] !== sqlToken.close) return false;
  while (open > at - sizeTokensMax && sizeTokens.includes(kind[open] as number)) open--;
  return (
    kind[open] === sqlToken.open && kind[open - 1] === sqlToken.word && isTypeAt(tokens, open - 1)
  );
}

const sizeTokens: readonly number[] = [sqlToken.close, sqlToken.number, sqlToken.comma];
const sizeTokensMax = 6;

/** Packages and schemas whose members are functions of SQL. */
const owners: ReadonlySet<number> = new Set(classesOf('package catalogue outsideCall errorCall'));

/** Classes of functions whose names other languages give to methods. */
export const methods: ReadonlySet<number> = new Set(
  classesOf('sharedTimeCall textCall infoCall flow replace insert like is'),
);

/** What the call of `from.last(…)` says: time.sleep(1), text.substr(1) and version.test(1) are methods of other languages. */
export function memberTraits(from: number, last: number): number {
  const isOwn = owners.has(from) || !methods.has(last);
  const isOwner = !methods.has(from) && from !== sqlWord.niladic;
  return (isOwn ? (callTraits[last] ?? 0) : 0) | (isOwner ? (callTraits[from] ?? 0) : 0);
}
