import { charClass, isAlnum } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';
import { PartEmitter } from './parts.ts';

/** A `Cookie` header (RFC 6265, 4.2) in a string: `a=1; b=2`. Each value, as it was sent. */
export const cookie: Decoder = {
  name: 'cookie',
  classes: charClass.equals | charClass.semicolon,
  applies: (text) => isCookie(text, text.indexOf(';')),
  decode: (text, emit) => {
    if (!isCookie(text, text.indexOf(';'))) return;
    const parts = new PartEmitter(emit);
    for (const piece of text.split(';')) {
      const equals = piece.indexOf('=');
      const name = piece.slice(0, Math.max(0, equals)).trim();
      parts.value(piece.slice(equals + 1), name);
    }
    parts.finish();
  },
};

/** True when `name=` stands at the start and behind the first semicolon. */
function isCookie(text: string, semicolon: number): boolean {
  if (semicolon < 0 || !isNameAt(text, 0)) return false;
  return isNameAt(text, text.charCodeAt(semicolon + 1) === 32 ? semicolon + 2 : semicolon + 1);
}

function isNameAt(text: string, start: number): boolean {
  const last = Math.min(text.length, start + nameCharsMax);
  let at = start;
  while (at < last && isNameCharacter(text.charCodeAt(at))) at++;
  return at > start && text.charCodeAt(at) === 61;
}

function isNameCharacter(code: number): boolean {
  return isAlnum(code) || code === 95 || code === 45 || code === 46;
}

const nameCharsMax = 128;
