import { hexValue, isDigit } from '../../text/char-class.ts';
import { wordMap } from '../../text/words.ts';

/** What a host of a URL leads to. */
export type HostKind =
  /** A public name or address. */
  | 'public'
  /** `localhost`, `127.0.0.1`, as developers write it. */
  | 'loopback'
  /** The machine itself, spelt so that a comparison of strings misses it. */
  | 'odd-loopback'
  /** Exists within a network only, as RFC 1918's; plain spelling. */
  | 'private'
  /** A private address in a spelling for machines only. */
  | 'odd-private'
  /** A public address in a spelling for machines only. */
  | 'odd-address'
  /** The metadata service of a cloud, or link-local. */
  | 'metadata'
  /** Name of a service inside a cluster or container. */
  | 'internal'
  /** A public name that resolves to an address of the asker's choice. */
  | 'rebinding'
  /** A catcher of out-of-band requests. */
  | 'catcher';

/** Classifies a host as it stands in a URL. */
export function hostKindOf(host: string): HostKind {
  if (host.length === 0 || host.length > hostCharsMax) return 'public';
  const lower = host.toLowerCase();
  const plain = plainOf(lower);
  const isOdd = plain !== lower;
  if (plain.startsWith('[')) return kindOfIpv6(insideOfBrackets(plain));
  const name = withoutRoot(plain);
  const address = ipv4Of(name);
  if (address < 0) return kindOfName(name, isOdd || name !== plain);
  return kindOfIpv4(address, isOdd || name !== plain || !plainIpv4.test(name));
}

/** What a host in lower case is to resolvers. */
function plainOf(lower: string): string {
  const name = lower.startsWith('[') ? lower : lower.replace(escapedAscii, byteOf).toLowerCase();
  return isAscii.test(name) ? name : mapped(name);
}

/** WHATWG's URL and most clients decode the host; the zone of an IPv6 address keeps its sign. */
const escapedAscii = /%([2-7][\da-f])/g;

function byteOf(_: string, digits: string): string {
  return String.fromCharCode(Number.parseInt(digits, 16));
}

/** Without the dot of the root at the end. */
function withoutRoot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

/** The mapping of UTS 46, which resolvers and WHATWG's URL apply: ①②⑦, １２７, ſ, 。, soft hyphens. */
function mapped(host: string): string {
  return host.replace(ignored, '').normalize('NFKC').toLowerCase().replaceAll('。', '.');
}

/** An IPv6 address without its brackets and zone. */
function insideOfBrackets(host: string): string {
  return host.slice(1).replace(bracketEnd, '').replace(zone, '');
}

const ignored = /[\u00ad\u200b\u2060\ufeff]/g;
const hostCharsMax = 253;
const isAscii = /^[\u0000-\u007f]*$/;
const bracketEnd = /\].{0,64}$/;
const plainIpv4 = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/;

/**
 * The number of an IPv4 address in any form of inet_aton: `127.1`, `0x7f.1`, `017700000001`; -1 for
 * none.
 */
function ipv4Of(host: string): number {
  if (!isDigit(host.charCodeAt(0)) || !ipv4Characters.test(host)) return -1;
  const parts = host.split('.');
  if (parts.length > 4) return -1;
  let address = 0;
  for (let i = 0; i < parts.length; i++) {
    const value = numberOf(parts[i] ?? '');
    const isLast = i === parts.length - 1;
    if (value < 0 || (!isLast && value > 255)) return -1;
    address = isLast ? address * 256 ** (5 - parts.length) + value : address * 256 + value;
  }
  // Some parsers let the last part overflow; the address is what is left of it.
  return address % 2 ** 32;
}

const ipv4Characters = /^[0-9a-fx.]{1,64}$/;

function numberOf(part: string): number {
  if (part === '') return -1;
  if (part.startsWith('0x')) return digitsOf(part.slice(2), 16);
  if (part.length > 1 && part.startsWith('0')) return digitsOf(part, 8);
  return digitsOf(part, 10);
}

function digitsOf(digits: string, base: number): number {
  let value = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = hexValue(digits.charCodeAt(i));
    if (digit < 0 || digit >= base) return -1;
    value = (value * base + digit) % 2 ** 40;
  }
  return value;
}

const metadataIpv4: ReadonlySet<number> = new Set([
  // Alibaba, Oracle, Azure's wire server
  0x64_64_64_c8, 0xc0_00_00_c0, 0xa8_3f_81_10,
]);

