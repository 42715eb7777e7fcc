import { dialogs, evaluators, globals } from '../../knowledge/page.ts';
import { knownWordAt } from './known-word.ts';
import {
  endOf,
  isAdjacent,
  isQuote,
  kindAt,
  type ScriptTokens,
  scriptKind,
  startOf,
  wordAt,
} from './script.ts';
import {
  isOpening,
  isStringAt,
  isWordAt,
  mark,
  nothing,
  reach,
  type ScriptEvidence,
  type Strength,
} from './script-evidence.ts';
import { isLocationPart } from './script-page-call.ts';

/** A name that is not called: read, assigned, or part of a longer path. */
export function judgeMention(tokens: ScriptTokens, i: number, word: string): ScriptEvidence {
  if (word === '') return nothing;
  const next = kindAt(tokens, i + 1);
  const before = kindAt(tokens, i - 1);
  const evidence = (last: number, strength: Strength): ScriptEvidence => ({
    first: i,
    last: Math.min(last, tokens.count),
    strength,
  });
  if (word === 'onerror' && next === mark.equals) return onerrorAssignment(tokens, i);
  if (word === 'constructor' && next === mark.dot && knownWordAt(tokens, i + 2) === 'constructor')
    return evidence(i + 4, 4);
  if (word === 'cookie' && before === mark.dot && knownWordAt(tokens, i - 2) === 'document') {
    const start = Math.max(0, i - 2);
    return { first: start, last: i + 1, strength: cookieStrength(tokens, i) };
  }
  if (
    next === mark.equals &&
    kindAt(tokens, i + 2) !== mark.equals &&
    isPageAssignment(tokens, i, word)
  ) {
    return assignment(tokens, i);
  }
  if (dialogs.has(word) && before === mark.equals && kindAt(tokens, i - 2) === scriptKind.word) {
    const isStatement =
      next === 59 || next === mark.comma || next === 60 || next === scriptKind.none;
    const isHandler = wordAt(tokens, i - 2).startsWith('on');
    if (isStatement) return evidence(i + 1, isCalledLater(tokens, i) ? 4 : isHandler ? 3 : 2);
  }
  if (dialogs.has(word) && isQuote(before) && next === before && isCalledByName(tokens, i)) {
    return evidence(i + 4, 3);
  }
  return nothing;
}

/** `Reflect.get(window,'alert')(1)` */
function isCalledByName(tokens: ScriptTokens, i: number): boolean {
  return (
    kindAt(tokens, i - 2) === mark.comma &&
    kindAt(tokens, i + 2) === mark.close &&
    kindAt(tokens, i + 3) === mark.open
  );
}

/** `a=alert,a(1)`: the new name is called. */
function isCalledLater(tokens: ScriptTokens, i: number): boolean {
  const start = startOf(tokens, i - 2);
  const name = tokens.text.slice(start, Math.min(endOf(tokens, i - 2), start + 40));
  for (let at = i + 1; at < i + reach; at++) {
    if (!isOpening(kindAt(tokens, at + 1)) || !isWordAt(tokens, at)) continue;
    const length = endOf(tokens, at) - startOf(tokens, at);
    if (length === name.length && tokens.text.startsWith(name, startOf(tokens, at))) return true;
  }
  return false;
}

/** The cookie is added to something, given away, or written. */
function cookieStrength(tokens: ScriptTokens, i: number): Strength {
  const before = kindAt(tokens, i - 3);
  const after = kindAt(tokens, i + 1);
  if (before === mark.plus || after === mark.plus) return 4;
  if (before === mark.open && after === mark.close && kindAt(tokens, i - 4) === scriptKind.word)
    return 3;
  // Written without spaces, as in a probe; text about cookies has them.
  const isWritten = after === mark.equals && isAdjacent(tokens, i + 1) && isAdjacent(tokens, i + 2);
  return before === mark.equals || isWritten ? 3 : 2;
}

/** `onerror=alert;throw 1`: the error handler is the call. */
function onerrorAssignment(tokens: ScriptTokens, i: number): ScriptEvidence {
  const value = knownWordAt(tokens, i + 2);
  const isSink = dialogs.has(value) || evaluators.has(value);
  if (!isSink) return nothing;
  for (let at = Math.max(0, i - 4); at < i + reach; at++) {
    if (knownWordAt(tokens, at) === 'throw') return { first: i, last: i + 3, strength: 4 };
  }
  return { first: i, last: i + 3, strength: 3 };
}

/** `location=`, `document.location.href=`, `x.innerHTML=`. */
function isPageAssignment(tokens: ScriptTokens, i: number, word: string): boolean {
  const isMember = kindAt(tokens, i - 1) === mark.dot;
  if (word === 'location')
    return isMember ? globals.has(knownWordAt(tokens, i - 2)) : isBare(tokens, i);
  if (word === 'href') return isMember && knownWordAt(tokens, i - 2) === 'location';
  if (word === 'action') return isMember && isForeignString(tokens, i + 2);
  return isMember && (word === 'innerhtml' || word === 'outerhtml' || word === 'srcdoc');
}

/**
 * `location` stands by itself and is given a string or a page value: no form field
 * `location=Rome`.
 */
function isBare(tokens: ScriptTokens, i: number): boolean {
  const value = kindAt(tokens, i + 2);
  const word = knownWordAt(tokens, i + 2);
  return isQuote(value) || globals.has(word) || word === 'name';
}

/** `'//evil.test'` */
function isForeignString(tokens: ScriptTokens, i: number): boolean {
  return (
    isStringAt(tokens, i) &&
    kindAt(tokens, i + 1) === mark.slash &&
    kindAt(tokens, i + 2) === mark.slash
  );
}

function assignment(tokens: ScriptTokens, i: number): ScriptEvidence {
  const last = Math.min(tokens.count, i + reach);
  const first = kindAt(tokens, i - 1) === mark.dot ? Math.max(0, i - 2) : i;
  const scheme = knownWordAt(tokens, i + 3);
  if (isStringAt(tokens, i + 2) && (scheme === 'javascript' || scheme === 'data')) {
    return { first, last: i + 5, strength: 4 };
  }
  const isFromLink = isAdjacent(tokens, i + 1) && isLocationPart(tokens, i + 2);
  if (isFromLink) return { first, last: Math.min(tokens.count, i + 5), strength: 3 };
  for (let at = i + 2; at < last; at++) {
    if (kindAt(tokens, at - 1) === mark.dot && knownWordAt(tokens, at) === 'cookie') {
      return { first, last: at + 1, strength: 4 };
    }
    if (kindAt(tokens, at) === 59) break;
  }
  return { first, last: Math.min(tokens.count, i + 4), strength: 2 };
}
