/** The bytes of the text that was encoded last. */
export const encoded: { bytes: Uint8Array } = { bytes: new Uint8Array(65_536) };

const encoder = new TextEncoder();

/**
 * Writes a text as UTF-8 into `encoded.bytes`, lone surrogates as U+FFFD, and returns how many
 * bytes it has. A loop over bytes is twice as fast as one over the characters of a text, and the
 * encoding costs next to nothing where all is ASCII.
 */
export function encodeText(text: string): number {
  if (encoded.bytes.length < text.length) encoded.bytes = new Uint8Array(capacityFor(text.length));
  const { read, written } = encoder.encodeInto(text, encoded.bytes);
  if (read === text.length) return written;
  encoded.bytes = new Uint8Array(capacityFor(bytesOfUnitMax * text.length));
  return encoder.encodeInto(text, encoded.bytes).written;
}

/** UTF-8 takes no more for a UTF-16 code unit. */
const bytesOfUnitMax = 3;

/** A power of two, so that a few texts make it grow. */
function capacityFor(bytes: number): number {
  return 1 << (32 - Math.clz32(bytes - 1));
}
