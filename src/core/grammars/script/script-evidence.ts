import { isQuote, kindAt, type ScriptTokens, scriptKind } from './script.ts';

/**
 * How much a piece of script says of its intent: 1 any call, 2 what ordinary page scripts do as
 * well, 3 what probes do, 4 what only attacks do.
 */
export type Strength = 0 | 1 | 2 | 3 | 4;

/** A piece of script: token indexes, the last one exclusive. */
export interface ScriptEvidence {
  readonly first: number;
  readonly last: number;
  readonly strength: Strength;
}

/** Character codes of the punctuation that the judges know. */
export const mark = {
  open: 40,
  close: 41,
  plus: 43,
  comma: 44,
  dot: 46,
  slash: 47,
  colon: 58,
  equals: 61,
  question: 63,
  openBracket: 91,
  closeBracket: 93,
  backtick: 96,
} as const;

/** Tokens that are looked at around a call. */
export const reach = 24;

/** No script here. */
export const nothing: ScriptEvidence = { first: 0, last: 0, strength: 0 };

/** `(` or a backtick: the arguments of a call begin. */
export function isOpening(kind: number): boolean {
  return kind === mark.open || kind === mark.backtick;
}

/** Index after the token that closes the call, or after the last one within reach. */
export function endOfCall(tokens: ScriptTokens, call: number): number {
  const opener = kindAt(tokens, call);
  const limit = Math.min(tokens.count, call + reach);
  let depth = 0;
  for (let at = call; at < limit; at++) {
    const kind = kindAt(tokens, at);
    if (opener === mark.backtick) {
      if (kind === mark.backtick && at > call) return at + 1;
    } else if (kind === mark.open) depth++;
    else if (kind === mark.close && --depth === 0) return at + 1;
  }
  return limit;
}

/** A string begins or ends at a token. */
export function isStringAt(tokens: ScriptTokens, i: number): boolean {
  return isQuote(kindAt(tokens, i));
}

/** `//` */
export function areSlashes(tokens: ScriptTokens, i: number): boolean {
  return kindAt(tokens, i) === mark.slash && kindAt(tokens, i + 1) === mark.slash;
}

/** A token is a name or keyword. */
export function isWordAt(tokens: ScriptTokens, i: number): boolean {
  return kindAt(tokens, i) === scriptKind.word;
}
