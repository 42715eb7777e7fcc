import { callingMethods } from '../../knowledge/engine-calls.ts';
import { dialogs, evaluators, unpackers } from '../../knowledge/page.ts';
import { knownWordAt } from './known-word.ts';
import { isAdjacent, kindAt, type ScriptTokens, scriptKind, startOf, wordAt } from './script.ts';
import { areSlashes, isStringAt, isWordAt, mark, reach, type Strength } from './script-evidence.ts';

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
  if (loadingCalls.has(word)) return isForeignString(tokens, call + 1) ? 4 : 1;
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

/** What is parsed as markup is written here, decoded, or the visitor's link. */
function markupStrength(tokens: ScriptTokens, i: number): Strength {
  const isMarkup = isStringAt(tokens, i) && kindAt(tokens, i + 1) === 60;
  if (isMarkup || unpackers.has(knownWordAt(tokens, i))) return 4;
  return isLocationPart(tokens, i) ? 3 : 2;
}

/** `f.call(…)` calls f, `x.replace(…, f)` what it is given. */
function methodStrength(tokens: ScriptTokens, i: number, call: number): Strength {
  if (holdsCallback(tokens, i, call)) return 4;
  // `call.bind()` is given no function: a mention of it.
  const isEmpty = kindAt(tokens, call + 1) === mark.close;
  if (call > i + 1 && kindAt(tokens, i + 1) === mark.dot) return isEmpty ? 1 : 4;
  return isMemberOf(tokens, i, 'location') ? 2 : 1;
}

const methods: ReadonlySet<string> = new Set(['call', 'apply', 'replace', 'assign']);
const loadingCalls: ReadonlySet<string> = new Set(['import', 'getscript']);
const showingCalls: ReadonlySet<string> = new Set(['then', 'foreach', 'catch', 'finally']);

/** Calls that parse a string as markup, with its handlers or scripts. */
const markupCalls: ReadonlySet<string> = new Set([
  'sethtmlunsafe',
  'parsehtmlunsafe',
  'createcontextualfragment',
]);
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

/** `[1].find(alert)`, `'alert(1)'.replace(/.+/,eval)`. */
export function holdsCallback(tokens: ScriptTokens, i: number, call: number): boolean {
  if (kindAt(tokens, i - 1) !== mark.dot || !isAdjacent(tokens, i)) return false;
  for (let at = call + 1; at < call + reach; at++) {
    if (kindAt(tokens, at) === scriptKind.none) return false;
    if (isGivenName(tokens, at) && isCallback(tokens, i, at)) return true;
  }
  return false;
}

/** An argument that is a name and nothing else. */
function isGivenName(tokens: ScriptTokens, at: number): boolean {
  if (!isWordAt(tokens, at)) return false;
  const before = kindAt(tokens, at - 1);
  const after = kindAt(tokens, at + 1);
  return (
    (before === mark.open || before === mark.comma) &&
    (after === mark.close || after === mark.comma)
  );
}

/** The method at `i` calls the function that the name at `at` is of. */
function isCallback(tokens: ScriptTokens, i: number, at: number): boolean {
  const word = knownWordAt(tokens, at);
  if (word === '' || isClassName(tokens, at) || isParameter(tokens, at)) return false;
  if (evaluators.has(word)) return true;
  if (word === 'print')
    return (
      kindAt(tokens, i - 2) === mark.closeBracket && kindAt(tokens, i - 3) === scriptKind.number
    );
  if (!dialogs.has(word)) return false;
  // `promise.then(alert)` is how beginners look at a result.
  const isShown = showingCalls.has(wordAt(tokens, i)) && !isStringAt(tokens, i - 2);
  return !isShown && takesFunction(tokens, i);
}

/** `alerts.map((alert, i) => …)`: names and commas up to the bracket in front of an arrow. */
function isParameter(tokens: ScriptTokens, i: number): boolean {
  let at = i;
  while (at < i + reach && (isWordAt(tokens, at) || kindAt(tokens, at) === mark.comma)) at++;
  return (
    kindAt(tokens, at) === mark.close &&
    kindAt(tokens, at + 1) === mark.equals &&
    kindAt(tokens, at + 2) === 62
  );
}

/** `llm.invoke(prompt)`, `list.push(alert)`: values of these names, given to any other method. */
function takesFunction(tokens: ScriptTokens, i: number): boolean {
  if (kindAt(tokens, i - 2) !== scriptKind.word) return true;
  const method = wordAt(tokens, i);
  return callingMethods.has(method) || method === 'apply' || method === 'bind' || method === 'call';
}

/** `Eval`, `Alert`: no name of a function of the page. */
function isClassName(tokens: ScriptTokens, i: number): boolean {
  const start = startOf(tokens, i);
  const first = tokens.text.charCodeAt(start);
  const second = tokens.text.charCodeAt(start + 1);
  return first >= 65 && first <= 90 && second >= 97;
}
