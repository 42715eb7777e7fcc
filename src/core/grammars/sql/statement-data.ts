import { wordList } from '../../text/words.ts';
import { endOfGroup, endOfTail } from './clause-tail.ts';
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
  endOfName,
  endOfOrder,
  endOfPlace,
  endOfWords,
  isComment,
  isEnd,
  isOneOf,
  isServerChange,
  isWordAt,
  lookAhead,
  make,
  noStatement,
  placeEnds,
  type Statement,
  skipWords,
  sqlOnly,
  strength,
} from './statement-parts.ts';
import { endsAsSql, has, hasAny, trait } from './traits.ts';
import { classesOf, classSet } from './word-classes.ts';

/** SELECT: what it lists and where it ends tell it from a sentence. */
export function readSelect(tokens: SqlTokens, at: number): Statement {
  const expression = readExpression(tokens, at, lookAhead);
  const { end } = expression;
  if (expression.operands === 0) {
    // `; SELECT --` lists nothing, which PostgreSQL allows.
    const list = skipWords(tokens, at + 1, ['all', 'distinct']);
    return isComment(tokens, list) ? make(strength.weak, list) : noStatement;
  }
  if (listsNothing(tokens, at)) return noStatement;
  const isQuery = endsAsSql(expression);
  if (hasAny(expression, isQuery ? sqlOnly : sqlOnly & ~trait.constantCompare)) {
    return make(strength.certain, end);
  }
  if (isGlued(tokens, at)) return noStatement;
  const first = tokens.kind[skipComments(tokens, at + 1)];
  if (!isQuery) {
    const isList = first === sqlToken.operator || first === sqlToken.number;
    return isList && expression.operands > 1 ? make(strength.shaped, end) : noStatement;
  }
  const isSpoken = first === sqlToken.word && !hasAny(expression, unspoken);
  if (!isSpoken) return make(strength.shaped, end);
  if (expression.operands < 2 || isQuote(tokens.kind[end] as number)) return noStatement;
  const isShaped = isCutOrClosed(tokens, end) && !has(expression, trait.alias);
  return make(isShaped ? strength.shaped : strength.weak, end);
}

/** Traits of lists that are no words of a sentence. */
const unspoken = trait.compare | trait.variable | trait.call;

/** `select from dual`, `select, insert`, `SELECT-a-size`: a query lists something. */
function listsNothing(tokens: SqlTokens, at: number): boolean {
  const first = skipComments(tokens, at + 1);
  const isEmpty = isWordOf(tokens, first, sqlWord.from) || tokens.kind[first] === sqlToken.comma;
  return isEmpty || isHyphenated(tokens, at);
}

/** `select'a'`: a quote that ends a text; behind a comment, as in `select--\n'a'`, it ends none. */
function isGlued(tokens: SqlTokens, at: number): boolean {
  return isQuote(tokens.kind[at + 1] as number) && tokens.gap[at + 1] === 0;
}

/** `SELECT-a-size`: a compound word. */
function isHyphenated(tokens: SqlTokens, at: number): boolean {
  const { kind, word, gap } = tokens;
  const isHyphen = kind[at + 1] === sqlToken.operator && word[at + 1] === 45;
  return isHyphen && gap[at + 1] === 0 && gap[at + 2] === 0 && isName(tokens, at + 2);
}

function isCutOrClosed(tokens: SqlTokens, at: number): boolean {
  return tokens.kind[at] !== sqlToken.end && isEnd(tokens, at);
}

/** INSERT INTO and REPLACE INTO. */
export function readInsert(tokens: SqlTokens, from: number): Statement {
  const next = skipOption(tokens, skipModifiers(tokens, from), 'top');
  const into = isWordOf(tokens, next, sqlWord.into) ? skipComments(tokens, next + 1) : next;
  const name = endOfName(tokens, into);
  if (name === into) return readInlineView(tokens, into);
  const after = endOfTarget(tokens, skipComments(tokens, name));
  const isList = tokens.kind[after] === sqlToken.open && (into > next || isListed(tokens, after));
  const isSource = isOneOf(tokens, after, rowSources);
  if (into === next && isList) return make(strength.shaped, after + 1);
  if (into === next) return isSource ? make(strength.shaped, after + 1) : noStatement;
  if (isList || isSource) return make(strength.certain, after + 1);
  return isEnd(tokens, after) ? make(strength.weak, after) : noStatement;
}

