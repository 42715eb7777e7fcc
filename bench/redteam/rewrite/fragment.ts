import type { Random } from '../../lib/random.ts';
import type { Rewriter } from '../contract.ts';

/** The lexer of a language, as far as rewriting needs it. */
export interface Syntax {
  readonly language: string;
  readonly quotes: string;
  /** What makes the next character of a string plain, such as a backslash. */
  readonly escape?: string;
  /** How comments begin and end. */
  readonly comments?: readonly (readonly [open: string, close: string])[];
  /** A word, sticky: `/[\w$]+/y`. */
  readonly word: RegExp;
}

/** `part` is a string that began before the value, or that ends behind it. */
type TokenKind = 'comment' | 'mark' | 'number' | 'part' | 'space' | 'string' | 'word';

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

/** Another text for a token; undefined where it stays. */
export type Change = (
  token: Token,
  random: Random,
  tokens: readonly Token[],
  index: number,
) => string | undefined;

/** The tokens of a value that starts inside a string with this quote, or in code. */
function tokensOf(value: string, syntax: Syntax, start: string | undefined): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const add = (kind: TokenKind, end: number): void => {
    tokens.push({ kind, text: value.slice(at, end) });
    at = end;
  };
  if (start !== undefined) add('part', endOfString(value, 0, start, syntax) ?? value.length);
  while (at < value.length) {
    const character = value[at] ?? '';
    const comment = syntax.comments?.find(([open]) => value.startsWith(open, at));
    if (comment !== undefined) {
      const end = value.indexOf(comment[1], at + comment[0].length);
      add('comment', end < 0 ? value.length : end + comment[1].length);
    } else if (syntax.quotes.includes(character)) {
      const end = endOfString(value, at + 1, character, syntax);
      add(end === undefined ? 'part' : 'string', end ?? value.length);
    } else add(...plain(value, at, syntax));
  }
  return tokens;
}

function plain(value: string, at: number, syntax: Syntax): [TokenKind, number] {
  const length = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.exec(value)?.[0].length ?? 0;
  };
  const space = length(/\s+/y);
  if (space > 0) return ['space', at + space];
  const number = length(/\d+(?:\.\d+)?(?![\w$])/y);
  if (number > 0) return ['number', at + number];
  const word = length(syntax.word);
  return word > 0 ? ['word', at + word] : ['mark', at + 1];
}

function endOfString(
  value: string,
  from: number,
  quote: string,
  syntax: Syntax,
): number | undefined {
  for (let at = from; at < value.length; at += 1) {
    if (value[at] === syntax.escape) at += 1;
    else if (value[at] === quote) return at + 1;
  }
  return undefined;
}

/** Changes one or more tokens; where the value starts is guessed, and the oracle says if rightly. */
export function tokenRewriter(syntax: Syntax, name: string, change: Change): Rewriter {
  return {
    name,
    language: syntax.language,
    rewrite(value, random) {
      const first = [...value].find((character) => syntax.quotes.includes(character));
      const start = first !== undefined && random.chance(70) ? first : undefined;
      return changed(tokensOf(value, syntax, start), random, change, value);
    },
  };
}

function changed(
  tokens: readonly Token[],
  random: Random,
  change: Change,
  value: string,
): string | undefined {
  const texts = tokens.map((token, index) => change(token, random, tokens, index));
  const places = texts.flatMap((text, index) => (text === undefined ? [] : [index]));
  if (places.length === 0) return undefined;
  const kept = random.pick(places);
  const all = random.pick([0, 30, 100]);
  const rewritten = tokens
    .map(
      (token, index) =>
        (index === kept || random.chance(all) ? texts[index] : undefined) ?? token.text,
    )
    .join('');
  return rewritten === value ? undefined : rewritten;
}

/** Puts something behind marks and in place of white space. */
export function between(make: (random: Random) => string): Change {
  return ({ kind, text }, random) => {
    if (kind === 'space') return make(random);
    return kind === 'mark' ? text + make(random) : undefined;
  };
}
