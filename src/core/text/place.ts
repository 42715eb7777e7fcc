import { isLetter } from './char-class.ts';

/**
 * Where in a text something stands: beside the value that an application expects (`8.8.8.8;
 * id`), or in a sentence, where the same words are benign.
 */

/** True when little or no prose stands before `start`, or a quote that nothing has opened. */
export function followsValue(text: string, start: number): boolean {
  const end = blanksStart(text, start);
  if (end > 0 && isClosing(text.charCodeAt(end - 1))) {
    const prefix = text.slice(Math.max(0, start - prefixMax), end).trim();
    if (breakOut.test(prefix)) return true;
  }
  return standsBesideValue(text, start);
}

/** The same for what needs no way out of a quote: an opening quote before it says nothing. */
export function standsBesideValue(text: string, start: number): boolean {
  if (text.charCodeAt(start - 1) === 62) return true;
  const from = Math.max(0, start - prefixMax);
  if (from === 0) return countWords(text, 0, start) <= 2;
  return !hasBlank(text, from, blanksStart(text, start));
}

/**
 * Right behind the last word of a plain sentence, to the end of the text: code that is shown stands
 * apart, or in code.
 */
export function isGluedTo(text: string, start: number): boolean {
  return (
    glue.test(text.charAt(start - 1)) &&
    start < sentenceMax &&
    closed.test(text) &&
    plain.test(text.slice(0, start))
  );
}

const sentenceMax = 400;
const glue = /[\p{L}.!?]/u;
const plain = /^[\p{L}\d\s.,!?'-]{1,400}$/u;
const closed = /[)`]$/;

/** Where the blanks in front of `start` begin, no further back than a line or so. */
function blanksStart(text: string, start: number): number {
  const from = Math.max(0, start - prefixMax);
  let end = start;
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--;
  return end;
}

/** A blank between two other characters. Without a slice: in prose each separator asks. */
function hasBlank(text: string, from: number, to: number): boolean {
  let at = to;
  while (at > from && !isBlank(text.charCodeAt(at - 1))) at--;
  while (at > from && isBlank(text.charCodeAt(at - 1))) at--;
  return at > from;
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || (code >= 160 && isWideBlank(code));
}

function isWideBlank(code: number): boolean {
  if (code >= 0x2000 && code <= 0x205f) return blank.test(String.fromCharCode(code));
  return code === 160 || code === 0x1680 || code === 0x3000 || code === 0xfeff;
}

/** `'`, `"`, `)` */
function isClosing(code: number): boolean {
  return code === 39 || code === 34 || code === 41;
}

/** True when at most one word follows `end`. */
export function endsValue(text: string, end: number): boolean {
  return text.length - end <= prefixMax && !blank.test(text.slice(end).trim());
}

/** Number of words in the text before `start`; counts no further back than a line or so. */
export function wordsBefore(text: string, start: number): number {
  return countWords(text, Math.max(0, start - prefixMax), start);
}

/** Words of two letters or more; what a shell or a form puts beside a value is not counted. */
function countWords(text: string, from: number, to: number): number {
  let words = 0;
  /** In a row; further ones of a word that is counted do not matter. */
  let letters = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (isBlank(code)) letters = 0;
    else if (letters === 2) continue;
    else if (isLetter(code) || code >= 128) words += letters++;
    else letters = 0;
  }
  return words;
}

const prefixMax = 80;
const blank = /\s/;
/** A quote that nothing was opened before: it closes the one of the application. */
const breakOut = /(?:^|[\s=(,])['")]{1,3}$/;
