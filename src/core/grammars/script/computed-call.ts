import { dialogs, evaluators, globals, keywords } from '../../knowledge/page.ts';
import { knownWordAt } from './known-word.ts';
import { isAdjacent, isQuote, kindAt, type ScriptTokens, scriptKind, wordAt } from './script.ts';
import {
  areSlashes,
  endOfCall,
  isOpening,
  mark,
  nothing,
  reach,
  type ScriptEvidence,
  type Strength,
} from './script-evidence.ts';

/**
 * `window['al'+'ert'](1)`, `top[/al/.source+/ert/.source](1)`, `x['constructor']('…')()`: a
 * property with a computed name is called, or read where only a known name would do.
 */
export function computedCall(tokens: ScriptTokens, i: number): ScriptEvidence {
  // `self?.['x']`
  const isOptional = kindAt(tokens, i - 1) === mark.dot && kindAt(tokens, i - 2) === mark.question;
  const place = isOptional ? i - 3 : i - 1;
  const owner = ownerOf(tokens, place, isAdjacent(tokens, i));
  if (owner === 'none') return nothing;
  const name = readComputedName(tokens, i);
  if (name === undefined) return nothing;
  const isCalled = isCalledAt(tokens, name.end);
  const strength = isCalled
    ? callStrength(name, owner, knownWordAt(tokens, place))
    : readStrength(name, owner, kindAt(tokens, name.end), knownWordAt(tokens, place));
  if (strength === 0) return nothing;
  const last = isCalled ? endOfCall(tokens, name.end) : name.end;
  return { first: Math.max(0, place), last, strength };
}

/** What the property is of: a global object, another name, or an expression or string that ends. */
type Owner = 'global' | 'name' | 'expression' | 'none';

function ownerOf(tokens: ScriptTokens, place: number, isBeside: boolean): Owner {
  const word = knownWordAt(tokens, place);
  if (globals.has(word)) return 'global';
  if (!isBeside || keywords.has(word)) return 'none';
  const kind = kindAt(tokens, place);
  if (kind === scriptKind.word) return 'name';
  const isEnd = kind === mark.close || kind === mark.closeBracket || isQuote(kind);
  return isEnd ? 'expression' : 'none';
}

/** `(`, a backtick or `?.` behind the name. */
function isCalledAt(tokens: ScriptTokens, end: number): boolean {
  const kind = kindAt(tokens, end);
  return isOpening(kind) || (kind === mark.question && kindAt(tokens, end + 1) === mark.dot);
}

function callStrength({ text, isJoined }: ComputedName, owner: Owner, word: string): Strength {
  if (sinks.has(text) && (isJoined || owner !== 'name')) return 4;
  if (text === '' && !windows.has(word)) return 0;
  if (text === 'constructor') return 4;
  if (owner === 'global') return isJoined ? 4 : 2;
  return isJoined ? 3 : 1;
}

function readStrength(
  { text, isJoined }: ComputedName,
  owner: Owner,
  after: number,
  word: string,
): Strength {
  // `location['href']=name`
  if (word === 'location' && after === mark.equals) return isJoined ? 3 : 2;
  if (isJoined && (sinks.has(text) || text === 'constructor')) return 4;
  if (text === 'constructor') return after === mark.dot || after === mark.openBracket ? 3 : 1;
  return isJoined && text !== '' && owner === 'global' ? 3 : 0;
}

/** What a name has to be hidden of. */
const sinks: ReadonlySet<string> = new Set([...dialogs, ...evaluators, 'print']);
/** Global objects that are nothing else in any language. */
const windows: ReadonlySet<string> = new Set(['window', 'globalthis', 'frames', 'document']);

interface ComputedName {
  /** The pieces of string put together, lower case. */
  readonly text: string;
  /** True when the name is put together from several pieces. */
  readonly isJoined: boolean;
  /** Index after the `]`. */
  readonly end: number;
}

/** Reads `['al'+"ert"]` from its bracket; undefined when it is an index. */
function readComputedName(tokens: ScriptTokens, bracket: number): ComputedName | undefined {
  let text = '';
  let isJoined = false;
  let depth = 0;
  const limit = Math.min(tokens.count, bracket + 2 * reach);
  const opener = kindAt(tokens, bracket + 1);
  let hasString = isQuote(opener) || opener === mark.slash;
  if (!hasString && !openers.has(opener)) return undefined;
  for (let at = bracket; at < limit; at++) {
    const kind = kindAt(tokens, at);
    if (kind === mark.openBracket) depth++;
    else if (kind === mark.closeBracket && --depth === 0) {
      return hasString || isJoined ? { text, isJoined, end: at + 1 } : undefined;
    } else if (kind === 58 && areSlashes(tokens, at + 1)) {
      // A link of Markdown.
      return undefined;
    } else if (isJoint(tokens, at)) isJoined = true;
    else if (isQuote(kind)) hasString = true;
    else if (kind === scriptKind.word && isPiece(tokens, at)) text += wordAt(tokens, at);
  }
  return undefined;
}

/** `[name+`, `[![]+`, `[('al')`, `[['al']` */
const openers: ReadonlySet<number> = new Set([scriptKind.word, 33, mark.open, mark.openBracket]);

/** `+`, an escape, or `.source` of a regex: the name has more pieces than one. */
function isJoint(tokens: ScriptTokens, at: number): boolean {
  const kind = kindAt(tokens, at);
  if (kind === mark.dot) return knownWordAt(tokens, at + 1) === 'source';
  return kind === mark.plus || kind === 92;
}

/** A word between quotation marks or between the slashes of a regex. */
function isPiece(tokens: ScriptTokens, at: number): boolean {
  const before = kindAt(tokens, at - 1);
  const after = kindAt(tokens, at + 1);
  return (isQuote(before) && isQuote(after)) || (before === mark.slash && after === mark.slash);
}
