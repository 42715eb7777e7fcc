import {
  endOf,
  isAdjacent,
  isQuote,
  kindAt,
  type ScriptTokens,
  scriptKind,
  startOf,
  wordAt,
} from '../../tokenise/script.ts';
import { computedCall } from './computed-call.ts';
import { knownWordAt } from './known-word.ts';
import {
  endOfCall,
  isOpening,
  isStringAt,
  isWordAt,
  mark,
  nothing,
  reach,
  type ScriptEvidence,
  type Strength,
} from './script-evidence.ts';
import {
  dialogs,
  evaluators,
  globals,
  pageData,
  pageFunctions,
  timers,
  unpackers,
} from './vocabulary.ts';

/** What starts, or is called, at token `i`. */
export function scriptAt(tokens: ScriptTokens, i: number): ScriptEvidence {
  const kind = kindAt(tokens, i);
  if (kind === mark.openBracket) return computedCall(tokens, i);
  if (kind !== scriptKind.word) return nothing;
  const next = kindAt(tokens, i + 1);
  if (
    (next === scriptKind.word || next === scriptKind.number) &&
    kindAt(tokens, i - 1) !== mark.dot
  ) {
    return statementWord(tokens, i);
  }
  if (next === scriptKind.none && kindAt(tokens, i - 1) !== mark.dot) return nothing;
  if (!isCallOrMention(next, kindAt(tokens, i - 1))) return nothing;
  const word = knownWordAt(tokens, i);
  const call = callOf(tokens, i);
  if (call >= 0) return judgeCall(tokens, i, call, word);
  return judgeMention(tokens, i, word);
}

/** Only a name beside one of these marks is called, assigned, or part of a path. */
function isCallOrMention(next: number, before: number): boolean {
  switch (next) {
    case mark.open:
    case mark.close:
    case mark.backtick:
    case mark.question:
    case mark.dot:
    case mark.equals:
      return true;
    default:
      return before === mark.dot || before === mark.equals;
  }
}

/**
 * Index of the token that opens the arguments of the function named by token `i`, -1 when it is
 * not called: `f(`, `f?.(`, `` f` ``, `(f)(`, `f.call(`.
 */
function callOf(tokens: ScriptTokens, i: number): number {
  let at = i + 1;
  if (kindAt(tokens, at) === mark.close && kindAt(tokens, i - 1) === mark.open) at++;
  if (kindAt(tokens, at) === mark.question && kindAt(tokens, at + 1) === mark.dot) at += 2;
  const kind = kindAt(tokens, at);
  if (kind === mark.open) return at;
  if (kind === mark.backtick) return isTaggedTemplate(tokens, i, at) ? at : -1;
  if (kind === mark.dot) {
    const method = knownWordAt(tokens, at + 1);
    const isIndirect = method === 'call' || method === 'apply' || method === 'bind';
    if (isIndirect && isOpening(kindAt(tokens, at + 2))) return at + 2;
  }
  return -1;
}

/** `f.call(`, `(f)(`, `f?.(`: nobody writes that of a dialog but to get past a filter. */
function isIndirect(tokens: ScriptTokens, i: number): boolean {
  return isAdjacent(tokens, i + 1) && isAdjacent(tokens, i + 2);
}

/** `` alert`1` ``, and not the end of a code span of Markdown: `` `alert` ``. */
function isTaggedTemplate(tokens: ScriptTokens, i: number, tick: number): boolean {
  if (!isAdjacent(tokens, tick)) return false;
  let before = i - 1;
  while (before >= i - 6 && (kindAt(tokens, before) === mark.dot || isWordAt(tokens, before)))
    before--;
  if (kindAt(tokens, before) === mark.backtick && isAdjacent(tokens, before + 1)) return false;
  const next = kindAt(tokens, tick + 1);
  const isSentence = next === mark.comma || next === mark.dot || next === 58 || next === mark.close;
  if (isSentence || (next !== mark.backtick && !isAdjacent(tokens, tick + 1))) return false;
  for (let at = tick + 1; at < tick + reach && at < tokens.count; at++) {
    if (kindAt(tokens, at) === mark.backtick) return true;
  }
  return false;
}

