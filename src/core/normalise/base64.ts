import { CharBuffer } from '../text/char-buffer.ts';
import { charClass, isDigit } from '../text/char-class.ts';
import { isLikelyText, isTextByte, pushUtf8 } from './bytes.ts';
import type { Decoder } from './decoder.ts';

/**
 * Base64 and base64url (RFC 4648, 4 and 5), padded or not, of a run anywhere in the text: a whole value,
 * the data of a `data:` URL, a segment of a JWT. A run counts when its bytes are text or begin like a
 * serialised object; tokens that decode to noise are left alone.
 *
 * A few runs become views of their own, so that what was encoded is judged as if it had been sent plain;
 * when there are many, they are decoded in place.
 */
export const base64: Decoder = {
  name: 'base64',
  applies: (_text, marks) =>
    marks.longestRun >= ((marks.classes & charClass.space) === 0 ? runLengthMin : runInProseMin),
  decode: (text, emit) => {
    const runs: Run[] = [];
    for (let at = 0; at < text.length; ) {
      const end = runEnd(text, at);
      if (end - at >= runLengthMin) findEncoded(text, at, end, runs);
      at = end + 1;
    }
    const joined = joinBroken(text);
    if (joined !== undefined) emit(joined);
    else if (runs.length > ownViewsMax) emit(replaceRuns(text, runs));
    else {
      for (const [index, run] of runs.entries()) {
        emit(run.decoded, runs.length === 1 ? undefined : String(index));
      }
    }
  },
};

interface Run {
  readonly start: number;
  readonly end: number;
  readonly decoded: string;
}

/** Seven bytes, the shortest template probe. */
const runLengthMin = 10;
/** Words of prose rarely get as long. */
const runInProseMin = 20;
const ownViewsMax = 4;

/** Value of each base64 digit, both alphabets; -1 for other characters. */
const sextets: Int8Array = buildSextets();

function buildSextets(): Int8Array {
  const table = new Int8Array(65_536).fill(-1);
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let i = 0; i < digits.length; i++) table[digits.charCodeAt(i)] = i;
  table[45] = 62;
  table[95] = 63;
  return table;
}

function runEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && (sextets[text.charCodeAt(at)] as number) >= 0) at++;
  return at;
}

/** Decodes a run, or else its segments between slashes: `/user/PHNjcmlwdD4`. */
function findEncoded(text: string, start: number, end: number, runs: Run[]): void {
  const decoded = decodeRun(text, start, end);
  if (decoded !== undefined) {
    runs.push({ start, end: paddingEnd(text, end), decoded });
    return;
  }
  let from = start;
  for (let to = start; to <= end; to++) {
    if (to < end && text.charCodeAt(to) !== 47) continue;
    if (to - from >= runLengthMin && to - from < end - start) {
      const part = decodeRun(text, from, to);
      if (part !== undefined) runs.push({ start: from, end: paddingEnd(text, to), decoded: part });
    }
    from = to + 1;
  }
}

function paddingEnd(text: string, end: number): number {
  let at = end;
  while (at < end + 2 && text.charCodeAt(at) === 61) at++;
  return at;
}

/** The text behind a run; undefined when its bytes are noise. */
function decodeRun(text: string, start: number, end: number): string | undefined {
  // One digit over holds less than a byte; decoders drop it.
  const digits = (end - start) % 4 === 1 ? end - start - 1 : end - start;
  if (isNumber(text, start, end)) return undefined;
  const serialised = isSerialised(text, start);
  if (!serialised && !looksLikeText(text, start)) return undefined;
  const bytes = new Uint8Array(Math.floor((digits * 3) / 4));
  let length = 0;
  let bits = 0;
  for (let i = 0; i < digits; i++) {
    bits = (bits << 6) | (sextets[text.charCodeAt(start + i)] as number);
    if (i % 4 !== 0) bytes[length++] = (bits >>> (6 - 2 * (i % 4))) & 0xff;
  }
  return textOf(bytes, serialised);
}

/** Digits are base64 too, of Hebrew by chance: time stamps. */
function isNumber(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && isDigit(text.charCodeAt(at))) at++;
  return at === end;
}

/** Looks at the first six bytes only, so that a token or a long word costs next to nothing. */
function looksLikeText(text: string, start: number): boolean {
  const head = headBytes(text, start);
  if (head.every(isTextByte)) return true;
  return head.every((byte, i) => (i % 2 === 0 ? isTextByte(byte) : byte === 0));
}

function headBytes(text: string, start: number): number[] {
  const bytes: number[] = [];
  for (let at = start; at < start + 8; at += 4) {
    let bits = 0;
    for (let i = at; i < at + 4; i++) bits = (bits << 6) | sextetAt(text, i);
    bytes.push((bits >>> 16) & 0xff, (bits >>> 8) & 0xff, bits & 0xff);
  }
  return bytes;
}

function sextetAt(text: string, at: number): number {
  return Math.max(0, sextets[text.charCodeAt(at)] ?? 0);
}

/**
 * How serialised objects begin in base64: Java (`AC ED 00 05`), .NET BinaryFormatter, Python pickle
 * from protocol 2 on, Ruby Marshal.
 */
function isSerialised(text: string, start: number): boolean {
  return serialisedHeads.some((head) => text.startsWith(head, start));
}

const serialisedHeads = ['rO0AB', 'AAEAAAD/////', 'gAJ', 'gAN', 'gASV', 'gAWV', 'BAh'];

/** Bytes as text: UTF-16 with its zero bytes, UTF-8, or else Latin-1 for what is text for the most part. */
function textOf(bytes: Uint8Array, serialised: boolean): string | undefined {
  const out = new CharBuffer(bytes.length);
  if (bytes[1] === 0 && bytes[3] === 0 && bytes[5] === 0 && !serialised) {
    for (let i = 0; i + 1 < bytes.length; i += 2) {
      out.push((bytes[i] as number) | ((bytes[i + 1] as number) << 8));
    }
    return out.toString();
  }
  if (serialised) {
    for (const byte of bytes) out.push(byte);
    return out.toString();
  }
  if (!isLikelyText(bytes)) return undefined;
  pushUtf8(bytes, bytes.length, out);
  return out.toString();
}

/**
 * The text behind one encoding that is broken up by line ends (RFC 2045, 6.8), or by characters that a
 * lenient decoder skips; undefined when it is none.
 */
function joinBroken(text: string): string | undefined {
  const out = new CharBuffer(text.length);
  let gaps = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((sextets[code] as number) >= 0) {
      out.push(code);
      continue;
    }
    if (code === 61) continue;
    gaps++;
    // A dot separates the segments of a JWT.
    if (code === 46 || gaps * gapShareMin > text.length) return undefined;
  }
  if (gaps === 0) return undefined;
  const digits = out.toString();
  return digits.length < joinedLengthMin ? undefined : decodeRun(digits, 0, digits.length);
}

const gapShareMin = 6;
const joinedLengthMin = 20;

function replaceRuns(text: string, runs: readonly Run[]): string {
  const out = new CharBuffer(text.length);
  let copied = 0;
  for (const run of runs) {
    out.pushSlice(text, copied, run.start);
    out.pushSlice(run.decoded, 0, run.decoded.length);
    copied = run.end;
  }
  out.pushSlice(text, copied, text.length);
  return out.toString();
}
