import { readExpression } from './expression.ts';
import { isNamePart } from './sql-characters.ts';
import { isName, isQuote, isWordOf, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import { readSelect } from './statement-data.ts';
import {
  endOfName,
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

/** EXEC of a procedure, a variable or a text. */
export function readExec(tokens: SqlTokens, next: number): Statement {
  const kind = tokens.kind[next];
  const { text, start } = tokens;
  if (kind === sqlToken.variable) {
    return isVariable(tokens, next) ? make(strength.certain, next + 1) : noStatement;
  }
  if (kind === sqlToken.open) {
    const inner = tokens.kind[skipComments(tokens, next + 1)] as number;
    const isSql = (isQuote(inner) && !hasFurther(tokens, next)) || inner === sqlToken.variable;
    const call = readExpression(tokens, next, lookAhead);
    return isSql || hasAny(call, sqlOnly) ? make(strength.certain, call.end) : noStatement;
  }
  if (kind !== sqlToken.word) return noStatement;
  const from = start[next] as number;
  const prefix = text.slice(from, from + 3).toLowerCase();
  const end = endOfName(tokens, next);
  if (end > next + 2) return isFile(tokens, end - 1) ? noStatement : make(strength.certain, end);
  if (prefix === 'xp_' || prefix === 'sp_') return readProcedure(tokens, next, end);
  if (isWordOf(tokens, next, sqlWord.catalogue) && isWordOf(tokens, end, sqlWord.serverProcedure)) {
    return make(strength.certain, end + 1);
  }
  if (isWordAt(tokens, next, 'immediate')) return make(strength.certain, end + 1);
  if (end === next + 1 && isQuote(tokens.kind[end] as number) && tokens.gap[end] === 1) {
    return make(strength.shaped, end + 1);
  }
  return noStatement;
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
function isVariable(tokens: SqlTokens, at: number): boolean {
  const length = (tokens.end[at] as number) - (tokens.start[at] as number);
  return tokens.kind[at] === sqlToken.variable && tokens.gap[at] === 1 && length > 1;
}

/** DECLARE and SET of variables. */
export function readDeclare(tokens: SqlTokens, next: number, verb: number): Statement {
  if (tokens.kind[next] === sqlToken.variable) {
    if (tokens.gap[next] === 0) return noStatement;
    const length = (tokens.end[next] as number) - (tokens.start[next] as number);
    const after = skipComments(tokens, next + 1);
    if (length < 2) return noStatement;
    if (verb === sqlWord.declare) return make(strength.certain, after + 1);
    return tokens.kind[after] === sqlToken.comparison
      ? make(strength.certain, after + 1)
      : noStatement;
  }
  const name = endOfName(tokens, next);
  if (name === next) return noStatement;
  if (verb === sqlWord.declare) {
    const types = [
      'varchar',
      'varchar2',
      'int',
      'integer',
      'number',
      'cursor',
      'char',
      'nvarchar',
      'text',
      'exception',
      'pragma',
    ];
    return isOneOf(tokens, name, types) ? make(strength.shaped, name + 1) : noStatement;
  }
  const value = tokens.kind[name] === sqlToken.comparison ? skipComments(tokens, name + 1) : name;
  return value > name && isEnd(tokens, skipComments(tokens, value + 1))
    ? make(strength.weak, value + 1)
    : noStatement;
}

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
  if (isQuote(tokens.kind[at + 1] as number) && isNamed(tokens, at + 2)) return noStatement;
  const next = skipComments(tokens, expression.end);
  if (isBranch(tokens, next) || isEndless(tokens, next)) return noStatement;
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

const endIf = /\bend(?:\s|\/\*.{0,40}\*\/){1,8}if\b/i;
const blockCharsMax = 2_000;

/** `if (length(x) > 1) { … }`, `… return x`: the branch of a program. SQL has a statement there. */
function isBranch({ text, kind, word, start }: SqlTokens, at: number): boolean {
  if (kind[at] === sqlToken.word) return word[at] === sqlWord.name;
  return text.charCodeAt(start[at] as number) === brace;
}

const brace = 123;

/** IS, some tokens on. */
function isNamed(tokens: SqlTokens, from: number): boolean {
  for (let at = from; at < from + 6; at++) {
    if (isWordAt(tokens, at, 'is')) return true;
  }
  return false;
}

/** GRANT … TO and REVOKE … FROM. */
export function readGrant(tokens: SqlTokens, next: number): Statement {
  const { kind, count } = tokens;
  // `Grant the SELECT privilege to them`: no privilege and no role has a verb behind a name.
  if (isName(tokens, next) && isWordOf(tokens, next + 1, sqlWord.select)) return noStatement;
  for (let i = next; i < Math.min(next + 14, count); i++) {
    if (isEnd(tokens, i)) return noStatement;
    const isLink = isWordOf(tokens, i, sqlWord.to) || isWordOf(tokens, i, sqlWord.from);
    if (!isLink || i === next) continue;
    const end = endOfName(tokens, skipComments(tokens, i + 1));
    const isStar = kind[i - 1] === sqlToken.operator && tokens.word[i - 1] === star;
    const after = skipComments(tokens, end);
    if (isStar) return make(strength.certain, end);
    if (isWordOf(tokens, after, sqlWord.with) || isComment(tokens, after)) {
      return make(strength.shaped, end);
    }
    return isEnd(tokens, after) ? make(strength.weak, end) : noStatement;
  }
  return noStatement;
}

const star = 42;

/** CALL and VALUES. */
export function readCall(tokens: SqlTokens, next: number): Statement {
  const expression = readExpression(tokens, next, lookAhead);
  if (hasAny(expression, sqlOnly)) return make(strength.certain, expression.end);
  return has(expression, trait.call) && endsAsSql(expression)
    ? make(strength.shaped, expression.end)
    : noStatement;
}

const shown = [
  'tables',
  'databases',
  'schemas',
  'columns',
  'grants',
  'variables',
  'processlist',
  'privileges',
  'index',
  'create',
  'plugins',
  'status',
  'slave',
  'master',
  'users',
  'events',
  'triggers',
];

/** SHOW, DESCRIBE and EXPLAIN. */
export function readShow(tokens: SqlTokens, next: number): Statement {
  const end = endOfName(tokens, next);
  if (end === next) return noStatement;
  if (isWordOf(tokens, next, sqlWord.select)) return readSelect(tokens, next);
  const isListed = isOneOf(tokens, next, shown);
  if (isEnd(tokens, end)) return make(isListed ? strength.shaped : strength.weak, end);
  return isListed && isWordOf(tokens, end, sqlWord.from)
    ? make(strength.shaped, end + 1)
    : noStatement;
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

/** What the further statements need after their verb; the strength when they have it. */
const followers: Readonly<Record<string, readonly [readonly string[], number]>> = {
  merge: [['into'], strength.shaped],
  load: [['data', 'xml'], strength.shaped],
  rename: [['table', 'database', 'user'], strength.shaped],
  restore: [['database', 'log', 'filelistonly'], strength.shaped],
  bulk: [['insert'], strength.certain],
  // VACUUM INTO writes the whole database to a file.
  vacuum: [['into', 'full', 'analyze'], strength.shaped],
  attach: [['database'], strength.certain],
  detach: [['database'], strength.shaped],
  deallocate: [['prepare'], strength.shaped],
  lock: [['tables', 'table'], strength.weak],
  unlock: [['tables'], strength.shaped],
  flush: [['privileges', 'tables', 'logs', 'hosts'], strength.shaped],
  optimize: [['table'], strength.weak],
  repair: [['table'], strength.weak],
  analyze: [['table'], strength.weak],
  dbcc: [['addextendedproc', 'dropextendedproc', 'checkdb', 'log', 'page'], strength.certain],
};

/** The statements that are told by their second word. */
export function readOther(tokens: SqlTokens, at: number, next: number): Statement {
  const { text, start, end, kind } = tokens;
  const verb = text.slice(start[at] as number, end[at] as number).toLowerCase();
  const after = endOfName(tokens, next);
  const rule = followers[verb];
  if (rule !== undefined && isOneOf(tokens, next, rule[0])) return make(rule[1], next + 1);
  switch (verb) {
    case 'backup':
      return readBackup(tokens, next);
    case 'copy':
      return readCopy(tokens, next);
    case 'prepare':
      return after > next && isWordOf(tokens, after, sqlWord.from)
        ? make(strength.certain, after + 1)
        : noStatement;
    case 'handler':
      return isWordAt(tokens, after, 'open') ? make(strength.shaped, after + 1) : noStatement;
    case 'do':
      if (isDollarQuoted(tokens, next)) return make(strength.certain, next + 1);
      return readOperand(tokens, next);
    case 'print':
    case 'raiserror':
      return readPrint(tokens, next);
    case 'pragma':
      return after > next && (isEnd(tokens, after) || kind[after] === sqlToken.open)
        ? make(strength.shaped, after)
        : noStatement;
    case 'while':
      return has(readExpression(tokens, next, 20), trait.constantCompare)
        ? make(strength.certain, next + 1)
        : noStatement;
    case 'use':
      return isWordOf(tokens, after, sqlWord.exec)
        ? readExec(tokens, skipComments(tokens, after + 1))
        : make(after > next && isEnd(tokens, after) ? strength.weak : strength.none, after);
    case 'goto':
    case 'kill':
    case 'reconfigure':
    case 'rollback':
    case 'commit':
    case 'vacuum':
      return isEnd(tokens, after) ? make(strength.weak, after) : noStatement;
    default:
      return noStatement;
  }
}

/** `$$…` and `$x$…`, the body of an anonymous block in PostgreSQL. */
function isDollarQuoted({ text, start }: SqlTokens, at: number): boolean {
  const from = start[at] as number;
  if (text.charCodeAt(from) !== 36) return false;
  let end = from + 1;
  while (end < from + dollarTagMax && isNamePart(text.charCodeAt(end))) end++;
  // A dollar is a part of names too.
  return text.lastIndexOf('$', end) > from;
}

const dollarTagMax = 16;

/** BACKUP DATABASE name TO a place. */
function readBackup(tokens: SqlTokens, next: number): Statement {
  if (!isOneOf(tokens, next, ['database', 'log'])) return noStatement;
  const end = endOfName(tokens, skipComments(tokens, next + 1));
  const after = skipComments(tokens, end);
  const isTarget = isWordOf(tokens, after, sqlWord.to) || isWordOf(tokens, after, sqlWord.with);
  return make(isTarget ? strength.certain : strength.weak, after);
}

/** PRINT of a variable or of what only SQL computes; with a parenthesis it is Python. */
function readPrint(tokens: SqlTokens, next: number): Statement {
  const isCall = tokens.kind[next] === sqlToken.open;
  const isSql = !isCall && hasAny(readExpression(tokens, next, 20), sqlOnly);
  if (isSql) return make(strength.certain, next + 1);
  // `print @lines;` of Perl as well: what a batch has not read into it tells nothing.
  const isServer = tokens.text.startsWith('@@', tokens.start[next]);
  if (!isVariable(tokens, next)) return noStatement;
  return make(isServer ? strength.certain : strength.weak, next + 1);
}

/** COPY table or (query) FROM or TO a file or a program. */
function readCopy(tokens: SqlTokens, next: number): Statement {
  const isQuery = tokens.kind[next] === sqlToken.open;
  const end = isQuery ? readExpression(tokens, next, lookAhead).end : endOfName(tokens, next);
  let at = skipComments(tokens, end);
  if (tokens.kind[at] === sqlToken.open) at = readExpression(tokens, at, lookAhead).end;
  if (!isWordOf(tokens, at, sqlWord.from) && !isWordOf(tokens, at, sqlWord.to)) return noStatement;
  const target = skipComments(tokens, at + 1);
  const isTarget =
    tokens.kind[target] === sqlToken.single ||
    isOneOf(tokens, target, ['program', 'stdin', 'stdout']);
  return isTarget ? make(strength.certain, target + 1) : noStatement;
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
