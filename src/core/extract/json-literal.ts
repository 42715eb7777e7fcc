/** A string value in a JSON text, and where it stands. */
interface JsonLiteral {
  /** What it says, its escapes undone. */
  readonly text: string;
  /** Offset of its closing quote. */
  readonly end: number;
  /** Name of the member that holds the object or array that it is in; `''` for none. */
  readonly parent: string;
}

/**
 * The string value of a JSON object or array (RFC 8259) that a place is inside of; undefined where
 * there is none, or the text up to there is no JSON. Takes one pass up to the end of the string.
 */
export function jsonLiteralAt(text: string, place: number): JsonLiteral | undefined {
  const names: string[] = [];
  let name = '';
  let last = comma;
  for (let at = skipSpace(text, 0); at < place; at = skipSpace(text, at)) {
    const code = text.charCodeAt(at);
    if (!follows(last, code, names.length)) return undefined;
    last = code;
    if (code === quote) {
      const end = stringEnd(text, at);
      const next = skipSpace(text, end);
      const isName = text.charCodeAt(next) === colon;
      if (place < end) {
        if (isName || place === end - 1) return undefined;
        return { text: contentOf(text.slice(at, end)), end: end - 1, parent: names.at(-1) ?? '' };
      }
      if (isName) {
        name = text.slice(at + 1, end - 1);
        last = colon;
      }
      at = isName ? next + 1 : end;
    } else if (isOpening(code)) {
      if (names.length >= depthMax) return undefined;
      names.push(name);
      at++;
    } else if (code === brace + 2 || code === bracket + 2) {
      name = names.pop() ?? '';
      at++;
    } else {
      at = scalarEnd(text, at);
    }
  }
  return undefined;
}

function isOpening(code: number): boolean {
  return code === brace || code === bracket;
}

/**
 * Commas and ends stand behind a value, and values behind the other marks. Outside of all an object
 * or an array begins.
 */
function follows(last: number, code: number, depth: number): boolean {
  if (depth === 0) return last === comma && isOpening(code);
  const isBehindMark = last === comma || last === colon || isOpening(last);
  if (code === comma) return !isBehindMark;
  return code === brace + 2 || code === bracket + 2 || isBehindMark;
}

/** An escape that JSON does not know leaves the string as it stands. */
function contentOf(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal.slice(1, -1);
  }
}

/** Offset behind the string that begins at a quote. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length && text.charCodeAt(at) !== quote; at++) {
    if (text.charCodeAt(at) === backslash) at++;
  }
  return at + 1;
}

/** Behind a number, `true`, `false`, `null`, or the comma between two values; behind all where none is. */
function scalarEnd(text: string, start: number): number {
  if (text.charCodeAt(start) === comma) return start + 1;
  let at = start;
  while (isScalar(text.charCodeAt(at))) at++;
  return at === start ? text.length : at;
}

function isScalar(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 69 || isSign(code);
}

function isSign(code: number): boolean {
  return code === 43 || code === 45 || code === 46;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) <= 32) at++;
  return at;
}

const depthMax = 64;
const quote = 34;
const comma = 44;
const colon = 58;
const bracket = 91;
const backslash = 92;
const brace = 123;
