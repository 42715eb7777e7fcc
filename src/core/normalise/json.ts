import { type Field, pointerOf } from '../extract/field.ts';
import { readJson } from '../extract/json-reader.ts';
import { charClass } from '../text/char-class.ts';
import type { Decoder } from './decoder.ts';
import { PartEmitter } from './parts.ts';

/**
 * A JSON text in a string: what the one string holds (its escapes are those of a script), or each
 * string and member name by its JSON pointer. Rules that read the whole are given it without the
 * escapes that no serialiser writes.
 */
export const json: Decoder = {
  name: 'json',
  classes: charClass.doubleQuote,
  applies: (text) => isDocumentLike(text) || isJsonString(text),
  decode: (text, emit) => {
    if (isJsonString(text)) emit(text.slice(text.indexOf('"') + 1, text.lastIndexOf('"')));
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
  return isEnclosed(text, 123, 125) || isEnclosed(text, 91, 93);
}

/** True for a JSON text that is one string. */
export function isJsonString(text: string): boolean {
  return isEnclosed(text, 34, 34) && oneString.test(text);
}

const oneString = /^\s*"(?:[^"\\]|\\[\s\S])*"\s*$/;

function isEnclosed(text: string, open: number, close: number): boolean {
  const isOpen = text.charCodeAt(skipSpace(text, 0, 1)) === open;
  return isOpen && text.charCodeAt(skipSpace(text, text.length - 1, -1)) === close;
}

function skipSpace(text: string, from: number, step: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 32) at += step;
  return at;
}
