import { limits } from '../../contract/limits.ts';
import { Replacement } from '../text/char-buffer.ts';
import { charClass, isDigit } from '../text/char-class.ts';
import { isTextStretch } from '../text/printability.ts';
import { characterSet, findRun, runEnd } from '../text/runs.ts';
import { base64Digits, bothAlphabets } from './base64-alphabet.ts';
import { hasTextHead, mayBeLoose, readLoosely } from './base64-loose.ts';
import { isTextByte, textOfBytes } from './bytes.ts';
import type { Decoder, Emit } from './decoder.ts';
import { printable } from './printable.ts';
import { isSerialised, isStreamIn } from './serialised.ts';

/**
 * Base64 and base64url (RFC 4648, 4 and 5), padded or not, of a run anywhere in the text: a whole
 * value, the data of a `data:` URL, a segment of a JWT. A run counts when its bytes are text or
 * begin like a serialised object; tokens that decode to noise are left alone.
 *
 * A value that is one encoding as a whole is also read as lenient decoders do, whatever stands
 * between its digits. A few runs become views of their own, so that what was encoded is judged as
 * if it had been sent plain; when there are many, they are decoded in place.
 *
 * Of a value that is one run and noise, what is text by more than chance is read: an attacker may
 * put bytes that are no text around the rest.
 */
export const base64: Decoder = {
  name: 'base64',
  applies: (text, marks) =>
    marks.longestRun >= ((marks.classes & charClass.space) === 0 ? runLengthMin : runInProseMin) ||
    mayBeLoose(text, marks),
  decode: (text, emit) => {
    const whole = readLoosely(text);
    for (const reading of whole) emit(reading.text, reading.label || undefined);
    const runs = new RunReader(text).readAll();
    if (runs.length > ownViewsMax) emit(replaceRuns(text, runs));
    else {
      const isRead = whole.length > 0 || runs.some(({ start, end }) => end - start === text.length);
      if (!isRead) emitStretches(text, emit);
      for (const [index, run] of runs.entries()) {
        emit(run.decoded, runs.length + whole.length === 1 ? undefined : String(index));
      }
    }
  },
};

/**
 * The readings of a text that is base64 as a whole: its bytes, and what is text by more than chance
 * between slashes, as it may be a path. No path is longer than the head of a request.
 */
export const wholeBase64: Decoder = {
  name: 'base64-data',
  applies: () => true,
  decode: (text, emit) => {
    const whole = readLoosely(text);
    for (const reading of whole) emit(reading.text, reading.label || undefined);
    if (text.length > pathCharsMax) return;
    if (whole.length === 0) emitStretches(text, emit);
    for (const { start, decoded } of new RunReader(text).readAll()) {
      const place = { textLength: text.length, isAtEdge: start === 0 };
      if (isTextStretch(decoded, place)) emit(decoded, String(start));
    }
  },
};

/** What is text by more than chance in a short value of nearly nothing but digits, or behind a head of text. */
function emitStretches(text: string, emit: Emit): void {
  const isHead = hasTextHead(text, { alphabet: bothAlphabets, end: text.length }, 0);
  if (text.length < runLengthMin || (text.length > noiseCharsMax && !isHead)) return;
  const all = text.replace(foreign, '');
  const isMixed = (text.length - all.length) * foreignShare > text.length;
  if ((isMixed || space.test(text)) && !isHead) return;
  // Longer ones with few other characters are files.
  if (text.length > noiseCharsMax && !isMixed) return;
  const digits = all.slice(0, noiseCharsMax);
  const end = digits.length;
  const bytes = takeBytes(Math.ceil((end * 3) / 4));
  const length = readBytes(digits, { start: 0, end, bytes });
  const noisy = String.fromCharCode(...bytes.subarray(0, length));
  // A number alone names a run.
  printable.decode(noisy, (stretch, start) => emit(stretch, `text-${start}`));
}

const space = /\s/;
/** Receivers pass over what is no digit. */
const foreign = /[^\w+/-]/g;
const foreignShare = 8;

