import {
  isAdjacent,
  isQuote,
  kindAt,
  type ScriptTokens,
  scriptKind,
  tokenIndexAt,
  wordAt,
} from '../../tokenise/script.ts';
import {
  dialogs,
  evaluators,
  globals,
  keywords,
  pageData,
  pageFunctions,
  timers,
  unpackers,
} from './vocabulary.ts';

/**
 * How much a piece of script says of its intent: 1 any call, 2 what ordinary page scripts do as well,
 * 3 what probes do, 4 what only attacks do.
 */
export type Strength = 0 | 1 | 2 | 3 | 4;

/** A piece of script: token indexes, the last one exclusive. */
export interface ScriptEvidence {
  readonly first: number;
  readonly last: number;
  readonly strength: Strength;
}

const open = 40;
const close = 41;
const comma = 44;
const dot = 46;
const equals = 61;
const question = 63;
const openBracket = 91;
const closeBracket = 93;
const backtick = 96;
const plus = 43;

/** Tokens that are looked at around a call. */
const reach = 24;

const nothing: ScriptEvidence = { first: 0, last: 0, strength: 0 };

/** The strongest piece of script between two offsets; strength 0 when there is none. */
export function strongestScript(tokens: ScriptTokens, from: number, to: number): ScriptEvidence {
  let best = nothing;
  for (let i = tokenIndexAt(tokens, from); i < tokens.count; i++) {
    if ((tokens.starts[i] as number) >= to) break;
    const found = scriptAt(tokens, i);
    if (found.strength > best.strength) best = found;
    if (best.strength === 4) break;
  }
  return best;
}

/** What starts, or is called, at token `i`. */
export function scriptAt(tokens: ScriptTokens, i: number): ScriptEvidence {
  const kind = kindAt(tokens, i);
  if (kind === openBracket) return computedCall(tokens, i);
  if (kind !== scriptKind.word) return nothing;
  const next = kindAt(tokens, i + 1);
  if ((next === scriptKind.word || next === scriptKind.number) && kindAt(tokens, i - 1) !== dot) {
    return statementWord(tokens, i);
  }
  if (next === scriptKind.none && kindAt(tokens, i - 1) !== dot) return nothing;
  const word = wordAt(tokens, i);
  const call = callOf(tokens, i);
  if (call >= 0) return judgeCall(tokens, i, call, word);
  return judgeMention(tokens, i, word);
}

/**
 * Index of the token that opens the arguments of the function named by token `i`, -1 when it is not
 * called: `f(`, `f?.(`, `` f` ``, `(f)(`, `f.call(`.
 */
function callOf(tokens: ScriptTokens, i: number): number {
  let at = i + 1;
  if (kindAt(tokens, at) === close && kindAt(tokens, i - 1) === open) at++;
  if (kindAt(tokens, at) === question && kindAt(tokens, at + 1) === dot) at += 2;
  const kind = kindAt(tokens, at);
  if (kind === open) return at;
  if (kind === backtick) return isTaggedTemplate(tokens, i, at) ? at : -1;
  if (kind === dot) {
    const method = wordAt(tokens, at + 1);
    const isIndirect = method === 'call' || method === 'apply' || method === 'bind';
    if (isIndirect && isOpening(kindAt(tokens, at + 2))) return at + 2;
  }
  return -1;
}

/** `f.call(`, `(f)(`, `f?.(`: nobody writes that of a dialog but to get past a filter. */
function isIndirect(tokens: ScriptTokens, i: number): boolean {
  return isAdjacent(tokens, i + 1) && isAdjacent(tokens, i + 2);
}

function isOpening(kind: number): boolean {
  return kind === open || kind === backtick;
}

/** `` alert`1` ``, and not the end of a code span of Markdown: `` `alert` ``. */
function isTaggedTemplate(tokens: ScriptTokens, i: number, tick: number): boolean {
  if (!isAdjacent(tokens, tick)) return false;
  let before = i - 1;
  while (before >= i - 6 && (kindAt(tokens, before) === dot || isWordAt(tokens, before))) before--;
  if (kindAt(tokens, before) === backtick && isAdjacent(tokens, before + 1)) return false;
  const next = kindAt(tokens, tick + 1);
  const isSentence = next === comma || next === dot || next === 58 || next === close;
  if (isSentence || (next !== backtick && !isAdjacent(tokens, tick + 1))) return false;
  for (let at = tick + 1; at < tick + reach && at < tokens.count; at++) {
    if (kindAt(tokens, at) === backtick) return true;
  }
  return false;
}

