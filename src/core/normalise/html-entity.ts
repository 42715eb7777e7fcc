import { Replacement } from '../text/char-buffer.ts';
import { charClass, hexValue, isAlnum, isDigit, isLetter } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';
import { htmlEntityNames } from './html-entity-names.ts';

/**
 * HTML character references (https://html.spec.whatwg.org/#character-reference-state): decimal,
 * hex, and the names that stand for ASCII characters; the semicolon may be missing where browsers
 * allow it.
 *
 * In a text with real tags, `&lt;` and `&gt;` stay: there they are what an ordinary editor makes of
 * code that is shown, and the browser does not read them as tags either.
 */
export const htmlEntity: Decoder = {
  name: 'html-entity',
  isAdditive: true,
  classes: charClass.ampersand,
  applies: (text, marks) =>
    (marks.classes & (charClass.semicolon | charClass.hash)) !== 0 || openName.test(text),
  decode: (text, emit) => {
    const keepsAngles = hasTag(text);
    const out = new Replacement(text);
    let isWorthwhile = false;
    for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
      const found = readReference(text, at);
      if (found === undefined || (keepsAngles && isAngleName(text, at, found.code))) continue;
      out.at(at, found.end).pushCodePoint(found.code);
      at = found.end - 1;
      if (found.code !== nonBreakingSpace) isWorthwhile = true;
    }
    const decoded = isWorthwhile ? out.finish() : undefined;
    if (decoded !== undefined) emit(decoded);
  },
};

interface Reference {
  readonly code: number;
  readonly end: number;
}

const nonBreakingSpace = 0xa0;

function readReference(text: string, at: number): Reference | undefined {
  return text.charCodeAt(at + 1) === 35 ? readNumber(text, at + 2) : readName(text, at + 1);
}

/** Any number of digits: leading zeros are a way to get past a length check. */
function readNumber(text: string, from: number): Reference | undefined {
  const isHex = (text.charCodeAt(from) | 32) === 120;
  const base = isHex ? 16 : 10;
  const start = isHex ? from + 1 : from;
  let at = start;
  let code = 0;
  for (; at < text.length; at++) {
    const digit = hexValue(text.charCodeAt(at));
    if (digit < 0 || digit >= base) break;
    code = Math.min(code * base + digit, 0x110000);
  }
  if (at === start) return undefined;
  return { code, end: text.charCodeAt(at) === 59 ? at + 1 : at };
}

function readName(text: string, start: number): Reference | undefined {
  let end = start;
  const last = Math.min(text.length, start + nameLengthMax);
  while (end < last && isAlnum(text.charCodeAt(end))) end++;
  if (end === start || isDigit(text.charCodeAt(start))) return undefined;
  if (text.charCodeAt(end) === 59) {
    const code = htmlEntityNames.get(text.slice(start, end));
    return code === undefined ? undefined : { code, end: end + 1 };
  }
  return readOpenName(text, start, end);
}

/**
 * The old names need no semicolon: `&ltscript`. Before `=` the reference is a parameter of a query
 * string (`&lt=5`), as browsers take it too.
 */
function readOpenName(text: string, start: number, end: number): Reference | undefined {
  for (const name of openNames) {
    if (start + name.length > end || !text.startsWith(name, start)) continue;
    if (text.charCodeAt(start + name.length) === 61) return undefined;
    return { code: htmlEntityNames.get(name) ?? 0, end: start + name.length };
  }
  return undefined;
}

const openNames = ['lt', 'gt', 'quot', 'amp', 'LT', 'GT', 'QUOT', 'AMP'];
const openName = /&(?:lt|gt|quot|amp|LT|GT|QUOT|AMP)/;
const nameLengthMax = 24;

/** `<` before a letter or a slash. */
function hasTag(text: string): boolean {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const next = text.charCodeAt(at + 1);
    if (next === 47 || isLetter(next)) return true;
  }
  return false;
}

function isAngleName(text: string, at: number, code: number): boolean {
  return (code === 60 || code === 62) && text.charCodeAt(at + 1) !== 35;
}
