const encoder = new TextEncoder();

/**
 * Room for the UTF-8 bytes of one text at a time. A loop over bytes is twice as fast as one over
 * the characters of a text, and the encoding costs next to nothing where all is ASCII.
 */
export class ByteBuffer {
  bytes: Uint8Array = new Uint8Array(4_096);
  /** The same bytes two by two. */
  pairs: Uint16Array = new Uint16Array(this.bytes.buffer);

  /** Writes a text, lone surrogates as U+FFFD, and returns how many bytes it has. */
  encode(text: string): number {
    this.reserve(text.length);
    const { read, written } = encoder.encodeInto(text, this.bytes);
    if (read === text.length) return written;
    this.reserve(bytesOfUnitMax * text.length);
    return encoder.encodeInto(text, this.bytes).written;
  }

  private reserve(bytes: number): void {
    if (this.bytes.length >= bytes) return;
    this.bytes = new Uint8Array(capacityFor(bytes));
    this.pairs = new Uint16Array(this.bytes.buffer);
  }
}

/** UTF-8 takes no more for a UTF-16 code unit. */
const bytesOfUnitMax = 3;

/** A power of two, so that a few texts make a buffer grow. */
export function capacityFor(length: number): number {
  return 1 << (32 - Math.clz32(length - 1));
}

/** The larger of two arrays, with what the smaller one holds. */
export function enlarge<T extends Uint8Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
