import { isAlnum, isDigit } from '../../text/char-class.ts';

/**
 * Offset of the next token: white space, line breaks, commas, byte order marks and comments are
 * ignored (GraphQL specification, October 2021, section 2.1.7).
 */
export function skipIgnored(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 35) at = lineEnd(text, at);
    else if (isIgnored(code)) at++;
    else return at;
  }
}

/** Of white space, line breaks, commas and byte order marks. */
export function isIgnored(code: number): boolean {
  return code === 32 || code === 9 || code === 10 || code === 13 || code === 44 || code === 0xfeff;
}

/** Offset after the name that begins at `start`; `start` where none does (section 2.1.9). */
export function nameEnd(text: string, start: number): number {
  if (isDigit(text.charCodeAt(start))) return start;
  let at = start;
  while (isName(text.charCodeAt(at))) at++;
  return at;
}

export function isName(code: number): boolean {
  return isAlnum(code) || code === 95;
}

/** True when `start` is where `(name:` or `($name:` opens. */
export function opensArguments(text: string, start: number): boolean {
  let at = skipIgnored(text, start);
  if (text.charCodeAt(at) !== 40) return false;
  at = skipIgnored(text, at + 1);
  if (text.charCodeAt(at) === 36) at++;
  const end = nameEnd(text, at);
  return end > at && text.charCodeAt(skipIgnored(text, end)) === 58;
}

/** Offset of the line break that ends the comment, or the length of the text. */
export function lineEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) !== 10 && text.charCodeAt(at) !== 13) at++;
  return at;
}

/** Offset after the string or block string that starts at `start` (section 2.9.4). */
export function stringEnd(text: string, start: number): number {
  if (text.startsWith('"""', start)) {
    let end = text.indexOf('"""', start + 3);
    while (end > 0 && text.charCodeAt(end - 1) === 92) end = text.indexOf('"""', end + 3);
    return end < 0 ? text.length : end + 3;
  }
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 92) at++;
    else if (code === 34) return at + 1;
  }
  return text.length;
}
