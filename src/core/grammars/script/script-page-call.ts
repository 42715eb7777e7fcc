import { unpackers } from '../../knowledge/page.ts';
import { wordSet } from '../../text/words.ts';
import { knownWordAt } from './known-word.ts';
import { kindAt, type ScriptTokens } from './script.ts';
import { areSlashes, isStringAt, mark, type Strength } from './script-evidence.ts';

/** Sending or loading is ordinary, but not with the cookie, nor into a bare `import('//…')`. */
export function pageCallStrength(
  tokens: ScriptTokens,
  i: number,
  call: number,
  last: number,
  word: string,
): Strength {
  if (holdsCookie(tokens, call, last)) return 4;
  if (methods.has(word)) return methodStrength(tokens, i, call);
  if (sendingCalls.has(word) && kindAt(tokens, call) === mark.backtick) return 3;
  if (loadingCalls.has(word)) return loadStrength(tokens, i, call);
  const isWrite = word.startsWith('write') && isMemberOf(tokens, i, 'document');
  if (isWrite || markupCalls.has(word)) return markupStrength(tokens, call + 1);
  if (word === 'createelement') return isLoadedAtOnce(tokens, call) ? 3 : 2;
  return sendingCalls.has(word) && sendsStorage(tokens, call, last) ? 3 : 2;
}

/** `document.cookie` is among the arguments. */
function holdsCookie(tokens: ScriptTokens, call: number, last: number): boolean {
  for (let at = call; at < last; at++) if (isCookie(tokens, at)) return true;
  return false;
}

/** `.cookie` */
export function isCookie(tokens: ScriptTokens, at: number): boolean {
  return kindAt(tokens, at - 1) === mark.dot && knownWordAt(tokens, at) === 'cookie';
}

/** `location.href`: a member of an object of this name. */
export function isMemberOf(tokens: ScriptTokens, i: number, owner: string): boolean {
  return kindAt(tokens, i - 1) === mark.dot && knownWordAt(tokens, i - 2) === owner;
}

/** `'//evil.test'` */
export function isForeignString(tokens: ScriptTokens, i: number): boolean {
  return isStringAt(tokens, i) && areSlashes(tokens, i + 1);
}

/** A module of another host is what a value runs that begins with it; programs name theirs in the middle. */
function loadStrength(tokens: ScriptTokens, i: number, call: number): Strength {
  if (isForeignString(tokens, call + 1)) return 4;
  const isFirst = i === 0 || (i === 1 && knownWordAt(tokens, 0) === 'await');
  const isRemote = isStringAt(tokens, call + 1) && areSlashes(tokens, call + 4);
  return isFirst && isRemote && kindAt(tokens, call + 3) === mark.colon ? 3 : 1;
}

/** What is parsed as markup is written here, decoded, or the visitor's link. */
function markupStrength(tokens: ScriptTokens, i: number): Strength {
  const isMarkup = isStringAt(tokens, i) && kindAt(tokens, i + 1) === 60;
  if (isMarkup || unpackers.has(knownWordAt(tokens, i))) return 4;
  return isLocationPart(tokens, i) ? 3 : 2;
}

/** `f.call(…)` calls f. */
function methodStrength(tokens: ScriptTokens, i: number, call: number): Strength {
  // `call.bind()` is given no function: a mention of it.
  const isEmpty = kindAt(tokens, call + 1) === mark.close;
  if (call > i + 1 && kindAt(tokens, i + 1) === mark.dot) return isEmpty ? 1 : 4;
  return isMemberOf(tokens, i, 'location') ? 2 : 1;
}

const methods: ReadonlySet<string> = new Set(['call', 'apply', 'replace', 'assign']);
const loadingCalls: ReadonlySet<string> = new Set(['import', 'getscript']);

/** Calls that parse a string as markup, with its handlers or scripts. */
const markupCalls: ReadonlySet<string> = wordSet(
  'sethtmlunsafe parsehtmlunsafe createcontextualfragment',
);
const sendingCalls: ReadonlySet<string> = new Set(['fetch', 'sendbeacon', 'open']);

/** `location.hash`: text of whoever made the link. */
export function isLocationPart(tokens: ScriptTokens, i: number): boolean {
  return knownWordAt(tokens, i) === 'location' && kindAt(tokens, i + 1) === mark.dot;
}

/** `createElement('script').src=`: no name for the element, as page scripts give it. */
function isLoadedAtOnce(tokens: ScriptTokens, call: number): boolean {
  if (!isStringAt(tokens, call + 1) || knownWordAt(tokens, call + 2) !== 'script') return false;
  for (let at = call + 4; at < call + 8; at++) {
    if (kindAt(tokens, at) === mark.dot) {
      return knownWordAt(tokens, at + 1) === 'src' && kindAt(tokens, at + 2) === mark.equals;
    }
    if (kindAt(tokens, at) !== mark.close) return false;
  }
  return false;
}

/** What the browser keeps for the visitor goes to a URL with a host. */
function sendsStorage(tokens: ScriptTokens, call: number, last: number): boolean {
  let isForeign = false;
  for (let at = call + 1; at < last; at++) {
    isForeign ||= areSlashes(tokens, at - 1);
    const word = knownWordAt(tokens, at);
    if (isForeign && (word === 'localstorage' || word === 'sessionstorage')) return true;
  }
  return false;
}
