import { limits } from '../../contract/limits.ts';
import { isDigit, isWord } from '../text/char-class.ts';
import type { Grammar } from './grammar.ts';

/**
 * Reads text as the common ground of PHP, Java, Python, Ruby, JavaScript and their like:
 * names, numbers and single marks; blanks and block comments vanish. Quotes are marks like
 * any other and the text in them is read too, because an injected text starts in an unknown
 * quote context and code often carries code in its strings. A backslash before a quote
 * vanishes for the same reason.
 */
export const code: Grammar<CodeTokens> = { name: 'code', read: readCode };

export const codeToken = { name: 0, number: 1, mark: 2 } as const;

/** Tokens as parallel arrays; offsets count in the text that was read. */
export interface CodeTokens {
  readonly count: number;
  readonly kinds: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly complete: boolean;
}

function readCode(text: string): CodeTokens {
  const { kinds, starts, ends } = room;
  let count = 0;
  let noComments = false;
  let at = 0;
  while (at < text.length && count < limits.tokensMax) {
    const one = text.charCodeAt(at);
    if (one <= 32 || (one === 92 && isQuote(text.charCodeAt(at + 1)))) {
      at++;
      continue;
    }
    if (one === 47 && text.charCodeAt(at + 1) === 42 && !noComments) {
      const close = text.indexOf('*/', at + 2);
      if (close >= 0) {
        at = close + 2;
        continue;
      }
      noComments = true;
    }
    const end = tokenEnd(text, at, one);
    kinds[count] = isDigit(one)
      ? codeToken.number
      : isNameStart(one)
        ? codeToken.name
        : codeToken.mark;
    starts[count] = at;
    ends[count] = end;
    count++;
    at = end;
  }
  return {
    count,
    kinds: kinds.slice(0, count),
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    complete: at >= text.length,
  };
}

/** Kept from text to text: arrays that grow for each text are copied several times over. */
const room: Readonly<Record<'kinds' | 'starts' | 'ends', number[]>> = {
  kinds: [],
  starts: [],
  ends: [],
};

function isQuote(one: number): boolean {
  return one === 34 || one === 39 || one === 92;
}

/** Letters, `_`, `$` and everything beyond ASCII. */
function isNameStart(one: number): boolean {
  return (isWord(one) && !isDigit(one)) || one === 36;
}

function tokenEnd(text: string, at: number, one: number): number {
  if (!isWord(one) && one !== 36) return at + 1;
  let end = at + 1;
  while (end < text.length && isWord(text.charCodeAt(end))) end++;
  return end;
}
