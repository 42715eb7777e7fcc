import { Replacement } from '../text/char-buffer.ts';
import { charClass } from '../text/char-class.ts';
import { wideClass, wideClassOf } from '../text/wide-class.ts';
import type { Decoder } from './decoder.ts';

/**
 * Removes what a receiver skips or never shows: NUL and other control characters (with it the zero
 * bytes of UTF-16), zero-width characters, soft hyphens. Vertical tab and form feed become spaces.
 */
export const control: Decoder = {
  name: 'control',
  applies: (text, marks) =>
    (marks.classes & charClass.control) !== 0 ||
    ((marks.wide & wideClass.invisible) !== 0 && hidesInWord(text)),
  decode: (text, emit) => {
    const out = new Replacement(text);
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const isControl = code < 32 ? !isSpace(code) : code === 127;
      if (!isControl && (wideClassOf[code] as number) !== wideClass.invisible) continue;
      const instead = out.at(at, at + 1);
      if (code === 11 || code === 12) instead.push(32);
      // What no word can break at is no soft hyphen; code pages that have none make a hyphen of it.
      else if (code === softHyphen && !isVisibleAscii(text.charCodeAt(at - 1))) instead.push(45);
    }
    const decoded = out.finish();
    if (decoded !== undefined) emit(decoded);
  },
};

const softHyphen = 0xad;

function isSpace(code: number): boolean {
  return code === 9 || code === 10 || code === 13;
}

/**
 * True when an invisible character stands before an ASCII character, and not behind one of another
 * script: there it belongs to the writing of Persian, of Indian languages, or to an emoji.
 */
function hidesInWord(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if ((wideClassOf[text.charCodeAt(at)] as number) !== wideClass.invisible) continue;
    if (!isVisibleAscii(text.charCodeAt(at + 1))) continue;
    const before = at === 0 ? 32 : text.charCodeAt(at - 1);
    if (before < 128 && before !== 10) return true;
  }
  return false;
}

function isVisibleAscii(code: number): boolean {
  return code > 32 && code < 127;
}
