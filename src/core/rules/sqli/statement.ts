import type { Breaks } from '../../grammars/sql/breaks.ts';
import {
  depthBetween,
  type SqlTokens,
  skipComments,
  sqlToken,
} from '../../grammars/sql/sql-token.ts';
import { classOfWord } from '../../grammars/sql/sql-words.ts';
import { isComment, isOneOf, strength } from '../../grammars/sql/statement-parts.ts';
import { readStatement } from '../../grammars/sql/statement-shape.ts';
import { commonVerbs, statementTrigger, tellingVerbs } from '../../grammars/sql/triggers.ts';
import { statementVerbs } from '../../grammars/sql/word-classes.ts';
import { confidence } from '../../placement/confidence.ts';
import { isLineInHead } from '../../placement/field-role.ts';
import { isPlainQuery } from '../../placement/shown-statement.ts';
import { readBreaks, spanOfTokens, wordsBehind } from '../../placement/sql-evidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { charClass, isLetter } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/**
 * A value that is a statement from its first word on: `select name from sysobjects`, `exec
 * xp_cmdshell`.
 */
export const statement: ValueRule = {
  id: 'sqli.statement',
  score: confidence.strong,
  message: 'is an SQL statement of its own',
  trigger: statementTrigger,
  judge,
  examples: [
    ...["update staff set role='admin' where id=1", "insert into staff(name) values ('x')"],
    ...['select name from sysobjects', "exec xp_cmdshell 'dir'", 'declare @x varchar(9)'],
    'drop table staff;--',
    {
      body: {
        'body.title': "SELECT table_name FROM information_schema.tables WHERE table_catalog='a'",
      },
    },
    { body: { 'body.answer': "select max(b)\nfrom users\nwhere a = 'or 1 or'" } },
    { body: { 'body.comment': 'select * from master..sysservers' } },
    { body: { sql: 'select host, password from mysql.user' } },
    { body: { 'query.query': 'select count(*) from orders' } },
    { body: { 'body.answer': 'drop table staff;--' } },
    { body: { 'query.sql': 'select * from users' } },
    { body: { 'body.native': { query: 'select name from mysql.user' } } },
    {
      body: {
        'body.native': { query: "select a from b where c in (1) or 2=2 and d='=0 or not '" },
      },
    },
    { body: { 'body.native': { query: "select count(*) from b where c like '%id%'1 or 2=2" } } },
  ],
  lookalikes: [
    ...['if len(a) == 0 or len(b) == 0:\n    return False', 'SELECT-a-size towels, 6=12 rolls'],
    ...['If 1=1 then drop table tennis from the programme', 'drop table lamp -- regards, Ann'],
    ...['Select a plan that works for you and your team', 'Insert into slot A, then update later'],
    ...['declare @home office days in the calendar', 'if now() + skew < stamp:\n    raise Late'],
    ...['select a car or van (see #12)', 'delete from table where id in', 'Show tables and chairs'],
    ...['create a view from the window', 'select, alert, master, union', 'Delete from cart'],
    ...['Backup Database Consulting', "print('total', len(items))", 'exec sp_helptext meaning'],
    ...['select 1 from a', 'Exec @ Home', 'exec @home'],
    {
      body: {
        'body.description': "update orders set status = 'shipped' where id = 1234; took 5 minutes",
      },
    },
    {
      body: { 'body.comment': 'SELECT a.id, COUNT(*) FROM a JOIN b ON b.id = a.b_id GROUP BY 1;' },
    },
    { body: { sql: 'SELECT region, SUM(amount) FROM sales WHERE year = 2024 GROUP BY region' } },
    { body: { 'body.message': "INSERT INTO books\nVALUES ('War and Peace', '/a/b', '%5');" } },
    { body: { 'db.statement': 'select id, total from orders where user_id = 7 limit 10' } },
    { body: { 'body.prompt': "UPDATE bills SET paid = TRUE WHERE number = 'R-17'" } },
    { body: { 'query.sql': 'select region, total from sales' } },
    { body: { 'body.answer': 'DROP TABLE students;' } },
    { body: { 'body.sql': 'select * from users' } },
    {
      body: {
        data: { 'init.sql': 'CREATE TABLE a (\n  id int\n);\nINSERT INTO a (id)\nVALUES (1);' },
      },
    },
    {
      body: {
        'body.native': {
          query: "SELECT region, count(*) FROM sales WHERE day > now() - interval '7 days'",
        },
      },
    },
    { body: { blocks: [{ text: "SELECT count(*) FROM jobs WHERE state='stuck'" }] } },
  ],
};

const scores: readonly number[] = [0, confidence.trace, confidence.hint, confidence.strong];

function judge(subject: Subject): Match | undefined {
  const start = startOfVerb(subject.text);
  const hasLines = (subject.classes & charClass.lineBreak) !== 0;
  const head = hasLines ? lineHead.exec(subject.text.slice(0, headMax))?.[0] : undefined;
  const found = head === undefined ? undefined : judgeLine(subject, head.length);
  return found ?? (start < 0 ? undefined : judgeFirst(subject, start));
}

