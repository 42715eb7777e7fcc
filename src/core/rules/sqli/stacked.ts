import { type Break, type Breaks, context } from '../../grammars/sql/breaks.ts';
import { isCommand } from '../../grammars/sql/command.ts';
import { connective } from '../../grammars/sql/connectives.ts';
import { isQuote, type SqlTokens, skipComments, sqlToken } from '../../grammars/sql/sql-token.ts';
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
import { takesText } from '../../placement/field-role.ts';
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
    ...inMember('body.comment', '12; drop table lamp', '12;repair table lamp'),
    "red';--a\nCREATE--b\nTABLE--c\npublic--d\n.--e\nyg--f\nAS--g\nSELECT--h\n*--i\nFROM--j\nusers;--",
    "1; merge into staff using orders o on o.id=id when matched then update set role='admin'",
    "1; merge into \"staff\" using (select 'x' role) o on name='y' when matched then delete",
    ...['2; create trigger a after insert on orders begin delete from staff; end', "x';shutdown--"],
    ...['1;declare @s national character varying(4000) set @s=0x77 exec(@s)', "x';truncate staff;"],
    ...['-1);create event z on schedule every 1 day do delete from orders;', "x' exec promote 5--"],
    ...["'));delete from ONLY users where id BETWEEN 5 AND 5 --", '1; deny select on staff to ann'],
    ...["2; insert or replace into staff(id,role) values(1,'x')", '1; delete(select * from staff)'],
    ...['price;CREATE TABLE kept AS SELECT * FROM users-- ', "';declare @s dec drop table users--"],
    ...['1;create rule r as on insert to staff do nothing', "7;insert into admins values('a','b')"],
    ...["'; do $q$ begin perform pg_sleep(4); end $q$; --", '1;delete o from orders o join staff;'],
    ...['1;-- home of tea\ndelete from-- a note\nlogs--x', "';alter table staff change pin z int;"],
    ...['1;delete from orders o where true returning*;', "2; update staff set(role,bio)=('a','b')"],
    ...['1; deny select on schema::dbo to ann cascade', '9;start transaction;delete from orders;o'],
    ...['1; declare a staff%rowtype; begin null; end;', '1; create or replace package p as end;'],
    ...['1\n-- we are here now\n; drop table logs -- ', "1');declare @q varchar(99) set @q='x'"],
    ...['1; alter system set encryption wallet close', '5;--\nif 1 then\ndelete from staff;end if'],
    ...["1; update(select * from staff) set role='x'", '1;prepare p(int)as select 1;execute p(1);'],
    ...["1;if(length(user)>1) waitfor delay '0:0:5'", 'price nulls last; drop table logs -- '],
    ...['1;lock table staff in exclusive mode;', '1;alter online table staff add b int'],
    ...["new'; DELETE FROM users as v0; -- -", "'; exec master..xp_cmdshell 'dir'--", "'; vacuum;"],
    ...["x' select * from staff where role='", 'price;ALTER TABLE cards RENAME TO d', "x';commit;"],
    ...["1 exec[master]..[xp_cmdshell]'dir'", '1;begin;delete from orders;commit;', '1 kill 55 --'],
    ...["'; delete from orders where 1 or'", 'here we are`; drop table logs -- ', "x'; revert; --"],
    ...['2; delete from staff using orders', "x' set rowcount 0 delete staff--", '1;set role ann;'],
    ...["1;comment on table staff is 'a'", '5;delete from orders returning*', "2; attach 'x' as y"],
    ...['1;truncate only staff cascade;', '1;refresh materialized view z;', '5 exec delete_user 9'],
    ...["x' exec(N'drop table logs')--", '\');TRUNCATE TABLE "cards"--f', "1;raiserror(N'x',18,1)"],
    ...["x' delete staff where id=5--", '1 delete top(1) from [staff]', "1; execute as user='dbo'"],
    ...['1;truncate--\ntable--\ncards', '1;create index on staff(id)', 'price drop table logs -- '],
    ...["' exec sp_configure 'x',1--", '1 update staff set price-=1', 'created_at;drop table logs'],
    ...['2; pragma writable_schema=1', '1;set global general_log=1;', 'price;truncate table logs;'],
    ...['price] drop table logs -- ', "1;purge binary logs to 'x'", "x' select * from staff --"],
    ...["';DELETE FROM orders t--t", "1; throw 50000, 'x', 1", '1;reindex table staff;'],
    ...['1; drop table users--', '1; dbcc freeproccache', '1;repair table staff;', "x'; end; --"],
    ...['1;kill hard query 5;', "1;install soname'b';", '1;drop tables staff;', '1;rollback'],
    ...["p'; delete from orders where 1;", '-1;delete from orders where true'],
    ...['5;;select pin into temp t from staff;table t-- ', '1;explain delete from orders'],
    ...['1;create aggregate q(int)(sfunc=int4pl,stype=int)-- ', '1;table staff order by id;'],
    ...["x';delete from staff order by id limit 1;", '1;drop table staff wait 1'],
    ...['1; analyze format=json delete from staff', '3;create statistics q on id,pin from staff'],
    ...["5;select int4'1';", "5;select public.text'1';", "x';select pg_catalog.int4'1'"],
    ...['1; purge recyclebin', "x'; TABLE staff; --", "1;load'/tmp/a.png';", '1;call delete_all'],
    ...['1/**/;  call p(5)', "x'; null; end; --", '1;set@a=1;', "1;load'x';"],
    {
      body: {
        'body.post': "national character varying\n'5'::int; drop table logs; drop table staff",
      },
    },
    {
      body: { 'body.message': 'Hello my dear friend */; drop table logs; create table c(id int)' },
    },
    { body: { 'body.message': '1;\nalter table staff rename to kept;\ndrop table logs' } },
    { body: { 'body.message': "select 1,\n', pin from staff; drop table staff -- '" } },
    { body: { 'body.message': "Hello my dear friend'; drop table users; select 'x" } },
    { body: { 'body.post': '1 drop view a; drop table b; create table c(id int)' } },
    { body: { 'query.sort': 'name;truncate staff' } },
    { body: { 'query.id': '1 drop table staff' } },
    ...inMember('query.id', '5;do q(1)', '5; alter sequence s restart', '1;abort and chain'),
  ],
  lookalikes: [
    ...['ok; explain delete from the manual', 'Table tennis; table two order by phone, please'],
    ...inMember('query.id', '5;start=3', '5;get', '12;a9 b', '12;call back later', '3;set of two'),
    ...inMember(
      'query.id',
      '1; lock 4',
      '7;change size',
      '5;table tennis set',
      '5;update available',
    ),
    ...inMember('query.note', '12; repair table lamp', '5; check table a', '6; set role model'),
    'You can use `SELECT name, COUNT(*) FROM staff GROUP BY name HAVING COUNT(*) > 1` for it.',
    'break;\n\tif ((!strcmp(argv[i], "-a")) || (!strcmp(argv[i], "-b")))\n\t\treturn 1;',
    ...['ERROR: no such table at character 15; SELECT * FROM users WHERE id = 1', '2; deny select'],
    ...['The command `SELECT 1` is a health check; see `SELECT version()` too', '1; exec order 66'],
    ...['use Auth;\nuse Value;\n\n/**\n * Starts it.\n */\nfunction boot() {}', '2 exec members 5'],
    ...['def f(x):\n    """Says it."""\n    if len(x) == 2:\n        return 1', '5 execute plan 9'],
    ...['=QUERY(Sheet1!A:C,"select A, sum(C) where B = \'x\' group by A",1)', 'John; (select one)'],
    ...["my $x = 'a';\n    if (length($x) > 1) {\n        return 0;\n    }", '12; kill hard drive'],
    ...['db.execute(\n  "UPDATE post SET author_id = 2 WHERE id = 1")', 'declare war; begin again'],
    ...['The meeting starts at 10; table reservations close at 9', 'Beef; repair table and chairs'],
    ...['I was told: "exec master class is full". Is that right?', "The boys'; set local time = 9"],
    ...['Truncate logs, traces and so on; explain (briefly) why', 'ok; refresh materialized plans'],
    ...['n = a;\n  if (length(x) == 1) {\n    return x;\n  }', 'Section 1; begin; Section 2; end;'],
    ...['int flags = 0;\n  if (flags & 0xe0)\n    return 1;', 'a@example.com; declare@example.org'],
    ...['Review budget; create policy on travel with care', "The boys' set; and the girls' set --"],
    ...['n = 5; # how many\nupdate later, delete the rest', '$, = ", ";\nprint sin(.5), cos(.5);'],
    ...['Beef stew; update or ignore it; delete from cart', "clear; n = 10; load 'data/run.mat';"],
    ...["const time = await pool.query('SELECT now()');", '3; create statistics on sales (draft)'],
    ...['perf: `SELECT COUNT(*)` -> `EXISTS (SELECT 1)`', 'Execute as user root in the container'],
    ...["Run psql -c 'select * from staff' and tell me", 'Two chairs;  table for two; set aside'],
    ...['the dual table is odd; select from dual, huh?', 'Step 2; create online table booking'],
    ...['1; create event party on schedule every week', 'Beef; set aside; drop heat; update later'],
    ...['2; delete from list where due returning soon', 'a; create event planner on schedule'],
    ...['2; refresh materialized view, then tell Ann', 'let n = 6;\nif n % 4 == 0 { go(); }'],
    ...['drop table reservations; select a union rep', '5 print jobs --- and 6 use cases'],
    ...['Changed: `ALTER SYSTEM SET` is logged now.', 'y = f(1) if len(x) > 1 else g(2)'],
    ...['5 use cases for the new shop --', '3 drop off at the back door --', '2 create user guide'],
    ...['Delete account; update profile', 'Step 2; comment on it -- Ann', "x' merge main on green"],
    ...['John; install plugin updates', 'delete from orders t -- typo', 'Start; delete from cart'],
    ...['2; create index of the book', 'Step 1; create table; done', "the girls'; lock the door"],
    ...['5; merge main on friday', 'John;drop table at nine', 'Sofa; chair; table lamp'],
    ...['2 chairs; table for two', '3; alter package body', 'Begin early; end late', '12;call mom'],
    ...["x = 5; load 'app.rb'", '1; alter session set', 'throw ball, 3 times', 'name;show table'],
    ...['delete (select one)', '5; repair table', '3; purge binary', '"select * from"', '5; end #'],
    ...['John; delete from list where 2 are', '-1; see 2'],
    ...['3 select a plan', 'begin; do; end', '1 delete cart', 'ok; shutdown', 'Dbcc meeting'],
    '1; revert',
    ...inMember('query.columns', 'brand;analyze', 'sha;commit'),
    {
      body: {
        'body.message':
          "We ran this and I don't know why it fails:\nDROP TABLE IF EXISTS a;\nDROP TABLE b;\nCREATE TABLE a (id int);",
      },
    },
    {
      body: { 'body.message': 'CREATE TABLE a (\n  id int\n);\n\nCREATE TABLE b (\n  id int\n);' },
    },
    { body: { 'body.message': 'Why does each generated query have WHERE 1=1 AND a = 3. A bug?' } },
  ],
};

