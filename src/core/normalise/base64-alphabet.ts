/** Value of each digit of base64 by its code unit; -1 for other characters. */
export type Alphabet = Readonly<Int8Array>;

/** The digits of RFC 4648, 4. */
export const base64Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** RFC 4648, 4. */
export const standardAlphabet: Alphabet = buildAlphabet(false);
/** RFC 4648, 4 and 5. */
export const bothAlphabets: Alphabet = buildAlphabet(true);

function buildAlphabet(isUrlSafeToo: boolean): Int8Array {
  const table = new Int8Array(65_536).fill(-1);
  for (let i = 0; i < base64Digits.length; i++) table[base64Digits.charCodeAt(i)] = i;
  if (isUrlSafeToo) {
    table[45] = 62;
    table[95] = 63;
  }
  return table;
}

/** The byte of a number among those of the digits from an offset on; -1 behind the last. */
export function byteAt(text: string, start: number, alphabet: Alphabet, index: number): number {
  let skipped = Math.trunc((4 * index) / 3);
  let high = -1;
  for (let at = start; at < text.length; at++) {
    const sextet = alphabet[text.charCodeAt(at)] as number;
    if (sextet < 0 || skipped-- > 0) continue;
    if (high >= 0) return (((high << 6) | sextet) >> (4 - 2 * (index % 3))) & 255;
    high = sextet;
  }
  return -1;
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
