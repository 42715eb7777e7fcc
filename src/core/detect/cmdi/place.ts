import { use, usesOf } from './vocabulary.ts';

/**
 * Where in a text a command stands. An injected command follows the value that the application
 * expects (`8.8.8.8; id`), or breaks out of a quote; in a sentence, the same words are honest.
 */
export function followsValue(text: string, start: number): boolean {
  const from = Math.max(0, start - prefixMax);
  const prefix = text.slice(from, start).trim();
  if (breakOut.test(prefix) || text.charCodeAt(start - 1) === 62) return true;
  if (from > 0 && !blank.test(prefix)) return true;
  if (from > 0) return false;
  return countWords(prefix) <= 2;
}

/** Words of two letters or more; what a shell or a form puts beside a value is not counted. */
function countWords(text: string): number {
  let words = 0;
  for (const part of text.split(blank)) {
    if (word.test(part)) words++;
  }
  return words;
}

/** The word before a separator, lower case. */
export function wordBefore(text: string, start: number): string {
  return lastWord.exec(text.slice(Math.max(0, start - 40), start).trim())?.[0].toLowerCase() ?? '';
}

/** True when nothing but the end of a command, a comment or a closing quote is left after `end`. */
export function endsText(text: string, end: number): boolean {
  const rest = text.slice(end, end + prefixMax);
  if (quietEnd.test(rest)) return true;
  const next = nextCommand.exec(rest)?.[1] ?? '';
  const uses = usesOf(next.toLowerCase());
  return uses !== 0 && (uses & use.english) === 0;
}

/** True when `end` is followed by at most one word. */
export function endsValue(text: string, end: number): boolean {
  if (text.length - end > prefixMax) return false;
  const rest = text.slice(end).trim();
  return !blank.test(rest);
}

/** True when the text from start to end names a file that only an attacker wants to see, or to run. */
export function namesSecret(text: string, start: number, end: number): boolean {
  return secret.test(text.slice(start, Math.min(end, start + 300)));
}

const secret =
  /\/etc\/(?:passwd|shadow|hosts|group|issue|crontab)|\/proc\/self|\/\.ssh|id_rsa|\/dev\/tcp|(?:win|boot)\.ini|\\sam\b|\/tmp\/|-rf? \//i;
const prefixMax = 80;
const blank = /\s/;
const word = /^['"(]?(?:[A-Za-z]|[^\0-\x7f]){2}/;
/** A quote that nothing was opened before: it closes the one of the application. */
const breakOut = /(?:^|[\s=(,])['")]{1,3}$/;
const lastWord = /[A-Za-z0-9_]{1,40}$/;
/** What follows further separators. */
const nextCommand =
  /^[\s'"`)}]{0,6}[;|&]{1,2}[\s'"`)}]{0,4}([A-Za-z][A-Za-z0-9_-]{1,20})(?![A-Za-z0-9_=.:-])/;
const quietEnd = /^[\s;|&'"`)}\]\\]{0,12}(?:$|#|\/\/|--|::|%00|\0|rem\b|<!--)/i;