function isWordAt(tokens: ScriptTokens, i: number): boolean {
  return kindAt(tokens, i) === scriptKind.word;
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

/** Index after the token that closes the call, or after the last one within reach. */
function endOfCall(tokens: ScriptTokens, call: number): number {
  const opener = kindAt(tokens, call);
  const limit = Math.min(tokens.count, call + reach);
  let depth = 0;
  for (let at = call; at < limit; at++) {
    const kind = kindAt(tokens, at);
    if (opener === backtick) {
      if (kind === backtick && at > call) return at + 1;
    } else if (kind === open) depth++;
    else if (kind === close && --depth === 0) return at + 1;
  }
  return limit;
}

/** `alert(1)`, `alert('x')`, `alert(document.domain)`; and not "alert (see below)", "prompt(s)". */
function dialogStrength(tokens: ScriptTokens, call: number, last: number): Strength {
  if (kindAt(tokens, call) === backtick) return 4;
  const first = kindAt(tokens, call + 1);
  if (first === scriptKind.word) {
    const word = wordAt(tokens, call + 1);
    if (pageData.has(word) || unpackers.has(word) || word.startsWith('document')) return 4;
    const after = kindAt(tokens, call + 2);
    if (!isAdjacent(tokens, call)) return after === close ? 1 : 0;
    if (after === dot || after === open) return 3;
    if (after !== close) return 1;
    return word.length < 4 ? 2 : 3;
  }
  if (first === close) return isAdjacent(tokens, call) ? 2 : 0;
  if (first === scriptKind.none) return 0;
  return last - call < reach || isQuote(first) ? 3 : 2;
}

/** `eval(atob('…'))`, `eval(name)`, `eval('…')`. */
function evaluatorStrength(tokens: ScriptTokens, call: number, isWrapped: boolean): Strength {
  const first = kindAt(tokens, call + 1);
  if (first === close || !isAdjacent(tokens, call)) return isWrapped ? 3 : 1;
  if (isWrapped || kindAt(tokens, call) === backtick) return 4;
  if (first === scriptKind.word) {
    const word = wordAt(tokens, call + 1);
    if (pageData.has(word) || unpackers.has(word) || dialogs.has(word) || word === 'name') return 4;
    return kindAt(tokens, call + 2) === close ? 2 : 3;
  }
  const isComputed = first === plus || first === 47 || first === openBracket || first === open;
  return isQuote(first) || isComputed ? 3 : 2;
}

/** A timer or `Function` is as bad as `eval` when it is given a string or a dialog. */
function timerStrength(tokens: ScriptTokens, call: number): Strength {
  if (isStringAt(tokens, call + 1)) return holdsCode(tokens, call + 1) ? 4 : 2;
  const word = wordAt(tokens, call + 1);
  if (dialogs.has(word) || evaluators.has(word) || unpackers.has(word)) return 4;
  return 1;
}

/** A string with a call, an assignment or a path in it. */
function holdsCode(tokens: ScriptTokens, quote: number): boolean {
  for (let at = quote + 1; at < quote + reach; at++) {
    const kind = kindAt(tokens, at);
    if (kind === kindAt(tokens, quote) || kind === scriptKind.none) return false;
    if (kind === open || kind === equals || kind === dot || isQuote(kind)) return true;
  }
  return true;
}

function isStringAt(tokens: ScriptTokens, i: number): boolean {
  return isQuote(kindAt(tokens, i));
}

/** `print` is a word of every language: only its odd calls are a probe. */
function printStrength(tokens: ScriptTokens, i: number, call: number): Strength {
  if (call > i + 1) return 4;
  const first = kindAt(tokens, call + 1);
  return first === 47 || kindAt(tokens, call) === backtick ? 3 : 2;
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
    if (wordAt(tokens, at) === 'cookie' && kindAt(tokens, at - 1) === dot) return 4;
  }
  if (word === 'import' || word === 'getscript') {
    const isForeign = isStringAt(tokens, call + 1) && kindAt(tokens, call + 2) === 47;
    return isForeign && kindAt(tokens, call + 3) === 47 ? 4 : 1;
  }
  const owner = kindAt(tokens, i - 1) === dot ? wordAt(tokens, i - 2) : '';
  if (owner === 'document' && isStringAt(tokens, call + 1) && kindAt(tokens, call + 2) === 60) {
    return 4;
  }
  if (word === 'call' || word === 'apply' || word === 'replace' || word === 'assign') {
    if (holdsCallback(tokens, i, call)) return 4;
    if (call > i + 1 && kindAt(tokens, i + 1) === dot) return 4;
    return owner === 'location' ? 2 : 1;
  }
  return 2;
}

