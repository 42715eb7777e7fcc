import { BlockList, isIP, isIPv4 } from 'node:net';

const inside = new BlockList();
for (const [network, bits] of [
  ...([
    ['0.0.0.0', 32],
    ['10.0.0.0', 8],
    ['100.64.0.0', 10],
    ['127.0.0.0', 8],
  ] as const),
  ...([
    ['169.254.0.0', 16],
    ['172.16.0.0', 12],
    ['192.0.0.0', 24],
    ['192.168.0.0', 16],
  ] as const),
] as const) {
  inside.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ...([
    ['::', 127],
    ['fc00::', 7],
    ['fe80::', 10],
  ] as const),
] as const) {
  inside.addSubnet(network, bits, 'ipv6');
}

// Networks whose addresses hold one of IPv4, and where: mapped, compatible, NAT64, 6to4.
const holders = (
  [
    ['::ffff:0:0', 96, 6],
    ['::', 96, 6],
    ['64:ff9b::', 96, 6],
    ['2002::', 16, 1],
  ] as const
).map(([network, bits, at]) => {
  const list = new BlockList();
  list.addSubnet(network, bits, 'ipv6');
  return { list, at };
});

const names = new Set([
  ...['localhost', 'localhost.localdomain', 'ip6-localhost', 'ip6-loopback', 'instance-data'],
  ...['metadata.google.internal', 'metadata', 'metadata.goog', 'host.docker.internal'],
  ...['gateway.docker.internal', 'kubernetes.default', 'kubernetes.default.svc', 'localtest.me'],
  ...['lvh.me', 'lacolhost.com', 'vcap.me', 'fbi.com', 'localho.st'],
]);
const loopbackDomains =
  /\.(?:localhost|localtest\.me|lvh\.me|lacolhost\.com|vcap\.me|localho\.st)$/;
// These answer with the address in the name.
const wildcard = /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})\.(?:nip|sslip)\.io$/;
const wildcardHex = /(?:^|[.-])([0-9a-f]{8})\.nip\.io$/;

/**
 * Whether a client that asks for this host arrives at a private, loopback, link-local or metadata
 * address. Names are looked up in a table of ours: no server is asked.
 */
export function isInside(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$|%.*$/g, '')
    .replace(/\]$/, '')
    .replace(/\.$/, '');
  if (isIPv4(name)) return inside.check(name, 'ipv4');
  if (isIP(name) === 6) return isInside6(name);
  if (names.has(name) || loopbackDomains.test(name)) return true;
  const parts = wildcard.exec(name)?.slice(1);
  if (parts !== undefined) return isInside(parts.map(Number).join('.'));
  const hex = wildcardHex.exec(name)?.[1];
  return hex !== undefined && isInside([...Buffer.from(hex, 'hex')].join('.'));
}

function isInside6(address: string): boolean {
  if (inside.check(address, 'ipv6')) return true;
  const groups = groupsOf(address);
  return holders.some(({ list, at }) => {
    if (!list.check(address, 'ipv6')) return false;
    const [high = 0, low = 0] = groups.slice(at);
    return isInside([high >> 8, high & 255, low >> 8, low & 255].join('.'));
  });
}

/** The eight numbers of an address. */
function groupsOf(address: string): number[] {
  const host = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = host.split('::');
  const numbers = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [begin, end] = [numbers(before), numbers(after ?? '')];
  return [...begin, ...Array<number>(8 - begin.length - end.length).fill(0), ...end];
}