function judgeCall(tokens: ScriptTokens, i: number, call: number, word: string): ScriptEvidence {
  const last = endOfCall(tokens, call);
  const evidence = (strength: Strength): ScriptEvidence => ({ first: i, last, strength });
  const isWrapped = call > i + 1;
  if (dialogs.has(word)) {
    const strength = dialogStrength(tokens, call, last);
    return evidence(isWrapped && (strength >= 2 || isIndirect(tokens, i)) ? 4 : strength);
  }
  if (evaluators.has(word)) return evidence(evaluatorStrength(tokens, call, isWrapped));
  if (timers.has(word)) return evidence(timerStrength(tokens, call));
  if (word === 'constructor') return evidence(isStringAt(tokens, call + 1) ? 4 : 2);
  if (unpackers.has(word)) return evidence(2);
  if (word === 'print') return evidence(printStrength(tokens, i, call));
  if (pageFunctions.has(word)) return evidence(pageCallStrength(tokens, i, call, last, word));
  if (holdsCallback(tokens, i, call)) return evidence(4);
  return evidence(isAdjacent(tokens, call) ? 1 : 0);
}

/**
 * `alert(1)`, `alert('x')`, `alert(document.domain)`; and not "alert (see below)", "prompt(s)".
 */
function dialogStrength(tokens: ScriptTokens, call: number, last: number): Strength {
  if (kindAt(tokens, call) === mark.backtick) return 4;
  const first = kindAt(tokens, call + 1);
  if (first === scriptKind.word) {
    const word = wordAt(tokens, call + 1);
    if (pageData.has(word) || unpackers.has(word) || word.startsWith('document')) return 4;
    const after = kindAt(tokens, call + 2);
    if (!isAdjacent(tokens, call)) return after === mark.close ? 1 : 0;
    if (after === mark.dot || after === mark.open) return 3;
    if (after !== mark.close) return 1;
    return word.length < 4 ? 2 : 3;
  }
  if (first === mark.close) return isAdjacent(tokens, call) ? 2 : 0;
  if (first === scriptKind.none) return 0;
  if (isQuote(first) && isForeignMethod(tokens, call)) return 1;
  return last - call < reach || isQuote(first) ? 3 : 2;
}

/** `$('.x').alert('close')`: a method of something that is not the window. */
function isForeignMethod(tokens: ScriptTokens, call: number): boolean {
  if (kindAt(tokens, call - 2) !== mark.dot) return false;
  const owner = wordAt(tokens, call - 3);
  return !globals.has(owner) && owner !== 'view' && !owner.endsWith('window');
}

/** `eval(atob('…'))`, `eval(name)`, `eval('…')`. */
function evaluatorStrength(tokens: ScriptTokens, call: number, isWrapped: boolean): Strength {
  const first = kindAt(tokens, call + 1);
  if (first === mark.close || !isAdjacent(tokens, call)) return isWrapped ? 3 : 1;
  if (isWrapped || kindAt(tokens, call) === mark.backtick) return 4;
  if (first === scriptKind.word) {
    const word = knownWordAt(tokens, call + 1);
    if (pageData.has(word) || unpackers.has(word) || dialogs.has(word) || word === 'name') return 4;
    return kindAt(tokens, call + 2) === mark.close ? 2 : 3;
  }
  const isComputed =
    first === mark.plus || first === 47 || first === mark.openBracket || first === mark.open;
  return isQuote(first) || isComputed ? 3 : 2;
}

/** A timer or `Function` is as bad as `eval` when it is given a string or a dialog. */
function timerStrength(tokens: ScriptTokens, call: number): Strength {
  if (isStringAt(tokens, call + 1)) return holdsCode(tokens, call + 1) ? 4 : 2;
  const word = knownWordAt(tokens, call + 1);
  if (dialogs.has(word) || evaluators.has(word) || unpackers.has(word)) return 4;
  return 1;
}

/** A string with a call, an assignment or a path in it. */
function holdsCode(tokens: ScriptTokens, quote: number): boolean {
  for (let at = quote + 1; at < quote + reach; at++) {
    const kind = kindAt(tokens, at);
    if (kind === kindAt(tokens, quote) || kind === scriptKind.none) return false;
    if (kind === mark.open || kind === mark.equals || kind === mark.dot || isQuote(kind))
      return true;
  }
  return true;
}