/** Past `AS a` and `OVERRIDING SYSTEM VALUE` of PostgreSQL, between a table and its rows. */
function endOfTarget(tokens: SqlTokens, at: number): number {
  const alias = skipComments(tokens, at + 1);
  const isAlias = isWordOf(tokens, at, sqlWord.as) && isName(tokens, alias);
  const next = isAlias ? skipComments(tokens, alias + 1) : at;
  if (!isWordAt(tokens, next, 'overriding')) return next;
  return skipComments(tokens, skipComments(tokens, skipComments(tokens, next + 1) + 1) + 1);
}

/** `(a, b) VALUES`: INTO is optional in Transact-SQL. */
function isListed(tokens: SqlTokens, open: number): boolean {
  const { kind } = tokens;
  let at = open + 1;
  while (kind[at] === sqlToken.comma || endOfName(tokens, at) > at) at++;
  const source = skipComments(tokens, at + 1);
  const isSource = kind[at] === sqlToken.close && isOneOf(tokens, source, rowSources);
  return isSource && !isEnd(tokens, skipComments(tokens, source + 1));
}

/** `(SELECT …)` where a table stands: a view of Oracle within the statement. */
function readInlineView(tokens: SqlTokens, at: number): Statement {
  const isQuery =
    tokens.kind[at] === sqlToken.open &&
    isWordOf(tokens, skipComments(tokens, at + 1), sqlWord.select);
  // `delete (select one)` is an item of a form.
  const end = endOfGroup(tokens, at, Math.min(tokens.count, at + lookAhead));
  const isView = isQuery && holdsWord(tokens, at, end, sqlWord.from);
  return isView ? make(strength.certain, at + 2) : noStatement;
}

/** Behind `TOP(1)` or `WITH(NOLOCK)` of Transact-SQL; `at` itself elsewhere. */
function skipOption(tokens: SqlTokens, at: number, word: string): number {
  const { kind } = tokens;
  const open = skipComments(tokens, at + 1);
  const isOption = isWordAt(tokens, at, word) && kind[open] === sqlToken.open;
  return isOption && kind[open + 2] === sqlToken.close ? skipComments(tokens, open + 3) : at;
}

/** What the rows of INSERT come from. */
const rowSources = ['values', 'select', 'set', 'default', 'value', 'exec', 'table', 'with'];

/** UPDATE … SET. */
export function readUpdate(tokens: SqlTokens, from: number): Statement {
  const next = skipOption(tokens, skipModifiers(tokens, from), 'top');
  const name = endOfTables(tokens, next);
  if (name === next) return readInlineView(tokens, next);
  const set = endOfAlias(
    tokens,
    skipOption(tokens, skipComments(tokens, name), 'with'),
    sqlWord.set,
  );
  if (!isWordOf(tokens, set, sqlWord.set)) return noStatement;
  const first = skipComments(tokens, set + 1);
  const column = endOfColumns(tokens, first);
  const behind = skipComments(tokens, column);
  // `price -= 1`
  const sign = tokens.kind[behind] === sqlToken.operator ? behind + 1 : behind;
  if (tokens.kind[sign] !== sqlToken.comparison) return noStatement;
  const value = readExpression(tokens, sign + 1, lookAhead);
  const isData = hasAny(
    value,
    trait.text | trait.number | trait.constant | trait.variable | sqlOnly,
  );
  return make(isData ? strength.certain : strength.shaped, Math.max(value.end, sign + 1));
}

