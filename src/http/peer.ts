import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { addressWords } from '../contract/address.ts';
import type { NetworkSet } from '../contract/key-bounds.ts';
import type { UwsRequest, UwsResponse } from './uws.ts';

/** An IPv4 address in IPv6 form, as a socket for both versions gives it. */
const mappedV4 = /^(?:0000:){5}ffff:([0-9a-f]{2})([0-9a-f]{2}):([0-9a-f]{2})([0-9a-f]{2})$/;
/** `[2001:db8::1]:443`, `10.0.0.1:443`: some proxies write the port as well. */
const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/;
const withPort = /^([^:]*):\d{1,5}$/;

/** Proxies on this many hops are looked through; more is no chain of ours. */
const hopsMax = 32;

/** Where a connection comes from; an IPv4 address as such, and '' for a Unix socket. */
export function peerAddress(res: UwsResponse): string {
  return plainV4(Buffer.from(res.getRemoteAddressAsText()).toString('latin1').toLowerCase());
}

/** The four words of `readAddress`; no look at a text. This is not entered twice at once. */
const words = new Uint32Array(addressWords);

/** Whether a connection comes from one of some networks; never on a Unix socket. */
export function isPeerIn(networks: NetworkSet, res: UwsResponse): boolean {
  const bytes = new DataView(res.getRemoteAddress());
  if (bytes.byteLength === 4) {
    words.fill(0, 0, 2);
    words[2] = 0xffff;
    words[3] = bytes.getUint32(0);
  } else if (bytes.byteLength === 16) {
    for (let word = 0; word < addressWords; word++) words[word] = bytes.getUint32(4 * word);
  } else return false;
  return networks.has(words);
}

/** Whose word on the address of a client counts. */
export interface TrustedProxies {
  has(address: string): boolean;
}

/** The proxies of a list of addresses and networks; `unix` stands for the users of the socket. */
export function trustedProxiesOf(list: readonly string[]): TrustedProxies {
  const networks = new BlockList();
  for (const entry of list) {
    const [address = '', bits] = entry.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (isIP(address) === 0) continue;
    if (bits === undefined) networks.addAddress(address, family);
    else networks.addSubnet(address, Number(bits), family);
  }
  const trustsSocket = list.includes('unix');
  return {
    has: (address) =>
      address === ''
        ? trustsSocket
        : networks.check(address, address.includes(':') ? 'ipv6' : 'ipv4'),
  };
}

/**
 * Where a request comes from: the peer or, where that is a trusted proxy, the last address in
 * `X-Forwarded-For` that is none. What stands before it is the client's own word.
 */
export function clientAddress(res: UwsResponse, req: UwsRequest, trusted: TrustedProxies): string {
  const peer = peerAddress(res);
  if (!trusted.has(peer)) return peer;
  // A proxy may add a line of its own instead of lengthening the one that is there.
  const lines: string[] = [];
  req.forEach((name, value) => {
    if (name === 'x-forwarded-for') lines.push(value);
  });
  return lastUntrusted(lines.join(','), peer, trusted);
}

/**
 * The client in the text of an `X-Forwarded-For` that the application server tells, whose last
 * address is the one that reached it; '' where there is none.
 */
export function forwardedClient(forwardedFor: string, trusted: TrustedProxies): string {
  return lastUntrusted(forwardedFor, '', trusted);
}

function lastUntrusted(list: string, peer: string, trusted: TrustedProxies): string {
  const hops = list.split(',').slice(-hopsMax);
  let client = peer;
  for (const hop of hops.toReversed()) {
    const address = fullAddress(hop.trim());
    if (address === undefined) return client;
    client = address;
    if (!trusted.has(client)) return client;
  }
  return client;
}

/** An address as `peerAddress` writes it; undefined for what is none. */
function fullAddress(text: string): string | undefined {
  const bare = bracketed.exec(text)?.[1] ?? withPort.exec(text)?.[1] ?? text;
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare) || bare.includes('%')) return undefined;
  // The URL parser has one short form for each address: without IPv4 in it, and lower case.
  const [head = '', tail] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = (tail ?? '').split(':').filter((group) => group !== '');
  const zeros = new Array<string>(8 - before.length - after.length).fill('0');
  const groups = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0'));
  return plainV4(groups.join(':'));
}

function plainV4(address: string): string {
  const parts = mappedV4.exec(address);
  if (parts === null) return address;
  return parts
    .slice(1)
    .map((hex) => Number.parseInt(hex, 16))
    .join('.');
}
