import { CharBuffer } from './char-buffer.ts';

/**
 * A stream of zlib or gzip (RFC 1950, RFC 1952) up to `charsMax` bytes of what it holds, each a
 * character; undefined for none.
 */
export function inflated(bytes: string, charsMax: number): string | undefined {
  const start = endOfHead(bytes);
  return start < 0 ? undefined : new Inflater(bytes, charsMax, 8 * start).read();
}

function endOfHead(bytes: string): number {
  const head = bytes.charCodeAt(0) * 256 + bytes.charCodeAt(1);
  if (head !== 0x1f8b)
    return (head & 0x0f20) === 0x0800 && head % 31 === 0 && head < 0x8000 ? 2 : -1;
  const flags = bytes.charCodeAt(3);
  let at = 10;
  if ((flags & 4) !== 0) at += 2 + bytes.charCodeAt(at) + 256 * bytes.charCodeAt(at + 1);
  // A name and a comment end with a zero.
  for (const flag of [8, 16]) if ((flags & flag) !== 0) at = bytes.indexOf('\0', at) + 1;
  return at + (flags & 2);
}

/** Lengths and distances of RFC 1951, 3.2.5: where each code begins, and how many bits follow it. */
const lengthStarts = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59];
lengthStarts.push(67, 83, 99, 115, 131, 163, 195, 227, 258);
const lengthBits = '00000000111122223333444455550';
const distanceStarts = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513];
distanceStarts.push(769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577);
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const codeBitsMax = 15;

/** A Huffman code (RFC 1951, 3.2.2): how many codes have each length, and the symbols in their order. */
interface Code {
  readonly counts: Readonly<Uint16Array>;
  readonly symbols: Readonly<Uint16Array>;
}

function codeOf(lengths: readonly number[]): Code {
  const counts = new Uint16Array(codeBitsMax + 1);
  for (const length of lengths) if (length > 0) (counts[length] as number)++;
  const next = new Uint16Array(codeBitsMax + 2);
  for (let length = 1; length <= codeBitsMax; length++)
    next[length + 1] = (next[length] as number) + (counts[length] as number);
  const symbols = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] as number;
    const place = next[length] as number;
    next[length] = place + 1;
    if (length > 0) symbols[place] = symbol;
  }
  return { counts, symbols };
}

const fixedLiterals = codeOf([
  ...Array.from({ length: 144 }, () => 8),
  ...Array.from({ length: 112 }, () => 9),
  ...Array.from({ length: 24 }, () => 7),
  ...Array.from({ length: 8 }, () => 8),
]);
const fixedDistances = codeOf(Array.from({ length: 30 }, () => 5));

class Inflater {
  private readonly text: string;
  private readonly charsMax: number;
  private readonly out = new CharBuffer(0);
  /** The next bit. */
  private bit: number;
  private isBroken = false;

  constructor(text: string, charsMax: number, bit: number) {
    this.text = text;
    this.charsMax = charsMax;
    this.bit = bit;
  }

  /** What can be read: a stream that is cut off or broken later holds what stands before. */
  read(): string | undefined {
    for (let isLast = false; !isLast && this.hasRoom(); ) {
      isLast = this.bits(1) === 1;
      const kind = this.bits(2);
      if (kind === 0) this.copyStored();
      else if (kind === 1) this.readCodes(fixedLiterals, fixedDistances);
      else if (kind === 2) this.readDynamic();
      else this.isBroken = true;
    }
    const text = this.out.finish();
    return text === '' ? undefined : text;
  }

  private hasRoom(): boolean {
    return !this.isBroken && this.out.size < this.charsMax;
  }

  private bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, this.bit++) {
      const byte = this.text.charCodeAt(this.bit >> 3);
      if (Number.isNaN(byte)) this.isBroken = true;
      value |= ((byte >> (this.bit & 7)) & 1) << i;
    }
    return value;
  }

  private symbol({ counts, symbols }: Code): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= codeBitsMax; length++) {
      code |= this.bits(1);
      const count = counts[length] as number;
      if (code - count < first) return symbols[index + code - first] as number;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    this.isBroken = true;
    return 256;
  }

  private copyStored(): void {
    this.bit = (this.bit + 7) & ~7;
    const size = this.bits(16);
    this.bits(16);
    for (let i = 0; i < size && this.hasRoom(); i++) this.out.push(this.bits(8));
  }

  private readCodes(literals: Code, distances: Code): void {
    while (this.hasRoom()) {
      const symbol = this.symbol(literals);
      if (this.isBroken || symbol === 256) return;
      if (symbol < 256) this.out.push(symbol);
      else this.copyBack(symbol - 257, distances);
    }
  }

  private copyBack(code: number, distances: Code): void {
    const length = (lengthStarts[code] ?? 0) + this.bits(Number(lengthBits.charAt(code)));
    const distanceCode = this.symbol(distances);
    const extra = Math.max(0, (distanceCode >> 1) - 1);
    const distance = (distanceStarts[distanceCode] ?? 0) + this.bits(extra);
    if (distance === 0 || distance > this.out.size) this.isBroken = true;
    for (let i = 0; i < length && this.hasRoom(); i++) {
      this.out.push(this.out.codeAt(this.out.size - distance));
    }
  }

  /** RFC 1951, 3.2.7 */
  private readDynamic(): void {
    const literals = this.bits(5) + 257;
    const distances = this.bits(5) + 1;
    const sizes: number[] = new Array<number>(19).fill(0);
    const given = this.bits(4) + 4;
    for (const at of lengthOrder.slice(0, given)) sizes[at] = this.bits(3);
    const code = codeOf(sizes);
    const lengths: number[] = [];
    while (lengths.length < literals + distances && !this.isBroken) {
      const symbol = this.symbol(code);
      if (symbol < 16) lengths.push(symbol);
      else if (symbol === 16) repeat(lengths, lengths.at(-1) ?? 0, 3 + this.bits(2));
      else repeat(lengths, 0, symbol === 17 ? 3 + this.bits(3) : 11 + this.bits(7));
    }
    this.readCodes(codeOf(lengths.slice(0, literals)), codeOf(lengths.slice(literals)));
  }
}

function repeat(lengths: number[], length: number, count: number): void {
  for (let i = 0; i < count; i++) lengths.push(length);
}
