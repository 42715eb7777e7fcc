import { isAlnum, isDigit } from '../../text/char-class.ts';
import { characterTable } from '../../text/runs.ts';
import { sqlToken } from './sql-token.ts';

/** Token kinds of the ASCII signs that are a token each, whatever follows; 0 for all else. */
export const signKinds: Uint8Array = characterTable([
  [sqlToken.single, "'"],
  [sqlToken.double, '"'],
  [sqlToken.backtick, '`'],
  [sqlToken.open, '('],
  [sqlToken.close, ')'],
  [sqlToken.comma, ','],
  [sqlToken.semicolon, ';'],
  [sqlToken.bracket, '['],
  [sqlToken.bracketEnd, ']'],
  [sqlToken.brace, '{'],
  [sqlToken.braceEnd, '}'],
  [sqlToken.operator, '%^~'],
]);

/** `=`, `<` or `>`. */
export function isComparisonPart(code: number): boolean {
  return code === 61 || code === 62 || code === 60;
}

/** What a character begins, outside of literals and comments. */
export const characterType = { sign: 0, space: 1, digit: 2, letter: 3 } as const;

/** Types of the ASCII characters. */
export const characterTypes: Uint8Array = buildTypes();

function buildTypes(): Uint8Array {
  const table = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    if (code <= 32 || code === 127) table[code] = characterType.space;
    else if (isDigit(code)) table[code] = characterType.digit;
    else if (code === 95 || isAlnum(code)) table[code] = characterType.letter;
  }
  return table;
}

/** 1 for letters, digits, `_` and `$`. */
export const nameParts: Uint8Array = buildNameParts();

function buildNameParts(): Uint8Array {
  const table = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    if (code === 36 || code === 95 || isAlnum(code)) table[code] = 1;
  }
  return table;
}

/** Type of a character beyond ASCII. */
export function wideType(code: number): number {
  if (isSpace(code)) return characterType.space;
  return isLetter(code) ? characterType.letter : characterType.sign;
}

/** True when the character goes on with a name. */
export function isNamePart(code: number): boolean {
  return code < 128 ? nameParts[code] === 1 : isLetter(code);
}

/** Beyond ASCII all is a letter but spaces, punctuation and full-width signs. */
export function isLetter(code: number): boolean {
  if (!(code >= 0xc0) || code === 0xd7 || code === 0xf7) return false;
  if (code < 0x2000) return true;
  if (code <= 0x206f || (code >= 0x3000 && code <= 0x303f)) return false;
  return !(code >= 0xff00 && code <= 0xff20);
}

function isSpace(code: number): boolean {
  return (
    code === 0xa0 ||
    code === 0x85 ||
    code === 0x3000 ||
    code === 0xfeff ||
    (code >= 0x2000 && code <= 0x200b) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f
  );
}

/** `<=>` */
export function isNullSafe(text: string, at: number): boolean {
  return text.charCodeAt(at) === 60 && text.charCodeAt(at + 2) === 62;
}