/** `a, b`, and `a*` of PostgreSQL with the tables that inherit from it. */
function endOfTables(tokens: SqlTokens, from: number): number {
  let end = endOfName(tokens, from);
  if (end > from && isStar(tokens, end)) end++;
  for (let more = 0; more < tablesMax; more++) {
    const comma = skipComments(tokens, end);
    if (tokens.kind[comma] !== sqlToken.comma) break;
    const next = skipComments(tokens, comma + 1);
    const after = endOfName(tokens, next);
    if (after === next) return from;
    end = after;
  }
  return end;
}

const tablesMax = 4;

/** A column, a number in its place, or `(a, b)`. */
function endOfColumns(tokens: SqlTokens, from: number): number {
  const { kind } = tokens;
  if (kind[from] === sqlToken.number) return from + 1;
  if (kind[from] !== sqlToken.open) return endOfName(tokens, from);
  const list = readExpression(tokens, from, lookAhead);
  // The comparison behind the list is read with it.
  for (let at = from; at < list.end; at++) if (kind[at] === sqlToken.close) return at + 1;
  return from;
}

/** `OR REPLACE`, `IGNORE`, `LOW_PRIORITY`: between the verb and its table. */
function skipModifiers(tokens: SqlTokens, from: number): number {
  let at = from;
  if (isWordOf(tokens, at, sqlWord.or) && isOneOf(tokens, at + 1, conflictWords)) at += 2;
  return skipWords(tokens, at, modifiers);
}

const conflictWords = ['replace', 'ignore', 'abort', 'fail', 'rollback'];
const modifiers = ['ignore', 'low_priority', 'high_priority', 'delayed', 'quick'];

/** DELETE FROM. */
export function readDelete(tokens: SqlTokens, next: number): Statement {
  const verb = skipOption(tokens, skipModifiers(tokens, next), 'top');
  // MySQL names the tables to delete from first, and then those to read.
  const first = isWordOf(tokens, verb, sqlWord.from) ? verb : endOfTables(tokens, verb);
  if (!isWordOf(tokens, first, sqlWord.from)) return readBareDelete(tokens, verb, first);
  const from = skipComments(tokens, first + 1);
  const name = endOfTables(tokens, from);
  // `delete from table where id in`: a reserved word is no name of a table.
  if (name === from || isWordOf(tokens, from, sqlWord.table)) return noStatement;
  const behind = skipComments(tokens, name);
  if (isWordAt(tokens, behind, 'returning')) return make(strength.shaped, behind);
  const hint = skipComments(tokens, endOfTail(tokens, behind));
  return readDeleted(tokens, endOfAlias(tokens, hint, sqlWord.where), first > verb);
}

/** What follows the tables of a DELETE. */
function readDeleted(tokens: SqlTokens, after: number, isNamed: boolean): Statement {
  if (isWordOf(tokens, after, sqlWord.on)) {
    const others = endOfTables(tokens, skipComments(tokens, after + 1));
    return isEnd(tokens, others) ? make(strength.shaped, others) : noStatement;
  }
  if (isWordOf(tokens, after, sqlWord.where)) {
    const { end, traits } = readExpression(tokens, after + 1, lookAhead);
    if ((traits & trait.compare) !== 0) return make(strength.certain, end);
    const isListed =
      isWordAt(tokens, end, 'returning') && isStar(tokens, skipComments(tokens, end + 1));
    // `where 1`, and nothing else
    const isConstant = (traits & trait.name) === 0 && traits !== 0 && isEnd(tokens, end);
    return make(isListed || isConstant ? strength.shaped : strength.weak, end);
  }
  if (isNamed && isWordOf(tokens, after, sqlWord.join)) return readJoined(tokens, after);
  // `DELETE FROM a b--`, with an alias
  const end = isName(tokens, after) && isComment(tokens, after + 1) ? after + 1 : after;
  const found = isNamed || end > after ? strength.weak : strength.shaped;
  const last = endOfOrder(tokens, end);
  return isEnd(tokens, last) ? make(found, last) : noStatement;
}

