import { dialogs, evaluators, globals, keywords } from '../../knowledge/page.ts';
import { knownWordAt } from './known-word.ts';
import { isAdjacent, isQuote, kindAt, type ScriptTokens, scriptKind, wordAt } from './script.ts';
import {
  endOfCall,
  isOpening,
  isWordAt,
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
  const ownerKind = kindAt(tokens, place);
  const owner = knownWordAt(tokens, place);
  const isGlobal = globals.has(owner);
  const isExpression =
    isAdjacent(tokens, i) &&
    (ownerKind === mark.close || ownerKind === mark.closeBracket || isQuote(ownerKind));
  const isNamed = ownerKind === scriptKind.word && isAdjacent(tokens, i);
  const isOwned = isNamed || isGlobal || isExpression;
  if (!isOwned || keywords.has(owner)) return nothing;
  const name = readComputedName(tokens, i);
  if (name === undefined) return nothing;
  const after = kindAt(tokens, name.end);
  const isCalled =
    isOpening(after) || (after === mark.question && kindAt(tokens, name.end + 1) === mark.dot);
  const evidence = (strength: Strength): ScriptEvidence => ({
    first: Math.max(0, place),
    last: isCalled ? endOfCall(tokens, name.end) : name.end,
    strength,
  });
  const isSink = dialogs.has(name.text) || evaluators.has(name.text) || name.text === 'print';
  if (isSink && (name.isJoined || (isCalled && (isGlobal || isExpression)))) return evidence(4);
  if (name.text === '' && !(isCalled && windows.has(owner))) return nothing;
  if (name.text === 'constructor') {
    const isFollowed = after === mark.dot || after === mark.openBracket;
    return evidence(isCalled || name.isJoined ? 4 : isFollowed ? 3 : 1);
  }
  if (!isCalled) return name.isJoined && isGlobal ? evidence(3) : nothing;
  if (name.isJoined && isGlobal) return evidence(4);
  return name.isJoined ? evidence(3) : evidence(isGlobal ? 2 : 1);
}

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
  const isComputed =
    isQuote(opener) || opener === 47 || opener === mark.open || opener === mark.openBracket;
  const isCode = isComputed || isWordAt(tokens, bracket + 1) || opener === 33;
  if (!isCode) return undefined;
  let hasString = isComputed && opener !== mark.open && opener !== mark.openBracket;
  for (let at = bracket; at < limit; at++) {
    const kind = kindAt(tokens, at);
    if (kind === mark.openBracket) depth++;
    else if (kind === mark.closeBracket && --depth === 0) {
      return hasString || isJoined ? { text, isJoined, end: at + 1 } : undefined;
    } else if (kind === 58 && kindAt(tokens, at + 1) === 47 && kindAt(tokens, at + 2) === 47) {
      // A link of Markdown.
      return undefined;
    } else if (kind === mark.plus || kind === 92) isJoined = true;
    else if (isQuote(kind)) hasString = true;
    else if (kind === scriptKind.word && isPiece(tokens, at)) text += wordAt(tokens, at);
    else if (kind === mark.dot && knownWordAt(tokens, at + 1) === 'source') isJoined = true;
  }
  return undefined;
}

/** A word between quotation marks or between the slashes of a regex. */
function isPiece(tokens: ScriptTokens, at: number): boolean {
  const before = kindAt(tokens, at - 1);
  const after = kindAt(tokens, at + 1);
  return (isQuote(before) && isQuote(after)) || (before === 47 && after === 47);
}
