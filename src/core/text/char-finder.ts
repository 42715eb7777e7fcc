import { isIndexed, signIndex } from './sign-index.ts';

/** Offset of the next character of a set from an offset on; the length of the text without one. */
export type CharFinder = (text: string, from: number) => number;

/** A call of a pattern costs as much as so many steps of the loop. */
const nearChars = 24;

/**
 * A finder for a global pattern of one class: any ASCII characters, with or without all from U+0080
 * to U+00FF and all beyond. Where the signs of a text are known it goes through these, and then
 * finds digits behind a blank or a plus only.
 */
export function createFinder(pattern: RegExp): CharFinder {
  const isIn = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    if (holds(pattern, String.fromCharCode(code))) isIn[code] = 1;
  }
  const hasLatin = holds(pattern, '\u0080');
  const hasWide = holds(pattern, '\u0100');
  const search = createSearch(pattern, isIn, { hasLatin, hasWide });
  return isIndexed(isIn) ? createLookUp(isIn, search, hasLatin || hasWide) : search;
}

/**
 * A compiled pattern passes over text several times faster than a loop does, but takes time to
 * start: what is near is found by the loop, so that a text full of such characters costs no more
 * than with the loop alone.
 */
function createSearch(
  pattern: RegExp,
  isIn: Readonly<Uint8Array>,
  { hasLatin, hasWide }: { readonly hasLatin: boolean; readonly hasWide: boolean },
): CharFinder {
  return (text, from) => {
    const near = Math.min(text.length, from + nearChars);
    for (let at = from; at < near; at++) {
      const code = text.charCodeAt(at);
      if (code < 128 ? isIn[code] === 1 : code < 256 ? hasLatin : hasWide) return at;
    }
    if (near >= text.length) return text.length;
    pattern.lastIndex = near;
    return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
  };
}

/** Goes through the index of the text's signs, from where it was left. */
function createLookUp(isIn: Readonly<Uint8Array>, search: CharFinder, more: boolean): CharFinder {
  let cursor = 0;
  let stamp = -1;
  return (text, from) => {
    // What is beyond ASCII is not in the index.
    if (!signIndex.covers(text) || (more && !signIndex.isAscii)) return search(text, from);
    if (stamp !== signIndex.stamp) {
      stamp = signIndex.stamp;
      cursor = 0;
    }
    let at = cursor;
    if (at > 0 && (signIndex.places[at - 1] as number) >= from) at = signIndex.seek(from);
    for (;;) {
      const { places, codes, count } = signIndex;
      while (at < count && (places[at] as number) < from) at++;
      while (at < count && isIn[codes[at] as number] === 0) at++;
      cursor = at;
      if (at < count) return places[at] as number;
      if (!signIndex.extend()) return text.length;
    }
  };
}

function holds(pattern: RegExp, character: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(character);
}
