import { wordList } from '../../text/words.ts';
import { endOfGroup } from './clause-tail.ts';
import { readExpression } from './expression.ts';
import { isNamePart } from './sql-characters.ts';
import { isQuote, isWordOf, type SqlTokens, skipComments, sqlToken } from './sql-token.ts';
import { sqlWord } from './sql-words.ts';
import {
  endOfName,
  endOfWords,
  isEnd,
  isOneOf,
  isWordAt,
  lookAhead,
  make,
  noStatement,
  type Statement,
  skipWords,
  sqlOnly,
  strength,
} from './statement-parts.ts';
import { isVariable, readExec, readGrant, readNamed, readOperand } from './statement-server.ts';
import { readExplained } from './statement-show.ts';
import { has, hasAny, trait } from './traits.ts';

/** What the further statements need after their verb; the strength when they have it. */
const followers: Readonly<Record<string, readonly [readonly string[], number]>> = {
  purge: [['recyclebin', 'dba_recyclebin', 'tablespace'], strength.shaped],
  flashback: [['table', 'database', 'tablespace'], strength.shaped],
  noaudit: [['all', 'select', 'policy', 'insert', 'update', 'delete'], strength.shaped],
  load: [['data', 'xml'], strength.shaped],
  rename: [['table', 'database', 'user'], strength.shaped],
  restore: [
    ['database', 'log', 'filelistonly', 'headeronly', 'labelonly', 'verifyonly'],
    strength.shaped,
  ],
  bulk: [['insert'], strength.certain],
  // VACUUM INTO writes the whole database to a file.
  vacuum: [['into', 'full', 'analyze'], strength.shaped],
  attach: [['database'], strength.certain],
  reset: [['role', 'all', 'master', 'query', 'slave', 'session'], strength.shaped],
  discard: [['all', 'plans', 'temp', 'sequences'], strength.shaped],
  reassign: [['owned'], strength.certain],
  detach: [['database'], strength.shaped],
  deallocate: [['prepare'], strength.shaped],
  lock: [['tables', 'table'], strength.weak],
  unlock: [['tables'], strength.shaped],
  flush: [['privileges', 'tables', 'logs', 'hosts'], strength.shaped],
  optimize: [['table'], strength.weak],
  repair: [['table'], strength.weak],
  analyze: [['table'], strength.weak],
  checksum: [['table'], strength.weak],
  check: [['table'], strength.weak],
  reindex: [['table', 'index', 'schema', 'database', 'system'], strength.weak],
  uninstall: [['plugin', 'soname'], strength.weak],
};

/** Transact-SQL, DBCC: its commands with those that the manual leaves out. */
const consoleCommands = wordList(
  'addextendedproc addinstance checkalloc checkcatalog checkconstraints checkdb checkfilegroup',
  'checkident checktable cleantable clonedatabase dbinfo dbreindex dropcleanbuffers',
  'dropextendedproc errorlog extentinfo freeproccache freesessioncache freesystemcache help ind',
  'indexdefrag inputbuffer log loginfo memorystatus opentran outputbuffer page proccache pss',
  'setinstance show_statistics showcontig shrinkdatabase shrinkfile shrinklog sqlperf stackdump',
  'traceoff traceon tracestatus updateusage useroptions writepage',
);

/** Reads what stands behind a verb: `after` is where a name there ends. */
type Reader = (tokens: SqlTokens, next: number, after: number) => Statement;

