import { createFinder } from './char-finder.ts';

const nextWide = createFinder(/[^\0-\x7f]/g);

/** Bytes of a text in UTF-8; a lone surrogate counts as U+FFFD does, three bytes. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = nextWide(text, 0); i < text.length; i = nextWide(text, i + 1)) {
    const code = text.charCodeAt(i);
    if (code < 0x800) bytes += 1;
    else if (code >= 0xd800 && code <= 0xdbff && isLowSurrogate(text.charCodeAt(i + 1))) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
