import { type Command, fit, readCommand } from '../../grammars/shell/command.ts';
import { commands } from '../../grammars/shell/commands.ts';
import { readLineHeads, readsLines } from '../../grammars/shell/shell.ts';
import { wordTrait } from '../../grammars/shell/shell-character.ts';
import { introducer } from '../../grammars/shell/shell-introducer.ts';
import { endOfDocument } from '../../grammars/shell/shell-prefix.ts';
import { commandNames, plainTakers, use } from '../../knowledge/commands.ts';
import { isRest } from '../../normalise/parts.ts';
import { endsText, isSettings, isShownLoop } from '../../placement/command-place.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { endsInValue, isAtValue } from '../../placement/value-place.ts';
import { createFinder } from '../../text/char-finder.ts';
import { wordsBefore } from '../../text/place.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `127.0.0.1⏎id`: a line break ends a command too. */
export const lineBreak: ValueRule = {
  id: 'cmdi.line-break',
  score: confidence.strong,
  message: 'ends the expected command with a line break and starts another one',
  trigger: { literals: [['\n', '\r']] },
  judge,
  examples: [
    { body: { 'query.host': '192.0.2.1\nreboot' } },
    { body: { 'body.ip': 'host.example.com\nsu root' } },
    { body: { 'body.comment': 'x ls\nwhoami' } },
    '127.0.0.1\nuname -a',
    { body: { domain: 'it came too late\nuname -a' } },
    { body: { domain: 'x\nifconfig # it came too late' } },
    'a.png\r\ncat /etc/hosts',
    "'\nnslookup evil.example.com\n'",
    '10.0.0.1\nwhoami',
    'x\n{ls,-la}',
    '<p>\nrpm -U httpd-2.4.1.rpm\n</p>',
    `x #${' '.repeat(200)}<pre>\nwhoami`,
    'Hello there, all of you.\nEOF\nsleep 20\n: <<EOF',
    'x\ncase 0 in *)mkdir a;;esac',
    ...['\n! echo\t$API_KEY|rev\n', ';\n\tkillall ab'],
    "'\t\n trap 'touch${IFS}../app/.htaccess' EXIT;#",
    'x;\nwhile ping -c 9 127.0.0.1;do break;done',
  ],
  lookalikes: [
    { body: { 'query.hosts': '192.0.2.1\nmail' } },
    { body: { 'query.host': 'web\nmail\ndate' } },
    '[\n  "./example.ts"\n]',
    'cc1 is run\ngcc -O2 -Wall -c list.c -o build/list.o',
    'Dear team,\nfind the file attached.\nCat',
    'case 1 in court:\ncase 0 in (a)',
    ...['note;\ncp the files', 'x\n! echo this is loud', 'int a;\nrm(a);'],
    'milk\nbread\ncat food\ntime magazine',
    '<p><code>\n  rpm -U httpd-2.4.1.rpm\n</code></p>',
    'Anna Berg\n! split 2 bills',
    '# Set-up\n\n```\nnpm install\ncurl -L https://example.com/a.tgz\ntar xzf a.tgz\n```\n\nThat is all.',
    'St. John\nHost 5\nid 12',
    'install:\n\tcp app $(DESTDIR)/usr/bin/',
    'all: build\n\tgcc -o $@ $< && ./$@\nclean:\n\trm -f *.o',
    '<p>Use <code>NULL</code> for <em>it</em>\n.</p>',
    ">>> certs.where()\n    '/usr/lib/python3/certs/ca.pem'",
    '{\n  ".": "./index.js",\n  "./*": "./*"\n}',
    '==========\npip config\n==========',
    'Usage:\n  ifconfig [-a] [-v] <interface>',
    'Hi!\n\ngreet() { echo "Hello, ${1:-world}!"; }\ngreet "$USER"',
    'cat >a.txt <<EOF\nHello.\nEOF\nsleep 20',
    'Licence: Ruby\n Ruby is copyrighted free software by Ann <ann@example.org>.\n You can share it.',
    '/run/sysusers.d/*.conf\n\n/usr/lib/sysusers.d/*.conf',
    'Please see below.\n\nls -la shows two files\n\nThanks',
    'Hi all,\n\nnpm install (v18.4.6, Node 21) says:\n\n> It is done',
    'VARIABLES\n\nfuser -m /dev/sgX покаже (або завершить\nроботу) усі процеси',
    'SYNOPSIS\ngcloud compute pools list (POOL : --zone=ZONE) [--filter=EXPRESSION]',
  ],
};

const linesMax = 4;