const readers: Readonly<Record<string, Reader>> = {
  backup: readBackup,
  copy: readCopy,
  prepare: readPrepare,
  attach: readAttach,
  // HANDLER a OPEN
  handler: (tokens, _next, after) =>
    isWordAt(tokens, after, 'open') ? make(strength.shaped, after + 1) : noStatement,
  do: readDo,
  dbcc: (tokens, next, after) =>
    isOneOf(tokens, next, consoleCommands) ? make(strength.certain, after) : noStatement,
  merge: readMerge,
  deny: readDeny,
  throw: readThrow,
  raiserror: readRaise,
  print: readPrint,
  pragma: readPragma,
  while: readWhile,
  use: readUse,
  kill: readKill,
  load: readText,
  install: readInstall,
  refresh: readRefresh,
  purge: readPurge,
  comment: readComment,
  ...readersOf(readNamed, 'notify listen lock savepoint'),
  analyze: (tokens, next, after) => {
    const explained = readExplained(tokens, next);
    return explained.strength === strength.none ? readEnd(tokens, next, after) : explained;
  },
  ...readersOf(readEnd, 'goto revert checkpoint reindex reconfigure rollback commit vacuum'),
};

function readersOf(read: Reader, verbs: string): Record<string, Reader> {
  return Object.fromEntries(wordList(verbs).map((verb) => [verb, read]));
}

/** The statements that their second word makes certain. */
export function readOther(tokens: SqlTokens, at: number, next: number): Statement {
  const { text, start, end } = tokens;
  const verb = text.slice(start[at] as number, end[at] as number).toLowerCase();
  const follower = followers[verb];
  if (follower !== undefined && isOneOf(tokens, next, follower[0])) {
    return follower[1] === strength.weak ? readOnTable(tokens, next) : make(follower[1], next + 1);
  }
  const name = endOfName(tokens, next);
  const after = name > next ? skipComments(tokens, name) : name;
  return readers[verb]?.(tokens, next, after) ?? noStatement;
}

/** `REPAIR TABLE a`, `LOCK TABLE a IN SHARE MODE`, `LOCK TABLES a WRITE`. */
function readOnTable(tokens: SqlTokens, object: number): Statement {
  const from = skipComments(tokens, object + 1);
  const end = skipComments(tokens, endOfName(tokens, from));
  // `5; repair table`
  if (end === from && isWordAt(tokens, object, 'table')) return noStatement;
  const isLocked = isWordOf(tokens, end, sqlWord.in)
    ? isWordAt(tokens, endOfWords(tokens, end) - 1, 'mode')
    : isOneOf(tokens, end, ['read', 'write']) && isEnd(tokens, end + 1);
  return isLocked && end > from ? make(strength.shaped, end + 1) : make(strength.weak, end);
}

/** `INSTALL SONAME 'x'`, `INSTALL PLUGIN a SONAME 'x'` */
function readInstall(tokens: SqlTokens, next: number): Statement {
  const name = skipWords(tokens, next, ['plugin']);
  const library = name > next ? skipComments(tokens, endOfName(tokens, name)) : next;
  const text = skipComments(tokens, library + 1);
  return isWordAt(tokens, library, 'soname') ? readText(tokens, text) : noStatement;
}

/** `REFRESH MATERIALIZED VIEW a WITH NO DATA` */
function readRefresh(tokens: SqlTokens, next: number): Statement {
  const view = skipComments(tokens, next + 1);
  const isView = isWordAt(tokens, next, 'materialized') && isWordAt(tokens, view, 'view');
  const from = skipWords(tokens, skipComments(tokens, view + 1), ['concurrently']);
  const end = skipComments(tokens, endOfName(tokens, from));
  const isWhole = end > from && (isEnd(tokens, end) || isWordOf(tokens, end, sqlWord.with));
  return isView && isWhole ? make(strength.shaped, end) : noStatement;
}

/** `PURGE BINARY LOGS` */
function readPurge(tokens: SqlTokens, next: number): Statement {
  const logs = skipWords(tokens, next, ['binary', 'master']);
  const isWhole = logs > next && isWordAt(tokens, logs, 'logs');
  return isWhole ? make(strength.shaped, logs + 1) : noStatement;
}

