import { type HostKind, hostKindOf } from '../../grammars/url/host.ts';
import { startOfWrapped } from '../../grammars/url/url.ts';
import { isControlPath, isServicePath } from '../../knowledge/service-path.ts';
import { confidence } from '../../placement/confidence.ts';
import { isServicePort } from '../../placement/fetch-place.ts';
import { takesValue } from '../../placement/field-role.ts';
import { charClass } from '../../text/char-class.ts';
import type { Match, ValueRule } from '../rule.ts';

/** `@10.0.0.1/x`, `:80@[::1]/`, `.127.0.0.1.nip.io/`, `127.0.0.1#`: the rest of a host, or another. */
export const hostFragment: ValueRule = {
  id: 'ssrf.host-fragment',
  score: confidence.strong,
  message: 'turns the address that a server makes of it into one of the internal network',
  trigger: { isOfValues: true, literals: [['/', '#', '?', '\\', '@', '.']] },
  examples: [
    ...['@10.20.30.40/admin', ':80@[::1]/', '.x@192.168.3.4/', '.127.0.0.1.nip.io/'],
    ...[':.127.0.0.1.nip.io:', ': @127.0.0.1', ': @10．6'],
    { body: { 'query.tenant': 'L @%31%30.2#' } },
    'L @%31%30.2.0.1#',
    { body: { server: ':.localhost:' } },
    ...['localhost#', '10.20.30.40?', '169.254.169.254/latest', '[fd00:ec2::254]/', '0x7f.1/'],
    ...['app.lvh.me/admin', '.ann@0/server-status', '@0X00:3000/items'],
    { body: { 'query.tenant': '10.3.4.5/' } },
    { body: { 'query.tenant': 'acme@10.3.4.5:80/' } },
    { body: { 'query.tenant': 'shop.localhost:80/' } },
    ...['\t[::1]/?', '<URL:.x@0xc0.0xa8.0xdf.0xb9/>', '0.\n0.0.0/#'],
    ...['[::ffff:a9fe:a9fe%25lo]:000080/', ':80@0.0｡0。0/', 'ann@169.254.169.254:80:/'],
    ...[':80@kubernetes.default.svc:80/', ':x@instance-data/tokens', 'ann@169.254.169.254/'],
    ...['[::ffff:c0a8:e312]/photos', '0xa.0x87.0x36.0xf1/', '2852012217:80/'],
    { body: { server: '192.168.147.252/latest/meta-data/' } },
    { body: { host: 'localhost/server-status' } },
    { body: { host: '0:80/_cat' } },
    { body: { host: '192.168.1.5/admin' } },
    { body: { 'query.host': 'localhost/wordpress' } },
    { body: { server: '[fd12::7]:8443/photos?size=2' } },
    { body: { server: 'ann@192.168.1.5/' } },
    { body: { db_host: 'host.docker.internal:8080/items' } },
    { body: { hostname: '3232235781/' } },
    { body: { host: '10.0.0.7:6379/' } },
    { body: { host: '10.0.0.7:6379/ it came too late' } },
    { body: { host: 'it came too late ann@10.0.0.7:6379/x' } },
    { body: { 'query.path': '@10.0.0.7:9200/items, and so on' } },
    { body: { host: 'kubernetes.default.svc/' } },
    { body: { 'query.host': 'instance-data/items' } },
    { body: { server: 'localhost:2375/' } },
    { body: { 'query.tenant': 'instance-data/' } },
    { body: { 'query.tenant': '169.254.\t169.254?' } },
  ],
  lookalikes: [
    ...['@localhost', 'Save 10 @%35 #1', '.env is on @10.0.0.1', '@vault/core', 'ann@10.0.0.1'],
    ...['10.0.0.0/8', '169.254.0.0/16', 'localhost/wordpress'],
    { body: { host: '10.0.0.7:8080' } },
    { body: { host: 'localhost:3000/' } },
    { body: { host: 'ann@10.0.0.7:22' } },
    { body: { server: '10.0.0.7:/srv/export' } },
    { body: { server: 'localhost:/run/mysqld/mysqld.sock' } },
    { body: { server: '10.0.0.7\\SQLEXPRESS' } },
    { body: { hosts: ['10.0.0.0/24', '10.0.0.7/photos'] } },
    { body: { rooms: [{ devices: { host: '10.0.0.7/photos' } }] } },
    { body: { host: 'db.example.com:8080/items' } },
    { body: { location: '10.0.0.7/photos' } },
    { body: { host: '10.0.0.7:5432/shop (replica)' } },
    { body: { host: 'it came too late ann@10.0.0.7:22' } },
    { body: { 'query.path': 'docs of the host 10.0.0.7/items, and so on' } },
    { body: { host: 'Is it 192.168.1.1? or 192.168.0.1' } },
    { body: { host: '192.168.1.1? or 192.168.0.1' } },
    ...['127.0.0.1', 'metadata/labels', '0/5', '1.5/2', '0.5/kg', '10.5/2', '10.15.7/install'],
    ...['What is 0?', '/users/42', '.local/share', '@types/node', '@metadata/service'],
    ...['scott@10.0.0.1:1521/orders', 'git@10.0.0.5:team/shop.git', 'shop.localhost:3000/login'],
    ...['20240131/report', '1234567890/photos'],
  ],
  judge(subject): Match | undefined {
    const { text, member, depth } = subject;
    // A name is one line: there the breaks that parsers of URLs remove divide nothing.
    const hasBreaks = (subject.classes & breakClasses) !== 0;
    const isName = nameMember.test(member);
    const isJoined = hasBreaks && isName;
    const isHost = depth <= hostDepthMax && hostMember.test(member);
    const joined = isJoined ? text.slice(0, nameCharsMax).replace(breaks, '') : text;
    const isLed = hasBreaks && (isHost || takesValue(member));
    const fragment = fragmentOf(isLed ? withoutWords(joined) : joined);
    if (fragment === undefined) return undefined;
    const score = Math.max(scoreOf(fragment, isName), isHost ? scoreOfHost(fragment) : 0);
    return score === 0 ? undefined : { start: 0, end: text.length, score };
  },
};

