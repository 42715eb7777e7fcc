import { hexValue, isAlnum } from '../../text/char-class.ts';
import { createFinder } from '../../text/char-finder.ts';
import { characterTable } from '../../text/runs.ts';
import { foldOf } from '../../text/wide-class.ts';

/**
 * The units of a path: one dot, separator or other character in any of the spellings that some file
 * API or server has taken for it. Valid encodings have views of their own; here are the broken
 * ones, which no decoder undoes (`%c0%qf`, `%%32%%66`, `0x2e`), and their mixtures with the valid
 * ones.
 */
export const unitKind = {
  /** Part of a name. */
  name: 0,
  dot: 1,
  separator: 2,
  /** A control character: some readers drop it, some end the name there. */
  ignored: 3,
  /** Ends the word. */
  stop: 4,
  /** A percent sign in front of another escape. */
  stray: 5,
} as const;

// A unit is one number: kind in bits 0-2, "disguised" in bit 3, length in bits 4-11, character code
// above.
const disguisedBit = 8;

function unitOf(kind: number, length: number, code: number): number {
  return kind | (length << 4) | (code << 12);
}

/** A unit in a spelling that no benign client uses. */
export function disguised(kind: number, length: number): number {
  const code = kind === unitKind.dot ? dot : kind === unitKind.separator ? slash : 0;
  return unitOf(kind, length, code) | disguisedBit;
}

export function kindOf(unit: number): number {
  return unit & 7;
}

export function lengthOf(unit: number): number {
  return (unit >>> 4) & 255;
}

export function isDisguised(unit: number): boolean {
  return (unit & disguisedBit) !== 0;
}

/** The character that the unit stands for. */
export function codeOf(unit: number): number {
  return unit >>> 12;
}

const dot = 46;
const slash = 47;
const percent = 37;
/** Editors make it of three dots; those that are left over stand behind it. */
const ellipsis = 0x2026;

/** Reads the unit at an offset inside the text. */
export function readUnit(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code >= 128) {
    const isDot = code === ellipsis && text.startsWith('..', at + 1);
    return isDot ? disguised(unitKind.dot, 1) : unitOf(unitKind.name, 1, code);
  }
  const kind = asciiKind[code] as number;
  if (code === percent) return percentUnit(text, at);
  if (code === 48) return hexUnit(text, at);
  if (code === 120 && text.startsWith('2ex2e', at - 2)) return disguised(unitKind.dot, 3);
  return unitOf(kind, 1, code);
}

const controls = String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code), 127);
const asciiKind: Uint8Array = characterTable([
  [unitKind.ignored, controls],
  [unitKind.stop, ' \t\r\n"\'`<>()=&?#,|*'],
  [unitKind.dot, '.'],
  [unitKind.separator, '/\\'],
]);

/** `0x2e`, `0x2f`, `0x5c` spelt out. */
function hexUnit(text: string, at: number): number {
  if ((text.charCodeAt(at + 1) | 32) === 120) {
    const byte = hexPair(text, at + 2);
    if (byte === dot) return disguised(unitKind.dot, 4);
    if (byte === slash || byte === 92) return disguised(unitKind.separator, 4);
  }
  return unitOf(unitKind.name, 1, 48);
}

function percentUnit(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  if ((next | 32) === 117) return unicodeUnit(text, at);
  const first = readByte(text, at);
  if (first < 0) return brokenUnit(text, at);
  const byte = first & 255;
  const length = first >>> 8;
  if (byte >= 0xc0) return overlongUnit(text, at, byte, length);
  if (byte === dot) return disguised(unitKind.dot, length);
  if (byte === slash || byte === 92) {
    // Once encoded it is what forms do with every separator.
    return length === 3
      ? unitOf(unitKind.separator, 3, byte)
      : disguised(unitKind.separator, length);
  }
  if (byte < 32) return disguised(unitKind.ignored, length);
  // Encoded, these end the word only where they would end a parameter of a query.
  const isStop = byte === 38 || byte === 61 || byte === 63 || byte === 35 || byte === 10;
  return unitOf(isStop ? unitKind.stop : unitKind.name, length, byte);
}

/** `%uXXXX`, also of a character that a receiver turns into ASCII: `%uff0e` */
function unicodeUnit(text: string, at: number): number {
  const high = hexPair(text, at + 2);
  const low = hexPair(text, at + 4);
  if (high < 0 || low < 0) return unitOf(unitKind.name, 1, percent);
  const wide = (high << 8) | low;
  const code = (foldOf[wide] as number) || wide;
  if (code === dot) return disguised(unitKind.dot, 6);
  if (code === slash || code === 92) return disguised(unitKind.separator, 6);
  if (code < 32) return disguised(unitKind.ignored, 6);
  return unitOf(unitKind.name, 6, code);
}

/**
 * The byte of `%HH`, `%25HH` or `%%HH%%HH`, with the length above bit 8; -1 where there is none.
 */
