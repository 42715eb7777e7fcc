/** Words of 32 bits in an address: IPv4 is held as IPv6 in its mapped form (RFC 4291, 2.5.5.2). */
export const addressWords = 4;

const mappedWord = 0xffff;
const colon = 58;
const dot = 46;

/**
 * Writes the four words of an IPv4 or IPv6 address; false for what is none. No zone, no brackets,
 * no port. Allocates nothing.
 */
export function readAddress(text: string, into: Uint32Array): boolean {
  if (text.length > 45) return false;
  return text.includes(':') ? readV6(text, into) : readMapped(text, 0, into);
}

/** An IPv4 address as IPv6. */
function readMapped(text: string, from: number, into: Uint32Array): boolean {
  const address = v4At(text, from);
  if (address < 0) return false;
  into[0] = 0;
  into[1] = 0;
  into[2] = mappedWord;
  into[3] = address;
  return true;
}

/** The number of a dotted address from a place to the end; -1 for what is none. */
function v4At(text: string, from: number): number {
  let address = 0;
  let part = -1;
  let parts = 0;
  let digits = 0;
  for (let at = from; at <= text.length; at++) {
    const code = at === text.length ? dot : text.charCodeAt(at);
    if (code === dot) {
      if (part < 0 || part > 255 || parts === 4) return -1;
      address = address * 256 + part;
      parts += 1;
      part = -1;
      digits = 0;
    } else {
      const digit = code - 48;
      // A leading zero means octal to some readers.
      if (digit < 0 || digit > 9 || part === 0 || digits === 3) return -1;
      part = Math.max(part, 0) * 10 + digit;
      digits += 1;
    }
  }
  return parts === 4 ? address : -1;
}

/** Groups of the address that is being read; this is not entered twice at once. */
const groups = new Uint16Array(8);

function readV6(text: string, into: Uint32Array): boolean {
  let count = 0;
  let gapAt = -1;
  let at = 0;
  if (text.startsWith('::')) {
    gapAt = 0;
    at = 2;
  }
  while (at < text.length) {
    if (count === 8) return false;
    const end = groupEnd(text, at);
    if (text.charCodeAt(end) === dot) {
      if (!readV4Tail(text, at, count)) return false;
      count += 2;
      break;
    }
    if (end === at || end - at > 4) return false;
    groups[count++] = Number.parseInt(text.slice(at, end), 16);
    at = end;
    if (at === text.length) break;
    if (text.startsWith('::', at)) {
      if (gapAt >= 0) return false;
      gapAt = count;
      at += 2;
    } else if (text.charCodeAt(at) === colon && at + 1 < text.length) at += 1;
    else return false;
  }
  if (gapAt < 0 ? count !== 8 : count > 7) return false;
  spread(count, gapAt < 0 ? count : gapAt, into);
  return true;
}

/** The last two groups, written as an IPv4 address. */
function readV4Tail(text: string, at: number, count: number): boolean {
  const address = v4At(text, at);
  if (address < 0 || count > 6) return false;
  groups[count] = address / 65_536;
  groups[count + 1] = address & 0xffff;
  return true;
}

/** Where the hexadecimal digits end that begin at a place. */
function groupEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at) | 32;
    const isHex = (code >= 48 && code <= 57 && text.charCodeAt(at) < 64) || isLetter(code);
    if (!isHex) break;
    at += 1;
  }
  return at;
}

function isLetter(code: number): boolean {
  return code >= 97 && code <= 102;
}

function spread(count: number, gapAt: number, into: Uint32Array): void {
  const group = (index: number): number => {
    if (index < gapAt) return groups[index] ?? 0;
    const fromEnd = 8 - index;
    return fromEnd <= count - gapAt ? (groups[count - fromEnd] ?? 0) : 0;
  };
  for (let word = 0; word < addressWords; word++) {
    into[word] = group(2 * word) * 65_536 + group(2 * word + 1);
  }
}

/** The one written form (RFC 5952) of an address of four words; IPv4 without its mapped form. */
export function addressText(words: ArrayLike<number>): string {
  return textOf(Array.from(words), 128);
}

/** The one written form of an address; undefined for what is none. */
export function canonicalAddress(text: string): string | undefined {
  const words = new Uint32Array(addressWords);
  return readAddress(text, words) ? addressText(words) : undefined;
}

/** An IPv6 address with all its zeros, as older versions wrote it; any other text as it is. */
export function paddedAddress(text: string): string {
  const words = new Uint32Array(addressWords);
  if (!text.includes(':') || !readAddress(text, words)) return text;
  const groups = Array.from(words, (word) => word.toString(16).padStart(8, '0'));
  return (groups.join('').match(/.{4}/g) ?? []).join(':');
}