/** What a build prints line by line, with files of a project: it runs nothing. */
const compilers: ReadonlySet<string> = new Set(['gcc', 'g++', 'cc', 'clang', 'make', 'javac']);
const opensFile = /\/(?:etc|proc|tmp|dev|root)\/|-wrapper|-x ?c|[|<>$`]/;

function judge(subject: Subject): Match | undefined {
  if (isRest(subject.decoded)) return undefined;
  let best = judgeDocument(subject);
  for (const command of lineCommands(subject)) {
    const { start } = command.head;
    const score = isBelowHost(subject, command) ? confidence.strong : scoreOf(subject, command);
    if (score > (best?.score ?? 0)) best = { start, end: command.end, score };
  }
  return best;
}

/** Commands behind the line breaks of a value, and those that only a shell reads in a short text. */
function lineCommands(subject: Subject): readonly Command[] {
  const { text } = subject;
  const found: Command[] = [];
  for (const at of lineBreaks(text)) {
    for (const head of readLineHeads(text, at, commandNames.wordBetween)) {
      const command = readCommand(text, head);
      if (command !== undefined) found.push(command);
    }
  }
  if (!readsLines(text)) return found;
  for (const one of subject.tokens(commands).list) {
    if (one.structured && one.head.introducer === introducer.lineBreak) found.push(one);
  }
  return found;
}

/** `EOF⏎id`: the end of a here-document, and the commands behind it. */
function judgeDocument(subject: Subject): Match | undefined {
  const { text } = subject;
  const document = endOfDocument(text);
  if (document === text.length) return undefined;
  for (const { head, fit: found, end } of subject.tokens(commands).list) {
    const isBehind = head.start >= document && (head.traits & wordTrait.structured) !== 0;
    const least = head.introducer === introducer.lineBreak ? fit.weak : fit.alone;
    if (isBehind && found >= least) return { start: head.start, end, score: confidence.certain };
  }
  return undefined;
}

/** The first line breaks of a text, and those near its end: a value has no more. */
function lineBreaks(text: string): readonly number[] {
  const found: number[] = [];
  for (let i = 0; i < text.length && found.length < linesMax; i++) {
    i = nextBreak(text, i);
    if (i < text.length) found.push(i);
  }
  const last = found[found.length - 1] ?? text.length;
  for (let i = Math.max(last + 1, text.length - endMax); i < text.length; i++) {
    i = nextBreak(text, i);
    if (i < text.length) found.push(i);
  }
  return found;
}

const endMax = 64;

const nextBreak = createFinder(/[\r\n]/g);

/** A value is one line; a document has more above. */
function isOneLine(text: string, start: number): boolean {
  const prefix = text.slice(Math.max(0, start - 200), start).trim();
  if (start < 200 && codeTags.test(prefix)) return false;
  return !prefix.includes('\n') && !prefix.startsWith('#') && !prefix.startsWith('```');
}

/** `<p><code>` and a line below: to a shell redirections without a file, an error after which nothing runs. */
const codeTags = /^(?:<(?:p|li)><(?:code|pre)>|<pre>(?:<code>)?)$/;

/** A target of a makefile: `install:⏎⇥cp …`. */
function isRecipe(text: string, start: number): boolean {
  if (text.charCodeAt(start + 1) !== 9) return false;
  return target.test(text.slice(Math.max(0, start - 100), start));
}

/** `install:`, `all: build test` */
const target = /(?:^|\n)[\w./%-]{1,60}:(?: {0,2}[\w./%-]{1,40}(?: {1,2}[\w./%-]{1,40}){0,3})?$/;

/**
 * `npm install (v18, Node 21) says:`: a parenthesis among the arguments is a syntax error, after
 * which a shell runs nothing (POSIX.1-2024, XCU 2.8.1). To zsh a word of one is a pattern: the blank
 * in it makes it one that no file has.
 */
function isRemarked(text: string, { head, end }: Command): boolean {
  return (
    text.charCodeAt(end - 1) === 32 && end > head.nameEnd && remark.test(text.slice(end, end + 80))
  );
}

const remark = /^\([\p{L}\d_.,:=-]{1,40}(?:[ \n][\p{L}\d_.,:=-]{1,40}){1,8}\)/u;

/** A heading with a line of signs below it, or a usage: `ifconfig [-a] <interface>`. */
function isManual(text: string, command: Command): boolean {
  const { nameEnd, start } = command.head;
  if (usage.test(text.slice(nameEnd, nameEnd + 3))) return true;
  return (
    underline.test(text.slice(command.end, command.end + 12)) &&
    (start < 3 || adorned.test(text.slice(Math.max(0, start - 40), start)))
  );
}

