/** Value of each digit of base64 by its code unit; -1 for other characters. */
export type Alphabet = Readonly<Int8Array>;

/** The digits of RFC 4648, 4. */
export const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** RFC 4648, 4. */
export const standardAlphabet: Alphabet = buildAlphabet(false);
/** RFC 4648, 4 and 5. */
export const bothAlphabets: Alphabet = buildAlphabet(true);
/** The same by the low byte of each character. */
export const lowByteAlphabet: Alphabet = bothAlphabets.map(
  (_, code) => bothAlphabets[code & 0xff] as number,
);

function buildAlphabet(isUrlSafeToo: boolean): Int8Array {
  const table = new Int8Array(65_536).fill(-1);
  for (let i = 0; i < base64Digits.length; i++) table[base64Digits.charCodeAt(i)] = i;
  if (isUrlSafeToo) {
    table[45] = 62;
    table[95] = 63;
  }
  return table;
}

/**
 * Puts the first bytes of the digits between two offsets where the first bytes are to go, as many as
 * there is room for; returns how many there are.
 */
export function readHead(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  alphabet: Alphabet,
  head: Uint8Array,
): number {
  let bits = 0;
  let count = 0;
  let length = 0;
  for (let at = start; at < end && length < head.length; at++) {
    const sextet = alphabet[text.charCodeAt(at)] as number;
    if (sextet < 0) continue;
    bits = (bits << 6) | sextet;
    const phase = count++ & 3;
    if (phase !== 0) head[length++] = bits >>> (6 - 2 * phase);
  }
  return length;
}

/** Up to `bytesMax` bytes of the digits from an offset on, each as a character. What is no digit is skipped. */
export function decodeBase64(
  text: string,
  start: number,
  bytesMax: number,
  alphabet: Alphabet = bothAlphabets,
): string {
  let bytes = '';
  let bits = 0;
  let count = 0;
  for (let at = start; at < text.length && bytes.length < bytesMax; at++) {
    const sextet = alphabet[text.charCodeAt(at)] as number;
    if (sextet < 0) continue;
    bits = ((bits << 6) | sextet) & 0xffffff;
    const phase = count++ & 3;
    if (phase !== 0) bytes += String.fromCharCode((bits >>> (6 - 2 * phase)) & 0xff);
  }
  return bytes;
}
