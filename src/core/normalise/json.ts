import { type Field, pointerOf } from '../extract/field.ts';
import { readJson } from '../extract/json-reader.ts';
import { charClass } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';
import { PartEmitter } from './parts.ts';

/**
 * A JSON object or array in a string: each string and each member name in it, by its JSON pointer.
 * Rules that read the whole are given it without the escapes that no serialiser writes.
 */
export const json: Decoder = {
  name: 'json',
  classes: charClass.doubleQuote,
  applies: (text, marks) =>
    (marks.classes & (charClass.brace | charClass.bracket)) !== 0 && isDocumentLike(text),
  decode: (text, emit) => {
    if (!isDocumentLike(text)) return false;
    const fields: Field[] = [];
    const fault = readJson(text, fields);
    // An array is no body for us, but it was read to its end.
    if (fault !== undefined && fault !== 'body-not-object') return false;
    const plain = withoutIdleEscapes(text);
    if (plain !== text) emit(plain, 'escapes');
    const parts = new PartEmitter(emit);
    for (const field of fields) {
      if (field.where === 'name') parts.name(field.text, pointerOf(field.node));
      else parts.value(field.text, pointerOf(field.node));
    }
    parts.finish();
    return true;
  },
};

/** Letters, digits and the marks of names need no escape (RFC 8259, 7). */
const anyEscape = /\\(?:u00([2-7][\da-f])|[\s\S])/gi;
const idle = /[\w$@.:^-]/;

function withoutIdleEscapes(text: string): string {
  if (!text.includes('\\u00')) return text;
  return text.replace(anyEscape, (found: string, digits: string | undefined) => {
    const character = digits === undefined ? '' : String.fromCharCode(Number.parseInt(digits, 16));
    return idle.test(character) ? character : found;
  });
}

/** True when a text begins and ends as a JSON object or array does. */
export function isDocumentLike(text: string): boolean {
  const first = text.charCodeAt(skipSpace(text, 0, 1));
  const last = text.charCodeAt(skipSpace(text, text.length - 1, -1));
  return (first === 123 && last === 125) || (first === 91 && last === 93);
}

function skipSpace(text: string, from: number, step: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 32) at += step;
  return at;
}
