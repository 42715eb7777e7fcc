import type { UwsResponse } from './uws.ts';

/** An IPv4 peer of a socket for both versions comes as a mapped IPv6 address. */
const mappedV4 = /^(?:0000:){5}ffff:([0-9a-f]{2})([0-9a-f]{2}):([0-9a-f]{2})([0-9a-f]{2})$/i;

/** Where a connection comes from; an IPv4 address as such, and '' for a Unix socket. */
export function peerAddress(res: UwsResponse): string {
  const text = Buffer.from(res.getRemoteAddressAsText()).toString('latin1');
  const parts = mappedV4.exec(text);
  if (parts === null) return text;
  const bytes = parts.slice(1).map((hex) => Number.parseInt(hex, 16));
  return bytes.join('.');
}
