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

/** What is sought of a pair of bytes; a digit in front counts where a blank stands before it. */
const inFirst = 1;
const inSecond = 2;
const digitFirst = 4;
const soughtIn: Uint8Array = buildPairs();

function buildPairs(): Uint8Array {
  const table = new Uint8Array(1 << 16);
  const bytes = new Uint8Array(2);
  const pair = new Uint16Array(bytes.buffer);
  for (let both = 0; both < 1 << 14; both++) {
    bytes.set([both >> 7, both & 127]);
    const [first, second] = [marks[both >> 7] as number, marks[both & 127] as number];
    const before = (first & signMark) !== 0 ? inFirst : (first & digitMark) !== 0 ? digitFirst : 0;
    table[pair[0] as number] = before | (isPlace(second, first) ? inSecond : 0);
  }
  return table;
}

/** A sign, or a digit behind a blank. */
function isPlace(own: number, before: number): boolean {
  return (own & signMark) !== 0 || ((own & digitMark) !== 0 && (before & blankMark) !== 0);
}

/** True when a finder of these characters may take what the index holds. */
export function isIndexed(isIn: Readonly<Uint8Array>): boolean {
  return isIn.every((one, code) => one === 0 || ((marks[code] as number) & sought) !== 0);
}

/** Shorter texts are not worth it. */
const lengthMin = 128;
/** So many characters are indexed at a time, eight by eight: some readers stop early. */
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
  /** False where its finders must look for more than signs. */
  isAscii = true;
  private text = '';
  private readonly encoded: ByteBuffer = new ByteBuffer();
  /** Characters that have been indexed; -1 before the first question. */
  private done = -1;

  /** Sets the text that the next questions are about; '' lets go of it. */
  offer(text: string, isAscii = true): void {
    this.text = text.length < lengthMin ? '' : text;
    this.isAscii = isAscii;
    this.done = -1;
  }

  /** False for other texts than the offered one. */
  covers(text: string): boolean {
    if (text.length < lengthMin || text !== this.text) return false;
    if (this.done < 0) this.begin();
    return true;
  }

  /** Goes on with the next block; false when all has been indexed. */
  extend(): boolean {
    const { done: from } = this;
    const { bytes, pairs } = this.encoded;
    const end = Math.min(this.text.length, from + blockChars);
    if (from === end) return false;
    this.reserve(end - from);
    this.done = end;
    if (!this.isAscii) for (let at = from; at < end; at++) this.addCharacter(at);
    // One question for most of eight bytes: nearly all letters and blanks of a text come here.
    for (let at = this.isAscii ? from : end; at < end; at += 8) {
      const first = soughtIn[pairs[at >> 1] as number] as number;
      const second = soughtIn[pairs[(at >> 1) + 1] as number] as number;
      const third = soughtIn[pairs[(at >> 1) + 2] as number] as number;
      const last = soughtIn[pairs[(at >> 1) + 3] as number] as number;
      if ((first | second | third | last) === 0) continue;
      if (first !== 0) this.add(bytes, at, first);
      if (second !== 0) this.add(bytes, at + 2, second);
      if (third !== 0) this.add(bytes, at + 4, third);
      if (last !== 0) this.add(bytes, at + 6, last);
    }
    return true;
  }

  private add(bytes: Readonly<Uint8Array>, at: number, wanted: number): void {
    const isBehindBlank =
      (wanted & digitFirst) !== 0 &&
      (at === 0 || ((marks[bytes[at - 1] as number] as number) & blankMark) !== 0);
    if ((wanted & inFirst) !== 0 || isBehindBlank) this.put(at, bytes[at] as number);
    if ((wanted & inSecond) !== 0) this.put(at + 1, bytes[at + 1] as number);
  }

  /** A blank may be beyond ASCII. */
  private addCharacter(at: number): void {
    const code = this.text.charCodeAt(at);
    if (code >= 128 || ((marks[code] as number) & sought) === 0) return;
    const before = at === 0 ? 32 : this.text.charCodeAt(at - 1);
    const mark = before < 128 ? (marks[before] as number) : blankMark;
    if (isPlace(marks[code] as number, mark)) this.put(at, code);
  }

  private put(at: number, code: number): void {
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
    this.stamp++;
    this.count = 0;
    this.done = 0;
    if (!this.isAscii) return;
    // Eight bytes are read at a time: what stands behind the text is nothing that is sought.
    const end = this.encoded.encode(this.text);
    this.encoded.bytes.fill(0, end, end + 8);
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
