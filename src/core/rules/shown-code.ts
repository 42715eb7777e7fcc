import { isPasswordName } from '../../contract/secret-names.ts';
import type { PathNode } from '../extract/field.ts';
import { confidence } from '../placement/confidence.ts';
import { type FieldRole, roleOf, takesText } from '../placement/field-role.ts';
import { isDeadJson } from '../placement/json-place.ts';
import { isMarkdownFence, isMarkdownSpan } from '../placement/markdown-fence.ts';
import { isOwnLine, isOwnSpan } from '../placement/own-line.ts';
import { isProse, withoutContractions } from '../placement/prose.ts';
import {
  beginsWithColumn,
  isConsoleQuery,
  isPlainExpression,
  isRowChange,
  isTableChange,
} from '../placement/shown-statement.ts';
import type { Subject } from '../placement/subject.ts';
import { apostrophesIn } from '../text/closing-quote.ts';
import { isByLot } from './by-lot.ts';
import type { InCategory, Match, Rule } from './rule.ts';

/** Of evidence that a text only shows: a block at high sensitivity, not at the default. */
export const shownScore = confidence.hint;

/**
 * The confidence of a match in the place where it stands. A program in a field for programs, a
 * fenced block in a message and a search in the address of a page hold code that is not injected,
 * and a password that was drawn by lot holds what looks like it.
 */
export function scoreInPlace(
  rule: InCategory<Rule>,
  match: Match,
  subject: Subject,
  node: PathNode,
): number {
  const score = match.score ?? rule.score;
  if (score <= shownScore || subject.where !== 'value') return score;
  const isCommand = rule.category === 'cmdi';
  const evidence = isCommand ? lineOf(subject.text, match) : evidenceOf(subject.text, match);
  if (unmistakable.test(evidence)) return score;
  return isShown(rule, match, subject, node) ? shownScore : score;
}

function evidenceOf(text: string, { start, end }: Match): string {
  return text.slice(start, Math.min(end, start + evidenceCharsMax));
}

/** A command is judged with what it is joined to. */
function lineOf(text: string, { start, end }: Match): string {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const next = text.indexOf('\n', end);
  const to = next < 0 ? text.length : next;
  return text.slice(Math.max(from, start - evidenceCharsMax), Math.min(to, end + evidenceCharsMax));
}

const evidenceCharsMax = 300;

