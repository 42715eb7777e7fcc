import { charClass, isAlnum } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';
import { PartEmitter } from './parts.ts';

/**
 * A form (`a=1&b=2`) or the query string of a URL in a string: each value and each name, still
 * percent-encoded; `percent` and `plus` follow as steps of their own.
 */
export const form: Decoder = {
  name: 'form',
  classes: charClass.equals,
  applies: (text, marks) => queryStart(text, marks.classes) >= 0,
  decode: (text, emit) => {
    const start = queryStart(text, ~0);
    if (start < 0) return;
    const parts = new PartEmitter(emit);
    for (let at = start; at <= text.length; ) {
      const ampersand = text.indexOf('&', at);
      const end = ampersand < 0 ? text.length : ampersand;
      const piece = text.slice(at, end);
      const equals = piece.indexOf('=');
      const name = piece.slice(0, Math.max(0, equals));
      parts.name(name, name);
      parts.value(piece.slice(equals + 1), name);
      at = end + 1;
    }
    parts.finish();
  },
};

/** Offset of the first name: of the text, or behind the `?` of a URL; -1 when there is no form. */
function queryStart(text: string, classes: number): number {
  const isForm = (classes & charClass.ampersand) !== 0 && nameEnd(text, 0) > 0;
  if (isForm && text.includes('&')) return 0;
  const mark = text.indexOf('?');
  if (mark < 0 || mark > urlCharsMax || nameEnd(text, mark + 1) < 0) return -1;
  return isUrlPart(text, mark) ? mark + 1 : -1;
}

/** Offset of the `=` behind a name at `start`, -1 when there is none. */
function nameEnd(text: string, start: number): number {
  const last = Math.min(text.length, start + nameCharsMax);
  let at = start;
  while (at < last && isNameCharacter(text.charCodeAt(at))) at++;
  return at > start && text.charCodeAt(at) === 61 ? at : -1;
}

/** Letters, digits and `_ - . [ ] $ % + : @ ! *`. */
function isNameCharacter(code: number): boolean {
  return isAlnum(code) || nameMarks.includes(String.fromCharCode(code));
}

const nameMarks = '_-.[]$%+:@!*';
const nameCharsMax = 128;
const urlCharsMax = 2_048;

/** True when nothing before `end` ends a URL. */
function isUrlPart(text: string, end: number): boolean {
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 34 || code === 39 || code === 60 || code === 62) return false;
  }
  return true;
}
