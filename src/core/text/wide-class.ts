/** Kinds of non-ASCII characters, as bits: the counterpart of `char-class.ts`. */
export const wideClass = {
  /**
   * Written for an ASCII character by attackers only: fullwidth quotes, angles and braces,
   * …
   */
  fold: 1 << 0,
  /**
   * Looks like an ASCII character too, but is ordinary in some language's text: fullwidth comma,
   * prime.
   */
  commonFold: 1 << 1,
  /** Zero-width characters, direction marks, variation selectors, soft hyphen. */
  invisible: 1 << 2,
  /** What bytes of an overlong or broken UTF-8 sequence look like, to who reads a character in each. */
  byte: 1 << 3,
} as const;

/** Class bits of each UTF-16 code unit; 0 for all ASCII and for most others. */
export const wideClassOf: Uint8Array = new Uint8Array(65_536);

/**
 * The ASCII character that a code unit of class `fold` or `commonFold` turns into; 0 for others.
 * `twoDotLeader` turns into two.
 */
export const foldOf: Uint8Array = new Uint8Array(65_536);

/** `‥` */
export const twoDotLeader = 0x2025;

/** High surrogate of the mathematical letters and digits, U+1D400 to U+1D7FF. */
export const mathHighSurrogate = 0xd835;

/**
 * ASCII letter or digit for the low surrogate of a mathematical character, 0 when there is none.
 */
export const mathFoldOf: Uint8Array = new Uint8Array(1024);

/**
 * What Windows' best-fit tables and lenient converters make of a character that the target code
 * page does not have, beyond the compatibility forms of Unicode.
 */
const bestFit: readonly (readonly [ascii: string, from: string])[] = [
  ["'", '\u02b9\u02bb\u02bc\u02bd\u02c8\u2032\ua78b\ua78c'],
  ['"', '\u02ba\u2033\u3003'],
  ['`', '\u02cb\u2035'],
  // Private use: where old converters put a byte of which they had no character.
  ['/', '\u2044\u2215\u29f8\uf025'],
  ['\\', '\u2216\u29f5\u29f9\uefc8'],
  [':', '\u02d0\u0589\u2236\ua789'],
  ['!', '\u01c3'],
  ['%', '\u066a'],
  ['[', '\u301a'],
  [']', '\u301b'],
  ['|', '\u01c0\u2223\u2758'],
  ['*', '\u2217\u204e'],
  ['<', '\u2329\u3008\u276e\u02c2'],
  ['>', '\u232a\u3009\u276f\u02c3'],
  ['(', '\u2768\u207d\u208d'],
  [')', '\u2769\u207e\u208e'],
  ['-', '\u2010\u2011\u2212'],
  [';', '\u037e'],
  ['^', '\u02c4\u2303'],
  ['~', '\u223c'],
  ['_', '\u02cd'],
  ['s', '\u017f'],
  ['K', '\u212a'],
];

/** Ranges whose compatibility forms (NFKC, Unicode Standard Annex 15) are ASCII characters. */
const compatibilityRanges: readonly (readonly [first: number, last: number])[] = [
  [0x1d2c, 0x1d6a],
  [0x2024, 0x2025],
  [0x2070, 0x209c],
  [0x2102, 0x217f],
  [0x2460, 0x24ea],
  [0xfb29, 0xfb29],
  [0xfe10, 0xfe6b],
  [0xff01, 0xff5e],
];

/** Fullwidth forms of these are not common in benign text of any language. */
const syntax = '"\'<>$`{|}\\';

/** Of these, Chinese, Japanese and Korean text is full, and some occur in other benign text. */
const commonInText =
  '\u3000\u3003\u3008\u3009\u301a\u301b\u0589\u066a\u2010\u2011\u02bb\u02bc\u02c8\u02d0\u2032\u2033\u2044\u2212\u2217\u223c\u2236\u276f';

/**
 * Overlong forms of ASCII begin with C0 or C1, or have 80 or 81 in front of their last byte, here
 * read as Latin-1 or Windows-1252; U+FFFD is what the Encoding Standard reads.
 */
const bytesOfSequence = '\u00c0\u00c1\u0080\u0081\u20ac\ufffd';

const invisibleRanges: readonly (readonly [first: number, last: number])[] = [
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180e],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
];

buildTables();

function buildTables(): void {
  for (const [first, last] of compatibilityRanges) {
    for (let code = first; code <= last; code++) addCompatibility(code);
  }
  addFold(0x3000, 32, wideClass.commonFold);
  for (const [ascii, from] of bestFit) {
    for (const character of from) {
      addFold(character.charCodeAt(0), ascii.charCodeAt(0), wideClass.fold);
    }
  }
  for (const character of commonInText) {
    wideClassOf[character.charCodeAt(0)] = wideClass.commonFold;
  }
  for (const character of bytesOfSequence) {
    wideClassOf[character.charCodeAt(0)] = wideClass.byte;
  }
  for (const [first, last] of invisibleRanges) {
    for (let code = first; code <= last; code++) wideClassOf[code] = wideClass.invisible;
  }
  wideClassOf[mathHighSurrogate] = wideClass.fold;
  for (let low = 0; low < 1024; low++) {
    mathFoldOf[low] = asciiForm(0x1d400 + low);
  }
}

function addCompatibility(code: number): void {
  const ascii = asciiForm(code);
  if (ascii === 0) return;
  const isSyntax = syntax.includes(String.fromCharCode(ascii)) || code === 0x2024;
  addFold(code, ascii, isSyntax ? wideClass.fold : wideClass.commonFold);
}

function addFold(code: number, ascii: number, bits: number): void {
  foldOf[code] = ascii;
  wideClassOf[code] = bits;
}

function asciiForm(codePoint: number): number {
  const form = String.fromCodePoint(codePoint).normalize('NFKC');
  const code = form.charCodeAt(0);
  const isOne = form.length === 1 || codePoint === twoDotLeader;
  return isOne && code > 32 && code < 127 ? code : 0;
}
