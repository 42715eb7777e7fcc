import { isQuote, isWordOf, type SqlTokens, skipComments, sqlToken } from '../../tokenise/sql.ts';
import { sameWord, sqlWord } from '../../tokenise/sql-words.ts';
import { endsAsSql, has, hasAny, isStatementEnd } from './evidence.ts';
import { readExpression } from './expression.ts';
import { type Expression, trait } from './traits.ts';

/** How surely tokens are a statement and no sentence. */
export const strength = {
  none: 0,
  /** Words that a sentence could have in this order: `drop table reservations`. */
  weak: 1,
  /** The shape of a statement from its verb to its end. */
  shaped: 2,
  /** What only SQL can say. */
  certain: 3,
} as const;

/** A statement at some token. */
export interface Statement {
  readonly strength: number;
  /** First token after what was looked at. */
  readonly end: number;
}

const noStatement: Statement = { strength: strength.none, end: 0 };

/** Steps that the expressions of a statement may take. */
const lookAhead = 200;

/** The statement that begins at a token, as far as its shape tells. */
export function readStatement(tokens: SqlTokens, from: number): Statement {
  const at = skipComments(tokens, from);
  const kind = tokens.kind[at];
  if (kind === sqlToken.open) return readOperand(tokens, at);
  if (kind !== sqlToken.word) return noStatement;
  const next = skipComments(tokens, at + 1);
  const word = tokens.word[at] as number;
  switch (word) {
    case sqlWord.select:
      return readSelect(tokens, at);
    case sqlWord.insert:
    case sqlWord.replace:
      return readInsert(tokens, next);
    case sqlWord.update:
      return readUpdate(tokens, next);
    case sqlWord.delete:
      return readDelete(tokens, next);
    case sqlWord.drop:
    case sqlWord.create:
    case sqlWord.alter:
    case sqlWord.truncate:
      return readDefinition(tokens, next, word);
    case sqlWord.exec:
      return readExec(tokens, next);
    case sqlWord.declare:
    case sqlWord.set:
      return readDeclare(tokens, next, word);
    case sqlWord.begin:
      return readBegin(tokens, next);
    case sqlWord.waitfor:
      return readWaitfor(tokens, next);
    case sqlWord.shutdown:
      return readShutdown(tokens, next);
    case sqlWord.flow:
      return readIf(tokens, at);
    case sqlWord.grant:
      return readGrant(tokens, next);
    case sqlWord.call:
    case sqlWord.values:
      return readCall(tokens, next);
    case sqlWord.show:
      return readShow(tokens, next);
    case sqlWord.with:
      return readWith(tokens, next);
    case sqlWord.statement:
      return readOther(tokens, at, next);
    default:
      return readOperand(tokens, at);
  }
}

function make(value: number, end: number): Statement {
  return { strength: value, end };
}

function isEnd(tokens: SqlTokens, at: number): boolean {
  return isStatementEnd(tokens.kind[at] as number);
}

function isComment(tokens: SqlTokens, at: number): boolean {
  return tokens.kind[at] === sqlToken.lineComment || tokens.kind[at] === sqlToken.blockComment;
}

function isWordAt(tokens: SqlTokens, at: number, word: string): boolean {
  if (tokens.kind[at] !== sqlToken.word) return false;
  return sameWord(tokens.text, tokens.start[at] as number, tokens.end[at] as number, word);
}

function isOneOf(tokens: SqlTokens, at: number, words: readonly string[]): boolean {
  return words.some((word) => isWordAt(tokens, at, word));
}

/** First token after a name: `a`, `a.b`, `master..x`, `[a]`, `"a"`, `` `a` ``; `at` itself when there is none. */
function endOfName(tokens: SqlTokens, from: number): number {
  const { kind, jump } = tokens;
  let at = from;
  for (let parts = 0; parts < 5; parts++) {
    const type = kind[at] as number;
    if (type === sqlToken.word) at = at + 1;
    else if (type === sqlToken.bracket && kind[at + 2] === sqlToken.bracketEnd) at += 3;
    else if (isQuote(type) && jump[at] === at + 2) at += 3;
    else return parts === 0 ? from : at;
    if (kind[at] !== sqlToken.dot) return at;
    while (kind[at] === sqlToken.dot) at++;
  }
  return at;
}

const sqlOnly =
  trait.query |
  trait.system |
  trait.textCall |
  trait.infoCall |
  trait.timeCall |
  trait.errorCall |
  trait.outsideCall |
  trait.catalogue |
  trait.hex |
  trait.case |
  trait.constantCompare;

