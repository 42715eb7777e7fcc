import { type Break, type Breaks, context } from '../../grammars/sql/breaks.ts';
import { connective } from '../../grammars/sql/connectives.ts';
import { type SqlTokens, skipComments, sqlToken } from '../../grammars/sql/sql-token.ts';
import { sqlWord } from '../../grammars/sql/sql-words.ts';
import {
  isComment,
  isWordAt,
  type Statement,
  strength,
} from '../../grammars/sql/statement-parts.ts';
import { readStatement } from '../../grammars/sql/statement-shape.ts';
import { commonVerbs, stackedSigns, stackedTrigger } from '../../grammars/sql/triggers.ts';
import { verbs } from '../../grammars/sql/word-classes.ts';
import { confidence } from '../../placement/confidence.ts';
import { isKeyMember, isNameMember } from '../../placement/member.ts';
import { isCited } from '../../placement/shown-statement.ts';
import {
  certain,
  isAtStart,
  isEarlyQuote,
  isFirstQuote,
  isInSentence,
  lastComment,
  opensQuotation,
  readBreaks,
  spanOfTokens,
} from '../../placement/sql-evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { inMember, type Match, type ValueRule } from '../rule.ts';

/** `1; drop table users--`, `'; exec master..xp_cmdshell 'dir'--`, `1;waitfor delay '0:0:5'`. */
export const stacked: ValueRule = {
  id: 'sqli.stacked',
  severity: 'critical',
  score: confidence.certain,
  message: 'ends the statement and begins another one',
  trigger: stackedTrigger,
  judge,
  examples: [
    ...["x';truncate staff;", "x';commit;", "1;comment on table staff is 'a'", '1;call delete_all'],
    ...[{ body: { 'query.sort': 'name;truncate staff' } }, '1;create index on staff(id)'],
    ...['1;create rule r as on insert to staff do nothing', '5;delete from orders returning*'],
    ...["';alter table staff change pin z int;", '9;start transaction;delete from orders;o'],
    '1;declare @s national character varying(4000) set @s=0x77 exec(@s)',
    "';declare @s dec drop table users--",
    "'));delete from ONLY users where id BETWEEN 5 AND 5 --",
    "new'; DELETE FROM users as v0; -- -",
    "red';--a\nCREATE--b\nTABLE--c\npublic--d\n.--e\nyg--f\nAS--g\nSELECT--h\n*--i\nFROM--j\nusers;--",
    ...['1; drop table users--', "'; exec master..xp_cmdshell 'dir'--"],
    ...["7;insert into admins values('a','b')", "x';shutdown--", 'created_at;drop table logs'],
    ...['price;truncate table logs;', 'price;CREATE TABLE kept AS SELECT * FROM users-- '],
    ...["1');declare @q varchar(99) set @q='x'", "' exec sp_configure 'x',1--"],
    ...["1;if(length(user)>1) waitfor delay '0:0:5'", 'here we are`; drop table logs -- '],
    ...['price nulls last; drop table logs -- ', 'price drop table logs -- '],
    ...['price] drop table logs -- ', "1 exec[master]..[xp_cmdshell]'dir'"],
    ...["x' exec(N'drop table logs')--", "x' exec promote 5--", "x' set rowcount 0 delete staff--"],
    ...["x' delete staff where id=5--", "x' select * from staff where role='"],
    ...["x' select * from staff --", "x'; revert; --", '1 delete top(1) from [staff]'],
    ...['1 update staff set price-=1', { body: { 'query.id': '1 drop table staff' } }],
    ...inMember(
      'body.message',
      "Hello my dear friend'; drop table users; select 'x",
      '1;\nalter table staff rename to kept;\ndrop table logs',
    ),
    ...inMember(
      'body.post',
      '1 drop view a; drop table b; create table c(id int)',
      "national character varying\n'5'::int; drop table logs; drop table staff",
    ),
    ...inMember(
      'body.message',
      'Hello my dear friend */; drop table logs; create table c(id int)',
      "select 1,\n', pin from staff; drop table staff -- '",
    ),
    ...['1 kill 55 --', '1;truncate--\ntable--\ncards', "';DELETE FROM orders t--t"],
    ...['price;ALTER TABLE cards RENAME TO d', '\');TRUNCATE TABLE "cards"--f', '1;rollback'],
    ...['1/**/;  call p(5)', '5 exec delete_user 9'],
    '1; deny select on schema::dbo to ann cascade',
    '1; alter system set encryption wallet close',
    "1; merge into \"staff\" using (select 'x' role) o on name='y' when matched then delete",
    "1; merge into staff using orders o on o.id=id when matched then update set role='admin'",
    ...["1;raiserror(N'x',18,1)", '1; deny select on staff to ann', "x'; end; --"],
    ...["x'; null; end; --", '1; declare a staff%rowtype; begin null; end;'],
    ...['1; delete(select * from staff)', "1; update(select * from staff) set role='x'"],
    ...['1; create or replace package p as end;', '1; purge recyclebin', "1; throw 50000, 'x', 1"],
    ...['1; dbcc freeproccache', '5;--\nif 1 then\ndelete from staff;end if'],
    ...["1; execute as user='dbo'", '1\n-- we are here now\n; drop table logs -- '],
    '1;-- home of tea\ndelete from-- a note\nlogs--x',
    ...["'; do $q$ begin perform pg_sleep(4); end $q$; --", "x'; TABLE staff; --"],
    ...["2; attach 'x' as y", '2; pragma writable_schema=1'],
    "2; insert or replace into staff(id,role) values(1,'x')",
    ...["2; update staff set(role,bio)=('a','b')", '2; delete from staff using orders'],
    '2; create trigger a after insert on orders begin delete from staff; end',
    ...['1;repair table staff;', '1;truncate only staff cascade;', '1;kill hard query 5;'],
    ...['1;prepare p(int)as select 1;execute p(1);', '1;set global general_log=1;', '1;set@a=1;'],
    ...['1;begin;delete from orders;commit;', '1;delete o from orders o join staff;'],
    ...["1;install soname'b';", "1;load'x';", '1;refresh materialized view z;', '1;set role ann;'],
    ...['1;lock table staff in exclusive mode;', '1;drop tables staff;', '1;reindex table staff;'],
    '-1);create event z on schedule every 1 day do delete from orders;',
    ...['1;delete from orders o where true returning*;', "1;load'/tmp/a.png';"],
    ...["1;purge binary logs to 'x'", '1;alter online table staff add b int'],
  ],
  lookalikes: [
    ...["the girls'; lock the door", '12;call mom', 'name;show table'],
    ...inMember('query.columns', 'sha;commit', 'brand;analyze'),
    ...['Step 2; comment on it -- Ann', 'Review budget; create policy on travel with care'],
    ...['2; create index of the book', '3; create statistics on sales (draft)'],
    ...['Start; delete from cart', 'Beef; set aside; drop heat; update later'],
    'n = 5; # how many\nupdate later, delete the rest',
    'n = a;\n  if (length(x) == 1) {\n    return x;\n  }',
    '$, = ", ";\nprint sin(.5), cos(.5);',
    '=QUERY(Sheet1!A:C,"select A, sum(C) where B = \'x\' group by A",1)',
    ...['Beef; repair table and chairs', 'ok; refresh materialized plans', '12; kill hard drive'],
    ...['John; install plugin updates', "The boys'; set local time = 9", "x = 5; load 'app.rb'"],
    ...["clear; n = 10; load 'data/run.mat';", '5; repair table'],
    ...['Step 2; create online table booking', '1; create event party on schedule every week'],
    ...['2; refresh materialized view, then tell Ann', '3; purge binary'],
    ...['a; create event planner on schedule', '2; delete from list where due returning soon'],
    ...['5; merge main on friday', "x' merge main on green", '1; revert', '2; deny select'],
    ...['1; exec order 66', '2 exec members 5', '5 execute plan 9', '3; alter package body'],
    ...['1; alter session set', 'Changed: `ALTER SYSTEM SET` is logged now.', '5; end #'],
    ...['drop table reservations; select a union rep', 'ok; shutdown', 'John;drop table at nine'],
    ...['a@example.com; declare@example.org', 'Step 1; create table; done'],
    ...inMember(
      'body.message',
      'CREATE TABLE a (\n  id int\n);\n\nCREATE TABLE b (\n  id int\n);',
      "We ran this and I don't know why it fails:\nDROP TABLE IF EXISTS a;\nDROP TABLE b;\nCREATE TABLE a (id int);",
      'Why does each generated query have WHERE 1=1 AND a = 3. A bug?',
    ),
    ...["Run psql -c 'select * from staff' and tell me", '"select * from"'],
    'The command `SELECT 1` is a health check; see `SELECT version()` too',
    "const time = await pool.query('SELECT now()');",
    'You can use `SELECT name, COUNT(*) FROM staff GROUP BY name HAVING COUNT(*) > 1` for it.',
    ...['John; (select one)', 'perf: `SELECT COUNT(*)` -> `EXISTS (SELECT 1)`'],
    ...['Sofa; chair; table lamp', '2 create user guide', '3 drop off at the back door --'],
    ...['5 use cases for the new shop --', '1 delete cart', "The boys' set; and the girls' set --"],
    ...['3 select a plan', 'Begin early; end late', 'begin; do; end'],
    ...['Execute as user root in the container', 'Dbcc meeting', 'delete from orders t -- typo'],
    ...['throw ball, 3 times', 'delete (select one)', 'declare war; begin again'],
    ...['Section 1; begin; Section 2; end;', '5 print jobs --- and 6 use cases'],
    'Delete account; update profile',
    'use Auth;\nuse Value;\n\n/**\n * Starts it.\n */\nfunction boot() {}',
    'y = f(1) if len(x) > 1 else g(2)',
    'def f(x):\n    """Says it."""\n    if len(x) == 2:\n        return 1',
    ...['2 chairs; table for two', 'Two chairs;  table for two; set aside'],
    'Truncate logs, traces and so on; explain (briefly) why',
    'Beef stew; update or ignore it; delete from cart',
    'The meeting starts at 10; table reservations close at 9',
    'ERROR: no such table at character 15; SELECT * FROM users WHERE id = 1',
    'I was told: "exec master class is full". Is that right?',
    ...['the dual table is odd; select from dual, huh?', 'let n = 6;\nif n % 4 == 0 { go(); }'],
    "my $x = 'a';\n    if (length($x) > 1) {\n        return 0;\n    }",
    'db.execute(\n  "UPDATE post SET author_id = 2 WHERE id = 1")',
    'int flags = 0;\n  if (flags & 0xe0)\n    return 1;',
    'break;\n\tif ((!strcmp(argv[i], "-a")) || (!strcmp(argv[i], "-b")))\n\t\treturn 1;',
  ],
};