/** Of hosts of the kind `metadata`, those that hand out credentials: no other link-local address. */
export function isCredentialHost(host: string): boolean {
  const name = withoutRoot(plainOf(host.toLowerCase()));
  if (!name.startsWith('[')) {
    const address = ipv4Of(name);
    return address < 0 ? name.includes('.') : isCredentialAddress(address);
  }
  const groups = groupsOf(insideOfBrackets(name));
  if (groups === undefined) return false;
  const carried = carriedIpv4(groups);
  return carried < 0 ? isCredentialService(groups) : isCredentialAddress(carried);
}

function isCredentialAddress(address: number): boolean {
  return !isIn(linkLocal, address) || credentials.has(address);
}

/** Amazon's `fd00:ec2::/32`. */
function isCredentialService([first, second]: readonly number[]): boolean {
  return first === 0xfd00 && second === 0xec2;
}

/** Amazon's, Google's and Azure's; that of containers at Amazon. */
const credentials: ReadonlySet<number> = new Set([0xa9_fe_a9_fe, 0xa9_fe_aa_02]);

/** Networks by their first address and the bits of their prefix. */
type Networks = readonly (readonly [first: number, bits: number])[];

const linkLocal: Networks = [[0xa9_fe_00_00, 16]];
/** RFC 1918, the space of carriers (RFC 6598), benchmarks of networks (RFC 2544). */
const privateNetworks: Networks = [
  [0x0a_00_00_00, 8],
  [0xac_10_00_00, 12],
  [0xc0_a8_00_00, 16],
  [0x64_40_00_00, 10],
  [0xc6_12_00_00, 15],
];

function isIn(networks: Networks, address: number): boolean {
  return networks.some(([first, bits]) => address >>> (32 - bits) === first >>> (32 - bits));
}

function kindOfIpv4(address: number, isOdd: boolean): HostKind {
  const first = address >>> 24;
  if (first === 127) return isOdd || address !== 0x7f_00_00_01 ? 'odd-loopback' : 'loopback';
  if (first === 0) return 'odd-loopback';
  if (metadataIpv4.has(address) || isIn(linkLocal, address)) return 'metadata';
  const isPrivate = isIn(privateNetworks, address);
  if (isOdd) return isPrivate ? 'odd-private' : 'odd-address';
  return isPrivate ? 'private' : 'public';
}

function kindOfIpv6(text: string): HostKind {
  const groups = groupsOf(text);
  if (groups === undefined) return 'public';
  const [first = 0] = groups;
  // `::` and `::1` carry addresses of 0.0.0.0/8, which lead to the machine, too.
  const carried = carriedIpv4(groups);
  if (carried >= 0) return kindOfMapped(carried);
  if (isCredentialService(groups) || isWithin(first, 0xfe80, 10)) return 'metadata';
  // Unique local; site-local, which routers inside of a network still know.
  return isWithin(first, 0xfc00, 7) || isWithin(first, 0xfec0, 10) ? 'private' : 'public';
}

/** Do the first bits of a group equal those of another? */
function isWithin(group: number, prefix: number, bits: number): boolean {
  return group >> (16 - bits) === prefix >> (16 - bits);
}

function isZero(groups: readonly number[], from: number, to: number): boolean {
  return groups.slice(from, to).every((one) => one === 0);
}

/** The IPv4 address that an IPv6 address leads to; -1 for none. */
function carriedIpv4(groups: readonly number[]): number {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = groups;
  const low = addressOf(groups, 6);
  const head = isZero(groups, 0, 4);
  // Mapped and compatible (RFC 4291, 2.5.5), translated (RFC 2765, 2.1).
  if (head && fifth === 0 && (sixth === 0 || sixth === 0xffff)) return low;
  if (head && fifth === 0xffff && sixth === 0) return low;
  // NAT64 (RFC 6052, 2.1; RFC 8215), ISATAP (RFC 5214, 6.1).
  if (first === 0x64 && second === 0xff9b) return low;
  if ((fifth & 0xfdff) === 0 && sixth === 0x5efe) return low;
  // 6to4 (RFC 3056, 2); the client of Teredo, inverted (RFC 4380, 4).
  if (first === 0x2002) return second * 2 ** 16 + third;
  return first === 0x2001 && second === 0 && third + fourth > 0 ? 2 ** 32 - 1 - low : -1;
}

function addressOf(groups: readonly number[], at: number): number {
  return (groups[at] ?? 0) * 2 ** 16 + (groups[at + 1] ?? 0);
}

/** Sockets of both families write each IPv4 address so: the public ones lead nowhere else. */
function kindOfMapped(address: number): HostKind {
  const kind = kindOfIpv4(address, true);
  return kind === 'odd-address' ? 'public' : kind;
}

const zone = /%.{0,40}$/;

