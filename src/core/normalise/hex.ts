import { CharBuffer } from '../text/char-buffer.ts';
import { charClass, hexValue, isAlnum } from '../text/char-class.ts';
import { characterSet, findRun, runEnd } from '../text/runs.ts';
import { isLikelyText, isTextByte, pushUtf8 } from './bytes.ts';
import type { Decoder } from './decoder.ts';

/**
 * Runs of hex digits whose bytes are text, decoded in place: the whole value, a word of its own, or
 * behind `0x` and in `x'…'` as in SQL. A hash or an id gives no text, and a number stays one.
 */
export const hex: Decoder = {
  name: 'hex',
  applies: (_text, marks) =>
    marks.longestRun >= runLengthMin && (marks.classes & charClass.digit) !== 0,
  decode: (text, emit) => {
    let out: CharBuffer | undefined;
    let copied = 0;
    let end = 0;
    for (;;) {
      const at = findRun(text, end, runLengthMin, hexDigits);
      if (at < 0) break;
      end = runEnd(text, at + runLengthMin, hexDigits);
      const bytes = readBytes(text, at, end);
      if (bytes !== undefined) {
        out ??= new CharBuffer(text.length);
        out.pushSlice(text, copied, prefixStart(text, at));
        pushUtf8(bytes, bytes.length, out);
        copied = end;
      }
    }
    if (out === undefined) return;
    out.pushSlice(text, copied, text.length);
    emit(out.finish());
  },
};

/** Seven bytes. */
const runLengthMin = 14;
/** Longer than the numbers that people use; encoded twice, text is digits only. */
const longRunMin = 24;
/** A hash fails within this many bytes, nearly always. */
const headLength = 8;

const hexDigits: Readonly<Uint8Array> = characterSet('0123456789abcdefABCDEF');

/** The bytes of a run that is a word of its own and holds text; undefined for any other. */
function readBytes(text: string, start: number, end: number): Uint8Array | undefined {
  if ((end - start) % 2 !== 0 || isAlnum(text.charCodeAt(end))) return undefined;
  if (isAlnum(text.charCodeAt(start - 1)) && prefixStart(text, start) === start) return undefined;
  const bytes = new Uint8Array((end - start) / 2);
  let hasLetter = false;
  for (let i = 0; i < bytes.length; i++) {
    const at = start + 2 * i;
    const byte = hexValue(text.charCodeAt(at)) * 16 + hexValue(text.charCodeAt(at + 1));
    if (i < headLength && byte !== 0 && !isTextByte(byte)) return undefined;
    hasLetter ||= byte % 16 > 9;
    bytes[i] = byte;
  }
  return (hasLetter || end - start >= longRunMin) && isLikelyText(bytes, bytes.length)
    ? bytes
    : undefined;
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