function readSelect(tokens: SqlTokens, at: number): Statement {
  const expression = readExpression(tokens, at, lookAhead);
  const { end } = expression;
  if (expression.operands === 0) return noStatement;
  if (hasAny(expression, sqlOnly)) return make(strength.certain, end);
  const first = tokens.kind[skipComments(tokens, at + 1)] as number;
  const isGlued = isQuote(first) && tokens.gap[at + 1] === 0;
  if (first === sqlToken.comma || isGlued) return noStatement;
  if (!endsAsSql(expression)) {
    const isList = first === sqlToken.operator || first === sqlToken.number;
    return isList && expression.operands > 1 ? make(strength.shaped, end) : noStatement;
  }
  if (first !== sqlToken.word) return make(strength.shaped, end);
  if (hasAny(expression, trait.compare | trait.variable | trait.call))
    return make(strength.shaped, end);
  return expression.operands > 1 && !isQuote(tokens.kind[end] as number)
    ? make(isCutOrClosed(tokens, end) ? strength.shaped : strength.weak, end)
    : noStatement;
}

function isCutOrClosed(tokens: SqlTokens, at: number): boolean {
  const kind = tokens.kind[at];
  return kind !== sqlToken.end && isEnd(tokens, at);
}

function readInsert(tokens: SqlTokens, next: number): Statement {
  const into = isWordOf(tokens, next, sqlWord.into) ? skipComments(tokens, next + 1) : next;
  const name = endOfName(tokens, into);
  if (name === into) return noStatement;
  const after = skipComments(tokens, name);
  const isList = tokens.kind[after] === sqlToken.open;
  const isSource = isOneOf(tokens, after, ['values', 'select', 'set', 'default', 'value', 'exec']);
  if (into === next) return isSource ? make(strength.shaped, after + 1) : noStatement;
  if (isList || isSource) return make(strength.certain, after + 1);
  return isEnd(tokens, after) ? make(strength.weak, after) : noStatement;
}

function readUpdate(tokens: SqlTokens, next: number): Statement {
  const name = endOfName(tokens, next);
  const set = skipComments(tokens, name);
  if (name === next || !isWordOf(tokens, set, sqlWord.set)) return noStatement;
  const column = endOfName(tokens, skipComments(tokens, set + 1));
  const sign = skipComments(tokens, column);
  return tokens.kind[sign] === sqlToken.comparison
    ? make(strength.certain, Math.min(sign + 2, tokens.count))
    : noStatement;
}

function readDelete(tokens: SqlTokens, next: number): Statement {
  const verb = isOneOf(tokens, next, ['ignore', 'low_priority', 'quick']) ? next + 1 : next;
  if (!isWordOf(tokens, verb, sqlWord.from)) return noStatement;
  const from = skipComments(tokens, verb + 1);
  const name = endOfName(tokens, from);
  const after = skipComments(tokens, name);
  if (name === from) return noStatement;
  if (isWordOf(tokens, after, sqlWord.where)) {
    const expression = readExpression(tokens, after + 1, lookAhead);
    return has(expression, trait.compare)
      ? make(strength.certain, expression.end)
      : make(strength.weak, expression.end);
  }
  return isEnd(tokens, after) ? make(strength.shaped, after) : noStatement;
}

const definitionModifiers = [
  'or',
  'replace',
  'temporary',
  'temp',
  'unique',
  'if',
  'not',
  'exists',
  'public',
  'global',
  'definer',
  'materialized',
  'clustered',
  'external',
  'virtual',
  'database',
  'java',
  'source',
  'named',
  'and',
  'compile',
];
const definitionFollowers = [
  'identified',
  'returns',
  'as',
  'with',
  'cascade',
  'add',
  'drop',
  'modify',
  'rename',
  'set',
  'column',
  'connect',
  'authorization',
  'for',
  'superuser',
  'password',
  'select',
  'restrict',
  'on',
  'nologin',
  'engine',
  'using',
  'like',
  'alter',
];

