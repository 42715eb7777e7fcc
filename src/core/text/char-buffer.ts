/**
 * Collects code units for a new text. A concatenation for each decoded character would build a rope
 * with as many nodes; this costs two bytes a character. Short texts are by far the most: the buffer
 * of a finished one is kept for the next, as making one takes longer than filling it.
 */
export class CharBuffer {
  private codes: Uint16Array;
  private length = 0;

  /** `capacity` is the expected length; the buffer grows beyond it. */
  constructor(capacity: number) {
    this.codes = capacity <= spareLength ? takeSpare() : new Uint16Array(capacity);
  }

  /** Forgets what was appended. */
  clear(): void {
    this.length = 0;
  }

  /** How many code units were appended. */
  get size(): number {
    return this.length;
  }

  /** One of the code units that were appended. */
  codeAt(index: number): number {
    return this.codes[index] as number;
  }

  /** Appends one UTF-16 code unit. */
  push(code: number): void {
    if (this.length === this.codes.length) this.grow(1);
    this.codes[this.length++] = code;
  }

  /** Appends one code point; beyond U+10FFFF it becomes U+FFFD. */
  pushCodePoint(codePoint: number): void {
    if (codePoint < 0x10000) this.push(codePoint);
    else if (codePoint > 0x10ffff) this.push(0xfffd);
    else {
      this.push(0xd800 + ((codePoint - 0x10000) >>> 10));
      this.push(0xdc00 + ((codePoint - 0x10000) & 0x3ff));
    }
  }

  /** Appends `text` from start to end. */
  pushSlice(text: string, start: number, end: number): void {
    if (this.length + end - start > this.codes.length) this.grow(end - start);
    let length = this.length;
    for (let i = start; i < end; i++) this.codes[length++] = text.charCodeAt(i);
    this.length = length;
  }

  /** Appends all of a text. */
  pushText(text: string): void {
    this.pushSlice(text, 0, text.length);
  }

  /** Gives the text and the buffer back; nothing may be appended any more. */
  finish(): string {
    const text = this.toString();
    if (this.codes.length === spareLength) spare = this.codes;
    this.codes = none;
    this.length = 0;
    return text;
  }

  toString(): string {
    if (this.length <= chunkLength) return fromCodes(this.codes.subarray(0, this.length));
    const chunks: string[] = [];
    for (let at = 0; at < this.length; at += chunkLength) {
      chunks.push(fromCodes(this.codes.subarray(at, Math.min(this.length, at + chunkLength))));
    }
    // A sum of strings, flattened or not, is read more slowly from then on.
    return chunks.join('');
  }

  private grow(extra: number): void {
    const codes = new Uint16Array(Math.max(this.length + extra, this.codes.length * 2, 16));
    codes.set(this.codes);
    this.codes = codes;
  }
}

/** A text of which some stretches are replaced: nothing is copied where none is. */
export class Replacement {
  /** Offset behind the last of them. */
  end = 0;
  private readonly text: string;
  private out: CharBuffer | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** What is to stand in place of a stretch goes where this says. */
  at(start: number, end: number): CharBuffer {
    this.out ??= new CharBuffer(this.text.length);
    if (start > this.end) this.out.pushSlice(this.text, this.end, start);
    this.end = end;
    return this.out;
  }

  /** The new text; undefined where nothing was replaced. */
  finish(): string | undefined {
    this.out?.pushSlice(this.text, this.end, this.text.length);
    return this.out?.finish();
  }
}

const spareLength = 2_048;
const none: Uint16Array = new Uint16Array(0);
let spare: Uint16Array | undefined;

function takeSpare(): Uint16Array {
  const codes = spare ?? new Uint16Array(spareLength);
  spare = undefined;
  return codes;
}

/** Arguments of one call; engines refuse some ten thousands. */
const chunkLength = 4096;

function fromCodes(codes: Uint16Array): string {
  return String.fromCharCode.apply(null, codes as unknown as number[]);
}
