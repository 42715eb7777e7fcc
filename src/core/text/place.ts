/**
 * Where in a text something stands: beside the value that an application expects (`8.8.8.8;
 * id`), or in a sentence, where the same words are benign.
 */

/** True when little or no prose stands before `start`, or a quote that nothing has opened. */
export function followsValue(text: string, start: number): boolean {
  const prefix = text.slice(Math.max(0, start - prefixMax), start).trim();
  return breakOut.test(prefix) || standsBesideValue(text, start);
}

/** The same for what needs no way out of a quote: an opening quote before it says nothing. */
export function standsBesideValue(text: string, start: number): boolean {
  if (text.charCodeAt(start - 1) === 62) return true;
  const from = Math.max(0, start - prefixMax);
  const prefix = text.slice(from, start).trim();
  if (from > 0) return !blank.test(prefix);
  return countWords(prefix) <= 2;
}

/** True when at most one word follows `end`. */
export function endsValue(text: string, end: number): boolean {
  return text.length - end <= prefixMax && !blank.test(text.slice(end).trim());
}

/** Number of words in the text before `start`; counts no further back than a line or so. */
export function wordsBefore(text: string, start: number): number {
  return countWords(text.slice(Math.max(0, start - prefixMax), start));
}

/** Words of two letters or more; what a shell or a form puts beside a value is not counted. */
function countWords(text: string): number {
  let words = 0;
  for (const part of text.split(blank)) {
    if (word.test(part)) words++;
  }
  return words;
}

const prefixMax = 80;
const blank = /\s/;
const word = /(?:[A-Za-z]|[^\0-\x7f]){2}/;
/** A quote that nothing was opened before: it closes the one of the application. */
const breakOut = /(?:^|[\s=(,])['")]{1,3}$/;