/** DROP, CREATE, ALTER and TRUNCATE of something that has a name. */
function readDefinition(tokens: SqlTokens, next: number, verb: number): Statement {
  let at = next;
  for (let i = 0; i < 6 && isOneOf(tokens, at, definitionModifiers); i++) {
    at = skipComments(tokens, at + 1);
  }
  const object = tokens.word[at] as number;
  const isObject =
    tokens.kind[at] === sqlToken.word &&
    (object === sqlWord.table ||
      object === sqlWord.object ||
      object === sqlWord.procedure ||
      object === sqlWord.infoCall);
  if (!isObject && !(at > next && isWordAt(tokens, at - 1, 'database'))) {
    const isCut = verb === sqlWord.drop && isWordOf(tokens, at, sqlWord.name);
    return isCut && isComment(tokens, at + 1) ? make(strength.weak, at + 1) : noStatement;
  }
  let name = isObject ? skipComments(tokens, at + 1) : at;
  for (let i = 0; i < 3 && isOneOf(tokens, name, ['if', 'not', 'exists']); i++) {
    name = skipComments(tokens, name + 1);
  }
  const end = endOfName(tokens, name);
  const after = skipComments(tokens, end);
  if (end === name) return noStatement;
  const kind = tokens.kind[after];
  if (kind === sqlToken.open)
    return make(verb === sqlWord.create ? strength.certain : strength.weak, after + 1);
  if (isOneOf(tokens, after, definitionFollowers)) {
    const isShaped = !isWordOf(tokens, after, sqlWord.for);
    return make(isShaped ? strength.shaped : strength.weak, after + 1);
  }
  if (kind === sqlToken.comma) return make(strength.weak, after);
  return isEnd(tokens, after) ? make(strength.shaped, after) : noStatement;
}

function readExec(tokens: SqlTokens, next: number): Statement {
  const kind = tokens.kind[next];
  const { text, start } = tokens;
  if (kind === sqlToken.variable) {
    return tokens.gap[next] === 1 ? make(strength.certain, next + 1) : noStatement;
  }
  if (kind === sqlToken.open) {
    const inner = tokens.kind[skipComments(tokens, next + 1)] as number;
    const isSql = isQuote(inner) || inner === sqlToken.variable;
    const call = readExpression(tokens, next, lookAhead);
    return isSql || hasAny(call, sqlOnly) ? make(strength.certain, call.end) : noStatement;
  }
  if (kind !== sqlToken.word) return noStatement;
  const from = start[next] as number;
  const prefix = text.slice(from, from + 3).toLowerCase();
  const end = endOfName(tokens, next);
  if (prefix === 'xp_' || prefix === 'sp_' || end > next + 2) return make(strength.certain, end);
  if (isWordOf(tokens, next, sqlWord.catalogue)) return make(strength.certain, end);
  if (isWordAt(tokens, next, 'immediate')) return make(strength.certain, end + 1);
  if (end === next + 1 && isQuote(tokens.kind[end] as number) && tokens.gap[end] === 1) {
    return make(strength.shaped, end + 1);
  }
  return noStatement;
}

