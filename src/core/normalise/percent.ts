import { type CharBuffer, Replacement } from '../text/char-buffer.ts';
import { charClass, hexValue } from '../text/char-class.ts';
import { pushUtf8 } from './bytes.ts';
import type { Decoder } from './decoder.ts';

/**
 * Percent-encoding (RFC 3986, 2.1) with bytes as lenient UTF-8, and the `%uXXXX` of IIS and
 * `escape()`. A percent sign that starts neither stays.
 */
export const percent: Decoder = {
  name: 'percent',
  isAdditive: true,
  classes: charClass.percent,
  applies: () => true,
  decode: (text, emit) => {
    const out = new Replacement(text);
    for (let at = nextEscape(text, 0); at >= 0; at = nextEscape(text, out.end)) {
      const wide = wideEscape(text, at);
      if (wide >= 0) out.at(at, at + 6).push(wide);
      else out.end = pushRun(text, at, out.at(at, at));
    }
    const decoded = out.finish();
    if (decoded !== undefined) emit(decoded);
  },
};

/** Offset of the next `%XX` or `%uXXXX`, -1 when there is none. */
function nextEscape(text: string, from: number): number {
  let at = text.indexOf('%', from);
  while (at >= 0 && escapedByte(text, at) < 0 && wideEscape(text, at) < 0) {
    at = text.indexOf('%', at + 1);
  }
  return at;
}

/** The byte of `%XX`, -1 for anything else. */
function escapedByte(text: string, at: number): number {
  if (at + 2 >= text.length || text.charCodeAt(at) !== 37) return -1;
  const high = hexValue(text.charCodeAt(at + 1));
  const low = hexValue(text.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** The code unit of `%uXXXX`, -1 for anything else. */
function wideEscape(text: string, at: number): number {
  if ((text.charCodeAt(at + 1) | 32) !== 117) return -1;
  let code = 0;
  for (let i = at + 2; i < at + 6; i++) {
    const digit = hexValue(text.charCodeAt(i));
    if (digit < 0) return -1;
    code = code * 16 + digit;
  }
  return code;
}

/**
 * Decodes neighbouring `%XX` together, as a character may span several; returns the offset after
 * them.
 */
function pushRun(text: string, start: number, out: CharBuffer): number {
  let at = start;
  let byte = escapedByte(text, at);
  for (; byte >= 0 && byte < 0x80; byte = escapedByte(text, at)) {
    out.push(byte);
    at += 3;
  }
  if (byte < 0) return at;
  const bytes: number[] = [];
  for (; byte >= 0; byte = escapedByte(text, at)) {
    bytes.push(byte);
    at += 3;
  }
  // `%c0.` and `%c0/` hide the raw character behind a lead byte.
  const isLead = ((bytes.at(-1) ?? 0) & 0xfe) === 0xc0 && isPathMark(text.charCodeAt(at));
  pushUtf8(bytes, isLead ? bytes.length - 1 : bytes.length, out);
  return at;
}

function isPathMark(code: number): boolean {
  return code === 46 || code === 47 || code === 92;
}
