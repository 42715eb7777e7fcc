import { hostKindOf, isCredentialHost } from '../../grammars/url/host.ts';
import { type Url, urlGrammar } from '../../grammars/url/url.ts';
import { confidence } from '../../placement/confidence.ts';
import { isOwnAddress, isUrlMember } from '../../placement/fetch-place.ts';
import type { Subject } from '../../placement/subject.ts';
import { inMember, type Match, type ValueRule } from '../rule.ts';
import { type Place, serviceScore } from './internal-service.ts';

/** `url=127.0.0.1:6379`, `host=169.254.169.254`: fetchers put `http://` in front by themselves. */
export const bareAddress: ValueRule = {
  id: 'ssrf.bare-address',
  score: confidence.strong,
  message: 'has the server fetch from the inside of its network, by an address without a scheme',
  trigger: { isOfValues: true, literals: [['.', ':', '0x']], charsMax: 300 },
  judge(subject): Match | undefined {
    const { text, member, depth, decoded } = subject;
    if (depth !== 1) return undefined;
    const isUrl = isUrlMember(member);
    if (!isUrl && !hostMember.test(member)) return undefined;
    // A parameter of a URL in the field is not the field.
    if (decoded.some((step) => step.includes(':'))) return undefined;
    const score = isUrl ? urlScore(subject) : hostScore(text.trim(), member);
    return score === 0 ? undefined : { start: 0, end: text.length, score };
  },
  examples: [
    ...inMember('url', '169.254.169.254', '127.0.0.1:6379', 'localhost:22', '127.0.0.1.nip.io'),
    ...inMember('image_url', '0x7f.1', '0x7f000001'),
    ...inMember('query.url', 'localhost:8080/admin', '10.0.0.5:6379'),
    ...inMember('host', '169.254.169.254', '0x7f.0.0.1', '%31%32%37.0.0.1', '１２７.0.0.1'),
    ...inMember('query.host', 't.192.168.4.6.sslip.io', '3232235781:443'),
    ...inMember('server', 'ann@10-0-0-1.nip.io:80', '0xa9.0xfe.0xa9.0xfe'),
    { body: { url: '10.0.0.1/24/../../containers/json' } },
    ...[{ body: { webhook: '[::1]:9200/_search' } }, { body: { feed_url: '127.0.0.1' } }],
    { body: { 'query.target': '[fd00:ec2::254]' } },
    { body: { domain: 'metadata.google.internal' } },
    { body: { 'body.url': '169.254.169.254:80' } },
    { body: { 'query.dest': '169.254.169.254' } },
    { body: { callback_url: '127.0.0.1:6379' } },
  ],
  lookalikes: [
    ...inMember('url', 'example.com', 'localhost:3000', '10.0.0.5:8080', '/photos/10.0.0.5', '1.5'),
    ...inMember('url', 'https://www.example.com/search?q=169.254.169.254', '5:30', '10.0.0.1/24'),
    ...inMember('url', 'shop.example.com:8443/cart', '169.254.0.0/16', 'web:8080'),
    ...inMember('host', '127.0.0.1', 'localhost:5432', '10.0.0.5:9100', '0.0.0.0', '127.0.1.1'),
    ...inMember('host', '2130706433', 'app.203.0.113.5.sslip.io'),
    ...inMember('ip', '169.254.20.7', '192.168.001.005', '192.168.0.010'),
    ...inMember('target', '0x00000001', '0x7fffffff', '0.05', '0x10'),
    ...[{ body: { q: '169.254.169.254' } }, { body: { comment: 'metadata.google.internal' } }],
    ...[{ body: { 'body.url': '192.168.0.0/16' } }, { body: { link: '169.254.20.7' } }],
    ...[{ body: { server: '127.1' } }, { body: { addr: '0x7f000001' } }],
    ...[{ body: { domain: 'app.192.168.1.5.sslip.io' } }, { body: { image: '10.0.0.5' } }],
    ...[{ body: { endpoint: 'localhost:9000' } }, { body: { proxy: '127.0.0.1:3128' } }],
    { body: { callback_url: 'localhost:9000/callback' } },
    { body: { server: { url: '127.0.0.1:6379' } } },
  ],
};

