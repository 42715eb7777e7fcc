import { wordList } from '../../text/words.ts';
import { readExpression } from './expression.ts';
import {
  holdsWord,
  isName,
  isQuote,
  isStar,
  isWordOf,
  type SqlTokens,
  skipComments,
  sqlToken,
} from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import {
  blockTokensMax,
  endOfName,
  endOfOrder,
  isComment,
  isEnd,
  isOneOf,
  isWordAt,
  lookAhead,
  make,
  noStatement,
  type Statement,
  sqlOnly,
  strength,
  strongCalls,
} from './statement-parts.ts';
import { type Expression, endsAsSql, has, hasAny, trait } from './traits.ts';
import { isReserved } from './word-classes.ts';

/** EXEC of a procedure, a variable or a text. */
export function readExec(tokens: SqlTokens, next: number): Statement {
  const kind = tokens.kind[next];
  if (kind === sqlToken.word) return readExecutedName(tokens, next);
  if (kind === sqlToken.open) return readExecutedText(tokens, next);
  if (kind !== sqlToken.variable) return readQuotedProcedure(tokens, next);
  if (!isVariable(tokens, next)) return noStatement;
  // `exec @home`: what the variable holds is declared in front, or arguments follow.
  const isAll = next === 1 && tokens.kind[next + 1] === sqlToken.end;
  return make(isAll ? strength.weak : strength.certain, next + 1);
}

/** `exec('…')`, `exec(N'…')`, `exec(@a)` */
function readExecutedText(tokens: SqlTokens, open: number): Statement {
  const first = skipComments(tokens, open + 1);
  const isNational = isWordAt(tokens, first, 'n') && tokens.gap[first + 1] === 0;
  const inner = tokens.kind[isNational ? first + 1 : first] as number;
  const isSql = (isQuote(inner) && !hasFurther(tokens, open)) || inner === sqlToken.variable;
  const call = readExpression(tokens, open, lookAhead);
  return isSql || hasAny(call, sqlOnly) ? make(strength.certain, call.end) : noStatement;
}

/** EXEC and a word: a procedure, or what other servers have there. */
function readExecutedName(tokens: SqlTokens, next: number): Statement {
  if (isWordOf(tokens, next, sqlWord.as)) return readImpersonation(tokens, next + 1);
  // `execute order 66`: no procedure has that name.
  if (isReserved(tokens.word[next] as number)) return noStatement;
  const end = endOfName(tokens, next);
  if (end > next + 2) return isFile(tokens, end - 1) ? noStatement : make(strength.certain, end);
  if (hasProcedurePrefix(tokens, next)) return readProcedure(tokens, next, end);
  if (isWordOf(tokens, next, sqlWord.catalogue) && isWordOf(tokens, end, sqlWord.serverProcedure)) {
    return make(strength.certain, end + 1);
  }
  if (isWordAt(tokens, next, 'immediate')) return make(strength.certain, end + 1);
  if (end !== next + 1 || tokens.gap[end] === 0) return noStatement;
  return isArgument(tokens, end) ? make(strength.shaped, end + 1) : noStatement;
}

function hasProcedurePrefix({ text, start }: SqlTokens, at: number): boolean {
  const from = start[at] as number;
  const prefix = text.slice(from, from + 3).toLowerCase();
  return prefix === 'xp_' || prefix === 'sp_';
}

/** `EXECUTE AS LOGIN='sa'`, `EXECUTE AS CALLER`; tasks are executed as a user in prose. */
function readImpersonation(tokens: SqlTokens, at: number): Statement {
  const after = skipComments(tokens, at + 1);
  const isNamed = isOneOf(tokens, at, ['login', 'user']);
  if (isNamed && tokens.kind[after] === sqlToken.comparison) return make(strength.certain, after);
  const isCaller = isWordAt(tokens, at, 'caller') && isEnd(tokens, after);
  return isCaller ? make(strength.shaped, after) : noStatement;
}

/** `'x'`, `@id = 5`, `5` and the end: what stands behind the name of a procedure. */
function isArgument(tokens: SqlTokens, at: number): boolean {
  const { kind } = tokens;
  if (isQuote(kind[at] as number)) return true;
  if (kind[at] === sqlToken.variable) return kind[at + 1] === sqlToken.comparison;
  return kind[at] === sqlToken.number && isEnd(tokens, at + 1);
}

/** `exec[master]..[xp_cmdshell]'dir'`, `exec "x" 'y'`: a name in brackets or quotes. */
function readQuotedProcedure(tokens: SqlTokens, next: number): Statement {
  const { kind } = tokens;
  const end = endOfName(tokens, next);
  const isQuoted = kind[next] === sqlToken.bracket || kind[next] === sqlToken.double;
  if (end === next || !isQuoted) return noStatement;
  const isCall = isQuote(kind[end] as number) || kind[end] === sqlToken.variable;
  return isCall || end > next + 3 ? make(strength.certain, end) : noStatement;
}

