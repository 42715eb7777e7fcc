import { isAlnum, isDigit } from '../text/char-class.ts';

/**
 * Reads the start of an XPath expression (W3C, XML Path Language 1.0, section 3): one path or one
 * function call with the step, predicate or call that proves it. Returns the offset after that
 * proof,
 * -1 when the text at `start` does not begin like XPath.
 */
export function pathProofEnd(text: string, start: number, words: XPathWords): number {
  let at = start;
  while (at < text.length && at - start < 4 && text[at] === '(') at++;
  const code = text.charCodeAt(at);
  if (code === 47) return slashPathEnd(text, at, words);
  if (code === 46 || code === 64 || code === 42) return relativePathEnd(text, at);
  return nameEnd(text, at, words);
}

/** The vocabulary that a name is compared with. */
export interface XPathWords {
  readonly functions: ReadonlySet<string>;
  readonly axes: ReadonlySet<string>;
}

/** Offset after an NCName-like run (letters, digits, `-`, `_`, `.`). */
function ncNameEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && at - start < 64) {
    const code = text.charCodeAt(at);
    if (!isAlnum(code) && code !== 45 && code !== 95 && code < 128) break;
    at++;
  }
  return at;
}

/** `/name/…`, `//name`, `//*`, `/*[…]`, `/comment()`; a bare `/name` proves too little. */
function slashPathEnd(text: string, start: number, words: XPathWords): number {
  let at = text[start + 1] === '/' ? start + 2 : start + 1;
  const isDeep = at === start + 2;
  if (text[at] === '@') at++;
  if (text[at] === '*') return at + 1;
  const end = ncNameEnd(text, at);
  if (end === at) return -1;
  const axis = axisEnd(text, at, end, words);
  if (axis > 0) return axis;
  const next = text[end];
  if (next === '(') return words.functions.has(text.slice(at, end)) ? end + 1 : -1;
  if (next === '[' || next === '/') return end + 1;
  return isDeep ? end : -1;
}

/** `../name`, `./name`, `@name`, `*[…`. */
function relativePathEnd(text: string, start: number): number {
  if (text[start] === '*') return text[start + 1] === '[' ? start + 2 : -1;
  if (text[start] === '@') {
    const end = ncNameEnd(text, start + 1);
    return end > start + 1 ? end : -1;
  }
  const at = text[start + 1] === '.' ? start + 2 : start + 1;
  if (text[at] !== '/') return -1;
  const end = ncNameEnd(text, at + 1);
  return end > at + 1 ? end : -1;
}

/** `function(…`, `axis::…`, `name[digit…` or `name/…`. */
function nameEnd(text: string, start: number, words: XPathWords): number {
  if (isDigit(text.charCodeAt(start))) return -1;
  const end = ncNameEnd(text, start);
  if (end === start) return -1;
  if (text[end] === '(') return words.functions.has(text.slice(start, end)) ? end + 1 : -1;
  return axisEnd(text, start, end, words);
}

function axisEnd(text: string, start: number, end: number, words: XPathWords): number {
  if (text[end] !== ':' || text[end + 1] !== ':') return -1;
  return words.axes.has(text.slice(start, end)) ? end + 2 : -1;
}
