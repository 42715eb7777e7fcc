const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const sixBits: ReadonlyMap<string, number> = new Map([
  ...[...digits].map((digit, value) => [digit, value] as const),
  ['-', 62],
  ['_', 63],
]);

/** Base64 (RFC 4648, both alphabets) as one character for each byte; undefined where it is none. */
export function decodeBase64(text: string): string | undefined {
  let made = '';
  let bits = 0;
  let held = 0;
  for (const one of text) {
    if (one === '=' || one <= ' ') continue;
    const value = sixBits.get(one);
    if (value === undefined) return undefined;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    made += String.fromCharCode((held >>> bits) & 255);
  }
  return made;
}