/** `exec('git status', (err) => …)`: SQL's EXEC takes one text, and has nothing behind a comma. */
function hasFurther({ kind, jump }: SqlTokens, open: number): boolean {
  const end = jump[open + 1] as number;
  return isQuote(kind[open + 1] as number) && end > open && kind[end + 1] === sqlToken.comma;
}

/** `execute setup.py` */
function isFile({ text, start, end }: SqlTokens, at: number): boolean {
  return programs.has(text.slice(start[at], end[at]).toLowerCase());
}

const programs: ReadonlySet<string> = new Set(['py', 'sh', 'js', 'ts', 'rb', 'bat', 'exe', 'jar']);

/** `exec sp_who` and its arguments; a plain word after it makes a question: `exec sp_x meaning`. */
function readProcedure(tokens: SqlTokens, next: number, end: number): Statement {
  const isPhrase = isName(tokens, end) && tokens.gap[end] === 1;
  if (!isPhrase) return make(strength.certain, end);
  const isKnown = isWordOf(tokens, next, sqlWord.serverProcedure);
  return make(isKnown || isEnd(tokens, end + 1) ? strength.shaped : strength.weak, end);
}

/** `@x` after white space; `@` alone is a word: `Exec @ Home`. */
export function isVariable(tokens: SqlTokens, at: number): boolean {
  const length = (tokens.end[at] as number) - (tokens.start[at] as number);
  return tokens.kind[at] === sqlToken.variable && tokens.gap[at] === 1 && length > 1;
}

/** DECLARE and SET of variables. */
export function readDeclare(tokens: SqlTokens, next: number, verb: number): Statement {
  if (tokens.kind[next] === sqlToken.variable) {
    const after = skipComments(tokens, next + 1);
    // `declare@example.org`, and `SET@a=1`
    if (verb === sqlWord.declare)
      return isVariable(tokens, next) ? readDeclared(tokens, after) : noStatement;
    return tokens.kind[after] === sqlToken.comparison
      ? make(strength.certain, after + 1)
      : noStatement;
  }
  const name = endOfName(tokens, next);
  if (name === next) return noStatement;
  if (verb === sqlWord.set && isOneOf(tokens, next, sessionOptions)) {
    return make(isEnd(tokens, name) ? strength.weak : strength.shaped, name + 1);
  }
  if (verb === sqlWord.declare) {
    // What PL/SQL declares has a type: `declare war; begin again` has none.
    const isTyped = tokens.kind[name] !== sqlToken.semicolon;
    if (isTyped && isWordOf(tokens, blockStart(tokens, name), sqlWord.begin)) {
      return make(strength.certain, name + 1);
    }
    return isOneOf(tokens, name, plainTypes) ? make(strength.shaped, name + 1) : noStatement;
  }
  return readAssigned(tokens, next, name);
}

/** `SET GLOBAL a = 1`, `SET LOCAL a.b = 'x'`, `SET ROLE a`, `SET PASSWORD = 'x'`. */
function readAssigned(tokens: SqlTokens, next: number, name: number): Statement {
  const scoped = isOneOf(tokens, next, ['global', 'session', 'local', 'persist'])
    ? skipComments(tokens, endOfName(tokens, name))
    : name;
  if (tokens.kind[scoped] !== sqlToken.comparison) {
    const end = isOneOf(tokens, next, ['role', 'names']) ? endOfName(tokens, name) : name;
    return end > name && isEnd(tokens, end) ? make(strength.weak, end) : noStatement;
  }
  const value = skipComments(tokens, scoped + 1);
  const close = isQuote(tokens.kind[value] as number) ? (tokens.jump[value] as number) : value;
  if (close < value || !isEnd(tokens, skipComments(tokens, close + 1))) return noStatement;
  // `set local time = 9`
  const isNamed = shared.test(tokens.text.slice(tokens.start[next], tokens.start[scoped]));
  return make(scoped > name && isNamed ? strength.shaped : strength.weak, close + 1);
}

/** All sessions have it, or it has a name of more than one part. */
const shared = /^global|[._]/i;

/** Types of what PL/SQL declares. */
const plainTypes = wordList(
  'varchar varchar2 int integer number cursor char nvarchar text exception pragma',
);

const sessionOptions = wordList(
  'rowcount nocount identity_insert quoted_identifier xact_abort dateformat showplan_text',
  'showplan_all showplan_xml noexec parseonly context_info ansi_nulls ansi_warnings',
  'implicit_transactions deadlock_priority textsize lock_timeout arithabort fmtonly',
);

