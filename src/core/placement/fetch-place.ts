import { type Url, urlGrammar } from '../grammars/url/url.ts';
import { isControlPath } from '../knowledge/service-path.ts';
import type { Match } from '../rules/rule.ts';
import { wordSet } from '../text/words.ts';
import { confidence } from './confidence.ts';
import { strongest } from './evidence.ts';
import type { Subject } from './subject.ts';

const evidencePathChars = 60;

/**
 * The strongest match over the URLs of a subject; `scoreOf` says 0 where a URL is no evidence.
 * `isValue` tells a URL that is the value or a parameter of it from one that a text mentions. One
 * that scores `enough` ends the search, and `pathChars` of its path are evidence.
 */
export function strongestUrl(
  subject: Subject,
  scoreOf: (url: Url, isValue: boolean) => number,
  {
    enough = confidence.certain as number,
    pathChars = evidencePathChars,
    isAddress = takesUrl,
  } = {},
): Match | undefined {
  const reading = subject.tokens(urlGrammar);
  if (!reading.complete) subject.incomplete('tokens');
  // Clients escape the blanks of a sentence behind it, or end there.
  const [first] = reading.urls;
  const isLed = first?.place === 'prose' && first.start === 0 && isAddress(subject.member);
  return strongest(
    reading.urls,
    (url) =>
      isLed && url === first
        ? scoreOf({ ...url, place: 'whole' }, true)
        : scoreOf(url, url.place === 'whole' || url.place === 'parameter'),
    enough,
    ({ start, end, pathStart }) => ({ start, end: Math.min(end, pathStart + pathChars) }),
  );
}

/** Schemes that fetch from a host. */
export function isFetchScheme(scheme: string): boolean {
  return scheme === '' || fetchSchemes.has(scheme) || scheme.endsWith('http');
}

const fetchSchemes: ReadonlySet<string> = wordSet('http https ftp ftps ws wss url');

/**
 * The attribute of an element that fetches by itself, when a server renders the picture or page.
 */
export function isLoadedBy(text: string, start: number): boolean {
  return loadingElement.test(text.slice(Math.max(0, start - elementCharsMax), start));
}

const elementCharsMax = 100;
const loadingElement =
  /<(?:image|img|iframe|embed|object|use|feimage|script|link|\w{1,12}:(?:import|include))\s[^<>]{0,80}["']$|!\[[^\]]{0,60}\]\($/i;

/** Members for what the server loads to show it: no settings. */
export const pictureMember: RegExp =
  /(?:^|[._\-[])(?:image|img|avatar|picture|photo|icon|logo|thumb(?:nail)?|feed|rss)(?:_?ur[il])?\]?$/i;

/** No web server is there: HTTP to these talks to mail, files, directories and databases. */
export const wordlessPorts: ReadonlySet<number> = new Set([
  21, 22, 23, 25, 53, 110, 111, 135, 139, 143, 389, 445, 465, 587, 636, 873, 993, 1433, 1521, 2049,
  2181, 3306, 3389, 5432, 5672, 6379, 9042, 9092, 11211, 26379, 27017, 27018,
]);

/** Docker, etcd, kubelet: who reaches them owns the machine. */
export const controlPorts: ReadonlySet<number> = new Set([2375, 2376, 2379, 10250, 10255]);

/** No port of a page. */
export function isServicePort(port: number): boolean {
  return wordlessPorts.has(port) || controlPorts.has(port);
}

/** A header in which a developer's browser names its own page. */
export function isOwnHeader(member: string): boolean {
  return ownHeader.test(member);
}

/**
 * Where clients name themselves: a developer's browser, or a program that waits for a redirect on its
 * own machine (RFC 8252, 7.3). None waits at the port or path of a service.
 */
export function isOwnAddress(
  { text, member }: Pick<Subject, 'text' | 'member'>,
  url: Url,
): boolean {
  if (isOwnHeader(member)) return true;
  if (!returnMember.test(member)) return false;
  // A callback is often one that the server calls: a program waits on its machine, at a port of its own.
  const isLocal = url.hostKind === 'loopback' && url.port >= ownPortMin;
  if (callbackMember.test(member) && !isLocal) return false;
  return (
    !isServicePort(url.port) &&
    !isControlPath(text.slice(url.pathStart, url.pathStart + evidencePathChars))
  );
}

const ownHeader = /^header\.(?:referer|origin|host)$/i;
const ownPortMin = 1024;
const callbackMember = /callback_?url$/i;
const returnMember =
  /^(?:query\.|body\.)?(?:redirect_?uri|callback_?url|post_logout_redirect_uri)$/i;

/** A field for one URL, of whatever use. */
function takesUrl(member: string): boolean {
  return isUrlMember(member) || linkMember.test(member);
}

const linkMember = /(?:^|[._[])(?:callback|link|href|endpoint)\]?$/i;

/** A field whose name asks for the URL of what the server is to fetch. */
export function isUrlMember(member: string): boolean {
  return urlMember.test(member);
}

const urlMember =
  /^(?:query\.|body\.)?(?:ur[li]|(?:fetch|load|target|remote|import|download|file|image|img|avatar|photo|picture|icon|logo|feed|rss|source|src|proxy|webhook|callback)_?ur[li]|webhook|fetch)$/i;