/** A network in its one written form: `203.0.113.0/24`, `2001:db8::/32`. */
export interface Network {
  readonly text: string;
  /** Of the first address. */
  readonly words: readonly number[];
  /** Length of the prefix in 128 bits. */
  readonly bits: number;
}

const bitsPattern = /^\d{1,3}$/;

/** A network, or an address, which is a network of one; what is wrong with it otherwise. */
export function networkOf(given: string): Network | { readonly problem: string } {
  const [address = '', bitsText, ...more] = given.trim().split('/');
  const words = new Uint32Array(addressWords);
  if (more.length > 0 || !readAddress(address, words)) {
    return { problem: 'write an address or a network, such as 203.0.113.7 or 2001:db8::/32' };
  }
  const isV4 = words[0] === 0 && words[1] === 0 && words[2] === mappedWord;
  const most = isV4 && !address.includes(':') ? 32 : 128;
  const bits = bitsText === undefined ? most : Number(bitsText);
  if (bitsText !== undefined && (!bitsPattern.test(bitsText) || bits > most)) {
    return { problem: `write the length of the prefix as a number from 0 to ${most}` };
  }
  const prefix = bits + 128 - most;
  if (hasHostBits(words, prefix)) {
    return {
      problem: `has bits beyond its prefix; write ${textOf(masked(words, prefix), prefix)}`,
    };
  }
  return { text: textOf([...words], prefix), words: [...words], bits: prefix };
}

/** The shortest prefixes that are no slip: what they hold is much already. */
const bitsMinV4 = 8;
const bitsMinV6 = 16;
/** All of IPv4, as it is held. */
const mappedBits = 96;
const mappedBase = Uint32Array.of(0, 0, mappedWord, 0);

/** The prefix to write instead of one that holds much of the Internet; undefined for a narrow one. */
export function narrowerThan({ text, bits, words }: Network): string | undefined {
  if (!text.includes(':')) return bits - mappedBits < bitsMinV4 ? `/${bitsMinV4}` : undefined;
  if (bits < bitsMinV6) return `/${bitsMinV6}`;
  // `::/64` is short for little else than all of IPv4.
  const isMapped = bits <= mappedBits && hasPrefix(mappedBase, { words, bits });
  return isMapped ? `/${mappedBits + 1}` : undefined;
}

/** Whether all addresses of a network lie in another one; false where either is none. */
export function isWithin(inner: string, outer: string): boolean {
  const [part, whole] = [networkOf(inner), networkOf(outer)];
  if ('problem' in part || 'problem' in whole) return false;
  return whole.bits <= part.bits && hasPrefix(Uint32Array.from(part.words), whole);
}

function hasPrefix(address: Uint32Array, { words, bits }: Omit<Network, 'text'>): boolean {
  return masked(address, bits).every((word, index) => word === words[index]);
}

function maskOf(word: number, bits: number): number {
  const inWord = Math.min(32, Math.max(0, bits - 32 * word));
  return inWord === 0 ? 0 : (0xffff_ffff << (32 - inWord)) >>> 0;
}

function masked(words: Uint32Array, bits: number): number[] {
  return Array.from(words, (word, index) => (word & maskOf(index, bits)) >>> 0);
}

function hasHostBits(words: Uint32Array, bits: number): boolean {
  return masked(words, bits).some((word, index) => word !== words[index]);
}

/** The last address of a network. */
export function lastAddress({ words, bits }: Network): readonly number[] {
  return words.map((word, index) => (word | ~maskOf(index, bits)) >>> 0);
}

function textOf(words: readonly number[], bits: number): string {
  const [a = 0, b = 0, c = 0, d = 0] = words;
  if (bits >= 96 && a === 0 && b === 0 && c === mappedWord) {
    const address = [d >>> 24, (d >>> 16) & 255, (d >>> 8) & 255, d & 255].join('.');
    return bits === 128 ? address : `${address}/${bits - 96}`;
  }
  const all = words.flatMap((word) => [word >>> 16, word & 0xffff]);
  const address = shortened(all);
  return bits === 128 ? address : `${address}/${bits}`;
}

/** RFC 5952: the longest run of two or more zero groups becomes `::`. */
function shortened(all: readonly number[]): string {
  let [start, length] = [-1, 1];
  for (let at = 0; at < all.length; at++) {
    let end = at;
    while (all[end] === 0) end += 1;
    if (end - at > length) [start, length] = [at, end - at];
  }
  const hex = (some: readonly number[]) => some.map((group) => group.toString(16)).join(':');
  if (start < 0) return hex(all);
  return `${hex(all.slice(0, start))}::${hex(all.slice(start + length))}`;
}