const usage = /^\s{0,2}\[/;
const underline = /^\s{0,4}(?:={3}|-{3}|~{3})/;
const adorned = /(?:={3}|-{3}|~{3})\s{0,4}$/;

/** `[⏎"./a.ts"⏎]`: an item of JSON, whose brackets are no command of a shell that says anything. */
function isJsonItem(text: string, { head, end }: Command): boolean {
  return jsonStart.test(text) && jsonItem.test(text.slice(head.start, end));
}

const jsonStart = /^\s{0,8}[[{]\s/;
const jsonItem = /^\s{1,20}"\.{1,2}\/[\w./@-]{1,120}"\s{0,4}$/;

/** A function that only says something is what listings show. */
function isSaid(text: string, { head, structured, uses }: Command): boolean {
  const isText = structured && (uses & use.text) !== 0;
  return isText && !negated.test(text.slice(head.start, head.nameStart));
}

function scoreOf(subject: Subject, command: Command): number {
  const { text } = subject;
  if (isShown(text, command)) return confidence.trace;
  if (isSaid(text, command)) return confidence.hint;
  const isValue = isLineOfValue(subject, command.head.start);
  if (command.structured && isValue && command.fit >= fit.aloneWord) return confidence.certain;
  switch (command.fit) {
    case fit.full:
      if (isValue) return fullScore(text, command);
      return command.hidden ? confidence.likely : confidence.trace;
    case fit.sureAlone:
      return isValue && (endsText(text, command.end) || endsInValue(subject, command.end))
        ? confidence.strong
        : confidence.trace;
    case fit.alone:
      return isValue && endsStep(subject, command) ? confidence.likely : confidence.trace;
    default:
      return isValue ? weakScore(text, command) : 0;
  }
}

/** `192.0.2.1⏎uptime`: what takes one host has no words below it, whatever signs end its line. */
function isBelowHost({ text, member }: Subject, { head, fit: found }: Command): boolean {
  if (found === fit.none || !hostMember.test(member)) return false;
  return oneHost.test(text.slice(0, Math.min(head.start, hostCharsMax)));
}

const hostMember = /(?:^|[._[])(?:host|domain|ip)(?:_?(?:name|addr(?:ess)?))?\]?$/i;
const oneHost = /^\s{0,8}[\w-]{1,63}(?:\.[\w-]{1,63}){1,12}[\s;|&'"]{0,8}$/;
const hostCharsMax = 300;

/** Nothing is left behind it, or it stands between separators in a member that takes no sentence. */
function endsStep(subject: Subject, { head, end }: Command): boolean {
  if (endsText(subject.text, end)) return true;
  const before = subject.text.slice(Math.max(0, head.start - 4), head.start);
  return separated.test(before) && endsInValue(subject, end);
}

/** `while ping -c 9 192.0.2.1;do break;done`: what is opened is closed, and no line of a text. */
function weakScore(text: string, { head, structured, fit: found, end, name }: Command): number {
  if (found !== fit.weak) return 0;
  const before = text.slice(Math.max(0, head.start - 4), head.start);
  if (plainTakers.has(name) && separated.test(before) && wordsBefore(text, head.start) < 2)
    return oneWord.test(text.slice(head.nameEnd, end)) && endsText(text, end)
      ? confidence.likely
      : 0;
  if (!structured) return 0;
  return closed.test(text.slice(end, end + bodyMax)) ? confidence.strong : 0;
}

const oneWord = /^\s{1,4}\S{1,80}\s{0,4}$/;
const negated = /^\s{1,8}!\s/;
const closed = /[;\n]\s{0,8}(?:done|fi|esac)\b/;
const bodyMax = 240;

function isShown(text: string, command: Command): boolean {
  if (isManual(text, command) || isShownLoop(text, command.head)) return true;
  return isSettings(text, command.head) || isJsonItem(text, command) || isRemarked(text, command);
}

function isLineOfValue(subject: Subject, start: number): boolean {
  const { text } = subject;
  return isAtValue(subject, start) && isOneLine(text, start) && !isRecipe(text, start);
}

/** `Ruby is free software`: the start of a sentence, and of a command only where case does not count. */
const titled = /^[A-Z][a-z]{2,12} [a-z]{1,12} [a-z]/;

function fullScore(text: string, command: Command): number {
  if (command.hidden || command.hidesArgument) return confidence.certain;
  const isBuilt =
    compilers.has(command.name) && !opensFile.test(text.slice(command.head.start, command.end));
  if (isBuilt) return confidence.hint;
  const { start, nameStart } = command.head;
  const isChained = command.isSure && separated.test(text.slice(Math.max(0, start - 4), start));
  const isWord = (command.uses & use.english) !== 0 || titled.test(text.slice(nameStart));
  const isSure = isChained || !isWord || endsText(text, command.end);
  return isSure ? confidence.strong : confidence.trace;
}

/** The line before ends with a separator. */
const separated = /[;|&][ \t]{0,3}$/;
