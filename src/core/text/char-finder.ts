/** Offset of the next character of a set from an offset on; the length of the text without one. */
export type CharFinder = (text: string, from: number) => number;

/** A call of a pattern costs as much as so many steps of the loop. */
const nearChars = 24;

/**
 * A finder for a global pattern of one class of ASCII characters, with or without all those from
 * U+0100 on. A compiled pattern passes over
 * text several times faster than a loop does, but takes time to start: what is near is found by the
 * loop, so that a text full of such characters costs no more than with the loop alone.
 */
export function createFinder(pattern: RegExp): CharFinder {
  const isIn = new Uint8Array(128);
  for (let code = 0; code < 128; code++) {
    pattern.lastIndex = 0;
    if (pattern.test(String.fromCharCode(code))) isIn[code] = 1;
  }
  pattern.lastIndex = 0;
  const hasWide = pattern.test('\u0100');
  return (text, from) => {
    const near = Math.min(text.length, from + nearChars);
    for (let at = from; at < near; at++) {
      const code = text.charCodeAt(at);
      if (code < 128 ? isIn[code] === 1 : hasWide && code >= 256) return at;
    }
    if (near >= text.length) return text.length;
    pattern.lastIndex = near;
    return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
  };
}
