import { confidence } from '../../placement/confidence.ts';
import type { Subject } from '../../placement/subject.ts';
import { isAtValue, isInValue } from '../../placement/value-place.ts';
import { charClass } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { Match, ValueRule } from '../rule.ts';

/** What only a shell reads, with no command in it: `; > /var/log/x`, `a > /srv/x.php`, `:(){ :|:& };:`. */
export const shellSyntax: ValueRule = {
  id: 'cmdi.shell-syntax',
  score: confidence.strong,
  message: 'makes a shell write a file or multiply itself without the name of any command',
  trigger: {
    literals: [
      [
        ...wordList('(){ ;> %pipe% url(http url(ftp *(e *(+'),
        ...['() {', '; >', '| >', '& >', '; :>', '>/', '> /', '</', '< /', '>|', '>&'],
        ...wordList('.php .phtml .phar .jsp .asp .cgi .sh'),
      ],
    ],
  },
  judge,
  examples: [
    ...[':(){ :|:& };:', 'x; > /var/log/syslog', ';>/etc/hosts', 'f() { f | f & }; f'],
    ...['() { :;}; echo vulnerable', '(%pipe%id) currentdevice putdeviceprops'],
    `fill 'url(https://www.example.com/a.jpg"|ls "-la)'`,
    ...['x;: *(e:id:)', 'x;: *(+whoami)'],
    { body: { 'query.host': '192.0.2.1 > /var/www/html/x.php' } },
    { body: { 'query.file': 'a.txt 2>>/etc/hosts #' } },
    { body: { 'query.device': ';x"y">a.php;' } },
    { body: { 'query.host': 'it came too late > /var/www/html/x.php' } },
    { body: { 'body.user.email': 'ann@example.com < /etc/hosts' } },
  ],
  lookalikes: [
    ...['function a() { return b | c & d }', 'run it with main() { return 0; }'],
    ...['the list; > next item', 'a && b > /dev/null 2>&1', 'x(){ y|z }'],
    "fill 'url(https://www.example.com/a.svg)'",
    `background: url(https://www.example.com/a.png) | none`,
    ...['a :) ; > /path is a quote mark', 'x *(e: the rest) and 2*(+3) or y*(e|f)'],
    'Home > /var/log > syslog',
    { body: { 'query.path': 'Home > /home/garden' } },
    { body: { 'query.nav': 'shop.example.com > /home/garden > pots' } },
    { body: { 'query.filter': 'size > /usr/share' } },
    { body: { 'body.server': 'Server (web01) > /var/log/nginx' } },
    { body: { 'query.path': 'Home & Garden > index.php, Shop > list.php' } },
    { body: { 'query.nav': 'Q&A > faq.php' } },
    { body: { 'query.rule': '/old.html > /home/new.php' } },
    { body: { 'query.view': '<b>/home/garden</b> and <i>/usr/local is full</i>' } },
    { body: { 'query.rule': '/old => /srv/new, /a -> /home/b' } },
    { body: { 'body.comment': 'Write it with echo > /tmp/x' } },
  ],
};

function judge(subject: Subject): Match | undefined {
  const text = subject.text;
  for (const form of (subject.classes & signs) === 0 ? signless : forms) {
    const match = form.exec(text);
    if (match === null) continue;
    const { before = '' } = match.groups ?? {};
    const start = match.index + before.length;
    if (form === redirection && !(isRedirected(before, match[0]) && isInValue(subject, start)))
      continue;
    const isPlaced = form === postScript || form === delegate || isAtValue(subject, start);
    const score = isPlaced ? confidence.strong : confidence.hint;
    return { start, end: match.index + match[0].length, score };
  }
  return forkBomb(subject);
}

/** `Home > /home/garden` is a way through pages: an address or a file stands in front, or a program behind. */
function isRedirected(before: string, all: string): boolean {
  const isOfPages = pages.test(all.slice(before.length)) && !all.includes('/.');
  if (machineValue.test(before) && !isOfPages) return true;
  return !before.includes('/') && program.test(all);
}

