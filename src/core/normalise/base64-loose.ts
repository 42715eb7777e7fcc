import { charClass } from '../text/char-class.ts';
import {
  type Alphabet,
  bothAlphabets,
  lowByteAlphabet,
  readHead,
  standardAlphabet,
} from './base64-alphabet.ts';
import { isTextByte, textOfBytes } from './bytes.ts';
import type { Marks } from './decoder.ts';
import { dataStart } from './nature.ts';
import {
  isObjectStream,
  mayBeginStream,
  mayBeObjectStream,
  streamLookBytes,
} from './serialised.ts';

/** What one kind of decoder reads. */
interface LooseReading {
  /** `''` for the reading that most decoders give. */
  readonly label: string;
  readonly text: string;
}

/**
 * The whole value as one encoding, with all characters skipped that are no digits of it: line ends
 * (RFC 2045, 6.8), blanks, and what else decoders pass over. They agree on little beyond that:
 *
 * - Node takes both alphabets and ends at the first `=`; of a character beyond U+00FF it takes the
 *   low byte.
 * - PHP takes the standard alphabet, skips `-` and `_`, and goes on behind `=`.
 * - Python is as PHP, but ends where padding is complete.
 *
 * Each reading is given that differs, and is text or begins like a serialised object.
 */
export function readLoosely(text: string): LooseReading[] {
  const start = startOf(text);
  const readings = readingsFrom(text, start);
  if (start !== 1) return readings;
  // The slash is a digit where there is no path.
  const others = readingsFrom(text, 0).map((one) => ({ ...one, label: `slash ${one.label}` }));
  return [...readings, ...others];
}

function readingsFrom(text: string, start: number): LooseReading[] {
  const readings: LooseReading[] = [];
  for (const one of variantsOf(text, start)) {
    const isBytes = isObjectStream(text, start, one.alphabet);
    if (!isBytes && !hasTextHead(text, one, start)) continue;
    const decoded = decode(text, one, { start, isBytes });
    if (decoded === undefined || readings.some((other) => other.text === decoded)) continue;
    readings.push({ label: one.label, text: decoded });
  }
  return readings;
}

/**
 * True when the value may be text or a serialised object behind one encoding: a look at the first
 * bytes, where prose, words and tokens fail at once.
 */
export function mayBeLoose(text: string, { classes }: Pick<Marks, 'classes'>): boolean {
  if (text.length < digitsMin && !mayBeShortStream(text)) return false;
  const start = startOf(text);
  return mayBeLooseFrom(text, start, classes) || (start === 1 && mayBeLooseFrom(text, 0, classes));
}

/** Most words and numbers fail at the first digit. */
function mayBeShortStream(text: string): boolean {
  if (text.length < streamDigitsMin) return false;
  const digit = standardAlphabet[text.charCodeAt(0)] as number;
  // What is no digit is passed over, and a slash may stand in front.
  return digit < 0 || digit === slashDigit || mayBeginStream(digit, text.length);
}

const slashDigit = 63;

function mayBeLooseFrom(text: string, start: number, classes: number): boolean {
  if (mayBeLooseBy(text, start, bothAlphabets)) return true;
  if ((classes & foreignClasses) !== 0 && mayBeLooseBy(text, start, standardAlphabet)) return true;
  if (text.length < digitsMin || (classes & charClass.nonAscii) === 0) return false;
  return beyondLatin.test(text.slice(0, headChars)) && hasTextHead(text, lowBytesOf(text), start);
}

function mayBeLooseBy(text: string, start: number, alphabet: Alphabet): boolean {
  const whole = { alphabet, start, end: text.length };
  const length = readHead(text, whole, alphabet, look);
  if (mayBeObjectStream(look, length, text.length - start)) {
    if (isObjectStream(text, start, alphabet)) return true;
  }
  // The first bytes tell of most texts.
  return countBad(look, length) <= headBadMax && hasTextHead(text, whole, start);
}

const look = new Uint8Array(streamLookBytes);

/** Digits of RFC 4648, 5, alone. */
const foreignClasses = charClass.dash | charClass.underscore;

/** How one kind of decoder reads. */
interface Variant {
  readonly alphabet: Alphabet;
  /** Where it stops. */
  readonly end: number;
}

