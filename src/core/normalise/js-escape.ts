import { Replacement } from '../text/char-buffer.ts';
import { charClass, hexValue } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';

/**
 * Escapes of JavaScript and JSON strings (ECMA-262, 12.9.4): `\xHH`, `\uHHHH`, `\u{…}`, octal, and
 * the one-character ones. An unknown escape keeps its backslash: the shell and CSS have their own.
 *
 * FreeMarker reads up to four digits behind `\x`: `\x0073` has a second reading (`long`).
 *
 * The letter escapes also occur in Windows paths and TeX (`\new`, `\text`). They alone are a reason
 * for a view only where what follows cannot be the rest of a name, or where there is no other
 * backslash.
 */
export const jsEscape: Decoder = {
  name: 'js-escape',
  isAdditive: true,
  classes: charClass.backslash,
  applies: () => true,
  decode: (text, emit) => {
    const short = unescaped(text, 2);
    if (short === undefined) return;
    emit(short);
    const long = longHex.test(text) ? unescaped(text, 4) : undefined;
    if (long !== undefined) emit(long, 'long');
  },
};

/** More digits than ECMAScript reads, and a letter or mark of ASCII by them. */
const longHex = /\\x00?[2-7][\da-f]/i;

/** Undefined where nothing is escaped, or all of it may be a path. */
function unescaped(text: string, hexDigitsMax: number): string | undefined {
  const out = new Replacement(text);
  let isStrong = false;
  let isPath = text.includes(':\\');
  for (let at = text.indexOf('\\'); at >= 0; ) {
    const found = readEscape(text, at, hexDigitsMax);
    if (found === undefined) {
      isPath = true;
      at = text.indexOf('\\', at + 1);
      continue;
    }
    out.at(at, found.end).pushCodePoint(found.code);
    isStrong ||= found.isStrong;
    // Escapes often stand side by side, and a search takes its time to start.
    at = text.charCodeAt(found.end) === backslash ? found.end : text.indexOf('\\', found.end);
  }
  return isPath && !isStrong ? undefined : out.finish();
}

const backslash = 92;

interface Escape {
  readonly code: number;
  readonly end: number;
  readonly isStrong: boolean;
}

function readEscape(text: string, at: number, hexDigitsMax: number): Escape | undefined {
  const code = text.charCodeAt(at + 1);
  if (isQuotable(code)) return { code, end: at + 2, isStrong: true };
  if (code === 120) return readHex(text, at + 2, 2, hexDigitsMax);
  if (code === 117) {
    return text.charCodeAt(at + 2) === 123 ? readBraced(text, at + 3) : readHex(text, at + 2, 4, 4);
  }
  if (code >= 48 && code <= 55) return readOctal(text, at + 1);
  const letter = letterEscapes.get(code);
  if (letter === undefined) return undefined;
  return { code: letter, end: at + 2, isStrong: !isNameLetter(text.charCodeAt(at + 2)) };
}

function readHex(text: string, start: number, least: number, most: number): Escape | undefined {
  let code = 0;
  let at = start;
  for (; at < start + most; at++) {
    const digit = hexValue(text.charCodeAt(at));
    if (digit < 0) break;
    code = code * 16 + digit;
  }
  return at < start + least ? undefined : { code, end: at, isStrong: true };
}

/** `\u{…}`; leading zeros are allowed in any number. */
function readBraced(text: string, start: number): Escape | undefined {
  let code = 0;
  let at = start;
  for (; at < text.length; at++) {
    const digit = hexValue(text.charCodeAt(at));
    if (digit < 0) break;
    code = Math.min(code * 16 + digit, 0x110000);
  }
  if (at === start || text.charCodeAt(at) !== 125) return undefined;
  return { code, end: at + 1, isStrong: true };
}

/** `\0` to `\377`; `\1` to `\7` are back references of patterns, everywhere but here. */
function readOctal(text: string, start: number): Escape | undefined {
  let code = 0;
  let at = start;
  for (; at < start + 3; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 7) || code * 8 + digit > 255) break;
    code = code * 8 + digit;
  }
  if (code > 0 && at === start + 1) return undefined;
  return { code, end: at, isStrong: code === 0 || code >= 32 };
}

const letterEscapes: ReadonlyMap<number, number> = new Map([
  [98, 8],
  [102, 12],
  [110, 10],
  [114, 13],
  [116, 9],
  [118, 11],
]);

/** `" ' / \` and the backtick stand for themselves behind a backslash. */
function isQuotable(code: number): boolean {
  return code === 34 || code === 39 || code === 47 || code === 92 || code === 96;
}

/** A lower-case letter: `\new` in a path, `\nu` in TeX, but not `\nBcc:` or `\r\n`. */
function isNameLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}