function readByte(text: string, at: number): number {
  let next = at + 1;
  if (text.charCodeAt(next) === percent) return nibbleByte(text, at);
  while (next < at + 9 && text.startsWith('25', next) && hexPair(text, next + 2) >= 0) next += 2;
  const byte = hexPair(text, next);
  return byte < 0 ? -1 : byte | ((next + 2 - at) << 8);
}

/** `%%32%%66` and `%%32%66`: a percent sign, and its two digits percent-encoded. */
function nibbleByte(text: string, at: number): number {
  const high = hexValue(hexPair(text, at + 2));
  let next = at + 4;
  if (text.charCodeAt(next) !== percent) {
    const low = hexValue(text.charCodeAt(next));
    return high < 0 || low < 0 ? -1 : (high << 4) | low | (5 << 8);
  }
  next++;
  if (text.charCodeAt(next) === percent) next++;
  const low = hexValue(hexPair(text, next));
  return high < 0 || low < 0 ? -1 : (high << 4) | low | ((next + 2 - at) << 8);
}

/** Low bits that overlong and damaged sequences leave of a full stop. */
const dotBytes: ReadonlySet<number> = new Set([0x2e, 0xae, 0xee, 0xfe, 0x5e, 0x6e]);

/** Lead bytes of three bytes and more that carry no bits of the character. */
const emptyLeads: ReadonlySet<number> = new Set([0xe0, 0xf0, 0xf8, 0xfc]);

/**
 * A sequence whose lead byte carries no bits of the character: `%c0%ae`, `%e0%80%af`, `%c0%qf`,
 * `%c0.`
 */
function overlongUnit(text: string, at: number, lead: number, length: number): number {
  const plain = unitOf(unitKind.name, length, lead);
  let next = at + length;
  if (lead > 0xc1) {
    if (!emptyLeads.has(lead)) return plain;
    const padStart = next;
    for (let pad = readByte(text, next); pad >= 0 && (pad & 255) === 0x80; ) {
      next += pad >>> 8;
      pad = next - padStart < 40 ? readByte(text, next) : -1;
    }
    if (next === padStart) return plain;
  }
  const raw = text.charCodeAt(next);
  if (raw === dot) return disguised(unitKind.dot, next + 1 - at);
  if (raw === slash || raw === 92) return disguised(unitKind.separator, next + 1 - at);
  if (raw !== percent) return plain;
  const last = readByte(text, next);
  if (last < 0) {
    return isAlnum(text.charCodeAt(next + 1)) && isAlnum(text.charCodeAt(next + 2))
      ? disguised(unitKind.separator, next + 3 - at)
      : plain;
  }
  const kind = dotBytes.has(last & 255) ? unitKind.dot : unitKind.separator;
  return disguised(kind, next + (last >>> 8) - at);
}

/**
 * `%bg%qf`: digits that are none, which careless arithmetic turns into a separator; else a plain
 * `%`.
 */
function brokenUnit(text: string, at: number): number {
  if (text.charCodeAt(at + 1) === percent) return unitOf(unitKind.stray, 1, percent);
  const next = at + 3;
  const isBroken =
    isAlnum(text.charCodeAt(at + 1)) &&
    isAlnum(text.charCodeAt(at + 2)) &&
    text.charCodeAt(next) === percent &&
    isAlnum(text.charCodeAt(next + 1)) &&
    isAlnum(text.charCodeAt(next + 2)) &&
    hexPair(text, next + 1) < 0;
  return isBroken ? disguised(unitKind.separator, 6) : unitOf(unitKind.name, 1, percent);
}

function hexPair(text: string, at: number): number {
  const high = hexValue(text.charCodeAt(at));
  const low = hexValue(text.charCodeAt(at + 1));
  return high < 0 || low < 0 ? -1 : (high << 4) | low;
}

/**
 * Start of the next word that may be a path: of letters and digits alone none is. Zero and `x`
 * begin what is spelt in hex.
 */
export function nextWord(text: string, from: number): number {
  const sign = nextSign(text, from);
  if (sign >= text.length) return sign;
  let start = sign;
  while (start > from && !isEnd(text, start - 1)) start--;
  return start;
}

const nextSign = createFinder(/[^A-WYZa-wyz1-9 \t\r\n"'`<>()=&#,|*]/g);

/** True for what ends a word before a sign that was found. */
function isEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return !isAlnum(code) && !(code === 32 && isProgramFiles(text, at));
}

/** The one space that is common in paths: `C:\\Program Files\\`. */
export function isProgramFiles(text: string, at: number): boolean {
  // A glance first: every space of a text comes here.
  const isNear = (text.charCodeAt(at - 1) | 32) === 109 && (text.charCodeAt(at + 1) | 32) === 102;
  return isNear && at >= 7 && programFiles.test(text.slice(at - 7, at + 6));
}

const programFiles = /^program files$/i;
