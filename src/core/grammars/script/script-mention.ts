import { dialogs, globals, markupMembers } from '../../knowledge/page.ts';
import { knownWordAt } from './known-word.ts';
import { isAdjacent, isQuote, kindAt, type ScriptTokens, scriptKind, wordAt } from './script.ts';
import {
  isStringAt,
  isWordAt,
  mark,
  nothing,
  reach,
  type ScriptEvidence,
  type Strength,
} from './script-evidence.ts';
import { isCookie, isForeignString, isLocationPart, isMemberOf } from './script-page-call.ts';

/** A name that is not called: read, assigned, or part of a longer path. */
export function judgeMention(tokens: ScriptTokens, i: number, word: string): ScriptEvidence {
  if (word === '') return nothing;
  if (dialogs.has(word)) return dialogMention(tokens, i);
  if (word === 'cookie' && isMemberOf(tokens, i, 'document')) {
    return { first: i - 2, last: i + 1, strength: cookieStrength(tokens, i) };
  }
  const next = kindAt(tokens, i + 1);
  if (next === mark.dot && word === 'constructor' && knownWordAt(tokens, i + 2) === word) {
    return { first: i, last: Math.min(i + 4, tokens.count), strength: 4 };
  }
  if (next !== mark.equals || kindAt(tokens, i + 2) === mark.equals) return nothing;
  return isPageAssignment(tokens, i, word) ? assignment(tokens, i) : nothing;
}

/** `onclick=alert`, `Reflect.get(window,'alert')(1)`: called by another name. */
function dialogMention(tokens: ScriptTokens, i: number): ScriptEvidence {
  const before = kindAt(tokens, i - 1);
  const next = kindAt(tokens, i + 1);
  if (isQuote(before) && next === before && isCalledByName(tokens, i)) {
    return { first: i, last: i + 4, strength: 3 };
  }
  const isGiven = before === mark.equals && isWordAt(tokens, i - 2) && endsStatement(next);
  if (!isGiven) return nothing;
  const isHandler = wordAt(tokens, i - 2).startsWith('on');
  return { first: i, last: i + 1, strength: isHandler ? 3 : 2 };
}

function endsStatement(kind: number): boolean {
  return kind === 59 || kind === mark.comma || kind === 60 || kind === scriptKind.none;
}

/** `Reflect.get(window,'alert')(1)` */
function isCalledByName(tokens: ScriptTokens, i: number): boolean {
  return (
    kindAt(tokens, i - 2) === mark.comma &&
    kindAt(tokens, i + 2) === mark.close &&
    kindAt(tokens, i + 3) === mark.open
  );
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

/** `location=`, `document.location.href=`, `x.innerHTML=`. */
function isPageAssignment(tokens: ScriptTokens, i: number, word: string): boolean {
  const isMember = kindAt(tokens, i - 1) === mark.dot;
  if (word === 'location')
    return isMember ? globals.has(knownWordAt(tokens, i - 2)) : isBare(tokens, i);
  if (locationParts.has(word)) return isMemberOf(tokens, i, 'location');
  if (word === 'domain') return isMemberOf(tokens, i, 'document');
  if (word === 'action') return isMember && isForeignString(tokens, i + 2);
  if (markupMembers.has(word)) return isMember || isTight(tokens, i);
  return isMember && word === 'srcdoc';
}

/** `innerHTML=name`: in a handler the element itself is in scope. */
function isTight(tokens: ScriptTokens, i: number): boolean {
  return isAdjacent(tokens, i + 1) && isAdjacent(tokens, i + 2) && isWordAt(tokens, i + 2);
}

/** What sends the visitor elsewhere when it is assigned. */
const locationParts: ReadonlySet<string> = new Set(['href', 'search', 'protocol']);

/**
 * `location` stands by itself and is given a string or a page value: no form field
 * `location=Rome`.
 */
function isBare(tokens: ScriptTokens, i: number): boolean {
  const value = kindAt(tokens, i + 2);
  const word = knownWordAt(tokens, i + 2);
  return isQuote(value) || globals.has(word) || word === 'name';
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
    if (isCookie(tokens, at)) return { first, last: at + 1, strength: 4 };
    if (kindAt(tokens, at) === 59) break;
  }
  return { first, last: Math.min(tokens.count, i + 4), strength: 2 };
}