/** Less what clients escape: words of a user in front of `@`, and a sentence behind the path. */
function withoutWords(text: string): string {
  const end = text.search(authorityEnd);
  if (end < 0) return text;
  const at = text.lastIndexOf('@', end);
  const host = words.test(text.slice(0, Math.max(0, at))) ? text.slice(at - 1) : text;
  const last = end - (text.length - host.length);
  const behind = host.slice(last).search(words);
  return behind < 0 ? host : host.slice(0, last + behind + 1);
}

/** What ends a question has a blank behind it. */
const authorityEnd = /[/\\#]|\?(?!\s)/;
const words = /\S\s+\S/;

/** A piece of an address, which an application puts behind its own scheme or host. */
interface Fragment {
  /** Behind the last `@`; without the dot that joins it to a name. */
  readonly host: string;
  readonly user: string | undefined;
  /** Empty behind a colon alone. */
  readonly port: string | undefined;
  readonly isBehindDot: boolean;
  /** `:.localhost`: a name that goes on behind a port without digits. */
  readonly isBehindColon: boolean;
  /** Path, query or fragment. */
  readonly rest: string;
}

const authorityCharsMax = 200;
const restCharsMax = 400;

/**
 * Reads `[userinfo@]host[:port]` and what ends it (RFC 3986, 3.2), as clients do: without the blanks
 * and controls around it, and out of `<URL:…>` (appendix C).
 */
function fragmentOf(text: string): Fragment | undefined {
  const start = startOfWrapped(text);
  const end = endOfAuthority(text, start);
  if (end < 0) return undefined;
  const authority = text.slice(start, end);
  const at = authority.lastIndexOf('@');
  if (end === text.length && isPlain(authority, at)) return undefined;
  const found = hostAndPort.exec(authority.slice(at + 1));
  const rest = text.slice(end, end + restCharsMax).replace(closing, '');
  if (found === null || blank.test(rest)) return undefined;
  const [, dot = '', host = '', port] = found;
  return {
    host,
    user: at < 0 ? undefined : authority.slice(0, at),
    port,
    isBehindDot: dot !== '',
    isBehindColon: dot.startsWith(':'),
    rest,
  };
}

/** Words, numbers and addresses of mail as all values hold them: nothing is ended, and no port. */
function isPlain(authority: string, at: number): boolean {
  if (behindName.test(authority.slice(at + 1, at + 3))) return false;
  return at < 0 || !(at === 0 || breakOut.test(authority) || authority.includes(':', at));
}

/** What joins a host to the name in front. */
const behindName = /^:?\./;
const closing = /[\u0000- ]{0,8}>?[\u0000- ]{0,8}$/;
const hostAndPort =
  /^(:?\.|)(\[[\da-f:.]{2,60}(?:%\w{1,20})?\]|[^\s:[\]"'(){},;=<>]{1,120})(?::([\d:]{0,12}))?$/i;

const blank = /[\u0000- ]/;

/** Offset of `/`, `\\`, `?`, `#` or of what closes the text; -1 where a blank comes first. */
function endOfAuthority(text: string, start: number): number {
  const last = Math.min(text.length, start + authorityCharsMax);
  for (let at = start; at < last; at++) {
    const code = text.charCodeAt(at);
    if (code === 47 || code === 92 || code === 63 || code === 35) return at;
    if (code <= 32 || code === 62) {
      if (text.length - at <= closingMax && onlyClosing.test(text.slice(at))) return at;
      // `: @10.0.0.1`: WHATWG's URL escapes blanks of a password.
      const rest = text.slice(at, last);
      const user = rest.indexOf('@');
      if (user < 0 || !(text.charCodeAt(start) === 58 || escapedHost.test(rest))) return -1;
      at += user;
    }
  }
  return last === text.length ? last : -1;
}

/** `L @%31%30.2#`: digits that are escaped, and the end of the host. */
const escapedHost = /^[^@]{0,40}@[\d.]{0,12}%3\d[\d.%]{0,60}[/\\?#:]/;
const closingMax = 17;
const onlyClosing = /^[\u0000- ]{0,8}>?[\u0000- ]{0,8}$/;

function scoreOf(fragment: Fragment, isName: boolean): number {
  const kind = hostKindOf(fragment.host);
  if (kind === 'public' || kind === 'catcher') return 0;
  if (!fragment.isBehindColon) return scoreOfInside(fragment, kind, isName);
  return kind === 'rebinding' || kind === 'loopback' ? confidence.strong : 0;
}

function scoreOfInside(fragment: Fragment, kind: HostKind, isName: boolean): number {
  const { host, user, isBehindDot, rest } = fragment;
  if (isWord(host)) return scoreOfWord(fragment, kind, isName);
  if (isControlPath(rest) || (isOwn(kind) && isServicePath(rest))) return confidence.strong;
  if (user !== undefined) return scoreBehindUser(fragment, kind, isName);
  if (isBehindDot) return kind === 'rebinding' ? confidence.strong : 0;
  if (isNetwork(rest) || kind === 'odd-address') return 0;
  // What the application writes behind it becomes a query or a fragment.
  if (isName || endsPath(rest)) return confidence.likely;
  return isPlainInside(kind) || isMeasure(host, kind) ? 0 : confidence.likely;
}

/** Single words and short numbers are more than hosts. */
function scoreOfWord({ user, port, rest }: Fragment, kind: HostKind, isName: boolean): number {
  if (isNetwork(rest)) return 0;
  if (isOwn(kind) && isServicePath(rest)) return confidence.strong;
  // Nothing but an address stands behind a password.
  if (user !== undefined && breakOut.test(user)) {
    const isService = isOwn(kind) && Number(port) > 0;
    return user.includes(':') || kind === 'loopback' || isService ? confidence.strong : 0;
  }
  if (kind === 'loopback') return isName || endsPath(rest) ? confidence.likely : 0;
  return isName && (isOwn(kind) || endsPath(rest)) ? confidence.likely : 0;
}

/** No path behind the host, or the length of a network. */
function isNetwork(rest: string): boolean {
  return rest === '' || networkLength.test(rest);
}

/** A query or fragment, which leaves what the application writes behind it without meaning. */
function endsPath(rest: string): boolean {
  return rest.startsWith('#') || rest.startsWith('?');
}

function scoreBehindUser(fragment: Fragment, kind: HostKind, isName: boolean): number {
  const { host, user = '', port, rest } = fragment;
  const isAlone = rest === '' && port === undefined;
  // It ends the name, or the user, that the application writes in front.
  if (breakOut.test(user)) return isAlone && fraction.test(host) ? 0 : confidence.strong;
  if (isAlone || kind === 'internal' || kind === 'odd-address') return 0;
  if (kind === 'private' || kind === 'loopback') return isName ? confidence.likely : 0;
  return confidence.likely;
}

/** An address of the inside where a host is asked for, with a path or query behind it. */
function scoreOfHost({ host, user, port, isBehindDot, rest }: Fragment): number {
  const kind = hostKindOf(host);
  const isPlain = isPlainInside(kind);
  if (!isPlain && !isOwn(kind) && kind !== 'odd-private') return 0;
  // `10.0.0.7\SQLEXPRESS` is an instance of a database.
  if (isBehindDot || isNetwork(rest) || rest.startsWith('\\')) return 0;
  // What one copies out of a browser, and a folder or socket that a host offers: `10.0.0.7:/srv`.
  const isPage = kind !== 'internal' && !isServicePort(Number(port));
  const isCopied = rest === '/' && user === undefined && isPage;
  const isFolder = port === '' && !queryMark.test(rest);
  const isNamed = isCopied || isFolder || database.test(`${port}${rest}`);
  return isPlain && isNamed ? confidence.hint : confidence.likely;
}

/** `10.0.0.7:5432/shop`: a name behind the port of a database, which answers no request of HTTP. */
const database = /^(?:5432|3306|1433|1521)\/\w{1,40}$/;

/** `10.5`, `1234567890`: an address to some clients, and a measure or the number of an order. */
function isMeasure(host: string, kind: HostKind): boolean {
  return fraction.test(host) || (kind === 'odd-private' && wholeNumber.test(host));
}

/** A host of the inside in its usual spelling. */
function isPlainInside(kind: HostKind): boolean {
  return kind === 'internal' || kind === 'private' || kind === 'loopback';
}

/** The machine that asks, by whatever name. */
function isOwn(kind: HostKind): boolean {
  return kind === 'loopback' || kind === 'odd-loopback' || kind === 'metadata';
}

function isWord(host: string): boolean {
  return word.test(host) && !longNumber.test(host);
}

const word = /^[\w-]+$/;
/** The whole of an address in one number. */
const longNumber = /^(?:0x[\da-f]{6,}|\d{8,})$/i;
const wholeNumber = /^[1-9]\d*$/;
/** `10.5`, `10.15.7`: a measure or a version, though an address to some clients. */
const fraction = /^(?!127\.)(?:0|[1-9]\d{0,2})(?:\.\d{1,4}){1,2}$/;
const breakOut = /^(?:[.:]|$)/;
/** A length of a network is no path. */
const networkLength = /^\/\d{1,3}$/;

const queryMark = /[?#]/;
const nameCharsMax = 1_024;
const breaks = /[\t\r\n]/g;
/** Tabs count as spaces. */
const breakClasses = charClass.lineBreak | charClass.space;

/** Members that hold a host and no path. */
const hostMember =
  /(?:host(?:_?name)?|server(?:_?(?:name|host))?|(?:^|[._\-[])ip(?:_?addr(?:ess)?)?)\]?$/i;
/** A field of a form; settings that are nested deeper may hold anything. */
const hostDepthMax = 2;

/** Members that an application puts in front of its own domain: no address is there. */
const nameMember =
  /(?:^|[._\-[])(?:tenant|customer|organi[sz]ation|org|sub_?domain|bucket|region|zone|shop|store|workspace|realm|country|locale)\]?$/i;
