import { type CharBuffer, Replacement } from '../text/char-buffer.ts';
import { charClass, hexValue, isAlnum } from '../text/char-class.ts';
import { createFinder } from '../text/char-finder.ts';
import type { Decoder } from './decoder.ts';

/**
 * CSS escapes (https://www.w3.org/TR/css-syntax-3/#consume-escaped-code-point): `\` and one to six
 * hex digits with one white space behind, `\` and a line break, or `\` and the character itself.
 * The code point is taken whole; zero, surrogates and what is beyond Unicode are U+FFFD.
 */
export const cssEscape: Decoder = {
  name: 'css-escape',
  classes: charClass.backslash,
  applies: (text, marks) => hidesAscii(text, marks.classes),
  decode: (text, emit) => {
    const out = new Replacement(text);
    for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', out.end)) {
      out.end = pushEscape(text, at + 1, out.at(at, at));
    }
    const plain = out.finish() ?? text;
    if (plain !== text) emit(plain);
  },
};

/**
 * Appends what the escape stands for; `start` is behind the backslash. Returns the offset behind
 * it.
 */
function pushEscape(text: string, start: number, out: CharBuffer): number {
  const code = text.charCodeAt(start);
  if (Number.isNaN(code)) {
    out.push(0x5c);
    return start;
  }
  if (code === 10 || code === 12) return start + 1;
  if (code === 13) return text.charCodeAt(start + 1) === 10 ? start + 2 : start + 1;
  if (hexValue(code) < 0) {
    out.push(code);
    return start + 1;
  }
  const { codePoint, end } = readHex(text, start);
  const isInvalid = codePoint === 0 || codePoint > 0x10ffff || (codePoint & ~0x7ff) === 0xd800;
  out.pushCodePoint(isInvalid ? 0xfffd : codePoint);
  return endOfSpace(text, end);
}

function readHex(text: string, start: number): { codePoint: number; end: number } {
  let codePoint = 0;
  let end = start;
  for (; end < start + 6; end++) {
    const digit = hexValue(text.charCodeAt(end));
    if (digit < 0) break;
    codePoint = codePoint * 16 + digit;
  }
  return { codePoint, end };
}

function endOfSpace(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 13 && text.charCodeAt(at + 1) === 10) return at + 2;
  return code === 32 || code === 9 || code === 10 || code === 12 || code === 13 ? at + 1 : at;
}

/**
 * True when an escape stands for a visible ASCII character, or one splits a word in a text that can
 * be CSS. A Windows path does neither often.
 */
function hidesAscii(text: string, classes: number): boolean {
  const canBeCss =
    (classes & charClass.colon) !== 0 &&
    (classes & (charClass.less | charClass.paren | charClass.at)) !== 0;
  let pathEnd = 0;
  for (let at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 2)) {
    const next = text.charCodeAt(at + 1);
    pathEnd = Math.max(pathEnd, endOfPath(text, at));
    if (hexValue(next) >= 0) {
      const { codePoint } = readHex(text, at + 1);
      if (codePoint > 32 && codePoint < 127) return true;
    } else if (canBeCss && at >= pathEnd && isAlnum(text.charCodeAt(at - 1))) {
      if (isOddEscape(text, at + 1)) return true;
    }
  }
  return false;
}

/** Where a path ends whose drive's backslash stands at `at`; `at` when there is no path. */
function endOfPath(text: string, at: number): number {
  const isDrive = text.charCodeAt(at - 1) === 58 && isAlnum(text.charCodeAt(at - 2));
  if (!isDrive || isAlnum(text.charCodeAt(at - 3))) return at;
  const end = nextAfterPath(text, at + 1);
  const code = text.charCodeAt(end);
  // What is called, or is a name itself, is no path: `x:\expr\ession(`, `x:\java\script:`.
  return code === 40 || code === 58 ? at : end;
}

/** What stands in no path, or behind one. */
const nextAfterPath = createFinder(/[\s"'<>|?*:;,(){}]/g);

/** A letter that is no escape of JavaScript: `\n` between two words is an escaped line break. */
function isOddEscape(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 120 || code === 117) return hexValue(text.charCodeAt(at + 1)) < 0;
  return isAlnum(code) && !'nrtv'.includes(String.fromCharCode(code));
}