/** `DELETE a FROM a b JOIN c`: the tables to delete from come first. */
function readJoined(tokens: SqlTokens, at: number): Statement {
  const table = skipComments(tokens, skipWords(tokens, at, ['inner', 'cross', 'natural', 'join']));
  const end = skipComments(tokens, endOfName(tokens, table));
  return end > table && isEnd(tokens, end) ? make(strength.shaped, end) : noStatement;
}

/** `DELETE a WHERE b=1`: FROM is optional in Transact-SQL and Oracle. */
function readBareDelete(tokens: SqlTokens, from: number, name: number): Statement {
  if (name === from) return readInlineView(tokens, from);
  const after = endOfAlias(tokens, skipComments(tokens, name), sqlWord.where);
  if (isWordOf(tokens, after, sqlWord.where)) {
    const expression = readExpression(tokens, after + 1, lookAhead);
    const isSql = has(expression, trait.compare) && endsAsSql(expression);
    return make(isSql ? strength.shaped : strength.none, expression.end);
  }
  if (isWordAt(tokens, after, 'output')) return make(strength.shaped, after + 1);
  return isEnd(tokens, after) ? make(strength.weak, after) : noStatement;
}

/** `DELETE FROM a AS b`, and without AS where the next clause tells that it is one. */
function endOfAlias(tokens: SqlTokens, at: number, clause: number): number {
  const next = skipComments(tokens, at + 1);
  const isClause =
    isWordOf(tokens, next, clause) ||
    isWordAt(tokens, next, 'using') ||
    isWordOf(tokens, next, sqlWord.join);
  if (isName(tokens, at) && isClause) return next;
  if (!isWordOf(tokens, at, sqlWord.as)) return at;
  return isName(tokens, next) ? skipComments(tokens, next + 1) : at;
}

const definitionModifiers = wordList(
  'or replace temporary temp unique if not exists public global definer materialized',
  'clustered external virtual database java source named and compile resolve alter body',
  'server event editionable noneditionable unlogged recursive',
);
const definitionFollowers = wordList(
  'identified returns as with cascade add drop modify rename set column connect',
  'authorization for superuser password select restrict on nologin engine using like',
  'alter before after instead authid limit force purge including account grant compile',
  'nocheck enable disable default offline read backup state return to is change',
);

/** What only SQL Server or Oracle has. */
const otherObjects = wordList(
  'proc assembly certificate credential endpoint package library profile pfile spfile source link authorization',
  'aggregate',
);
/** PostgreSQL: words of prose, so that ON and a name must follow. */
const spokenObjects = wordList('index rule policy statistics');

const certainFollowers = ['identified', 'returns', 'authid', 'nocheck'];
/** Words that prose has behind the name of a thing. */
const spokenFollowers = wordList('for is to read return default state account limit');

/** DROP, CREATE, ALTER and TRUNCATE of something that has a name. */
export function readDefinition(tokens: SqlTokens, next: number, verb: number): Statement {
  // TABLE is optional behind TRUNCATE.
  const isBare = verb === sqlWord.truncate && !isWordOf(tokens, next, sqlWord.table);
  const bare = isBare ? endOfTables(tokens, next) : next;
  if (bare > next && isEnd(tokens, bare)) return make(strength.weak, bare);
  if (bare > next && isOneOf(tokens, bare, placeEnds)) return make(strength.shaped, bare + 1);
  const at = skipWords(tokens, skipOnline(tokens, next, verb), definitionModifiers);
  const unnamed = endOfUnnamed(tokens, next, at, verb);
  if (unnamed > at) return make(strength.certain, unnamed);
  const isKnown = isObject(tokens, at, verb);
  // `ALTER DATABASE a`: the word is a modifier too.
  if (!isKnown && !(at > next && isWordAt(tokens, at - 1, 'database'))) {
    const isCut = verb === sqlWord.drop && isName(tokens, at) && isComment(tokens, at + 1);
    return isCut ? make(strength.weak, at + 1) : noStatement;
  }
  const name = skipWords(tokens, isKnown ? skipComments(tokens, at + 1) : at, existence);
  const end = endOfName(tokens, name);
  return end === name ? noStatement : readDefined(tokens, at, skipComments(tokens, end), verb);
}