/** `COMMENT ON TABLE a IS 'x'` */
function readComment(tokens: SqlTokens, next: number): Statement {
  const object = skipComments(tokens, next + 1);
  const is = skipComments(tokens, endOfName(tokens, skipComments(tokens, object + 1)));
  const isText = tokens.kind[skipComments(tokens, is + 1)] === sqlToken.single;
  const isSql = isWordAt(tokens, next, 'on') && isWordOf(tokens, is, sqlWord.is) && isText;
  return isSql ? make(strength.shaped, is + 2) : noStatement;
}

/** `LOAD 'x'`: a library of PostgreSQL; Ruby and MATLAB load `'app.rb'` and `'data.mat'`. */
function readText(tokens: SqlTokens, next: number): Statement {
  const close = tokens.kind[next] === sqlToken.single ? (tokens.jump[next] as number) : -1;
  if (close < 0 || !isEnd(tokens, close + 1)) return noStatement;
  const name = tokens.text.slice(tokens.end[next], tokens.start[close]);
  return ownFile.test(name) ? noStatement : make(strength.shaped, close + 1);
}

/** A file beside a program that is no library: a server looks for one where its libraries are. */
const ownFile = /^[\w -]{1,64}(?:\/[\w -]{1,64}){0,8}\.(?!so\b|dll\b|dylib\b|sl\b)\w{1,8}$/i;

/** ATTACH 'file' AS a. */
function readAttach(tokens: SqlTokens, next: number): Statement {
  const file = readExpression(tokens, next, lookAhead);
  const isNamed = hasAny(file, trait.text | trait.call) && isWordOf(tokens, file.end, sqlWord.as);
  return isNamed ? make(strength.certain, file.end + 1) : noStatement;
}

/** DO: an anonymous block of PostgreSQL, as `$$…$$` or a plain literal, or an expression of MySQL. */
function readDo(tokens: SqlTokens, next: number): Statement {
  if (isWordAt(tokens, next, 'language')) {
    return readDo(tokens, skipComments(tokens, skipComments(tokens, next + 1) + 1));
  }
  // E'…'
  if (isWordAt(tokens, next, 'e') && tokens.gap[next + 1] === 0) return readDo(tokens, next + 1);
  if (isDollarQuoted(tokens, next)) return make(strength.certain, next + 1);
  if (tokens.kind[next] !== sqlToken.single) return readOperand(tokens, next);
  const isBlock = isOneOf(tokens, next + 1, ['begin', 'declare']);
  return isBlock ? make(strength.certain, next + 2) : noStatement;
}

function readDeny(tokens: SqlTokens, next: number): Statement {
  const isDenied =
    isOneOf(tokens, next, privileges) && readGrant(tokens, next).strength > strength.none;
  return isDenied ? make(strength.shaped, next + 1) : noStatement;
}

/** `PRAGMA a`, `PRAGMA a(1)`, `PRAGMA a=1` */
function readPragma(tokens: SqlTokens, next: number, after: number): Statement {
  const kind = tokens.kind[after] as number;
  const isValue = kind === sqlToken.open || kind === sqlToken.comparison;
  const isSql = after > next && (isValue || isEnd(tokens, after));
  return isSql ? make(strength.shaped, after) : noStatement;
}

function readWhile(tokens: SqlTokens, next: number): Statement {
  return has(readExpression(tokens, next, 20), trait.constantCompare)
    ? make(strength.certain, next + 1)
    : noStatement;
}

/** USE a, with or without the EXEC that Transact-SQL takes without a semicolon. */
function readUse(tokens: SqlTokens, next: number, after: number): Statement {
  return isWordOf(tokens, after, sqlWord.exec)
    ? readExec(tokens, skipComments(tokens, after + 1))
    : make(after > next && isEnd(tokens, after) ? strength.weak : strength.none, after);
}