/** The BEGIN behind the declarations of a block of PL/SQL; the end of the text where none is. */
function blockStart(tokens: SqlTokens, from: number): number {
  const { kind, word, count } = tokens;
  const end = Math.min(count, from + blockTokensMax);
  for (let at = from + 1; at < end; at++) {
    const isBegin = kind[at] === sqlToken.word && word[at] === sqlWord.begin;
    if (isBegin && kind[at - 1] === sqlToken.semicolon) return at;
  }
  return count;
}

/** The type of a variable of Transact-SQL; a word that is none makes a sentence. */
function readDeclared(tokens: SqlTokens, at: number): Statement {
  const type = isWordOf(tokens, at, sqlWord.as) ? skipComments(tokens, at + 1) : at;
  const next = tokens.kind[skipComments(tokens, type + 1)] as number;
  const isKnown = isOneOf(tokens, type, variableTypes);
  const isUsed = next === sqlToken.open || next === sqlToken.comparison || next === sqlToken.comma;
  const isSure = isKnown || isUsed || tokens.kind[type] !== sqlToken.word;
  return make(isSure ? strength.certain : strength.weak, type + 1);
}

const variableTypes = wordList(
  'bigint binary bit char cursor date datetime datetime2 decimal float geography geometry image',
  'int integer money nchar ntext numeric nvarchar real smalldatetime smallint smallmoney',
  'sql_variant sysname table text time tinyint uniqueidentifier varbinary varchar xml hierarchyid',
  'rowversion timestamp sys dbo national character double dec json vector',
);

/** WAITFOR DELAY and WAITFOR TIME. */
export function readWaitfor(tokens: SqlTokens, next: number): Statement {
  if (!isWordOf(tokens, next, sqlWord.delay)) return noStatement;
  const kind = tokens.kind[skipComments(tokens, next + 1)] as number;
  const isTime = isQuote(kind) || kind === sqlToken.variable || kind === sqlToken.number;
  if (isTime) return make(strength.certain, Math.min(next + 2, tokens.count));
  return kind === sqlToken.end ? make(strength.shaped, next + 1) : noStatement;
}

/** SHUTDOWN. */
export function readShutdown(tokens: SqlTokens, next: number): Statement {
  if (isWordOf(tokens, next, sqlWord.with)) return make(strength.certain, next + 2);
  const isLast = isEnd(tokens, next) || isWordOf(tokens, next, sqlWord.end);
  return isLast ? make(strength.shaped, next) : noStatement;
}

/** IF and IIF: a condition that only SQL can say, in parentheses or not. */
export function readIf(tokens: SqlTokens, at: number): Statement {
  const isCall = tokens.kind[skipComments(tokens, at + 1)] === sqlToken.open;
  const expression = readExpression(tokens, isCall ? at : at + 1, lookAhead);
  if (isNegated(tokens, at + 1)) return noStatement;
  // `if 'mode' is "build"` is a sentence.
  if (isQuote(tokens.kind[at + 1] as number) && holdsWord(tokens, at + 2, at + 8, sqlWord.is)) {
    return noStatement;
  }
  const next = skipComments(tokens, expression.end);
  if (isBranch(tokens, next) || isEndless(tokens, next)) return noStatement;
  if (isForeign(tokens, at, isCall)) return noStatement;
  return hasAny(expression, sqlOnly) ? make(strength.certain, expression.end) : noStatement;
}

/** `if (!x`: other languages negate by `!`, Transact-SQL by NOT only. */
function isNegated({ kind, word }: SqlTokens, from: number): boolean {
  let at = from;
  while (kind[at] === sqlToken.open) at++;
  return kind[at] === sqlToken.operator && word[at] === 33;
}

/** `If 1=1 then drop the table`: where IF has a THEN, it has an END IF (ISO 9075-4). */
function isEndless(tokens: SqlTokens, at: number): boolean {
  const from = tokens.start[at] as number;
  return isWordAt(tokens, at, 'then') && !endIf.test(tokens.text.slice(from, from + blockCharsMax));
}

const endIf = /\bend(?:\s|\/\*[^*]{0,40}\*{1,8}(?:[^*/][^*]{0,40}\*{1,8}){0,8}\/){1,8}if\b/i;
const blockCharsMax = 2_000;

/**
 * `if (length(x) > 1) { … }`, `… return x`, `if a < b:` and the end of the line: the branch of a
 * program. SQL has a statement there.
 */
function isBranch({ text, kind, word, start, gap }: SqlTokens, at: number): boolean {
  if (kind[at] === sqlToken.word) return word[at] === sqlWord.name;
  const code = text.charCodeAt(start[at] as number);
  return code === brace || (code === colon && gap[at + 1] === 1);
}

