import { pairOf } from '../../text/word-table.ts';
import { nameParts } from './sql-characters.ts';
import { classOfWord, sqlWord, wordsOf } from './sql-words.ts';
import { classSet } from './word-classes.ts';

/** Class of the word that ends before a place, white space skipped; `name` when there is none. */
export function wordBefore(text: string, at: number): number {
  const end = skipSpaceBack(text, at);
  if (!isWordPart(text.charCodeAt(end - 1))) return sqlWord.name;
  let start = end;
  // Longer words are names.
  while (start > 0 && end - start <= wordMax && isWordPart(text.charCodeAt(start - 1))) start--;
  return end - start > wordMax ? sqlWord.name : classOfWord(text, start, end);
}

export function classAt(text: string, start: number): number {
  return classOfWord(text, start, endOfWord(text, start));
}

export function endOfWord(text: string, start: number): number {
  let end = start;
  while (end - start <= wordMax && isWordPart(text.charCodeAt(end))) end++;
  return end;
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

export function skipSpaceBack(text: string, from: number): number {
  let at = from;
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

/** White space, and the plus of a form. */
export function isSpace(code: number): boolean {
  if (code < 128) return kinds[code] === space;
  return code === 0xa0 || code === 0x85 || code === 0x3000 || (code >= 0x2000 && code <= 0x200b);
}

/** Letters, digits, `_` and `$`. */
export function isWordPart(code: number): boolean {
  return code < 128 && kinds[code] === word;
}

const space = 1;
const word = 2;
const kinds: Uint8Array = buildKinds();

function buildKinds(): Uint8Array {
  const table = new Uint8Array(128).fill(space, 0, 33);
  table[43] = space;
  for (let code = 33; code < 128; code++) if (nameParts[code] === 1) table[code] = word;
  return table;
}

export const wordMax = 30;

/**
 * Classes of words, the characters that such a word or the white space behind it ends with, and the
 * last two of the words.
 */
interface Followed {
  readonly classes: Uint8Array;
  readonly ends: Uint8Array;
  readonly pairs: Uint8Array;
}

export function followed(classes: readonly number[]): Followed {
  const ends = kinds.map((kind) => (kind === space ? 1 : 0));
  const pairs = new Uint8Array(1 << 10);
  for (const listed of classes.flatMap(wordsOf)) {
    const last = listed.charCodeAt(listed.length - 1);
    ends[last] = 1;
    if (last >= 97) ends[last - 32] = 1;
    pairs[pairOf(listed.charCodeAt(listed.length - 2), last)] = 1;
  }
  return { classes: classSet(classes), ends, pairs };
}

/** True behind a word of the classes; the last characters before a blank tell most others. */
export function isBehind(text: string, at: number, { classes, ends, pairs }: Followed): boolean {
  const end = text.charCodeAt(at - 1) === 32 ? at - 2 : at - 1;
  const code = text.charCodeAt(end);
  if (code < 128 && ends[code] === 0) return false;
  if (isWordPart(code) && pairs[pairOf(text.charCodeAt(end - 1), code)] === 0) return false;
  return classes[wordBefore(text, at)] === 1;
}
