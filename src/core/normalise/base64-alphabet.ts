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

/** The bytes of a few digits of either alphabet, each as a character. Others are skipped. */
export function decodeBase64(text: string): string {
  let bytes = '';
  let bits = 0;
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const sextet = bothAlphabets[text.charCodeAt(at)] as number;
    if (sextet < 0) continue;
    bits = ((bits << 6) | sextet) & 0xffff;
    const phase = count++ & 3;
    if (phase !== 0) bytes += String.fromCharCode((bits >>> (6 - 2 * phase)) & 0xff);
  }
  return bytes;
}
