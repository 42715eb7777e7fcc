import { charClass } from '../../text/char-class.ts';
import { hasUser, type Url } from '../../tokenise/url.ts';
import type { ValueRule } from '../rule.ts';
import type { Subject } from '../subject.ts';
import { isFetchScheme, strongestUrl } from './place.ts';

/** `http://good.example#@evil/`: two parsers read two hosts out of one URL. */
export const authorityConfusion: ValueRule = {
  id: 'ssrf.authority-confusion',
  category: 'ssrf',
  cwe: 'CWE-918',
  severity: 'high',
  score: 85,
  message: 'is read as one host by a check and as another by the fetcher',
  trigger: { literals: [['http:', 'https:', '//', 'ftp:']], classes: charClass.at },
  judge: (subject) =>
    strongestUrl(subject, (url, isValue) => {
      if (!isFetchScheme(url.scheme)) return 0;
      const score = scoreOf(subject, url);
      return isValue ? score : Math.min(score, 45);
    }),
  examples: [
    'http://www.example.com#@internal.host/',
    'http://203.0.113.1:80\\@intranet/',
    'https://www.example.com@203.0.113.9/',
    'http://a.example@@b.example/',
    'http://shop.example.com:80#\\@intranet:80/',
    'http://www.example.com@intranet.example.net/',
    'http://169.254.169.254@files.example.net/',
    'http://[::1]:3000@files.example.net/',
  ],
  lookalikes: [
    'https://git@git.example.com/team/repo.git',
    'https://anna.smith:secret@files.example.com/',
    'https://example.com/@anna/post-1',
    'https://www.example.com/maps/@48.1,11.5,15z',
    'http://example.com/#@section',
  ],
};

function scoreOf(subject: Subject, url: Url): number {
  const text = subject.text;
  const mark = text.charCodeAt(url.pathStart);
  if (mark === 35 || mark === 92 || mark === 63) {
    // The authority ends at `#`, `\` or `?`, and an `@` follows at once.
    let next = url.pathStart + 1;
    while (next < url.pathStart + 4 && confusing.has(text.charCodeAt(next))) next++;
    if (text.charCodeAt(next) === 64 && url.hostEnd > url.hostStart) return mark === 63 ? 78 : 85;
  }
  if (!hasUser(text, url)) return 0;
  const user = text.slice(url.authorityStart, url.hostStart - 1);
  if (user.includes('@') || user.includes(' ')) return user.includes('.') ? 82 : 50;
  const kind = url.hostKind;
  if (kind !== 'public' && kind !== 'private') return 82;
  // `http://169.254.169.254@a.test`: the check, or the fetcher, takes the first for the host.
  if (insideAddress.test(user)) return 80;
  return looksLikeHost.test(user)
    ? plainAddress.test(text.slice(url.hostStart, url.hostEnd))
      ? 82
      : 75
    : 0;
}

/** User information in the shape of an address of the inside. */
const insideAddress =
  /^(?:127\.\d|10\.\d|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::|localhost(?:$|[%:/]))/i;

/** `# \ / ?` */
const confusing: ReadonlySet<number> = new Set([35, 92, 47, 63]);

/** User information in the shape of a public host. */
const looksLikeHost =
  /^(?:https?:?)?[a-z0-9.-]{0,80}\.(?:com|net|org|edu|gov|io|co|de|uk|fr|ru|cn|jp|br|info|biz|app|dev|example|test)(?::\d{1,5})?$/i;

const plainAddress = /^[\d.]{7,15}$/;