/** What no honest program shows where it is about something else. */
const unmistakable =
  /\/etc\/(?:passwd|shadow)|\/\.ssh\/|\/dev\/tcp|[.[]\s?['"]?__(?:mro|subclasses|globals|builtins)__|(?:system|exec|passthru|eval|assert|popen|include|require)\b[^;\n]{0,40}\$_(?:get|post|request|cookie|server)\b|xp_cmdshell|\b(?:sleep|benchmark|extractvalue|updatexml|load_file)\s{0,3}\(|waitfor\s{1,4}delay/i;

function isShown(rule: InCategory<Rule>, match: Match, subject: Subject, node: PathNode): boolean {
  const { text } = subject;
  if (isDrawnPassword(rule, match, subject)) return true;
  const role = declaredOr(subject, () => roleOf(node, subject.decoded));
  if (isRendered(rule, role) && isMarkdownCode(text, match.start)) return true;
  if (isFenced(text, match.start)) {
    return (
      fencedRules.test(rule.id) &&
      (isFencedWhole(text, match) || isProse(text.slice(0, match.start))) &&
      areQuotesClosed(text, match)
    );
  }
  // Behind the mark of a prompt the text is no program of Python, from its first line on.
  if (rule.id === 'code.python' && text.startsWith('>>> ')) return true;
  if (shownIn[role](rule, match, subject)) return true;
  if (rule.category !== 'cmdi' || !takesText(subject.member)) return false;
  return isInMarks(text, match) && isInMessage(rule, match, text);
}

/** What a renderer of Markdown shows where it is code. */
function isRendered({ category, id }: InCategory<Rule>, role: FieldRole): boolean {
  if (role === 'chat') return category === 'xss' || serverTag.test(id);
  return category === 'xss' && (role === 'readme' || role === 'markdown');
}

function isMarkdownCode(text: string, at: number): boolean {
  return isMarkdownFence(text, at) || isMarkdownSpan(text, at);
}

/** No server runs what a language model is asked. */
const serverTag = /^code\.(?:php-tag|server-page)$/;

/** Behind the first of two back-ticks. */
function isInMarks(text: string, { start }: Match): boolean {
  return text.slice(0, start + 1).split('`').length % 2 === 0;
}

type IsShown = (rule: InCategory<Rule>, match: Match, subject: Subject) => boolean;

/** What a field of each role shows. */
const shownIn: Readonly<Record<FieldRole, IsShown>> = {
  plain: () => false,
  source: (rule, match, { text }) =>
    (isSource(rule, match, text) && isWholeProgram(rule, text)) || isInMessage(rule, match, text),
  query: (rule, match, { text }) =>
    isSql(rule) && isPaired(text) && isSource(rule, match, text) && isWholeProgram(rule, text),
  line: (rule, match, { text }) => isSource(rule, match, text),
  expression: (rule, _, { text }) => isSql(rule) && isPlainExpression(text) && isPaired(text),
  // Of a project's build, `rm -rf dist && node build.js`: it stays on the machine.
  step: (rule, match, { text }) => stepRules.test(rule.id) && !leaving.test(lineOf(text, match)),
  search: ({ id }, match, { text }) =>
    id === 'cmdi.command-line' && (!reaching.test(evidenceOf(text, match)) || bare.test(text)),
  editor: (rule, match, { text }) => isWhole(rule, match) || isInMessage(rule, match, text),
  markdown: (rule, match, { text }) => isWhole(rule, match) || isInMessage(rule, match, text),
  readme: (rule, match, { text }) => isInMessage(rule, match, text),
  message: (rule, match, { text }) => isInMessage(rule, match, text),
  chat: (rule, match, { text }) => isInMessage(rule, match, text),
  address: (rule, match, { decoded }) => isWhole(rule, match) && isParameter(decoded),
};

function isSql(rule: InCategory<Rule>): boolean {
  return rule.id.startsWith('sqli.');
}

function isSource(rule: InCategory<Rule>, match: Match, text: string): boolean {
  return sourceRules.test(rule.id) && (!isSql(rule) || areQuotesClosed(text, match));
}

function isWholeProgram(rule: InCategory<Rule>, text: string): boolean {
  if (isProgram(text, isSql(rule))) return true;
  return isSql(rule) && (isOwnStatement(text) || (isTableChange(text) && isPaired(text)));
}

/** A query or a change of rows as people write it in a console, from the first word on. */
function isOwnStatement(text: string): boolean {
  return (isConsoleQuery(text) || isRowChange(text)) && isPaired(text);
}

/** A role that is declared is that of the member, not of what stands in a text of JSON in it. */
function declaredOr({ role, decoded }: Subject, guess: () => FieldRole): FieldRole {
  return role === undefined || decoded.some((step) => step.startsWith('json:/')) ? guess() : role;
}

/** What messages show: commands of a project, and a statement that is the whole text. */
function isInMessage(rule: InCategory<Rule>, match: Match, text: string): boolean {
  if (rule.id === 'sqli.statement') {
    const plain = text.replaceAll(aggregate, 'a');
    const isData = plain === text || isPaired(text);
    if (isData && plainStatement.test(plain) && !unusual.test(plain)) return true;
  }
  if (isSql(rule)) return isSource(rule, match, text) && isStatementShown(rule, match, text);
  if (!stepRules.test(rule.id) || rule.id === 'cmdi.line-break') return false;
  return isOwnLine(text, match.start) || isOwnSpan(text, match.start);
}

/**
 * A statement, lines of SQL from the first word on, or SQL behind a sentence: as a value that is not
 * quoted that is an error, whatever follows, and in a literal nothing ends it. A bracket or dollars may
 * end a name or a literal as well. A union reads beside the tables of the statement itself.
 */
function isStatementShown({ id }: InCategory<Rule>, match: Match, text: string): boolean {
  if (id !== 'sqli.union' && isOwnStatement(text)) return true;
  if (script.test(text) && isPaired(text) && isProgram(text, true)) return true;
  // What is left open to be gone on with is no example.
  if (id === 'sqli.continuation') return false;
  const [said = ''] = text.slice(0, match.start).split(statementMark, 1);
  return isProse(said, true) && !otherEnd.test(text) && isPaired(withoutContractions(text));
}

/** Behind these stand statements, types and frames of several words. */
const statementMark = /[;(]/;
const otherEnd = /^[^[]{0,4000}\]|\$\w{0,20}\$|\*\/|\0/;

/**
 * Each quote has its partner; none stands in a word, where it would end a literal in front of a name,
 * and comments are lines of their own, so that none cuts off what follows a literal. In a literal of
 * the application's the text between a quote and its partner is code: data computes nothing there.
 */
function isPaired(text: string): boolean {
  if (mixed.test(text.replaceAll(remarkLine, '')) || remainder.test(text)) return false;
  return marks.every((mark) => {
    const parts = text.split(mark);
    return parts.length % 2 === 1 && !parts.some((part, at) => at % 2 === 1 && computes(part));
  });
}

const marks = ["'", '"', '`'];
const remarkLine = /^[ \t]{0,8}--[^\r\n'"`]{0,400}$/gm;
const mixed = /[A-Za-z]'[A-Za-z]|--|#|\/\*|\\['"]/;

function computes(part: string): boolean {
  return goesOn.some((one) => one.test(part)) || (wildcard.test(part) && operation.test(part));
}

/** What stands behind a literal of a statement: an operator, a clause; or a query of a list. */
const goesOn = [
  /^\s{0,40}[!"&-.:-@[-^`|}~]/,
  /^\s{0,40}(?:x?or|and|not|is|r?like|ilike|regexp|glob|match|between|div|mod|collate|escape|as|asc|desc|isnull|notnull|sounds|similar)(?!\w)/i,
  /^\s{0,40}(?:union|except|intersect|order|group|having|limit|offset|fetch|from|where|lock|into|procedure|returning|then|when|else|window|join|(?:left|right|full|inner|outer|cross|natural)\s{1,8}(?:outer\s{1,8})?join)[\s(]/i,
  /^\s{0,40}(?:for\s{1,8}(?:update|share|xml|json)|on\s{1,8}(?:conflict|duplicate)|at\s{1,8}time|member\s{1,8}of|(?:in|operator)\s{0,8}\()/i,
  /\(\s{0,8}select(?!\w)/i,
];
/** The first sign of `'%a%'` and `'/a'` is a remainder or a quotient as well. */
const wildcard = /^\s{0,40}[%/]/;
const operation =
  /[=<>|&^*~!+(,]|-\s{0,8}$|(?<!\w)(?:x?or|and|not|is|r?like|regexp|between|in)(?!\w)/i;
/** `'%id%'1`: a remainder or a quotient with a number. */
const remainder = /['"`]\s{0,8}[%/][^'"`]{0,400}['"`]\s{0,8}[-+.\d]/;
const script =
  /^\s{0,8}(?:--[^\n]{0,200}\n\s{0,8}){0,4}(?:select|with|insert|update|delete|create|drop|alter)\s/i;

/** Rows of an application and nothing else: no call, no catalogue, nothing that is cut off. */
const plainStatement =
  /^\s{0,8}(?:select\s[\w\s.,*]{1,200}\sfrom|update\s{1,4}[\w.]{1,64}\s{1,4}set|delete\s{1,4}from|drop\s{1,4}table)\s[\w\s.,='%<>!+-]{1,300}(?:;\s|;?$)/i;
/** `count(*)`, `max(o.total)` */
const aggregate = /\b(?:count|sum|min|max|avg)\([\w.*]{1,40}\)/gi;
/** What the statements of an application seldom have: catalogues, secrets, comments, calls. */
const unusual =
  /\b(?:information_schema|sys\w{0,40}|all_\w{1,40}|dba_\w{1,40}|user_\w{1,40}|mysql|pg_\w{1,40}|sqlite_\w{1,40}|master|msdb|dual|pass\w{0,40}|union|session_user|current_user)\b|--|#|\/\*|[(@|"]/i;

/** A string of a JSON text that a rule has found something in. */
interface InJson {
  /** The string alone. */
  readonly subject: Subject;
  readonly node: PathNode;
  /** The JSON text, and where the match begins in it. */
  readonly whole: string;
  readonly start: number;
}

const deadRules = /^(?:code|sqli)\./;

/**
 * Whether a string of a JSON text shows what a field of its names does. The application may use the
 * text as it is, and then the client has chosen the names: there nothing may go on behind a quote.
 */
export function isShownInJson(
  rule: InCategory<Rule>,
  match: Match,
  { subject, node, whole, start }: InJson,
): boolean {
  const role = roleOf(node, []);
  const isBySteps = role === 'step' || role === 'message' || role === 'editor';
  if (!isBySteps && !deadRules.test(rule.id)) return false;
  if (unmistakable.test(evidenceOf(subject.text, match))) return false;
  if (rule.id.startsWith('cmdi.') || isDeadJson(whole, start, isSql(rule)))
    return shownIn[role](rule, match, subject);
  return false;
}

/** In a member of its own: names within a text are the client's choice. */
function isDrawnPassword(rule: InCategory<Rule>, match: Match, subject: Subject): boolean {
  const { text, member, decoded } = subject;
  const { category } = rule;
  if (category === 'deserialization' || decoded.some((step) => step.includes(':'))) return false;
  if (!isByLot(text, decoded.length > 0) || !isPasswordName(member)) return false;
  return category !== 'sqli' || !operator.test(text.slice(Math.max(0, match.start - 2), match.end));
}

/** A word between a quote and what it joins: one of 50,000 drawn passwords has it. */
const operator =
  /['"](?:or|and|xor|union|like|is|in|div|mod|between|r?like|regexp|glob|order|group|limit|having)(?![a-z])/i;

const stepRules =
  /^(?:cmdi\.(?:chained-command|command-line|line-break|substitution)|traversal\.climb)$/;
const leaving =
  /\b(?:curl|wget|nc|ncat|telnet|ssh|ping|nslookup|dig|whoami|id|base64|crontab)\b|\b(?:rm|chmod|chown|dd)\s[^;|&]{0,40}[\s="'][/~](?!tmp\/\w)|(?:^|[;|&(`]\s{0,4})(?:env\s{0,4}(?:$|[;|&)`])|(?:printenv|shutdown|reboot|halt|poweroff|mkfs|useradd|passwd)(?![\w-]))|:\/\/|\/(?:etc|proc|dev|root|home)\//i;

/** Commands that reach another machine or run code: nobody searches for one with its target. */
const reaching =
  /^(?:curl|wget|nc|ncat|telnet|ssh|ping|nslookup|dig|(?:ba|z|c)?sh|python\d?|perl|ruby|php|powershell|pwsh|cmd)\b/i;

/** What does `bash -c` mean: a command and an option, and nothing that it would do. */
const bare = /^\s{0,4}[a-z]{2,12}\d?(?: --?[a-z-]{1,12}){1,2}\s{0,4}$/i;

/** Evidence that is a value as a whole: beside other text it would be none. */
function isWhole(rule: InCategory<Rule>, match: Match): boolean {
  const score = match.score ?? rule.score;
  if (rule.id === 'sqli.statement' || rule.id === 'traversal.sensitive-file')
    return score <= confidence.likely;
  return rule.id === 'cmdi.command-line';
}

/**
 * What is evidence only for an interpreter that reads the text from its start, or from a quote on.
 * Markup, templates and tags of PHP work wherever they stand.
 */
const fencedRules =
  /^(?:sqli\.(?!time-delay|error-based|file-write)|code\.(?!php-tag|php-input|server-page|latex|formula)|nosqli\.(?:script|busy-loop|map-reduce|operator-text|shell-call)|protopollution\.path-text|xpathi\.expression|traversal\.sensitive-file|xss\.(?:script-call|expression)$)/;
const sourceRules =
  /^(?:sqli\.(?!time-delay|error-based|file-write)|code\.(?!php-input|server-page|formula)|cmdi\.(?!reverse-shell)|ssti\.(?:statement|engine-object|object-walk)|nosqli\.(?:script|busy-loop|map-reduce)|xpathi\.expression|protopollution\.path-text|traversal\.|xss\.(?:script-call|expression|bare-style)$)/;

/** The parameter of an address: a search of another site, a campaign. */
function isParameter(decoded: readonly string[]): boolean {
  return decoded.some((step) => step.startsWith('form:') && step.length > 5);
}

/**
 * The text begins with the fence. To a language with back-ticks that is a name or a literal up to the
 * next one, in which V8 runs what stands in `${…}`; to the others it is an error.
 */
function isFencedWhole(text: string, { end }: Match): boolean {
  return text.startsWith('```') && !leavesFence.test(text.slice(3, end));
}

const leavesFence = /`|\$\{/;

/** True behind a line that opens a block of code in Markdown and is not closed before `at`. */
function isFenced(text: string, at: number): boolean {
  const before = text.lastIndexOf('```', at);
  if (before < 0) return false;
  let fences = 0;
  for (let fence = text.indexOf('```'); fence >= 0 && fence <= at; fences++) {
    fence = text.indexOf('```', fence + 3);
  }
  return fences % 2 === 1 && (before === 0 || text.charCodeAt(before - 1) === 10);
}

/**
 * Every quote up to the evidence has its partner. In a literal of the application's the first of a
 * pair ends it and the second begins another: the evidence is part of a literal again.
 */
function areQuotesClosed(text: string, { start }: Match): boolean {
  // A quote that the evidence begins with counts: behind it the literal goes on.
  const before = text.slice(0, start + 1);
  // What a backslash does to a quote differs from language to language.
  if (escaped.test(text.slice(0, start + 2)) || before.split('"').length % 2 === 0) return false;
  return apostrophesIn(text, 0, start) % 2 === 0;
}

const escaped = /\\['"]/;

/** The text is a program from its first line on: no value with something behind it. */
function isProgram(text: string, isSql: boolean): boolean {
  const lines = text
    .slice(0, programCharsMax)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  if (lines.length < (isSql ? linesMin - 1 : linesMin)) return false;
  const first = lines.find((line) => !comment.test(line)) ?? '';
  const shaped = lines.filter((line) => codeLine.test(line)).length;
  if (shaped < lines.length * shapedShare) return false;
  if (!isSql) return declares.test(first) || assigns.test(first);
  if (query.test(first) && !isTerminated(text.slice(text.indexOf(first)))) return false;
  return declares.test(first) && !beginsWithColumn(first);
}

/** The semicolon of the first statement stands in no parenthesis: the query is none in another. */
function isTerminated(text: string): boolean {
  const [statement = '', rest] = text.split(';', 2);
  let depth = 0;
  for (let at = 0; at < statement.length && depth >= 0; at++) {
    const code = statement.charCodeAt(at);
    if (code === 40) depth++;
    else if (code === 41) depth--;
  }
  return rest !== undefined && depth === 0;
}

const programCharsMax = 20_000;
const linesMin = 3;
const shapedShare = 0.5;
const comment = /^\s{0,40}(?:#(?!!|include|define|if)|\/\/|\/?\*|--\s|;|"""|@echo)/;
const query = /^\s{0,40}(?:select|with|values)\b/i;
/** What no expression of a statement begins with. */
const declares =
  /^\s{0,40}(?:#[!a-z]|<\?|<!doctype|<\w|[+-]{3} |[ +-]?(?:diff --git|@@|import|from|package|use|using|namespace|require(?:_once|_relative)?|include|const|let|var|function|async|class|def|export|module|public|private|protected|static|abstract|final|func|fn|struct|enum|interface|type|typedef|create|insert|update|delete|alter|drop|begin|set|select|with|grant|local|my|our|sub|return|for|foreach|while|try|unless|puts|print|printf|echo|int|void|char|long|double|unsigned|extern|template|raise|throw|await|server|upstream|terraform|resource|variable|provider|output|from|run|services?|version|name|on|jobs)\b(?:[ :;{]|$)|\[[\w. ]{1,40}\]$|'use strict'|"use strict")/i;
/** The first setting or statement of a file. */
const assigns =
  /^\s*(?:[@$]?[A-Za-z_][\w.$-]*\s*[:={(+]|%?\w+ ALL=|[{}]|[\d*][\d*/,-]* [\d*][\d*/,-]* [\d*])/;
/** Ends as a line of a program does, is indented, or begins as a comment or a setting. */
const codeLine =
  /[;{}()[\],:\\|>]$|^(?:[ \t+-]|(?:#|\/\/|--|\*|@|<|\$|(?:[A-Za-z_][\w.$-]{0,60}\s{0,40}(?::|=)|(?:if|fi|for|done|do|then|else|end|import|from|export|return|set|use|require|local|echo|cd|rm|cp|run|copy|cmd|env|workdir|select|insert|update|delete|create|alter|drop|where|group|order|having|left|limit|begin|commit|union)\b)))/i;