/** Longer ones are files: most of these have text in them. */
const noiseCharsMax = 1_024;

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
const pathCharsMax = limits.headBytesMax;

const digitSet: Readonly<Uint8Array> = characterSet(`${base64Digits}-_`);

/** Finds and decodes the runs of a text. */
class RunReader {
  private readonly text: string;
  private readonly runs: Run[] = [];

  constructor(text: string) {
    this.text = text;
  }

  readAll(): readonly Run[] {
    const text = this.text;
    let end = 0;
    for (;;) {
      const start = findRun(text, end, runLengthMin, digitSet);
      if (start < 0) return this.runs;
      end = runEnd(text, start + runLengthMin, digitSet);
      if (!this.take(start, end)) this.takeSegments(start, end);
    }
  }

  /** The text behind a run; undefined when its bytes are noise. */
  decode(start: number, end: number): string | undefined {
    if (isNumber(this.text, start, end)) return undefined;
    const serialised = isSerialised(this.text, start) || isStreamIn(this.text, start, end);
    if (!serialised && !looksLikeText(this.text, start)) return undefined;
    const bytes = takeBytes(Math.ceil(((end - start) * 3) / 4));
    const length = readBytes(this.text, { start, end, bytes });
    return textOfBytes(bytes, length, serialised);
  }

  private take(start: number, end: number): boolean {
    const decoded = this.decode(start, end);
    if (decoded === undefined) return false;
    let to = end;
    while (to < end + 2 && this.text.charCodeAt(to) === 61) to++;
    this.runs.push({ start, end: to, decoded });
    return true;
  }

  /** Tries the segments of a run between slashes: `/user/PHNjcmlwdD4`. */
  private takeSegments(start: number, end: number): void {
    let from = start;
    for (let to = start; to <= end; to++) {
      if (to < end && this.text.charCodeAt(to) !== 47) continue;
      if (to - from >= runLengthMin && to - from < end - start) this.take(from, to);
      from = to + 1;
    }
  }
}

/** Returns the number of bytes. */
function readBytes(
  text: string,
  {
    start,
    end,
    bytes,
  }: { readonly start: number; readonly end: number; readonly bytes: Uint8Array },
): number {
  let length = 0;
  let bits = 0;
  let phase = 0;
  for (let at = start; at < end; at++) {
    bits = (bits << 6) | (bothAlphabets[text.charCodeAt(at)] as number);
    // A digit over at the end holds less than a byte; decoders drop it.
    if (phase !== 0) bytes[length++] = (bits >>> (6 - 2 * phase)) & 0xff;
    phase = (phase + 1) & 3;
  }
  return length;
}

/** Digits are base64 too, of Hebrew by chance: time stamps. */
function isNumber(text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && isDigit(text.charCodeAt(at))) at++;
  return at === end;
}

/** Looks at the first six bytes only, so that a token or a long word costs next to nothing. */
function looksLikeText(text: string, start: number): boolean {
  let bits = 0;
  let count = 0;
  for (let at = start; at < text.length && count < 8; at++) {
    const sextet = bothAlphabets[text.charCodeAt(at)] as number;
    if (sextet < 0) break;
    bits = ((bits << 6) | sextet) & 0xffffff;
    count++;
    if (count % 4 === 0 && !(isText(bits >>> 16) && isText(bits >>> 8) && isText(bits))) {
      return false;
    }
  }
  return true;
}

/** The lowest byte is text, or zero as in UTF-16. */
function isText(bits: number): boolean {
  return (bits & 0xff) === 0 || isTextByte(bits & 0xff);
}

/** Most runs are short and decode to noise: their bytes go where those of the last one were. */
const spareBytes = new Uint8Array(1_024);

function takeBytes(length: number): Uint8Array {
  return length > spareBytes.length ? new Uint8Array(length) : spareBytes;
}

function replaceRuns(text: string, runs: readonly Run[]): string {
  const out = new Replacement(text);
  for (const { start, end, decoded } of runs) out.at(start, end).pushText(decoded);
  return out.finish() ?? text;
}