/** As a fetcher reads it that knows no scheme but its own. */
function urlScore({ text, member, depth }: Subject): number {
  const value = text.trim();
  if (ownScheme.test(value) || network.test(value)) return 0;
  const whole = `http://${value}`;
  const url = urlGrammar.read(whole).urls[0];
  if (url === undefined || url.start !== 0 || url.end < whole.length) return 0;
  return scoreOf({ text: whole, member, depth }, url);
}

/** A scheme, or a path of the site itself. */
const ownScheme = /^(?:[a-z][\w+.-]{0,20}:\/|[/\\?#@.])/i;

/** `10.0.0.1/24`, `fd00::/8`: an address and the length of its prefix (RFC 4632, 3.1). */
const network = /^(?:[\d.]{7,15}\/(?:[12]?\d|3[0-2])|[\da-f:.]{2,45}\/\d{1,3})$/i;

function scoreOf(place: Place, url: Url): number {
  const host = place.text.slice(url.hostStart, url.hostEnd);
  if (host.toLowerCase() !== 'localhost' && notAddress.test(host)) return 0;
  switch (url.hostKind) {
    case 'loopback':
    case 'private':
      return isOwnAddress(place, url) ? 0 : serviceScore(place, url);
    case 'metadata':
      return isCredentialHost(host) ? confidence.strong : confidence.likely;
    case 'odd-loopback':
    case 'odd-private':
    case 'rebinding':
      return confidence.likely;
    default:
      return 0;
  }
}

/** A number of a row, a measure or version, a single word. */
const notAddress = /^(?:\d{1,7}|\d{1,3}(?:\.\d{1,4}){1,2}|[a-z][\w-]{0,62})$/i;

function hostScore(value: string, member: string): number {
  const [host = '', port] = hostAndPort.exec(value)?.slice(1) ?? [];
  if (port !== undefined && port !== '80' && port !== '443') return 0;
  switch (hostKindOf(host)) {
    case 'metadata':
      return isCredentialHost(host) ? confidence.likely : 0;
    case 'rebinding':
      return publishedMember.test(member) ? 0 : confidence.likely;
    case 'odd-loopback':
    case 'odd-private':
      return isDisguised(host, port) && !pointerMember.test(member) ? confidence.likely : 0;
    default:
      return 0;
  }
}

const hostAndPort =
  /^(?:[\w.%-]{0,40}@)?(\[[\da-f:.]{2,60}\]|[\w.%\u0080-\uffff-]{1,80})(?::(\d{1,5}))?$/i;

/** In digits for machines, escapes or digits of other scripts: no measure, mask, number of an order or phone. */
function isDisguised(host: string, port: string | undefined): boolean {
  if (port !== undefined && wholeNumber.test(host)) return true;
  return disguised.test(host) && !padded.test(host);
}

const wholeNumber = /^\d{8,12}$/;
const disguised =
  /^0x(?!00(?!0{6}$)|7f{7}$)[\da-f]{8}$|^(?:\w{1,4}\.){1,3}0x[\da-f]|^0x[\da-f]{1,2}\.|^0\d{1,3}(?:\.\d{1,4}){3}$|^(?:\d{1,3}\.){1,3}0\d{1,3}(?:\.\d{1,4}){0,2}$(?<=(?:\.\d{1,4}){3})|[%\u0080-\uffff]/i;
/** `192.168.001.005`, `192.168.0.010`, as people write a column of addresses. */
const padded = /^\d{3}(?:\.\d{3}){3}$|^(?!127)[1-9]\d{0,2}(?:\.(?:0|[1-9]\d{0,2})){2}\.0\d\d$/;
/** A place in memory, or on a chain of blocks. */
const pointerMember = /(?:^|[._])addr(?:ess)?$/i;
/** A name under which an application is seen, also in the network of a developer. */
const publishedMember = /(?:domain|site)$/i;

/** Fields whose names ask for a host. */
const hostMember =
  /^(?:query\.|body\.)?(?:host(?:_?name)?|target|dest(?:ination)?|domain|site|server|upstream|backend|remote|(?:ip_?)?addr(?:ess)?|ip|link|proxy|endpoint)$/i;