/**
 * A word at most, and on the next line a whole statement: it leaves a line comment of the statement,
 * and ends with a semicolon or a comment. Out of an address no lines come; a body may have them, and
 * no open comment behind what only SQL can say.
 */
function judgeLine(subject: Subject, line: number): Match | undefined {
  const all = readBreaks(subject);
  const { tokens } = all;
  const isInHead = isLineInHead(subject.member);
  const at = skipComments(tokens, tokenAt(tokens, line));
  const isClosed = isInHead && tokens.kind[tokens.count - 1] === sqlToken.semicolon;
  if (!isClosed && !isCutBehind(tokens, at, isInHead ? 1 : 0)) return undefined;
  const least = isInHead && !isNote(tokens, at) ? strength.weak : strength.shaped;
  if (readStatement(tokens, at).strength < least) return undefined;
  return { ...spanOfTokens(all, at, tokens.count), score: confidence.likely };
}

/** `call Ann;`, `commit changes;` in a list of things to do: a verb, a word and a semicolon. */
function isNote(tokens: SqlTokens, at: number): boolean {
  const { kind, count } = tokens;
  const isWord = kind[at + 1] === sqlToken.word && kind[at + 2] === sqlToken.semicolon;
  return count === at + 3 && isWord && isOneOf(tokens, at, commonVerbs);
}

/** An open comment with so many words of a remark at most. */
function isCutBehind(tokens: SqlTokens, from: number, wordsMax: number): boolean {
  for (let at = from; at < tokens.count; at++) {
    const isOpen = isComment(tokens, at) && (tokens.jump[at] as number) < 0;
    if (isOpen) return wordsBehind(tokens, at) <= wordsMax;
  }
  return false;
}

function tokenAt({ start, count }: SqlTokens, offset: number): number {
  let at = 0;
  while (at < count && (start[at] as number) < offset) at++;
  return at;
}

const lineHead = /^[^\S\r\n]{0,8}[\w.@-]{0,40}[^\S\r\n]{0,8}[\r\n]/;
const headMax = 60;

function judgeFirst(subject: Subject, start: number): Match | undefined {
  const all = readBreaks(subject);
  const at = tokenAt(all.tokens, start);
  const found = readStatement(all.tokens, at);
  if (found.strength === strength.none || !isTelling(subject.text, start)) return undefined;
  const isShaped = found.strength === strength.shaped && isCutOff(all, at, found.end);
  const isOwn = statementMember.test(subject.member.slice(-40)) && isPlainQuery(subject.text);
  const isLinked = isOwn && subject.member.startsWith('query.') && accounts.test(subject.text);
  const score = isLinked
    ? confidence.likely
    : isOwn
      ? confidence.hint
      : isShaped
        ? confidence.likely
        : (scores[found.strength] as number);
  return { ...spanOfTokens(all, at, found.end), score };
}

/** `Use only modes 'rb' or 'wb'`: what begins so goes on with a verb that only SQL has. */
function isTelling(text: string, start: number): boolean {
  const said = text.slice(start).toLowerCase();
  return tellingVerbs.some((verb) => said.includes(verb));
}

/**
 * Where the value's first word stands when it is a verb of SQL; quotes and white space may stand
 * before it.
 */
function startOfVerb(text: string): number {
  let at = 0;
  while (at < openingMax && isOpening(text.charCodeAt(at))) at++;
  let end = at;
  while (end < at + verbMax && isLetter(text.charCodeAt(end))) end++;
  return verbs.has(classOfWord(text, at, end)) ? at : -1;
}

/** A table of those who may sign in: a console sends that in a body, and not in an address. */
const accounts =
  /\bfrom\s{1,8}(?:\w{1,40}\.)?["`[]?(?:\w{1,20}_)?(?:users?|accounts?|admins?|members?)\b/i;

/** Members that statements are sent in: by consoles, traces, exercises. */
const statementMember = /(?:^|[._\-[])(?:sql|statement|stmt|(?:raw|native)_?(?:sql|query))\]?$/i;

const openingMax = 32;
const verbMax = 12;

/** White space, quotes, closing parentheses and the signs of comments. */
function isOpening(code: number): boolean {
  return code <= 32 || code === 39 || code === 34 || code === 96 || code === 41 || code === 59;
}

const verbs: ReadonlySet<number> = new Set(statementVerbs);

/** True when a comment cuts what follows, or a semicolon ends the value. */
function isCutOff({ tokens }: Breaks, from: number, end: number): boolean {
  const { text, kind, start, count } = tokens;
  const last = kind[end] === sqlToken.semicolon ? end + 1 : end;
  if (last > end && last >= count) return true;
  if (!isComment(tokens, last)) return false;
  // A signature or a remark says no more of the statement than none would.
  const comment = start[last] as number;
  return !remark.test(text.slice(comment, comment + remarkChars)) && isClosed(tokens, from, last);
}

const remark = /^(?:--|#)\s{0,8}\p{L}{2,20}[,.:!]{0,2} \p{L}{2}/u;
const remarkChars = 40;

/** `select one (see #12)`: a comment behind a parenthesis that is open cuts no statement. */
function isClosed(tokens: SqlTokens, from: number, end: number): boolean {
  return depthBetween(tokens, from, end) <= 0;
}
