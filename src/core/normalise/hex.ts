import { Replacement } from '../text/char-buffer.ts';
import { charClass, hexValue, isAlnum } from '../text/char-class.ts';
import { countsIn, makesObjectsWhenDecoded, mayMakeObjects } from '../text/object-stream.ts';
import { characterSet, findRun, runEnd } from '../text/runs.ts';
import { isTextByte, textOfBytes } from './bytes.ts';
import type { Decoder } from './decoder.ts';

/**
 * Runs of hex digits whose bytes are text, decoded in place: the whole value, a word of its own, or
 * behind `0x` and in `x'…'` as in SQL. A hash or an id gives no text, and a number stays one.
 */
export const hex: Decoder = {
  name: 'hex',
  applies: (text, marks) =>
    (marks.longestRun >= runLengthMin && (marks.classes & charClass.digit) !== 0) ||
    mayHoldStream(text),
  decode: (text, emit) => {
    const stream = objectStream(text);
    if (stream !== undefined) emit(stream);
    const out = new Replacement(text);
    let end = 0;
    for (;;) {
      const at = findRun(text, end, runLengthMin, hexDigits);
      if (at < 0) break;
      end = runEnd(text, at + runLengthMin, hexDigits);
      const decoded = textOfRun(text, at, end);
      if (decoded !== undefined) out.at(prefixStart(text, at), end).pushText(decoded);
    }
    const decoded = out.finish();
    if (decoded !== undefined) emit(decoded);
  },
};

/** Seven bytes. */
const runLengthMin = 14;
/** Longer than the numbers that people use; encoded twice, text is digits only. */
const longRunMin = 24;
/** A hash fails within this many bytes, nearly always. */
const headLength = 8;
/** The shortest object of Marshal. */
const streamHeadLength = 7;

const hexDigits: Readonly<Uint8Array> = characterSet('0123456789abcdefABCDEF');

/** What the bytes of a run say that is a word of its own; undefined for noise. */
function textOfRun(text: string, start: number, end: number): string | undefined {
  if ((end - start) % 2 !== 0 || isAlnum(text.charCodeAt(end))) return undefined;
  if (isAlnum(text.charCodeAt(start - 1)) && prefixStart(text, start) === start) return undefined;
  // A whole value is read as one.
  if (end - start < text.length) {
    const run = text.slice(start, end);
    const isRead = countsIn(text, run, bytesBy(digitValue, run, 2));
    const stream = isRead ? objectStream(run) : undefined;
    if (stream !== undefined) return stream;
  }
  const bytes = new Uint8Array((end - start) / 2);
  let hasLetter = false;
  for (let i = 0; i < bytes.length; i++) {
    const at = start + 2 * i;
    const byte = byteAt(text, at);
    if (i < headLength && byte !== 0 && !isTextByte(byte)) return undefined;
    hasLetter ||= byte % 16 > 9;
    bytes[i] = byte;
  }
  const isNumber = !hasLetter && end - start < longRunMin;
  return isNumber ? undefined : textOfBytes(bytes, bytes.length, false);
}

/** The bytes of a text that is hex as a whole, where these make objects. */
function objectStream(text: string): string | undefined {
  if (!mayHoldStream(text)) return undefined;
  for (const read of [digitValue, packedValue]) {
    const decode = (bytesMax: number) => bytesBy(read, text, bytesMax);
    if (makesObjectsWhenDecoded(decode)) return decode(text.length);
  }
  return undefined;
}

/** A look at the first bytes, where words, numbers and hashes fail at once. */
export function mayHoldStream(text: string): boolean {
  if (text.length < runLengthMin) return false;
  const high = text.charCodeAt(0);
  const low = text.charCodeAt(1);
  if (packedValue(high) * 16 + packedValue(low) === 4) return true;
  // Most texts begin with no digit, and with no blank.
  if (digitValue(high) === undefined || digitValue(low) === undefined) return false;
  const head = bytesBy(digitValue, text, streamHeadLength);
  return head.length === streamHeadLength && mayMakeObjects(head);
}

/** As Python reads hex, which passes over white space: undefined where it ends. */
function digitValue(code: number): number | undefined {
  const value = hexValue(code);
  return value >= 0 || code === 32 || (code >= 9 && code <= 13) ? value : undefined;
}

/** As `pack` of Ruby and Perl reads it, which makes a digit of anything. */
function packedValue(code: number): number {
  const letter = code | 32;
  return (letter >= 97 && letter <= 122 ? code + 9 : code) & 15;
}

function bytesBy(
  read: (code: number) => number | undefined,
  text: string,
  bytesMax: number,
): string {
  let bytes = '';
  let high = -1;
  for (let at = 0; at < text.length && bytes.length < bytesMax; at++) {
    const value = read(text.charCodeAt(at));
    if (value === undefined) break;
    if (value < 0) continue;
    if (high >= 0) bytes += String.fromCharCode(high * 16 + value);
    high = high < 0 ? value : -1;
  }
  return bytes;
}

function byteAt(text: string, at: number): number {
  return hexValue(text.charCodeAt(at)) * 16 + hexValue(text.charCodeAt(at + 1));
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
