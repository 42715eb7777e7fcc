import { hasUser, type Url, urlLiterals } from '../../grammars/url/url.ts';
import { confidence } from '../../placement/confidence.ts';
import { isFetchScheme, strongestUrl } from '../../placement/fetch-place.ts';
import type { Subject } from '../../placement/subject.ts';
import { inMember, type ValueRule } from '../rule.ts';

/** `http://good.example#@evil/`: two parsers read two hosts out of one URL. */
export const authorityConfusion: ValueRule = {
  id: 'ssrf.authority-confusion',
  score: confidence.strong,
  message: 'is read as one host by a check and as another by the fetcher',
  trigger: { literals: [urlLiterals] },
  judge: (subject) =>
    strongestUrl(subject, (url, isValue) => {
      if (!isFetchScheme(url.scheme)) return 0;
      const score = scoreOf(subject, url);
      return isValue ? score : Math.min(score, confidence.trace);
    }),
  examples: [
    ...['http://www.example.com#@internal.host/', 'http://203.0.113.1:80\\@intranet/'],
    ...['https://www.example.com@203.0.113.9/', 'http://a.example@@b.example/'],
    ...['http://shop.example.com:80#\\@intranet:80/', 'http://169.254.169.254@files.example.net/'],
    ...['http://www.example.com@intranet.example.net/', 'http://[::1]:3000@files.example.net/'],
    ...['https://hooks.example.com.x@172.27.87.184/a', 'https://www.example.com:x@192.168.61.248/'],
    ...['http://192.168.7.4?x=y@www.example.com', 'https://10.60.42.137#x@img.example.com/'],
    ...['http://10.0.7.4/menu#.example.com', 'http://172.18.0.5/menu?.example.com'],
    ...['https://localhost#x@img.example.com/', 'http://127.0.0.1?x=y@www.example.com'],
    ...inMember('callback', 'http://172.19.25.14/example.com', 'http://[fdb3::94]/#example.com:'),
    ...inMember('callback', 'http://[fd7b:443::454]/.//example.com', 'http://10.7.1.2?example.com'),
    { body: { callback: 'http://localhost/?x=example.com' } },
    { body: { webhook: 'https://shop.localhost/www.example.com?x=y' } },
  ],
  lookalikes: [
    ...['https://git@git.example.com/team/repo.git', 'https://example.com/@anna/post-1'],
    ...['https://anna.smith:secret@files.example.com/', 'http://example.com/#@section'],
    ...['https://www.example.com/maps/@48.1,11.5,15z', 'http://localhost/?email=anna@example.com'],
    ...['https://anna.smith:secret@192.168.1.5/files', 'http://localhost:3000/example.com'],
    ...['http://localhost:3000?email=anna@example.com', 'http://localhost/example.com/index.html'],
    ...['http://192.168.1.5?q=news&site=example.com', 'http://192.168.1.5/index.html'],
    ...['http://192.168.1.5/wiki#section-2.1', 'http://192.168.1.5/check?site=www.example.com'],
    'https://www.example.com?mail=anna@example.com',
    { body: { page_location: 'http://localhost/?ref=example.com' } },
    { body: { 'header.referer': 'http://127.0.0.1/?ref=www.example.com' } },
  ],
};

function scoreOf(subject: Subject, url: Url): number {
  const text = subject.text;
  const mark = text.charCodeAt(url.pathStart);
  if (mark === 35 || mark === 92 || mark === 63) {
    // The authority ends at `#`, `\` or `?`, and an `@` follows at once.
    let next = url.pathStart + 1;
    while (next < url.pathStart + 4 && confusing.has(text.charCodeAt(next))) next++;
    if (text.charCodeAt(next) === 64 && url.hostEnd > url.hostStart) return confidence.strong;
  }
  return Math.max(hasUser(text, url) ? scoreOfUser(text, url) : 0, scoreOfEnd(subject, url));
}

function scoreOfUser(text: string, url: Url): number {
  const user = text.slice(url.authorityStart, url.hostStart - 1);
  if (user.includes('@') || user.includes(' '))
    return user.includes('.') ? confidence.strong : confidence.hint;
  const kind = url.hostKind;
  if (kind !== 'public' && kind !== 'private') return confidence.strong;
  // `http://169.254.169.254@a.test`: the check, or the fetcher, takes the first for the host.
  if (insideAddress.test(user)) return confidence.strong;
  if (kind === 'private' && longName.test(user)) return confidence.likely;
  return looksLikeHost.test(user)
    ? plainAddress.test(text.slice(url.hostStart, url.hostEnd))
      ? confidence.strong
      : confidence.likely
    : 0;
}

/** The host is an address of the inside, and the end of the URL is a name for a check to see. */
function scoreOfEnd(subject: Subject, url: Url): number {
  const { text } = subject;
  const kind = url.hostKind;
  if (kind !== 'private' && kind !== 'loopback') return 0;
  const rest = text.slice(url.pathStart, Math.min(url.end, url.pathStart + restCharsMax));
  const isUnported = kind === 'private' || url.port < 0;
  if (isUnported && nameAtRoot.test(rest) && !isPage(subject)) return confidence.likely;
  // A browser writes a slash in front of a query.
  if (isUnported && otherUser.test(rest)) return confidence.likely;
  // Developers send queries to themselves.
  if (kind === 'loopback' && !rest.includes('#')) return 0;
  return otherName.test(rest) || otherUser.test(rest) ? confidence.likely : 0;
}

/** Where a browser says which page it shows; what is nested deeper often is an event of one. */
function isPage({ member, depth }: Subject): boolean {
  return depth > pageDepthMax || pageMember.test(member);
}

const pageDepthMax = 2;
const pageMember =
  /site|home|base|referr?er|origin|document|page|location|href|current|landing|(?:^|\.)d[lr]$/i;

const restCharsMax = 400;
/** `/example.com`, `/?x=www.example.com`, `?example.com`: nothing but the name that a check looks for. */
const nameAtRoot =
  /^(?:\/(?:\.?\/){0,4}|\/?\?(?:[\w-]{1,40}=)?)(?:[\w-]{1,63}\.){1,4}(?:com|net|org|edu|gov|de|uk|fr)(?:$|[?#&])/i;
/** `?x=y@www.example.com`, with no path before it. */
const otherUser = /^[?#][^@/?#]{0,80}@(?:[\w-]{1,63}\.){1,5}[a-z]{2,20}(?:$|[/:?#])/i;
/** `#.example.com`, `?.example.com`, `?from=.example.com`, `#example.com` */
const otherName =
  /[?#=](?:\.|(?<=#)[\w-]{1,63}\.)(?:[\w-]{1,63}\.){0,4}(?:com|net|org|edu|gov|io|co|de|uk|fr|info|biz|app|dev|example|test):?$/i;
/** A name of three labels and more, with or without a password. */
const longName = /^(?:[\w-]{1,63}\.){2,6}[a-z][\w-]{0,62}(?::[^@]{0,80})?$/i;

/** User information in the shape of an address of the inside. */
const insideAddress =
  /^(?:127\.\d|10\.\d|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::|localhost(?:$|[%:/]))/i;

/** `# \ / ?` */
const confusing: ReadonlySet<number> = new Set([35, 92, 47, 63]);

/** User information in the shape of a public host. */
const looksLikeHost =
  /^(?:https?:?)?[a-z0-9.-]{0,80}\.(?:com|net|org|edu|gov|io|co|de|uk|fr|ru|cn|jp|br|info|biz|app|dev|example|test)(?::\d{1,5})?$/i;

const plainAddress = /^[\d.]{7,15}$/;