function readDeclare(tokens: SqlTokens, next: number, verb: number): Statement {
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

function readBegin(tokens: SqlTokens, next: number): Statement {
  if (isWordOf(tokens, next, sqlWord.package)) return make(strength.certain, next + 1);
  if (isWordOf(tokens, next, sqlWord.begin)) return noStatement;
  if (isOneOf(tokens, next, ['transaction', 'tran', 'try'])) {
    return isEnd(tokens, next + 1) ? make(strength.shaped, next + 1) : noStatement;
  }
  if (isWordOf(tokens, next, sqlWord.name)) {
    const end = endOfName(tokens, next);
    const call = tokens.kind[end] === sqlToken.open && end > next + 1;
    return call ? make(strength.shaped, end + 1) : noStatement;
  }
  const inner = isWordOf(tokens, next, sqlWord.flow)
    ? readIf(tokens, next)
    : readInner(tokens, next);
  return inner;
}

/** The statement inside a block; blocks in blocks are not followed. */
function readInner(tokens: SqlTokens, at: number): Statement {
  if (isWordOf(tokens, at, sqlWord.begin)) return noStatement;
  return readStatement(tokens, at);
}

function readWaitfor(tokens: SqlTokens, next: number): Statement {
  if (!isWordOf(tokens, next, sqlWord.delay)) return noStatement;
  const kind = tokens.kind[skipComments(tokens, next + 1)] as number;
  const isTime = isQuote(kind) || kind === sqlToken.variable || kind === sqlToken.number;
  if (isTime) return make(strength.certain, Math.min(next + 2, tokens.count));
  return kind === sqlToken.end ? make(strength.shaped, next + 1) : noStatement;
}

function readShutdown(tokens: SqlTokens, next: number): Statement {
  if (isWordOf(tokens, next, sqlWord.with)) return make(strength.certain, next + 2);
  const isLast = isEnd(tokens, next) || isWordOf(tokens, next, sqlWord.end);
  return isLast ? make(strength.shaped, next) : noStatement;
}

/** IF and IIF: a condition that only SQL can say, in parentheses or not. */
function readIf(tokens: SqlTokens, at: number): Statement {
  const isCall = tokens.kind[skipComments(tokens, at + 1)] === sqlToken.open;
  const expression = readExpression(tokens, isCall ? at : at + 1, lookAhead);
  return hasAny(expression, sqlOnly) ? make(strength.certain, expression.end) : noStatement;
}

function readGrant(tokens: SqlTokens, next: number): Statement {
  const { kind, count } = tokens;
  for (let i = next; i < Math.min(next + 14, count); i++) {
    if (isEnd(tokens, i)) return noStatement;
    const isLink = isWordOf(tokens, i, sqlWord.to) || isWordOf(tokens, i, sqlWord.from);
    if (!isLink || i === next) continue;
    const end = endOfName(tokens, skipComments(tokens, i + 1));
    const isStar = kind[i - 1] === sqlToken.operator;
    const after = skipComments(tokens, end);
    if (isStar) return make(strength.certain, end);
    return isEnd(tokens, after) || isWordOf(tokens, after, sqlWord.with)
      ? make(strength.shaped, end)
      : noStatement;
  }
  return noStatement;
}

function readCall(tokens: SqlTokens, next: number): Statement {
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

function readShow(tokens: SqlTokens, next: number): Statement {
  const end = endOfName(tokens, next);
  if (end === next) return noStatement;
  if (isWordOf(tokens, next, sqlWord.select)) return readSelect(tokens, next);
  const isListed = isOneOf(tokens, next, shown);
  if (isEnd(tokens, end)) return make(isListed ? strength.shaped : strength.weak, end);
  return isListed && isWordOf(tokens, end, sqlWord.from)
    ? make(strength.shaped, end + 1)
    : noStatement;
}

function readWith(tokens: SqlTokens, next: number): Statement {
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
  backup: [['database', 'log'], strength.certain],
  restore: [['database', 'log', 'filelistonly'], strength.shaped],
  bulk: [['insert'], strength.certain],
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

function readOther(tokens: SqlTokens, at: number, next: number): Statement {
  const { text, start, end, kind } = tokens;
  const verb = text.slice(start[at] as number, end[at] as number).toLowerCase();
  const after = endOfName(tokens, next);
  const rule = followers[verb];
  if (rule !== undefined) {
    return isOneOf(tokens, next, rule[0]) ? make(rule[1], next + 1) : noStatement;
  }
  switch (verb) {
    case 'copy':
      return readCopy(tokens, next);
    case 'prepare':
      return after > next && isWordOf(tokens, after, sqlWord.from)
        ? make(strength.certain, after + 1)
        : noStatement;
    case 'handler':
      return isWordAt(tokens, after, 'open') ? make(strength.shaped, after + 1) : noStatement;
    case 'do':
      return readOperand(tokens, next);
    case 'print':
    case 'raiserror':
      return kind[next] === sqlToken.variable || hasAny(readExpression(tokens, next, 20), sqlOnly)
        ? make(strength.certain, next + 1)
        : noStatement;
    case 'pragma':
      return after > next && (isEnd(tokens, after) || kind[after] === sqlToken.open)
        ? make(strength.shaped, after)
        : noStatement;
    case 'while':
      return has(readExpression(tokens, next, 20), trait.constantCompare)
        ? make(strength.certain, next + 1)
        : noStatement;
    case 'goto':
    case 'use':
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

/** COPY table or (query) FROM or TO a file or a program. */
function readCopy(tokens: SqlTokens, next: number): Statement {
  const isQuery = tokens.kind[next] === sqlToken.open;
  const end = isQuery ? readExpression(tokens, next, lookAhead).end : endOfName(tokens, next);
  let at = skipComments(tokens, end);
  if (tokens.kind[at] === sqlToken.open) at = readExpression(tokens, at, lookAhead).end;
  if (!isWordOf(tokens, at, sqlWord.from) && !isWordOf(tokens, at, sqlWord.to)) return noStatement;
  const target = skipComments(tokens, at + 1);
  const isTarget =
    isQuote(tokens.kind[target] as number) ||
    isOneOf(tokens, target, ['program', 'stdin', 'stdout']);
  return isTarget ? make(strength.certain, target + 1) : noStatement;
}

const strongCalls = trait.timeCall | trait.errorCall | trait.outsideCall;

/** An expression where a statement should stand: `(select …)`, `pg_sleep(5)`. */
function readOperand(tokens: SqlTokens, at: number): Statement {
  const expression: Expression = readExpression(tokens, at, lookAhead);
  if (has(expression, trait.query) && expression.operands > 0)
    return make(strength.certain, expression.end);
  return hasAny(expression, strongCalls) && endsAsSql(expression)
    ? make(strength.certain, expression.end)
    : noStatement;
}
