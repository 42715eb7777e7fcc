import type { PathNode } from './field.ts';

/** A string value in a JSON text, and where it stands. */
interface JsonLiteral {
  /** What it says, its escapes undone. */
  readonly text: string;
  /** Offset of its closing quote. */
  readonly end: number;
  readonly node: PathNode;
  /** The place is its first quote: what is found there would have that for the end of a literal. */
  readonly isAtQuote: boolean;
  /** In a document behind another: no view reads it by itself. */
  readonly isRecord: boolean;
}

/** An object or a list that is open. */
interface Holder {
  readonly node: PathNode | undefined;
  /** The name of the member or the number of the item that is read. */
  key: string | number;
}

/**
 * The string value that a place is inside of in a JSON object or array (RFC 8259), or in several that
 * follow each other, as records are sent; undefined where there is none, or the text up to there is
 * no JSON. Takes one pass up to the end of the string.
 */
export function jsonLiteralAt(text: string, place: number): JsonLiteral | undefined {
  const holders: Holder[] = [];
  let last = comma;
  let isRecord = false;
  for (let at = skipSpace(text, 0); at <= place; at = skipSpace(text, at)) {
    const code = text.charCodeAt(at);
    if (!follows(last, code, holders.length)) return undefined;
    isRecord ||= holders.length === 0 && isClosing(last);
    last = code;
    const holder = holders.at(-1);
    if (code !== quote) {
      if (at === place) return undefined;
      if (holders.length >= depthMax) return undefined;
      readMark(code, holders);
      at = isMark(code) ? at + 1 : scalarEnd(text, at);
      continue;
    }
    const end = stringEnd(text, at);
    const next = skipSpace(text, end);
    const isName = text.charCodeAt(next) === colon;
    if (place < end) {
      if (isName || place === end - 1) return undefined;
      const content = contentOf(text.slice(at, end));
      return {
        text: content,
        end: end - 1,
        node: nodeIn(holder),
        isAtQuote: at === place,
        isRecord,
      };
    }
    if (isName && holder !== undefined) {
      holder.key = text.slice(at + 1, end - 1);
      last = colon;
    }
    at = isName ? next + 1 : end;
  }
  return undefined;
}

/** What a bracket or a comma does to the objects and lists that are open. */
function readMark(code: number, holders: Holder[]): void {
  const holder = holders.at(-1);
  if (isOpening(code)) {
    const node = holder === undefined ? undefined : nodeIn(holder);
    holders.push({ node, key: code === bracket ? 0 : '' });
  } else if (isClosing(code)) {
    holders.pop();
  } else if (code === comma && typeof holder?.key === 'number') {
    holder.key++;
  }
}

function nodeIn(holder: Holder | undefined): PathNode {
  return { parent: holder?.node, key: holder?.key ?? '' };
}

function isMark(code: number): boolean {
  return isOpening(code) || isClosing(code);
}

function isClosing(code: number): boolean {
  return code === brace + 2 || code === bracket + 2;
}

function isOpening(code: number): boolean {
  return code === brace || code === bracket;
}

/**
 * Commas and ends stand behind a value, and values behind the other marks. Outside of all an object
 * or an array begins, the first of the text or behind another.
 */
function follows(last: number, code: number, depth: number): boolean {
  if (depth === 0) return (last === comma || isClosing(last)) && isOpening(code);
  const isBehindMark = last === comma || last === colon || isOpening(last);
  if (code === comma) return !isBehindMark;
  return isClosing(code) || isBehindMark;
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