/** KILL 52, KILL HARD QUERY 52. */
function readKill(tokens: SqlTokens, next: number): Statement {
  const end = skipWords(tokens, next, ['hard', 'soft', 'connection', 'query']) + 1;
  // `kill hard drive`
  const isSaid = end > next + 1 && tokens.kind[end - 1] === sqlToken.word;
  return isEnd(tokens, end) && !isSaid ? make(strength.weak, end) : noStatement;
}

/** A verb alone, or with a name. */
function readEnd(tokens: SqlTokens, _next: number, after: number): Statement {
  return isEnd(tokens, after) ? make(strength.weak, after) : noStatement;
}

/** PREPARE a FROM text; in PostgreSQL PREPARE a AS statement. */
function readPrepare(tokens: SqlTokens, next: number, after: number): Statement {
  if (after === next) return noStatement;
  if (isWordOf(tokens, after, sqlWord.from)) return make(strength.certain, after + 1);
  // `PREPARE a(int) AS …`
  const as = skipComments(tokens, endOfGroup(tokens, after, after));
  const verb = skipComments(tokens, as + 1);
  const isStatement =
    isWordOf(tokens, as, sqlWord.as) &&
    isOneOf(tokens, verb, ['select', 'insert', 'update', 'delete', 'values', 'with']);
  return isStatement ? make(strength.certain, verb + 1) : noStatement;
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

/** MERGE [INTO] a USING b ON … WHEN … */
function readMerge(tokens: SqlTokens, from: number): Statement {
  const wanted = ['using', 'on', 'when'];
  const { kind, jump, count } = tokens;
  const end = Math.min(count, from + mergeTokensMax);
  let found = 0;
  let at = from;
  for (; at < end && kind[at] !== sqlToken.semicolon; at++) {
    if (isQuote(kind[at] as number) && (jump[at] as number) > at) at = jump[at] as number;
    else if (isWordAt(tokens, at, wanted[found] as string)) found++;
    if (found === wanted.length) return make(strength.shaped, at);
  }
  // A condition may be as long as a client likes.
  return found > 1 && at >= end && at < count ? make(strength.shaped, at) : noStatement;
}

const mergeTokensMax = 100;
const privileges = ['select', 'insert', 'update', 'delete', 'execute', 'control', 'alter'];

/** `THROW 50000, 'x', 1`; `throw 5, 6` says no message. */
function readThrow(tokens: SqlTokens, next: number): Statement {
  const { kind } = tokens;
  if (kind[next] !== sqlToken.number || kind[next + 1] !== sqlToken.comma) {
    return readPrint(tokens, next);
  }
  const message = isWordAt(tokens, next + 2, 'n') ? next + 3 : next + 2;
  const isText = isQuote(kind[message] as number) || kind[message] === sqlToken.variable;
  return isText ? make(strength.certain, message) : noStatement;
}

/** `RAISERROR(N'x', 18, 1)`: a message or its number, and how severe it is. */
function readRaise(tokens: SqlTokens, next: number): Statement {
  const { kind } = tokens;
  const isCall = kind[next] === sqlToken.open;
  const first = readExpression(tokens, isCall ? next + 1 : next, 20);
  const isNumbered = kind[first.end + 1] === sqlToken.number || kind[next] === sqlToken.number;
  const isSql = first.operands > 0 && kind[first.end] === sqlToken.comma && isNumbered;
  return isSql ? make(strength.certain, first.end) : readPrint(tokens, next);
}

/** PRINT of a variable or of what only SQL computes; with a parenthesis it is Python. */
function readPrint(tokens: SqlTokens, next: number): Statement {
  const isCall = tokens.kind[next] === sqlToken.open;
  const printed = readExpression(tokens, next, 20);
  // `print sin(.5), "\n"`: a list, as Perl and Python print it.
  const isList = tokens.kind[printed.end] === sqlToken.comma;
  const isSql = !isCall && !isList && hasAny(printed, sqlOnly);
  if (isSql) return make(strength.certain, next + 1);
  // `print @lines;` of Perl as well: what no batch has read into it is no evidence.
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
