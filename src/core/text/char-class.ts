/**
 * Character classes as bits, so that one pass over a text can say in one number what kinds of
 * characters it holds. Letters have no bit of their own: a text of letters and digits has classes 0
 * or `digit`.
 */
export const charClass = {
  digit: 1 << 0,
  space: 1 << 1,
  /** CR, LF */
  lineBreak: 1 << 2,
  /** C0 controls but tab, CR and LF; DEL */
  control: 1 << 3,
  singleQuote: 1 << 4,
  doubleQuote: 1 << 5,
  backtick: 1 << 6,
  less: 1 << 7,
  greater: 1 << 8,
  percent: 1 << 9,
  ampersand: 1 << 10,
  backslash: 1 << 11,
  plus: 1 << 12,
  dollar: 1 << 13,
  brace: 1 << 14,
  bracket: 1 << 15,
  paren: 1 << 16,
  semicolon: 1 << 17,
  pipe: 1 << 18,
  equals: 1 << 19,
  colon: 1 << 20,
  slash: 1 << 21,
  hash: 1 << 22,
  dash: 1 << 23,
  at: 1 << 24,
  star: 1 << 25,
  comma: 1 << 26,
  dot: 1 << 27,
  underscore: 1 << 28,
  /** `!`, `?`, `^`, `~` */
  mark: 1 << 29,
  nonAscii: 1 << 30,
} as const;

const members: readonly (readonly [number, string])[] = [
  [charClass.digit, '0123456789'],
  [charClass.space, ' \t'],
  [charClass.lineBreak, '\r\n'],
  [charClass.singleQuote, "'"],
  [charClass.doubleQuote, '"'],
  [charClass.backtick, '`'],
  [charClass.less, '<'],
  [charClass.greater, '>'],
  [charClass.percent, '%'],
  [charClass.ampersand, '&'],
  [charClass.backslash, '\\'],
  [charClass.plus, '+'],
  [charClass.dollar, '$'],
  [charClass.brace, '{}'],
  [charClass.bracket, '[]'],
  [charClass.paren, '()'],
  [charClass.semicolon, ';'],
  [charClass.pipe, '|'],
  [charClass.equals, '='],
  [charClass.colon, ':'],
  [charClass.slash, '/'],
  [charClass.hash, '#'],
  [charClass.dash, '-'],
  [charClass.at, '@'],
  [charClass.star, '*'],
  [charClass.comma, ','],
  [charClass.dot, '.'],
  [charClass.underscore, '_'],
  [charClass.mark, '!?^~'],
];

export const quoteClasses: number =
  charClass.singleQuote | charClass.doubleQuote | charClass.backtick;

/** Class bits of each ASCII character; 0 for letters. */
export const asciiClass: Int32Array = buildAsciiClass();

function buildAsciiClass(): Int32Array {
  const table = new Int32Array(128);
  for (let code = 0; code < 128; code++) {
    if (code < 32 || code === 127) table[code] = charClass.control;
  }
  for (const [bit, characters] of members) {
    for (const character of characters) table[character.charCodeAt(0)] = bit;
  }
  return table;
}

/** ASCII letter. */
export function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

/** ASCII letter or digit. */
export function isAlnum(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

/** ASCII letter, digit or underscore; with non-ASCII, as most identifier grammars allow it. */
export function isWord(code: number): boolean {
  return isAlnum(code) || code === 95 || code >= 128;
}

/** ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Value of a hexadecimal digit, -1 for anything else. */
export function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  if (code >= 65 && code <= 70) return code - 55;
  return -1;
}

/** White space and line ends of Unicode, as ECMA-262 has them, and controls. */
export function isSpace(code: number): boolean {
  if (code <= 32) return true;
  if (code < 127) return false;
  return (
    code <= 160 ||
    (code >= 0x2000 && code <= 0x200f) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x3000 ||
    code === 0xfeff
  );
}
