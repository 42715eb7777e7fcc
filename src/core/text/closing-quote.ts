import type { Grammar } from '../grammars/grammar.ts';
import { isWord } from './char-class.ts';
import { createFinder } from './char-finder.ts';

const singleQuote = 39;
const nextQuote = createFinder(/['"]/g);

/**
 * Finds the next quote before `limit` that nothing in the text opened: one with
 * an even number of its kind before it, apostrophes inside words not counted. Such a quote closes
 * the literal that the value was put into. -1 when there is none. `state` carries the counts from
 * call to call over one text.
 */
export function nextClosingQuote(text: string, limit: number, state: QuoteState): number {
  for (let at = nextQuote(text, state.at); at < limit; at = nextQuote(text, at + 1)) {
    const code = text.charCodeAt(at);
    if (code === singleQuote && isInWord(text, at)) continue;
    const isOpen = code === singleQuote ? state.isSingleOpen : state.isDoubleOpen;
    if (code === singleQuote) state.isSingleOpen = !isOpen;
    else state.isDoubleOpen = !isOpen;
    if (isOpen) continue;
    state.at = at + 1;
    return at;
  }
  state.at = limit;
  return -1;
}

/** All of them, found once for all rules that ask. */
export const closingQuotes: Grammar<readonly number[]> = {
  name: 'closing-quotes',
  read(text): readonly number[] {
    const found: number[] = [];
    const state = startQuotes();
    for (let at = next(); at >= 0; at = next()) found.push(at);
    return found;

    function next(): number {
      return nextClosingQuote(text, text.length, state);
    }
  },
};

/** Where the search stands. */
interface QuoteState {
  at: number;
  isSingleOpen: boolean;
  isDoubleOpen: boolean;
}

/** The state at the start of a text. */
export function startQuotes(): QuoteState {
  return { at: 0, isSingleOpen: false, isDoubleOpen: false };
}

/** Single quotes that are in no contraction, up to an offset and there. */
export function apostrophesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("'", from); at >= 0 && at <= to; at = text.indexOf("'", at + 1)) {
    if (!isContraction(text, at)) count++;
  }
  return count;
}

/**
 * `it's`, `don't`: to SQL the name behind the quote is an error after a literal, so that nothing
 * behind it is reached.
 */
export function isContraction(text: string, quote: number): boolean {
  return contraction.test(text.slice(Math.max(0, quote - 1), quote + 4));
}

const contraction = /^[A-Za-z]'(?:s|t|m|d|re|ve|ll)(?![A-Za-z0-9_('"])/;

/** Behind an odd number of backslashes, of which the first may stand at `from`. */
export function isEscaped(text: string, at: number, from = 0): boolean {
  let first = at;
  while (first > from && text.charCodeAt(first - 1) === backslash) first--;
  return (at - first) % 2 === 1;
}

const backslash = 92;

/** Offset of the first quote that is no apostrophe of a word; -1 without. */
export function firstQuote(text: string): number {
  return text.search(quoteMark);
}

const quoteMark = /"|(?<!\p{L})'|'(?!\p{L})/u;

function isInWord(text: string, at: number): boolean {
  if (at === 0 || at + 1 >= text.length) return false;
  return isWord(text.charCodeAt(at - 1)) && isWord(text.charCodeAt(at + 1));
}
