import { addressWords, readAddress } from '../../contract/address.ts';

/** IPv4-mapped, IPv4-compatible and IPv4-translated: `::ffff:a.b.c.d`, `::a.b.c.d`, `::ffff:0:a.b.c.d`. */
const lastWordBehind: readonly number[] = [0xffff, 0, 0xffff_0000];
/** NAT64: the well-known prefix (RFC 6052) and those for use within a network (RFC 8215). */
const nat64 = 0x0064_ff9b;
/** ISATAP, RFC 5214: the id of an interface that begins with it ends with an IPv4 address. */
const isatap: readonly number[] = [0x0000_5efe, 0x0200_5efe];
const teredo = 0x2001_0000;
const sixToFour = 0x2002;

/**
 * The IPv4 addresses that an IPv6 address carries: a gateway or a tunnel may take what is sent to it
 * to one of them. Empty for an IPv4 address and for what is no address.
 */
export function embeddedIpv4(address: string): readonly string[] {
  const words = new Uint32Array(addressWords);
  const [bare = ''] = address.split('%');
  if (!bare.includes(':') || !readAddress(bare, words)) return [];
  const [a = 0, b = 0, c = 0, d = 0] = words;
  const found: number[] = [];
  // `::` and `::1` are the unspecified address and the loopback.
  const isSpecial = c === 0 && d <= 1;
  if (a === 0 && b === 0 && lastWordBehind.includes(c) && !isSpecial) found.push(d);
  if (a === nat64 && b === 0 && c === 0) found.push(d);
  if (a === nat64 && b >>> 16 === 1) {
    // Its prefix may have 96, 64, 56 or 48 bits; bits 64 to 71 are skipped.
    const low = c & 0xff_ffff;
    const readings = [d, (low << 8) | (d >>> 24), (b << 24) | low, (b << 16) | (low >>> 8)];
    // A reading that begins in the zeros of another one is none.
    found.push(...readings.filter((word) => word >>> 24 !== 0));
  }
  if (a >>> 16 === sixToFour) found.push((a << 16) | (b >>> 16));
  // RFC 4380: the server, and the client with its bits turned over.
  if (a === teredo) found.push(b, ~d);
  if (isatap.includes(c)) found.push(d);
  return found.map((word) => [24, 16, 8, 0].map((shift) => (word >>> shift) & 255).join('.'));
}