/** Fifteen bytes. Shorter ones in pieces are words. */
const digitsMin = 20;
/** Seven bytes, the shortest object of Marshal. */
const streamDigitsMin = 10;
/** Of as many digits. */
const headBytesMin = 15;
const headBytes = 24;
const headBadMax = 3;
const headChars = 128;
const dataHeadMax = 200;
const equals = 61;
const slash = 47;
const dash = 45;
const letterD = 100;
const beyondLatin = /[\u0100-\uffff]/;

/** Behind `data:…;base64,`, the first line of PEM, or the slash that a path begins with. */
function startOf(text: string): number {
  const first = text.charCodeAt(0);
  if (first === slash) return 1;
  if (first !== dash && first !== letterD) return 0;
  if (!text.startsWith('data:')) return dataStart(text);
  const comma = text.slice(0, dataHeadMax).indexOf('base64,');
  return comma < 0 ? 0 : comma + 7;
}

function* variantsOf(text: string, start: number): Generator<Variant & { label: string }> {
  const all = { alphabet: bothAlphabets, end: text.length };
  yield { ...all, label: '' };
  const stop = text.indexOf('=', start);
  const hasInnerPadding = stop >= 0 && !isTail(text, stop);
  if (hasInnerPadding) {
    yield { ...all, end: stop, label: 'stop' };
    yield { ...all, end: paddingEnd(text, start), label: 'padded' };
  }
  if (text.includes('-', start) || text.includes('_', start)) {
    const standard = { ...all, alphabet: standardAlphabet };
    yield { ...standard, label: 'standard' };
    if (hasInnerPadding)
      yield { ...standard, end: paddingEnd(text, start), label: 'standard-padded' };
  }
  if (beyondLatin.test(text)) yield { ...lowBytesOf(text), label: 'low-bytes' };
}

function lowBytesOf(text: string): Variant {
  return { alphabet: lowByteAlphabet, end: text.length };
}

/** True when nothing but padding follows. */
function isTail(text: string, from: number): boolean {
  let at = from;
  while (at < text.length && text.charCodeAt(at) === equals) at++;
  return at === text.length;
}

/** Where the first padding stands that makes a group of four digits complete. */
function paddingEnd(text: string, start: number): number {
  let count = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((standardAlphabet[code] as number) >= 0) count++;
    else if (code === equals) {
      const rest = count & 3;
      if (rest === 3 || (rest === 2 && text.charCodeAt(at + 1) === equals)) return at;
    }
  }
  return text.length;
}

/** True when the first bytes are text but for a few. */
export function hasTextHead(text: string, { alphabet, end }: Variant, start: number): boolean {
  if (end - start < digitsMin) return false;
  const length = readHead(text, { start, end }, alphabet, head);
  return length >= headBytesMin && countBad(head, length) <= headBadMax;
}

const head = new Uint8Array(headBytes);

/** How many of some bytes are none of text: of prose every other one. */
function countBad(bytes: Readonly<Uint8Array>, length: number): number {
  let bad = 0;
  let expected = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] as number;
    if (expected > 0 && (byte & 0xc0) === 0x80) {
      expected--;
      continue;
    }
    if (expected > 0) bad++;
    expected = tailLength(byte);
    // A zero is half a character of UTF-16.
    if (expected === 0 && (byte >= 0x80 || !(byte === 0 || isTextByte(byte)))) bad++;
  }
  return bad;
}

/** How many bytes follow a lead byte of UTF-8 (RFC 3629, 4). */
function tailLength(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 0;
  if (lead < 0xe0) return 1;
  return lead < 0xf0 ? 2 : 3;
}

function decode(
  text: string,
  { alphabet, end }: Variant,
  { start, isBytes }: { readonly start: number; readonly isBytes: boolean },
): string | undefined {
  const bytes = new Uint8Array(Math.ceil(((end - start) * 3) / 4));
  let length = 0;
  let bits = 0;
  let phase = 0;
  for (let at = start; at < end; at++) {
    const sextet = alphabet[text.charCodeAt(at)] as number;
    if (sextet < 0) continue;
    bits = (bits << 6) | sextet;
    if (phase !== 0) bytes[length++] = (bits >>> (6 - 2 * phase)) & 0xff;
    phase = (phase + 1) & 3;
  }
  return textOfBytes(bytes, length, isBytes);
}
