import { CharBuffer } from '../text/char-buffer.ts';
import { charClass, hexValue, isAlnum } from '../text/char-class.ts';
import { isLikelyText, isTextByte, pushUtf8 } from './bytes.ts';
import type { Decoder } from './decoder.ts';

/**
 * Runs of hex digits whose bytes are text, decoded in place: the whole value, a word of its own, or
 * behind `0x` and in `x'…'` as in SQL. A hash or an id gives no text, and a decimal number is one.
 */
export const hex: Decoder = {
  name: 'hex',
  applies: (_text, marks) =>
    marks.longestRun >= runLengthMin && (marks.classes & charClass.digit) !== 0,
  decode: (text, emit) => {
    let out: CharBuffer | undefined;
    let copied = 0;
    for (let at = 0; at < text.length; ) {
      const end = hexEnd(text, at);
      if (end - at < runLengthMin) {
        at = end + 1;
        continue;
      }
      const bytes = readBytes(text, at, end);
      if (bytes !== undefined) {
        out ??= new CharBuffer(text.length);
        out.pushSlice(text, copied, prefixStart(text, at));
        pushUtf8(bytes, bytes.length, out);
        copied = end;
      }
      at = end + 1;
    }
    if (out === undefined) return;
    out.pushSlice(text, copied, text.length);
    emit(out.toString());
  },
};

/** Seven bytes. */
const runLengthMin = 14;
/** A hash fails within this many bytes, nearly always. */
const headLength = 8;

function hexEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && hexValue(text.charCodeAt(at)) >= 0) at++;
  return at;
}

/** The bytes of a run that is a word of its own and holds text; undefined for any other. */
function readBytes(text: string, start: number, end: number): Uint8Array | undefined {
  if ((end - start) % 2 !== 0 || isAlnum(text.charCodeAt(end))) return undefined;
  if (isAlnum(text.charCodeAt(start - 1)) && prefixStart(text, start) === start) return undefined;
  const bytes = new Uint8Array((end - start) / 2);
  let hasLetter = false;
  for (let i = 0; i < bytes.length; i++) {
    const at = start + 2 * i;
    const byte = hexValue(text.charCodeAt(at)) * 16 + hexValue(text.charCodeAt(at + 1));
    if (i < headLength && !isTextByte(byte)) return undefined;
    hasLetter ||= byte % 16 > 9;
    bytes[i] = byte;
  }
  return hasLetter && isLikelyText(bytes) ? bytes : undefined;
}

/** Offset of the `0x` in front of the digits, which goes with them. */
function prefixStart(text: string, start: number): number {
  const hasPrefix =
    start >= 2 &&
    text.charCodeAt(start - 2) === 48 &&
    (text.charCodeAt(start - 1) | 32) === 120 &&
    !isAlnum(text.charCodeAt(start - 3));
  return hasPrefix ? start - 2 : start;
}