function judge(subject: Subject): Match | undefined {
  if (!separates.test(subject.text) && !leadsWithNumber.test(subject.text)) return undefined;
  const all = readBreaks(subject);
  const isKey = isKeyMember(subject.member) || isNameMember(subject.member);
  const isSigned = holdsSign(subject.text);
  let best: Match | undefined;
  for (const one of all.breaks) {
    if (!isSigned && isFarOff(one, all)) continue;
    const found = statementOf(one, all, isKey);
    if (found === undefined || found.score <= (best?.score ?? 0)) continue;
    const from = one.context === context.quote ? one.before : one.at;
    best = { ...spanOfTokens(all, from, Math.max(found.end, one.at + 1)), score: found.score };
    if (found.score >= certain) break;
  }
  return best;
}

/** A statement behind a break: how sure it is and the first token after it. */
interface Found {
  readonly score: number;
  readonly end: number;
}

const separates = /[;'"`)#]|--|\/\*/;
/** Transact-SQL needs nothing between statements: `1 drop table users`. */
const leadsWithNumber = /^[\s(+~-]{0,8}[\d.]/;

function statementOf(one: Break, all: Breaks, isKey: boolean): Found | undefined {
  const { connective: kind } = one;
  if (kind !== connective.statement && kind !== connective.semicolon) return undefined;
  const found =
    kind === connective.semicolon ? separated(one, all, isKey) : unseparated(one, all, isKey);
  const isSure = found !== undefined && found.score >= confidence.likely;
  if (isSure || !isFramed(one, all, isKey || found !== undefined)) return found;
  return { score: confidence.likely, end: all.tokens.count };
}

function separated(one: Break, all: Breaks, isKey: boolean): Found | undefined {
  const statement = readStatement(all.tokens, one.at + 1);
  if (statement.strength === strength.none) return undefined;
  const isProse = !(isKey && one.before === 0) && isBehindWords(one, all);
  const isWeak = statement.strength === strength.weak;
  const isCut = isCutAt(all.tokens, statement.end, isWeak);
  const isLast = endsText(all.tokens, statement.end);
  const isTail = isProse && isTight(one, all) && isLast;
  const isWhole = isLast && isAllElse(one, all, isKey, statement.end);
  const score = scoreOf(statement.strength, isProse, isCut || isTail || isWhole);
  return { score, end: statement.end };
}

function isBehindWords(one: Break, all: Breaks): boolean {
  switch (one.context) {
    case context.word:
      return !isBehindStatement(one, all);
    case context.other:
      return all.tokens.kind[one.before] !== sqlToken.semicolon;
    default:
      return one.context === context.number && isInSentence(one, all);
  }
}

/**
 * `x'; end; --`, `1 kill 55 --`: data of a word or a number, the end of its literal, and at the very
 * end the bare mark of a comment. What is between may be a statement of which the reading knows too
 * little; a sentence that begins and ends so there is none.
 */
function isFramed(one: Break, all: Breaks, mayBeWords: boolean): boolean {
  const isSeparated = one.connective === connective.semicolon;
  if (lastComment(all.tokens) <= one.at) return false;
  if (one.context === context.number) {
    // `3 drop off at the back door --`, and `5; use 6 --`, but not `1 kill 55 --`
    const from = isSeparated ? one.at + 1 : one.at;
    const isUnknown = readStatement(all.tokens, from).strength === strength.none;
    const isSaid = isOfWords(all.tokens, from, all.tokens.count - 1, isUnknown);
    return one.before === 0 && (mayBeWords || !isSaid);
  }
  if (one.context !== context.quote || one.isBalanced || opensQuotation(one, all)) return false;
  return isFirstQuote(one, all) && one.before <= (isSeparated ? namesMax : 1);
}

const namesMax = 4;

/** `2; TABLE users`, `x';truncate users;`: nothing but data in front of the statement. */
function isAllElse(one: Break, all: Breaks, isKey: boolean, end: number): boolean {
  const { before, at, context: place } = one;
  const isGlued = isTight(one, all);
  if (place === context.quote) return isGlued && before <= 1 && !one.isBalanced;
  // `1; revert` and `sha;commit` are words: nothing is done to anything.
  const isNamed = end > at + 2;
  const isNumber = place === context.number && at === skipComments(all.tokens, 1);
  return before === 0 && (isNumber ? isNamed || isKey || isGlued : isNamed && isKey);
}

/** `…; SAVEPOINT a; DELETE …`: what stands before is a statement of a word or two. */
function isBehindStatement({ before }: Break, { tokens }: Breaks): boolean {
  const { kind } = tokens;
  for (let from = before; from >= before - 1 && from > 0; from--) {
    if (kind[from - 1] !== sqlToken.semicolon) continue;
    return opening.has(tokens.word[from] as number) || isWordAt(tokens, from, 'start');
  }
  return false;
}

/** Statements of a word or two that others follow. */
const opening: ReadonlySet<number> = new Set([sqlWord.end, sqlWord.begin, sqlWord.statement]);

/** Nothing is behind, but a semicolon. */
function endsText({ kind }: SqlTokens, at: number): boolean {
  const isClosed = kind[at] === sqlToken.semicolon;
  return kind[isClosed ? at + 1 : at] === sqlToken.end;
}

/** `name;drop table logs`: no blank on either side of the semicolon. */
function isTight(one: Break, { tokens }: Breaks): boolean {
  return tokens.gap[one.at] === 0 && tokens.gap[one.at + 1] === 0;
}

function scoreOf(found: number, isProse: boolean, isCut: boolean): number {
  if (found === strength.certain) return isProse ? confidence.strong : confidence.certain;
  if (found === strength.shaped)
    return isProse ? (isCut ? confidence.strong : confidence.hint) : confidence.certain;
  if (isProse) return confidence.trace;
  return isCut ? confidence.likely : confidence.hint;
}

/** Behind a number that the value begins with, and nothing between. */
function isSecondOperand({ before, closers, context: place }: Break): boolean {
  return place === context.number && before === 0 && closers === 0;
}

function isOfWords(
  { text, kind, start, end }: SqlTokens,
  from: number,
  to: number,
  mayCount: boolean,
): boolean {
  for (let at = from; at < to; at++) {
    const isNumber = mayCount && kind[at] === sqlToken.number;
    if (kind[at] !== sqlToken.word && !isNumber) return false;
    // `5 exec delete_user 9`
    if (mayCount && text.slice(start[at], end[at]).includes('_')) return false;
  }
  return true;
}

/** A comment, with a semicolon before it or without; an open one has nothing behind it. */
function isCutAt(tokens: SqlTokens, at: number, isOpen: boolean): boolean {
  let comment = skipComments(tokens, at);
  while (tokens.kind[comment] === sqlToken.semicolon) comment = skipComments(tokens, comment + 1);
  return isComment(tokens, comment) && !(isOpen && (tokens.jump[comment] as number) >= 0);
}

/** A verb that only SQL has, or a comment: looked for once, since a text may have many breaks. */
function holdsSign(text: string): boolean {
  const lower = text.toLowerCase();
  return stackedSigns.some((sign) => lower.includes(sign));
}

/** `;\n    if (x) {`: a common word in the next line of a program. */
function isFarOff({ at, connective: kind }: Break, { tokens }: Breaks): boolean {
  if (kind !== connective.semicolon) return false;
  const { text, start, end } = tokens;
  const [from, to] = [start[at + 1] as number, end[at + 1] as number];
  const between = text.slice(end[at], from);
  if (between.length <= 1 || !indented.test(between)) return false;
  return commonWords.has(text.slice(from, to).toLowerCase());
}

const indented = /[\r\n][^\n]/;
const commonWords: ReadonlySet<string> = new Set(commonVerbs);

/** SQL Server needs no semicolon: `' exec master..xp_cmdshell 'dir'--`. */
function unseparated(one: Break, all: Breaks, isKey: boolean): Found | undefined {
  const statement = readStatement(all.tokens, one.at);
  // To SQL Server, which alone needs none, a back-tick is no quote.
  if (one.isBalanced || all.tokens.kind[one.before] === sqlToken.backtick) return undefined;
  if (one.context === context.word || one.context === context.other) {
    const isCut = statement.strength >= strength.shaped && lastComment(all.tokens) > one.at;
    return isCut ? { score: confidence.likely, end: statement.end } : undefined;
  }
  const score = scoreBehindValue(one, all, statement, isKey);
  return score === 0 ? undefined : { score, end: statement.end };
}

function scoreBehindValue(one: Break, all: Breaks, statement: Statement, isKey: boolean): number {
  const { tokens } = all;
  // `f(1) if len(x)`: a word of other languages, too, far from where the value begins.
  const isBehindQuote = one.context === context.quote;
  const isEarly = isBehindQuote ? isEarlyQuote(one, all) : isAtStart(one, all);
  if (!isEarly && !verbs.includes(tokens.word[one.at] as number)) return 0;
  const isBehindNumber = isSecondOperand(one);
  if (statement.strength < strength.shaped) {
    const isWeak = statement.strength === strength.weak;
    return isWeak && isKey && isBehindNumber ? confidence.likely : 0;
  }
  // `2 create user guide`, `5 execute plan 9`: an item of a list.
  const isItem = isBehindNumber && !isKey && isOfWords(tokens, one.at, statement.end, true);
  if (isItem || isCited(one, all, statement)) return confidence.hint;
  const isOut = !isBehindQuote || isEarly;
  if (statement.strength === strength.shaped) return isOut ? confidence.likely : confidence.trace;
  return isOut ? confidence.certain : confidence.likely;
}
