import { ByteBuffer, capacityFor } from './bytes.ts';

/** The signs of ASCII that readers look for; of digits those behind a blank or a plus. */
const indexedSigns = '=<>\'"`-#/|&;()[@$:%{\\\n\r';

const signMark = 1;
const digitMark = 2;
const blankMark = 4;
const marks: Uint8Array = buildMarks();

function buildMarks(): Uint8Array {
  const table = new Uint8Array(256);
  table.fill(blankMark, 0, 33);
  table[43] = blankMark;
  table.fill(digitMark, 48, 58);
  for (const sign of indexedSigns) {
    const code = sign.charCodeAt(0);
    table[code] = (table[code] as number) | signMark;
  }
  return table;
}

const sought = signMark | digitMark;

/** 1 for the pairs of bytes, in either order, of which one is sought. */
const isSought: Uint8Array = new Uint8Array(1 << 15).map((_, pair) =>
  (((marks[pair >> 8] as number) | (marks[pair & 255] as number)) & sought) === 0 ? 0 : 1,
);

/** True when a finder of these characters may take what the index holds. */
export function isIndexed(isIn: Readonly<Uint8Array>): boolean {
  return isIn.every((one, code) => one === 0 || ((marks[code] as number) & sought) !== 0);
}

/** Shorter texts are not worth it. */
const lengthMin = 128;
/** So many characters are indexed at a time, an even number: some readers stop early. */
const blockChars = 4_096;

/**
 * Where the signs of the text stand that is being judged: found in one pass over its bytes, which
 * all readers share, and not in a pass for each. Begun when the first of them asks.
 */
class SignIndex {
  places: Int32Array = new Int32Array(blockChars);
  codes: Uint8Array = new Uint8Array(blockChars);
  count = 0;
  /** Changes with the text. */
  stamp = 0;
  private text = '';
  private isBegun = false;
  private readonly encoded: ByteBuffer = new ByteBuffer();
  /** Characters that have been indexed. */
  private done = 0;

  /** Sets the text of ASCII that the next questions are about; '' lets go of it. */
  offer(text: string): void {
    this.text = text.length < lengthMin ? '' : text;
    this.isBegun = false;
  }

  /** False for other texts than the offered one. */
  covers(text: string): boolean {
    if (text.length < lengthMin || text !== this.text) return false;
    if (!this.isBegun) this.begin();
    return true;
  }

  /** Goes on with the next block; false when all has been indexed. */
  extend(): boolean {
    const { done: from } = this;
    const { bytes, pairs } = this.encoded;
    const end = Math.min(this.text.length, from + blockChars);
    if (from === end) return false;
    this.reserve(end - from);
    // One question for most pairs: nearly all letters and blanks of a text come here.
    for (let pair = from >> 1; pair < end >> 1; pair++) {
      if (isSought[pairs[pair] as number] === 0) continue;
      this.add(bytes, pair * 2);
      this.add(bytes, pair * 2 + 1);
    }
    if ((end & 1) !== 0) this.add(bytes, end - 1);
    this.done = end;
    return true;
  }

  private add(bytes: Readonly<Uint8Array>, at: number): void {
    const code = bytes[at] as number;
    const own = marks[code] as number;
    if ((own & sought) === 0) return;
    const before = at === 0 ? blankMark : (marks[bytes[at - 1] as number] as number);
    if ((own & signMark) === 0 && (before & blankMark) === 0) return;
    this.places[this.count] = at;
    this.codes[this.count++] = code;
  }

  /** Number of the first sign at or behind an offset, among those that are known. */
  seek(from: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.places[middle] as number) < from) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private begin(): void {
    this.isBegun = true;
    this.stamp++;
    this.count = 0;
    this.done = 0;
    this.encoded.encode(this.text);
  }

  private reserve(chars: number): void {
    const needed = this.count + chars;
    if (this.places.length >= needed) return;
    const { places, codes } = this;
    this.places = new Int32Array(capacityFor(needed));
    this.codes = new Uint8Array(this.places.length);
    this.places.set(places);
    this.codes.set(codes);
  }
}

/** One for all readers: a text is judged to its end before the next. */
export const signIndex: SignIndex = new SignIndex();