/** Behind `DROP OWNED BY`, `ALTER SYSTEM SET`, `CREATE INDEX ON a(`, which need no name; -1 for all else. */
function endOfUnnamed(tokens: SqlTokens, next: number, at: number, verb: number): number {
  const isOwned = isWordAt(tokens, next, 'owned') && isWordAt(tokens, next + 1, 'by');
  if (verb === sqlWord.drop && isOwned) return next + 2;
  if (verb === sqlWord.alter && isServerChange(tokens, at)) return at + 2;
  if (isWordAt(tokens, at - 1, 'event')) return endOfSchedule(tokens, at);
  return isOneOf(tokens, at, spokenObjects) ? endOfPlace(tokens, at + 1) : -1;
}

/** Behind the words of MariaDB in `ALTER ONLINE TABLE` and `CREATE ONLINE INDEX`; people create online tables. */
function skipOnline(tokens: SqlTokens, next: number, verb: number): number {
  const at = skipWords(tokens, next, ['online', 'ignore']);
  return verb === sqlWord.alter || isWordAt(tokens, at, 'index') ? at : next;
}

/** `CREATE EVENT a ON SCHEDULE EVERY 1 DAY …`; people launch `at noon` and `every week`. */
function endOfSchedule(tokens: SqlTokens, name: number): number {
  const on = skipComments(tokens, endOfName(tokens, name));
  const time = skipWords(tokens, on, ['on', 'schedule']);
  const isTimed = time > on + 1 && isOneOf(tokens, time, ['every', 'at']);
  const first = skipComments(tokens, time + 1);
  const behind = tokens.kind[first + 1] as number;
  const isSaid = isName(tokens, first) && behind !== sqlToken.open && !isQuote(behind);
  return isTimed && !isSaid ? time + 1 : -1;
}

const existence = ['if', 'not', 'exists'];

function isObject(tokens: SqlTokens, at: number, verb: number): boolean {
  if (verb === sqlWord.drop && isWordAt(tokens, at, 'tables')) return true;
  const isListed = tokens.kind[at] === sqlToken.word && objects[tokens.word[at] as number] === 1;
  return isListed || isOneOf(tokens, at, otherObjects);
}

const objects: Uint8Array = classSet(classesOf('table object procedure infoCall'));

/** What stands behind the name of an object, whose kind is at `object`. */
function readDefined(tokens: SqlTokens, object: number, at: number, verb: number): Statement {
  if (tokens.kind[at] === sqlToken.open) {
    return make(verb === sqlWord.create ? strength.certain : strength.weak, at + 1);
  }
  if (isOneOf(tokens, at, definitionFollowers)) {
    if (isOneOf(tokens, at, certainFollowers) && !isOneOf(tokens, object, otherObjects)) {
      return make(strength.certain, at + 1);
    }
    const isShaped = !isOneOf(tokens, at, spokenFollowers);
    // `CREATE TABLE a AS SELECT …` ends with its query.
    const query = skipComments(tokens, at + 1);
    const end = isWordOf(tokens, query, sqlWord.select) ? readSelect(tokens, query).end : at + 1;
    // `RENAME TO a`, `ADD a int`
    const last = endOfWords(tokens, end);
    return make(isShaped ? strength.shaped : strength.weak, isEnd(tokens, last) ? last : end);
  }
  if (tokens.kind[at] === sqlToken.comma) {
    return make(strength.weak, Math.max(endOfTables(tokens, skipComments(tokens, at + 1)), at));
  }
  // `DROP TABLE a WAIT 5` of MariaDB
  if (isWordAt(tokens, at, 'wait') && isEnd(tokens, at + 2)) return make(strength.shaped, at + 2);
  // To alter something takes more than its name.
  const isWhole = isEnd(tokens, at) && verb !== sqlWord.alter;
  return isWhole ? make(strength.shaped, at) : noStatement;
}
