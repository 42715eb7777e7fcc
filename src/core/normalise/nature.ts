import { asciiClass, charClass } from '../text/char-class.ts';
import { isCompressed } from '../text/object-stream.ts';
import { holdsWords } from '../text/wordiness.ts';
import type { Marks } from './decoder.ts';

/**
 * What a text is. `data` is base64 or hex as a whole, where words are only by chance: it has one
 * reading, its bytes. `binary` is bytes in a string: only what is printable in it is text.
 */
export type Nature = 'text' | 'data' | 'binary';

/**
 * The nature of a text. An attack cannot be dressed as data: data consists of digits of base64 from
 * its first character to its last, and a stretch that reads as words makes all of it text, whatever
 * else stands around. Nor is anything gained by binary: what is printable in it is text.
 * `isStretch`: the text is such a stretch of a binary string, and not binary again.
 */
export function natureOf(text: string, marks: Marks, isStretch = false): Nature {
  const isShort = text.length < lengthMin;
  if (isShort && !isCompressed(text)) return 'text';
  if (!isStretch && (marks.classes & unprintableClasses) !== 0 && isBinary(text)) return 'binary';
  if (isShort || marks.longestRun < runMin) return 'text';
  const start = dataStart(text);
  const end = start > 0 ? dataEnd(text) : text.length;
  const needsLook = start > 0 || (marks.classes & charClass.percent) !== 0;
  const isEncoded = needsLook ? isAlphabet(text, start, end) : (marks.classes & ~dataClasses) === 0;
  return isEncoded && !holdsWords(text, start, end) ? 'data' : 'text';
}

/**
 * Behind `data:image/png;base64,` and `-----BEGIN CERTIFICATE-----`; 0 where there is neither, or
 * the type of the data is text.
 */
export function dataStart(text: string): number {
  if (text.startsWith('-----')) return armourHead.exec(text.slice(0, armourMax))?.[0].length ?? 0;
  if (!text.startsWith('data:')) return 0;
  const head = mediaHead.exec(text.slice(0, mediaHeadMax));
  return head === null || textTypes.test(head[0].replace(officeType, '')) ? 0 : head[0].length;
}

/** In front of `-----END CERTIFICATE-----`. */
function dataEnd(text: string): number {
  const tail = text.slice(-armourMax);
  return text.length - tail.length + (armourTail.exec(tail)?.index ?? tail.length);
}

/** True for a character that no text has: a control, or what stands for bytes that are no UTF-8. */
function isUnprintable(code: number): boolean {
  if (code < 32) return code < 9 || code > 13;
  return (code >= 127 && code < 160) || code === 0xfffd;
}

/** Shorter values are words and tokens, and keep all readings, but for compressed bytes. */
const lengthMin = 192;
/** Lines of PEM have 64, of MIME 76. */
const runMin = 60;
const armourMax = 80;
const armourHead = /^-----BEGIN [A-Z0-9 ]{1,40}-----\s/;
const armourTail = /-----END [A-Z0-9 ]{1,40}-----\s{0,4}$/;
const mediaHeadMax = 200;
const mediaHead = /^data:[\w.+-]{1,40}\/[\w.+-]{1,100}(?:;[\w.=-]{1,60}){0,3};base64,/i;
const textTypes = /html|xml|svg|script|php|java/i;
const officeType = /vnd\.openxmlformats/i;
/** `+`, `/`, `=` and line ends as forms send them. */
const escapedDigit = /^%(?:2B|2F|3D|0D|0A|20)$/i;
const dataClasses =
  charClass.digit |
  charClass.plus |
  charClass.slash |
  charClass.equals |
  charClass.dash |
  charClass.underscore |
  charClass.space |
  charClass.lineBreak;
const unprintableClasses = charClass.control | charClass.nonAscii;
/** Bytes by lot have twice as many. */
const unprintableShare = 8;

function isBinary(text: string): boolean {
  let count = 0;
  let before = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isUnprintable(code) && !isOfSequence(before, code)) count++;
    before = code;
  }
  return count * unprintableShare >= text.length;
}

/** Behind C0 or C1, or for such bytes behind a dot: what `unicode` reads as ASCII is no noise. */
function isOfSequence(before: number, code: number): boolean {
  return code === 0xfffd ? before === 46 || before === code : (before | 1) === 0xc1;
}

function isAlphabet(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 37 && escapedDigit.test(text.slice(at, at + 3))) continue;
    if (code > 127 || ((asciiClass[code] as number) & ~dataClasses) !== 0) return false;
  }
  return true;
}
