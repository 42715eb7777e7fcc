import { BlockList, isIP, isIPv4 } from 'node:net';
import { addressText, addressWords, canonicalAddress } from '../contract/address.ts';
import type { NetworkSet } from '../contract/key-bounds.ts';
import type { UwsRequest, UwsResponse } from './uws.ts';

/** `[2001:db8::1]:443`, `10.0.0.1:443`: some proxies write the port as well. */
const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/;
const withPort = /^([^:]*):\d{1,5}$/;

/** Proxies on this many hops are looked through; more is no chain of ours. */
const hopsMax = 32;

/** The four words of `readAddress`. They are not used twice at once. */
const words = new Uint32Array(addressWords);

/** Where a connection comes from, in its one written form; '' for a Unix socket. */
export function peerAddress(res: UwsResponse): string {
  return readPeer(res) ? addressText(words) : '';
}

/** Whether a connection comes from one of some networks; never on a Unix socket. */
export function isPeerIn(networks: NetworkSet, res: UwsResponse): boolean {
  return readPeer(res) && networks.has(words);
}

/** No look at a text: keys that are bounded to networks ask for each request. */
function readPeer(res: UwsResponse): boolean {
  const bytes = new DataView(res.getRemoteAddress());
  if (bytes.byteLength === 4) {
    words.fill(0, 0, 2);
    words[2] = 0xffff;
    words[3] = bytes.getUint32(0);
  } else if (bytes.byteLength === 16) {
    for (let word = 0; word < addressWords; word++) words[word] = bytes.getUint32(4 * word);
  } else return false;
  return true;
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
    const address = hopAddress(hop.trim());
    if (address === undefined) return client;
    client = address;
    if (!trusted.has(client)) return client;
  }
  return client;
}

/** An address as `peerAddress` writes it; undefined for what is none. */
function hopAddress(text: string): string | undefined {
  return canonicalAddress(bracketed.exec(text)?.[1] ?? withPort.exec(text)?.[1] ?? text);
}