/** `[1].find(alert)`, `'alert(1)'.replace(/.+/,eval)`. */
function holdsCallback(tokens: ScriptTokens, i: number, call: number): boolean {
  if (kindAt(tokens, i - 1) !== dot || !isAdjacent(tokens, i)) return false;
  for (let at = call + 1; at < call + reach; at++) {
    const before = kindAt(tokens, at - 1);
    if (kindAt(tokens, at) === scriptKind.none) return false;
    if ((before !== open && before !== comma) || !isWordAt(tokens, at)) continue;
    const after = kindAt(tokens, at + 1);
    if (after !== close && after !== comma) continue;
    const word = wordAt(tokens, at);
    if (dialogs.has(word) || evaluators.has(word)) return true;
    const isProbe = kindAt(tokens, i - 2) === closeBracket && isNumberAt(tokens, i - 3);
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
  if (word === 'onerror' && next === equals) return onerrorAssignment(tokens, i);
  if (word === 'constructor' && next === dot && wordAt(tokens, i + 2) === 'constructor')
    return evidence(i + 4, 4);
  if (word === 'cookie' && before === dot && wordAt(tokens, i - 2) === 'document') {
    const start = Math.max(0, i - 2);
    return { first: start, last: i + 1, strength: cookieStrength(tokens, i) };
  }
  if (next === equals && kindAt(tokens, i + 2) !== equals && isPageAssignment(tokens, i, word)) {
    return assignment(tokens, i);
  }
  if (dialogs.has(word) && before === equals && kindAt(tokens, i - 2) === scriptKind.word) {
    const isStatement = next === 59 || next === comma || next === scriptKind.none;
    if (isStatement) return evidence(i + 1, isCalledLater(tokens, i) ? 4 : 2);
  }
  return nothing;
}

/** `a=alert,a(1)`: the new name is called. */
function isCalledLater(tokens: ScriptTokens, i: number): boolean {
  const name = wordAt(tokens, i - 2);
  for (let at = i + 1; at < i + reach; at++) {
    if (wordAt(tokens, at) === name && isOpening(kindAt(tokens, at + 1))) return true;
  }
  return false;
}

/** The cookie is added to something, given away, or written. */
function cookieStrength(tokens: ScriptTokens, i: number): Strength {
  const before = kindAt(tokens, i - 3);
  const after = kindAt(tokens, i + 1);
  if (before === plus || after === plus) return 4;
  if (before === open && after === close && kindAt(tokens, i - 4) === scriptKind.word) return 3;
  return before === equals ? 3 : 2;
}

/** `onerror=alert;throw 1`: the error handler is the call. */
function onerrorAssignment(tokens: ScriptTokens, i: number): ScriptEvidence {
  const value = wordAt(tokens, i + 2);
  const isSink = dialogs.has(value) || evaluators.has(value);
  if (!isSink) return nothing;
  for (let at = Math.max(0, i - 4); at < i + reach; at++) {
    if (wordAt(tokens, at) === 'throw') return { first: i, last: i + 3, strength: 4 };
  }
  return { first: i, last: i + 3, strength: 3 };
}

/** `location=`, `document.location.href=`, `x.innerHTML=`. */
function isPageAssignment(tokens: ScriptTokens, i: number, word: string): boolean {
  const isMember = kindAt(tokens, i - 1) === dot;
  if (word === 'location') return isMember ? globals.has(wordAt(tokens, i - 2)) : isBare(tokens, i);
  if (word === 'href') return isMember && wordAt(tokens, i - 2) === 'location';
  return isMember && (word === 'innerhtml' || word === 'outerhtml' || word === 'srcdoc');
}

/** `location` stands by itself and is given a string or a page value: no form field `location=Rome`. */
function isBare(tokens: ScriptTokens, i: number): boolean {
  const value = kindAt(tokens, i + 2);
  const word = wordAt(tokens, i + 2);
  return isQuote(value) || globals.has(word) || word === 'name';
}

function assignment(tokens: ScriptTokens, i: number): ScriptEvidence {
  const last = Math.min(tokens.count, i + reach);
  const first = kindAt(tokens, i - 1) === dot ? Math.max(0, i - 2) : i;
  const scheme = wordAt(tokens, i + 3);
  if (isStringAt(tokens, i + 2) && (scheme === 'javascript' || scheme === 'data')) {
    return { first, last: i + 5, strength: 4 };
  }
  for (let at = i + 2; at < last; at++) {
    const word = wordAt(tokens, at);
    if (word === 'cookie' && kindAt(tokens, at - 1) === dot) {
      return { first, last: at + 1, strength: 4 };
    }
    if (kindAt(tokens, at) === 59) break;
  }
  return { first, last: Math.min(tokens.count, i + 4), strength: 2 };
}

/** `throw`, `new` and others in front of a word: nothing by themselves. */
function statementWord(tokens: ScriptTokens, i: number): ScriptEvidence {
  if (wordAt(tokens, i) !== 'msgbox') return nothing;
  return { first: i, last: i + 2, strength: 2 };
}

/**
 * `window['al'+'ert'](1)`, `top[/al/.source+/ert/.source](1)`, `x['constructor']('…')()`: a property
 * with a computed name is called, or read where only a known name would do.
 */
function computedCall(tokens: ScriptTokens, i: number): ScriptEvidence {
  const ownerKind = kindAt(tokens, i - 1);
  const owner = ownerKind === scriptKind.word ? wordAt(tokens, i - 1) : '';
  const isGlobal = globals.has(owner);
  const isExpression = ownerKind === close || ownerKind === closeBracket || isQuote(ownerKind);
  const isOwned = (owner !== '' && isAdjacent(tokens, i)) || isGlobal || isExpression;
  if (!isOwned || keywords.has(owner)) return nothing;
  const name = readComputedName(tokens, i);
  if (name === undefined) return nothing;
  const after = kindAt(tokens, name.end);
  const isCalled = isOpening(after) || (after === question && kindAt(tokens, name.end + 1) === dot);
  const evidence = (strength: Strength): ScriptEvidence => ({
    first: Math.max(0, i - 1),
    last: isCalled ? endOfCall(tokens, name.end) : name.end,
    strength,
  });
  const isSink = dialogs.has(name.text) || evaluators.has(name.text) || name.text === 'print';
  if (isSink && (isGlobal || isExpression || name.isJoined)) return evidence(4);
  if (name.text === 'constructor') return evidence(isCalled || name.isJoined ? 4 : 3);
  if (!isCalled) return name.isJoined && isGlobal ? evidence(3) : nothing;
  if (name.isJoined && isGlobal) return evidence(4);
  return name.isJoined ? evidence(3) : evidence(isGlobal ? 2 : 1);
}

interface ComputedName {
  /** The pieces of string put together, lower case. */
  readonly text: string;
  /** True when the name is put together from several pieces. */
  readonly isJoined: boolean;
  /** Index after the `]`. */
  readonly end: number;
}

/** Reads `['al'+"ert"]` from its bracket; undefined when there is no string or regex in it. */
function readComputedName(tokens: ScriptTokens, bracket: number): ComputedName | undefined {
  let text = '';
  let isJoined = false;
  let depth = 0;
  const limit = Math.min(tokens.count, bracket + 2 * reach);
  const opener = kindAt(tokens, bracket + 1);
  const isComputed = isQuote(opener) || opener === 47 || opener === open || opener === openBracket;
  const isCode = isComputed || isWordAt(tokens, bracket + 1) || opener === 33;
  if (!isCode) return undefined;
  let hasString = isComputed && opener !== open && opener !== openBracket;
  for (let at = bracket; at < limit; at++) {
    const kind = kindAt(tokens, at);
    if (kind === openBracket) depth++;
    else if (kind === closeBracket && --depth === 0) {
      return hasString ? { text, isJoined, end: at + 1 } : undefined;
    } else if (kind === plus || kind === 92) isJoined = true;
    else if (isQuote(kind)) hasString = true;
    else if (kind === scriptKind.word && isPiece(tokens, at)) text += wordAt(tokens, at);
    else if (kind === dot && wordAt(tokens, at + 1) === 'source') isJoined = true;
  }
  return undefined;
}

/** A word between quotation marks or between the slashes of a regex. */
function isPiece(tokens: ScriptTokens, at: number): boolean {
  const before = kindAt(tokens, at - 1);
  const after = kindAt(tokens, at + 1);
  return (isQuote(before) && isQuote(after)) || (before === 47 && after === 47);
}

/** True when most of the words stand beside one another without punctuation, as prose has it. */
export function isProse(tokens: ScriptTokens): boolean {
  let pairs = 0;
  let words = 0;
  const limit = Math.min(tokens.count, 400);
  for (let i = 0; i < limit; i++) {
    if (!isWordAt(tokens, i)) continue;
    words++;
    if (!isWordAt(tokens, i - 1) || isAdjacent(tokens, i)) continue;
    // A form's `a=b c=d` and a tag's attributes are no sentence.
    if (kindAt(tokens, i + 1) === equals) continue;
    if (keywords.has(wordAt(tokens, i)) || keywords.has(wordAt(tokens, i - 1))) continue;
    pairs++;
  }
  return pairs >= 2 && pairs * 5 > words;
}

/**
 * True when in front of a piece of script a string is closed: `';`, `")-`, `\'+`, with nothing but
 * punctuation up to it. Returns the token index of the quotation mark, -1 when there is none.
 */
export function breakoutBefore(tokens: ScriptTokens, first: number): number {
  let at = first - 1;
  const limit = Math.max(0, first - reach);
  let hasOperator = false;
  while (at >= limit) {
    const kind = kindAt(tokens, at);
    if (isQuote(kind)) {
      if (hasOperator) return at;
    } else if (kind === scriptKind.word) {
      const isPath = globals.has(wordAt(tokens, at)) || keywords.has(wordAt(tokens, at));
      if (!isPath) return -1;
    } else if (kind !== scriptKind.number && kind !== dot) hasOperator = true;
    at--;
  }
  return -1;
}