/** PostScript's file that is a command. */
const postScript = /%pipe%[A-Za-z/]/;
/** The command that fetches for ImageMagick, out of whose quotes an address breaks. */
const delegate =
  /\b(?:fill|stroke) {1,3}["']?url\([a-z]{2,6}:[^()\n'"`]{0,200}["`] {0,3}[|;&$`\w]/i;
/** A pattern of zsh that runs a command for each file (zshexpn, 14.8.7): `*(e:id:)`. */
const qualifier = /\*\((?:e([:'"|%,^])[^\n]{1,80}?\1|\+[a-z]\w{1,20})\)/;
/** Output or input of the program that is called, to or from a place of a system (XCU 2.7). */
const redirection =
  /^(?<before>[^<>\n]{0,200}(?<![-=]))(?:[<>]|>>|<>)[|&]?[ \t]?\/(?:etc|var|tmp|home|usr|root|opt|proc|srv|www|bin|boot|lib|dev|run|mnt|data)\/[\w.$-]{1,100}(?:\/[\w.$-]{1,100}){0,20}(?=[\s;|&#'")`]|$)/;
/** What folders of a site are called, too. */
const pages = /^\W{0,6}\/(?:home|www|data|lib|run)\//;
/** Of what a program of the system takes. */
const machineValue =
  /^\s{0,4}["']?(?:\d{1,12}|localhost|[\w+%:-]{0,60}[.@][\w.@+%:-]{1,120})["']?\s{0,4}(?:\d\b)?$/;
const program = /\.(?:php\d?|phtml|phar|jspx?|aspx?|ashx|cgi|sh|py|pl)$/i;
/** Behind a separator output to a program that a server runs, whatever writes it: `;x>a.php`; pages have blanks on both sides. */
const programOutput =
  /^(?<before>[^<>\n]{0,200}[;|&`][^<>\n]{0,100}(?<![-=]))(?:>{1,2}|(?<!\s)>{1,2}[ \t])[\w./-]{1,80}\.(?:php\d?|phtml|phar|jspx?|aspx?|cgi|sh)(?=[\s;|&#'")`]|$)/;
const forms: readonly RegExp[] = [
  postScript,
  redirection,
  programOutput,
  /(?:[;|\n]|& )[ \t]{0,4}:?[ \t]{0,2}>{1,2}[ \t]{0,3}(?:\/(?:etc|var|tmp|home|usr|root|opt|proc|srv|www|bin|boot|lib)\/\w|[A-Za-z]:\\\w|~\/[\w.])/,
  /\(\) {0,2}\{ {0,2}(?::|_|\w{1,12}) {0,2};? {0,2}\} {0,2};/,
  delegate,
  qualifier,
];
/** What `<` and `>` are asked for: most addresses of programs have none. */
const signs = charClass.less | charClass.greater;
const signless = forms.filter((form) => form !== redirection && form !== programOutput);

/** A function that calls itself twice at once: `f(){ f|f& };f`. */
function forkBomb(subject: Subject): Match | undefined {
  const text = subject.text;
  let seen = 0;
  for (let at = text.indexOf('()'); at >= 0; at = text.indexOf('()', at + 2)) {
    if (seen++ >= definitionsMax) {
      subject.incomplete('tokens');
      break;
    }
    const from = Math.max(0, at - nameMax);
    const match = pipedToItself.exec(text.slice(at, at + bodyMax));
    const name = match === null ? undefined : functionName.exec(text.slice(from, at))?.[0].trim();
    if (match === null || name === undefined) continue;
    if (name !== match[1] || name !== match[2]) continue;
    return { start: at - name.length, end: at + match[0].length, score: confidence.certain };
  }
  return undefined;
}

const definitionsMax = 4_096;
const nameMax = 24;
const bodyMax = 96;
const functionName = /[\w:.]{1,24} {0,2}$/;
/** Read from the parentheses on. */
const pipedToItself =
  /^\(\)\s{0,4}\{\s{0,4}([\w:.]{1,24})\s{0,2}\|\s{0,2}([\w:.]{1,24})\s{0,2}&\s{0,4}\}/;
