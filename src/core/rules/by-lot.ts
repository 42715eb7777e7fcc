import { detectors } from './registry.ts';
import type { Example } from './rule.ts';

/**
 * Tells a password that was drawn by lot from an attack: in 16 characters of all kinds some two or
 * three that mean something to an interpreter stand side by side, now and then.
 *
 * It is a likelihood ratio, as in `text/wordiness.ts`: how much likelier a stretch is as part of an
 * attack (characters that follow each other as in the examples of the rules) than as printable
 * characters by lot. What stands around a stretch takes nothing from it, so that an attack cannot
 * be hidden among noise.
 */

/** `none` for what no generator draws: blanks, control characters, all beyond ASCII. */
const kind = { none: 0, lower: 1, upper: 2, digit: 4, mark: 8 } as const;
const codes = 127;
const blank = 32;

/** Bits of a stretch, beside those for its place, from which on it is taken for none. */
const chanceBits = 1.5;
/** What no password by lot has: it would be too short, or too long for a field. */
const lengthMin = 8;
const lengthMax = 128;
/** Of neighbours by lot, 0.7 are of another kind: letters of one case, digits, marks. */
const changesMin = 0.4;
/** Many have no digit. */
const kindsMin = kind.lower | kind.upper | kind.mark;

/**
 * Whether a text may well be a password that a program has drawn: of all kinds, and no attack.
 * What no generator draws counts as a mark where a decoder has made it of others.
 */
export function isByLot(text: string, isDecoded: boolean): boolean {
  const { length } = text;
  if (length < lengthMin || length > lengthMax) return false;
  let kinds = 0;
  let changes = 0;
  let last = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    const own = kindOf(code);
    if (own === kind.none && !isDecoded) return false;
    const now = own === kind.none ? kind.mark : own;
    kinds |= now;
    if (now !== last) changes++;
    last = now;
  }
  if ((kinds & kindsMin) !== kindsMin || changes < length * changesMin) return false;
  return bitsOfAttack(text) < chanceBits + Math.log2(length);
}

function kindOf(code: number): number {
  if (code <= blank || code >= codes) return kind.none;
  if (code >= 97 && code <= 122) return kind.lower;
  if (code >= 65 && code <= 90) return kind.upper;
  return code >= 48 && code <= 57 ? kind.digit : kind.mark;
}

const printable = 94;
/** What is seen of pairs that no example has. */
const smoothing = 0.05;
/** Share of letters that have the case of the one before, and of those that have not. */
const sameCaseBits = Math.log2(0.9);
const otherCaseBits = Math.log2(0.1);

/** The most that any stretch speaks for an attack; letters are read as of one case, and of any. */
function bitsOfAttack(text: string): number {
  let steady = 0;
  let mixed = 0;
  let most = 0;
  let last = blank;
  let lastCase = blank;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < blank || code >= codes) {
      steady = 0;
      mixed = 0;
      last = blank;
      continue;
    }
    const isLetter = (kindOf(code) & (kind.lower | kind.upper)) !== 0;
    const now = isLetter ? code | 32 : code;
    const bits = pairBits[last * codes + now] as number;
    let steadyBits = bits;
    if (isLetter) {
      steadyBits += (code & 32) === lastCase ? sameCaseBits : otherCaseBits;
      lastCase = code & 32;
    }
    steady = Math.max(0, steady + steadyBits);
    mixed = Math.max(0, mixed + bits - (isLetter ? 1 : 0));
    most = Math.max(most, steady, mixed);
    last = now;
  }
  return most;
}

/** Bits that a character behind another speaks for an attack, without the case of letters. */
function learn(): Float64Array {
  const counts = new Float64Array(codes * codes).fill(smoothing);
  for (const text of attacks()) {
    let last = blank;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < blank || code >= codes) {
        last = blank;
        continue;
      }
      const now = code >= 65 && code <= 90 ? code | 32 : code;
      const cell = last * codes + now;
      counts[cell] = (counts[cell] as number) + 1;
      last = now;
    }
  }
  const bits = new Float64Array(counts.length);
  for (let row = 0; row < counts.length; row += codes) {
    const own = counts.subarray(row + blank, row + codes);
    const sum = own.reduce((a, b) => a + b, 0);
    bits.set(
      own.map((count) => Math.log2((count / sum) * printable)),
      row + blank,
    );
  }
  return bits;
}

function* attacks(): Generator<string> {
  for (const { rules } of detectors) {
    for (const { examples } of rules) yield* examples.flatMap(textsOf);
  }
}

function textsOf(example: Example): string[] {
  if (typeof example === 'string') return [example];
  return Object.values(example.body).filter((value) => typeof value === 'string');
}

const pairBits: Float64Array = learn();