/** The eight groups of an IPv6 address; undefined when it is none. */
function groupsOf(text: string): number[] | undefined {
  const halves = text.split('::', 3);
  if (halves.length > 2) return undefined;
  const head = partsOf(halves[0] ?? '');
  const tail = partsOf(halves[1] ?? '');
  if (head === undefined || tail === undefined) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 0) return undefined;
  return [...head, ...new Array<number>(missing).fill(0), ...tail];
}

function partsOf(text: string): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  for (const part of text.split(':', 9)) {
    if (part.includes('.')) {
      const address = ipv4Of(part);
      if (address < 0) return undefined;
      groups.push(Math.floor(address / 2 ** 16), address % 2 ** 16);
    } else {
      const group = part.length > 4 || part === '' ? -1 : digitsOf(part, 16);
      if (group < 0) return undefined;
      groups.push(group);
    }
  }
  return groups;
}

/** What single names lead to. One table, as each look-up reads the whole name. */
const names: ReadonlyMap<string, HostKind> = wordMap<HostKind>(
  ['odd-loopback', 'localhost.localdomain 127-0-0-1.org.uk localhost6 ip6-localhost ip6-loopback'],
  ['odd-loopback', 'loopback'],
  [
    'metadata',
    `metadata metadata.google.internal metadata.goog instance-data instance-data.ec2.internal
     rancher-metadata metadata.tencentyun.com metadata.packet.net
     metadata.platformequinix.com metadata.azure.internal metadata.azure.com
     metadata.service.consul`,
  ],
  [
    'internal',
    `kubernetes kubernetes.default kubernetes.default.svc host.docker.internal
     gateway.docker.internal docker.for.mac.localhost kubernetes.docker.internal consul
     vault etcd`,
  ],
  // The HTTP clients of Docker and Node name a socket so: `http://unix:/run/x.sock`.
  ['internal', 'unix'],
);

/** What the names below a zone lead to; `address` where the name says an address. */
const zones: ReadonlyMap<string, HostKind | 'address'> = wordMap<HostKind | 'address'>(
  ['address', 'nip.io sslip.io xip.io xip.name ipq.co traefik.me backname.io'],
  [
    'rebinding',
    `localtest.me lvh.me vcap.me lacolhost.com localho.st fuf.me 1u.ms rbndr.us
     rebind.network rebind.it r3dir.me dod.network`,
  ],
  [
    'catcher',
    `burpcollaborator.net oastify.com interact.sh interactsh.com oast.pro oast.live
     oast.site oast.online oast.fun oast.me dnslog.cn ceye.io bxss.me xss.ht
     requestbin.net requestrepo.com canarytokens.com zhack.ca eyes.sh`,
  ],
  ['internal', 'cluster.local service.consul node.consul'],
);

/** Zones whose names tell a tester that they were asked for. */
export const catcherZones: readonly string[] = [...zones.keys()].filter(
  (zone) => zones.get(zone) === 'catcher',
);

function kindOfName(name: string, isOdd: boolean): HostKind {
  // RFC 6761, 6.3: `localhost` and all names below it.
  if (name === 'localhost' || name.endsWith('.localhost'))
    return isOdd ? 'odd-loopback' : 'loopback';
  const known = names.get(name);
  if (known !== undefined) return known;
  const dot = name.lastIndexOf('.');
  if (dot <= 0) return 'public';
  const kind = zones.get(name.slice(name.lastIndexOf('.', dot - 1) + 1));
  if (kind === undefined) return privateZones.has(name.slice(dot + 1)) ? 'private' : 'public';
  return kind === 'address' ? kindOfAnswer(name) : kind;
}

/** Top-level names that exist within a network only (RFC 6762, appendix G; ICANN's `internal`). */
const privateZones: ReadonlySet<string> = new Set(['internal', 'intranet', 'lan', 'corp', 'local']);

/** What a zone answers with that says the address in the name: `10-0-0-1`, `x.10.0.0.1`, `0a000001`. */
function kindOfAnswer(name: string): HostKind {
  const found = addressLabel.exec(name);
  const [, hex, ...parts] = found ?? [];
  const address =
    hex === undefined ? ipv4Of(parts.map(Number).join('.')) : Number.parseInt(hex, 16);
  if (found === null || address < 0) return loopbackLabel.test(name) ? 'rebinding' : 'public';
  return kindOfIpv4(address, false) === 'public' ? 'public' : 'rebinding';
}

const addressLabel =
  /(?:^|[.-])(?:(?:0x)?([\da-f]{8})|(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3}))\.[a-z]{2,10}\.[a-z]{2,4}$/;
const loopbackLabel = /(?:^|[.-])localhost\./;
