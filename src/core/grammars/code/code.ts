import { limits } from '../../../contract/limits.ts';
import { isDigit, isWord } from '../../text/char-class.ts';
import { skipAny } from '../../text/runs.ts';
import type { Grammar } from '../grammar.ts';

/**
 * Reads text as the common ground of PHP, Java, Python, Ruby, JavaScript and their like:
 * names, numbers and single marks; blanks and block comments vanish. Quotes are marks like
 * any other and the text in them is read too, because an injected text starts in an unknown
 * quote context and code often carries code in its strings. A backslash before a quote
 * vanishes for the same reason. Three backticks and more are a fence of Markdown, and no literal
 * of any of them: they vanish as well.
 */
export const code: Grammar<CodeTokens> = { name: 'code', read: readCode };

export const codeToken = { name: 0, number: 1, mark: 2 } as const;

/** Tokens as parallel arrays; offsets count in the text that was read. */
export interface CodeTokens {
  readonly count: number;
  /** Of these, the first `count` hold. */
  readonly kinds: Readonly<Uint8Array>;
  readonly starts: Readonly<Int32Array>;
  readonly ends: Readonly<Int32Array>;
  /** The tokens that are names of two characters and more; of these, the first `nameCount`. */
  readonly names: Readonly<Int32Array>;
  readonly nameCount: number;
  readonly complete: boolean;
}

function readCode(text: string): CodeTokens {
  const countMax = Math.min(text.length, limits.tokensMax);
  if (countMax > lists.kinds.length) lists = listsOf(countMax);
  const { kinds, starts, ends, names } = lists;
  let count = 0;
  let nameCount = 0;
  let noComments = false;
  let at = 0;
  while (at < text.length && count < countMax) {
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
    if (one === 96 && text.startsWith('```', at)) {
      at = skipAny(text, at, '`', text.length);
      continue;
    }
    const end = tokenEnd(text, at, one);
    const kind = isDigit(one)
      ? codeToken.number
      : isNameStart(one)
        ? codeToken.name
        : codeToken.mark;
    if (kind === codeToken.name && end > at + 1) names[nameCount++] = count;
    kinds[count] = kind;
    starts[count] = at;
    ends[count] = end;
    count++;
    at = end;
  }
  return { count, kinds, starts, ends, names, nameCount, complete: at >= text.length };
}

interface Lists {
  readonly kinds: Uint8Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly names: Int32Array;
}

function listsOf(length: number): Lists {
  return {
    kinds: new Uint8Array(length),
    starts: new Int32Array(length),
    ends: new Int32Array(length),
    names: new Int32Array(length),
  };
}

/** Reused, as to make them takes longer than to read: a reading holds until the next is made. */
let lists = listsOf(1_024);

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
