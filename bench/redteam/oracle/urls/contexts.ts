import type { Context } from '../../contract.ts';

/** Where in the address the value stands. */
type UrlPlace = 'whole' | 'host' | 'end of a host' | 'begin of a host';

/** Code that makes an address of a value and fetches it. */
export interface UrlContext extends Context {
  readonly place: UrlPlace;
  /** What the text of the address must have to be let through; undefined where it does not matter. */
  readonly wants: 'begin' | 'end' | 'part' | 'host' | 'no word' | undefined;
  /** The address; undefined where the application refuses the value. */
  url(value: string): string | undefined;
}

const urlContext = (
  name: string,
  [member, benign]: readonly [string, string],
  [place, wants]: readonly [UrlPlace, UrlContext['wants']],
  url: UrlContext['url'],
): UrlContext => ({ name, members: [member], benign: [benign], place, wants, url });

// What a hurried developer forbids.
const forbidden = /localhost|127\.0\.0\.1|169\.254|192\.168|\b10\.|::1|metadata/i;

/** The host as a regular expression sees it. */
const hostOf = (url: string): string | undefined =>
  /^https?:\/\/(?:[^/@]*@)?([^/:?#]+)/i.exec(url)?.[1];

/** The ways in which addresses are made; each client has all. */
export const urlContexts: readonly UrlContext[] = [
  urlContext(
    'whole',
    ['body.url', 'https://www.example.com/feed.xml'],
    ['whole', undefined],
    (v) => v,
  ),
  urlContext(
    'host',
    ['query.host', 'www.example.com'],
    ['host', undefined],
    (v) => `http://${v}/status`,
  ),
  urlContext(
    'host and port',
    ['body.server', 'db.example.com:8080'],
    ['host', undefined],
    (v) => `https://${v}`,
  ),
  urlContext(
    'path behind a host',
    ['query.path', '/users/42'],
    ['end of a host', undefined],
    (v) => `https://api.example.com${v}`,
  ),
  urlContext(
    'name before a domain',
    ['query.tenant', 'acme'],
    ['begin of a host', undefined],
    (v) => `https://${v}.example.com/api`,
  ),
  urlContext(
    'begins with an address',
    ['body.webhook', 'https://hooks.example.com/a1'],
    ['whole', 'begin'],
    (v) => (v.startsWith('https://hooks.example.com') ? v : undefined),
  ),
  urlContext(
    'ends with a name',
    ['body.image', 'https://img.example.com/logo.png?from=www.example.com'],
    ['whole', 'end'],
    (v) => (v.endsWith('.example.com') ? v : undefined),
  ),
  urlContext(
    'contains a domain',
    ['body.callback', 'https://www.example.com/done'],
    ['whole', 'part'],
    (v) => (v.includes('example.com') ? v : undefined),
  ),
  urlContext(
    'host by a regular expression',
    ['query.target', 'https://www.example.com/a'],
    ['whole', 'host'],
    (v) => (/^(?:\w+\.)?example\.com$/.test(hostOf(v) ?? '') ? v : undefined),
  ),
  urlContext(
    'forbidden words',
    ['body.link', 'https://www.example.com/news'],
    ['whole', 'no word'],
    (v) => (forbidden.test(v) ? undefined : v),
  ),
];