function judge(subject: Subject): Match | undefined {
  if (!separates.test(subject.text) && !leadsWithNumber.test(subject.text)) return undefined;
  if (takesText(subject.member) && note.test(subject.text)) return undefined;
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

/** A note, which stands where no number does: words that are as well a statement, which changes nothing. */
const note = /^\d{1,9}; (?:(?:analyze|check|optimize|repair) table|set role|use) \w{1,40}$/i;

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
  if (statement.strength <= strength.weak && isKey && isBehindNumber(one, all))
    return { score: confidence.likely, end: all.tokens.count };
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

/** `5; alter sequence s restart`: a statement right behind the number of a row. */
function isBehindNumber({ at, context: place }: Break, { tokens, lead }: Breaks): boolean {
  if (place !== context.number || at !== skipComments(tokens, lead.end)) return false;
  return isCommand(tokens, skipComments(tokens, at + 1));
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
  if (place === context.quote) return (isGlued || before === 0) && before <= 1 && !one.isBalanced;
  // `1; revert` and `sha;commit` are words: nothing is done to anything.
  const isNamed = end > at + 2;
  let first = skipComments(all.tokens, all.lead.end);
  while (first < at && first < emptyMax && all.tokens.kind[first + 1] === sqlToken.semicolon)
    first++;
  const isNumber = place === context.number && at === first;
  return isNumber ? isNamed || isKey || isGlued : before === 0 && isNamed && isKey;
}

/** Tokens up to which empty statements, `5;;;x`, are passed. */
const emptyMax = 8;

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

/** Nothing is behind, but a semicolon or the quote of the statement. */
function endsText({ kind }: SqlTokens, at: number): boolean {
  const isClosed = kind[at] === sqlToken.semicolon || isQuote(kind[at] as number);
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
