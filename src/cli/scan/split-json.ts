import { limits } from '../../contract/limits.ts';

/** One more than a body may have: the carriage return at the end of a line is none of it. */
const pieceBytesMax = limits.bodyBytesMax + 1;

/** A part of an input that is screened by itself, or why it cannot be. */
export type Piece =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'too-long'; readonly length: number };

/** Collects the bytes of one piece over several chunks, and lets go of them beyond the limit. */
export class PieceBuffer {
  #parts: Buffer[] = [];
  #length = 0;

  add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length > pieceBytesMax) this.#parts = [];
    else this.#parts.push(part);
  }

  /** What was collected; the next piece begins empty. */
  take(): Piece {
    const length = this.#length;
    const piece: Piece =
      length > pieceBytesMax
        ? { kind: 'too-long', length }
        : { kind: 'bytes', bytes: Buffer.concat(this.#parts) };
    this.#parts = [];
    this.#length = 0;
    return piece;
  }
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Cuts JSON texts into values: those that follow each other, and the items of each outermost array.
 * Only quotes and brackets are looked at; whether a value is JSON is for the screening to say.
 */
export class JsonSplitter {
  readonly #buffer = new PieceBuffer();
  /** Whether we stand inside an outermost array. */
  #isInArray = false;
  #isInValue = false;
  #isInString = false;
  #isEscaped = false;
  /** Brackets that are open in the value. */
  #depth = 0;

  /** The values that end in this chunk. */
  push(chunk: Buffer): Piece[] {
    const pieces: Piece[] = [];
    let start = 0;
    const finish = (end: number) => {
      this.#buffer.add(chunk.subarray(start, end));
      pieces.push(this.#buffer.take());
      this.#isInValue = false;
    };
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#isInValue) {
        const end = this.#endOf(byte, at);
        if (end === undefined) continue;
        finish(end);
        // The byte that ended a number is looked at again, as what stands between values.
        if (end > at) continue;
      }
      if (this.#begins(byte)) start = at;
    }
    if (this.#isInValue) this.#buffer.add(chunk.subarray(start));
    return pieces;
  }

  /** The value that the end of the input cuts off, or ends. */
  end(): Piece[] {
    if (!this.#isInValue) return [];
    this.#isInValue = false;
    return [this.#buffer.take()];
  }

  /** Where the value ends, if it does with this byte. */
  #endOf(byte: number, at: number): number | undefined {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) {
        this.#isInString = false;
        if (this.#depth === 0) return at + 1;
      }
      return undefined;
    }
    if (byte === quote) this.#isInString = true;
    else if (byte === openBrace || byte === openBracket) this.#depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      if (this.#depth === 0) return at;
      this.#depth -= 1;
      if (this.#depth === 0) return at + 1;
    } else if (this.#depth === 0 && (isSpace(byte) || (this.#isInArray && byte === comma))) {
      return at;
    }
    return undefined;
  }

  /** Whether a value begins with this byte. */
  #begins(byte: number): boolean {
    if (isSpace(byte)) return false;
    if (this.#isInArray && byte === comma) return false;
    if (this.#isInArray && byte === closeBracket) {
      this.#isInArray = false;
      return false;
    }
    if (!this.#isInArray && byte === openBracket) {
      this.#isInArray = true;
      return false;
    }
    this.#isInValue = true;
    this.#isInString = byte === quote;
    this.#isEscaped = false;
    this.#depth = byte === openBrace || byte === openBracket ? 1 : 0;
    return true;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
