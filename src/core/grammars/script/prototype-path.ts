import { isAlnum } from '../../text/char-class.ts';

/** A place in a text where a property path reaches the prototype, as offsets. */
export interface PrototypePath {
  readonly start: number;
  readonly end: number;
  /** The path goes on to a property of the prototype: `__proto__[x]`, `constructor.prototype.x`. */
  readonly hasProperty: boolean;
}

const protoName = '__proto__';

/** Finds `__proto__` as a segment of a path: behind and before `.`, `[`, `]` or a quote. */
export function findProto(text: string, from: number): PrototypePath | undefined {
  const start = text.indexOf(protoName, from);
  if (start < 0) return undefined;
  const end = start + protoName.length;
  return { start, end, hasProperty: opensProperty(text, end) };
}

/**
 * Finds `constructor` and `prototype` as neighbouring segments. A segment may hold the word inside
 * other letters, so that `constconstructorructor`, which a filter turns into the word, counts.
 */
export function findConstructorPrototype(text: string, from: number): PrototypePath | undefined {
  const start = text.indexOf('constructor', from);
  if (start < 0) return undefined;
  let at = segmentEnd(text, start + 11);
  const separated = behindSiblings(text, skipSeparators(text, at));
  if (separated === at) return undefined;
  at = segmentEnd(text, separated);
  const found = text.slice(separated, at).includes('prototype');
  return found ? { start, end: at, hasProperty: opensProperty(text, at) } : undefined;
}

function segmentEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && at - start < 64) {
    const code = text.charCodeAt(at);
    if (!isAlnum(code) && code !== 95) break;
    at++;
  }
  return at;
}

/** What can stand between two segments of a path: `.`, `][`, `"]["`, and in JSON `": {"`. */
function skipSeparators(text: string, start: number): number {
  let at = start;
  while (at < text.length && at - start < 48 && '.[]"\'{: \r\n\t/'.includes(text[at] as string))
    at++;
  return text.slice(start, at).trim() === '' ? start : at;
}

/** In JSON other members may stand in front of `prototype`: the offset of its name, or `from`. */
function behindSiblings(text: string, from: number): number {
  if (text[from - 1] !== '"' || !memberOpens.test(text.slice(Math.max(0, from - 12), from)))
    return from;
  const end = Math.min(text.length, from + siblingsCharsMax);
  let depth = 1;
  for (let at = from - 1; at < end && depth > 0; at++) {
    const code = text.charCodeAt(at);
    if (code === 123 || code === 91) depth++;
    else if (code === 125 || code === 93) depth--;
    else if (code === 34) {
      if (depth === 1 && prototypeMember.test(text.slice(at, at + 24))) return at + 1;
      at = closingQuote(text, at, end);
    }
  }
  return from;
}

function closingQuote(text: string, from: number, end: number): number {
  let at = from + 1;
  while (at < end && text.charCodeAt(at) !== 34) at += text.charCodeAt(at) === 92 ? 2 : 1;
  return at;
}

const siblingsCharsMax = 400;
const memberOpens = /:\s{0,8}\{\s{0,8}"$/;
const prototypeMember = /^"prototype"\s{0,8}:/;

function opensProperty(text: string, end: number): boolean {
  let at = end;
  while (at < text.length && at - end < 12 && '"\'] \r\n\t'.includes(text[at] as string)) at++;
  return at < text.length && '.[:=,/'.includes(text[at] as string);
}