/** `print` is a word of every language: only its odd calls are a probe. */
function printStrength(tokens: ScriptTokens, i: number, call: number): Strength {
  if (call > i + 1) return 4;
  const first = kindAt(tokens, call + 1);
  return first === 47 || kindAt(tokens, call) === mark.backtick ? 3 : 2;
}

/** Sending or loading is ordinary, but not with the cookie, nor into a bare `import('//…')`. */
function pageCallStrength(
  tokens: ScriptTokens,
  i: number,
  call: number,
  last: number,
  word: string,
): Strength {
  for (let at = call; at < last; at++) {
    if (kindAt(tokens, at - 1) === mark.dot && knownWordAt(tokens, at) === 'cookie') return 4;
  }
  if (word === 'import' || word === 'getscript') {
    const isForeign = isStringAt(tokens, call + 1) && kindAt(tokens, call + 2) === 47;
    return isForeign && kindAt(tokens, call + 3) === 47 ? 4 : 1;
  }
  const owner = kindAt(tokens, i - 1) === mark.dot ? knownWordAt(tokens, i - 2) : '';
  if (owner === 'document' && word.startsWith('write')) {
    const isMarkup = isStringAt(tokens, call + 1) && kindAt(tokens, call + 2) === 60;
    if (isMarkup || unpackers.has(knownWordAt(tokens, call + 1))) return 4;
  }
  if (word === 'call' || word === 'apply' || word === 'replace' || word === 'assign') {
    if (holdsCallback(tokens, i, call)) return 4;
    if (call > i + 1 && kindAt(tokens, i + 1) === mark.dot) return 4;
    return owner === 'location' ? 2 : 1;
  }
  return 2;
}

/** `[1].find(alert)`, `'alert(1)'.replace(/.+/,eval)`. */
function holdsCallback(tokens: ScriptTokens, i: number, call: number): boolean {
  if (kindAt(tokens, i - 1) !== mark.dot || !isAdjacent(tokens, i)) return false;
  for (let at = call + 1; at < call + reach; at++) {
    const before = kindAt(tokens, at - 1);
    if (kindAt(tokens, at) === scriptKind.none) return false;
    if ((before !== mark.open && before !== mark.comma) || !isWordAt(tokens, at)) continue;
    const after = kindAt(tokens, at + 1);
    if (after !== mark.close && after !== mark.comma) continue;
    const word = knownWordAt(tokens, at);
    if (dialogs.has(word) || evaluators.has(word)) return true;
    const isProbe = kindAt(tokens, i - 2) === mark.closeBracket && isNumberAt(tokens, i - 3);
    if (word === 'print' && isProbe) return true;
  }
  return false;
}

function isNumberAt(tokens: ScriptTokens, i: number): boolean {
  return kindAt(tokens, i) === scriptKind.number;
}

/** A name that is not called: read, assigned, or part of a longer path. */
function judgeMention(tokens: ScriptTokens, i: number, word: string): ScriptEvidence {
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
    const isStatement = next === 59 || next === mark.comma || next === scriptKind.none;
    if (isStatement) return evidence(i + 1, isCalledLater(tokens, i) ? 4 : 2);
  }
  return nothing;
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

function assignment(tokens: ScriptTokens, i: number): ScriptEvidence {
  const last = Math.min(tokens.count, i + reach);
  const first = kindAt(tokens, i - 1) === mark.dot ? Math.max(0, i - 2) : i;
  const scheme = knownWordAt(tokens, i + 3);
  if (isStringAt(tokens, i + 2) && (scheme === 'javascript' || scheme === 'data')) {
    return { first, last: i + 5, strength: 4 };
  }
  for (let at = i + 2; at < last; at++) {
    if (kindAt(tokens, at - 1) === mark.dot && knownWordAt(tokens, at) === 'cookie') {
      return { first, last: at + 1, strength: 4 };
    }
    if (kindAt(tokens, at) === 59) break;
  }
  return { first, last: Math.min(tokens.count, i + 4), strength: 2 };
}

/** `throw`, `new` and others in front of a word: nothing by themselves. */
function statementWord(tokens: ScriptTokens, i: number): ScriptEvidence {
  if (knownWordAt(tokens, i) !== 'msgbox') return nothing;
  return { first: i, last: i + 2, strength: 2 };
}