/**
 * `if (ord($x) == 0) {`: Transact-SQL compares by one sign, and what stands behind the condition in
 * parentheses is a statement or goes on with the condition.
 */
function isForeign(tokens: SqlTokens, verb: number, isCall: boolean): boolean {
  const { text, kind, start } = tokens;
  let depth = 0;
  for (let at = verb + 1; at < verb + lookAhead && kind[at] !== sqlToken.end; at++) {
    const type = kind[at];
    if (type === sqlToken.semicolon) return false;
    if (type === sqlToken.comparison) {
      if (equality.test(text.slice(start[at], (start[at] as number) + 3))) return true;
    } else if (type === sqlToken.open) depth++;
    else if (type === sqlToken.close && --depth <= 0 && isCall)
      return isBranch(tokens, skipComments(tokens, at + 1));
  }
  return false;
}

const equality = /^!?==/;

const brace = 123;
const colon = 58;

/** GRANT … TO and REVOKE … FROM. */
export function readGrant(tokens: SqlTokens, next: number): Statement {
  const { count } = tokens;
  // `Grant the SELECT privilege to them`: no privilege and no role has a verb behind a name.
  if (isName(tokens, next) && isWordOf(tokens, next + 1, sqlWord.select)) return noStatement;
  for (let i = next; i < Math.min(next + 14, count); i++) {
    if (isEnd(tokens, i)) return noStatement;
    const isLink = isWordOf(tokens, i, sqlWord.to) || isWordOf(tokens, i, sqlWord.from);
    if (!isLink || i === next) continue;
    const end = endOfName(tokens, skipComments(tokens, i + 1));
    const after = skipComments(tokens, end);
    if (isStar(tokens, i - 1)) return make(strength.certain, end);
    const isOption = isWordOf(tokens, after, sqlWord.with) || isWordAt(tokens, after, 'cascade');
    if (isOption || isComment(tokens, after)) {
      return make(strength.shaped, end);
    }
    return isEnd(tokens, after) ? make(strength.weak, end) : noStatement;
  }
  return noStatement;
}

/** TABLE, LOCK, LISTEN and others with nothing but a name behind, and the order of its rows. */
export function readNamed(tokens: SqlTokens, next: number): Statement {
  const name = endOfName(tokens, next);
  const end = endOfOrder(tokens, name);
  return name > next && isEnd(tokens, end) ? make(strength.weak, end) : noStatement;
}

/** VALUES (…) */
export function readValues(tokens: SqlTokens, next: number, verb: number): Statement {
  const called = readCall(tokens, next, verb);
  if (called.strength !== strength.none || tokens.kind[next] !== sqlToken.open) return called;
  const row = readExpression(tokens, next, lookAhead);
  return endsAsSql(row) && row.depth === 0 ? make(strength.weak, row.end) : noStatement;
}

/** CALL of a procedure, which may take nothing: `call delete_all`, `;call z;`, and not `; call mom;`. */
export function readCall(tokens: SqlTokens, next: number, verb: number): Statement {
  const expression = readExpression(tokens, next, lookAhead);
  if (hasAny(expression, sqlOnly)) return make(strength.certain, expression.end);
  if (has(expression, trait.call) && endsAsSql(expression))
    return make(strength.shaped, expression.end);
  const name = tokens.text.slice(tokens.start[next], tokens.end[next]);
  const isGlued = verb === sqlWord.call && tokens.gap[next - 1] === 0;
  const isClosed = isGlued && tokens.kind[endOfName(tokens, next)] === sqlToken.semicolon;
  return isClosed || name.includes('_') ? readNamed(tokens, next) : noStatement;
}

/** WITH name AS (…). */
export function readWith(tokens: SqlTokens, next: number): Statement {
  const end = endOfName(tokens, isWordAt(tokens, next, 'recursive') ? next + 1 : next);
  const as = skipComments(tokens, end);
  const isQuery =
    end > next &&
    isWordOf(tokens, as, sqlWord.as) &&
    tokens.kind[skipComments(tokens, as + 1)] === sqlToken.open;
  return isQuery ? make(strength.certain, as + 2) : noStatement;
}

/** An expression where a statement should stand: `(select …)`, `pg_sleep(5)`. */
export function readOperand(tokens: SqlTokens, at: number): Statement {
  const expression: Expression = readExpression(tokens, at, lookAhead);
  if (has(expression, trait.query) && hasAny(expression, sqlOnly & ~trait.query)) {
    return make(strength.certain, expression.end);
  }
  if (has(expression, trait.query) && expression.operands > 1) {
    return make(endsAsSql(expression) ? strength.certain : strength.weak, expression.end);
  }
  return hasAny(expression, strongCalls) && endsAsSql(expression)
    ? make(strength.certain, expression.end)
    : noStatement;
}
