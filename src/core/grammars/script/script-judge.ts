import {
  dialogs,
  evaluators,
  pageData,
  pageFunctions,
  timers,
  unpackers,
} from '../../knowledge/page.ts';
import { dialogStrength, isForeignMethod } from './dialog-call.ts';
import { knownWordAt } from './known-word.ts';
import {
  isAdjacent,
  isQuote,
  kindAt,
  type ScriptTokens,
  scriptKind,
  startOf,
  wordAt,
} from './script.ts';
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
import { judgeMention } from './script-mention.ts';
import { pageCallStrength } from './script-page-call.ts';

/** What starts, or is called, at token `i`. */
export function scriptAt(tokens: ScriptTokens, i: number): ScriptEvidence {
  const kind = kindAt(tokens, i);
  if (kind !== scriptKind.word) return nothing;
  const next = kindAt(tokens, i + 1);
  if (
    (next === scriptKind.word || next === scriptKind.number) &&
    kindAt(tokens, i - 1) !== mark.dot
  ) {
    return nothing;
  }
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
      return before === mark.dot || before === mark.equals || isQuote(before);
  }
}

/**
 * Index of the token that opens the arguments of the function named by token `i`, -1 when it is
 * not called: `f(`, `f?.(`, `` f` ``, `(f)(`, `f.call(`.
 */
function callOf(tokens: ScriptTokens, i: number): number {
  let at = i + 1;
  const isGroup = kindAt(tokens, at) === mark.close && kindAt(tokens, i - 1) === mark.open;
  if (isGroup && !isGivenToOwn(tokens, i - 1)) at++;
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

/** `withStyles(prompt)(Component)`: an argument of a function that neither the page nor the text has. */
function isGivenToOwn(tokens: ScriptTokens, open: number): boolean {
  const { text } = tokens;
  const at = open - 1;
  if (!isWordAt(tokens, at) || !isAdjacent(tokens, open) || text.length > ownCharsMax) return false;
  const isMember = kindAt(tokens, at - 1) === mark.dot && isAdjacent(tokens, at);
  if (isMember || knownWordAt(tokens, at) !== '') return false;
  const name = wordAt(tokens, at);
  const folded = text.toLowerCase();
  const isOnce =
    folded.indexOf(name) === startOf(tokens, at) &&
    folded.lastIndexOf(name) === startOf(tokens, at);
  return isOnce && !passing.has(name);
}

/** `Object(f)` gives f; jQuery's `$(f)` calls it. */
const passing: ReadonlySet<string> = new Set(['object', '$']);
const ownCharsMax = 2_000;

/** `` alert`1` ``, and not the end of a code span of Markdown: `` `alert` ``. */
function isTaggedTemplate(tokens: ScriptTokens, i: number, tick: number): boolean {
  if (!isAdjacent(tokens, tick)) return false;
  let before = i - 1;
  while (before >= i - 6 && isNamePart(tokens, before)) before--;
  if (kindAt(tokens, before) === mark.backtick && isAdjacent(tokens, before + 1)) return false;
  const next = kindAt(tokens, tick + 1);
  const isSentence =
    next === mark.comma || next === mark.dot || next === mark.colon || next === mark.close;
  if (isSentence || (next !== mark.backtick && !isAdjacent(tokens, tick + 1))) return false;
  for (let at = tick + 1; at < tick + reach && at < tokens.count; at++) {
    if (kindAt(tokens, at) === mark.backtick) return true;
  }
  return false;
}

/** Of a path, or of a name with dashes as in a code span. */
function isNamePart(tokens: ScriptTokens, i: number): boolean {
  const kind = kindAt(tokens, i);
  return kind === mark.dot || kind === 45 || kind === scriptKind.word;
}

function judgeCall(tokens: ScriptTokens, i: number, call: number, word: string): ScriptEvidence {
  const last = endOfCall(tokens, call);
  return { first: i, last, strength: callStrength(tokens, i, call, last, word) };
}

function callStrength(
  tokens: ScriptTokens,
  i: number,
  call: number,
  last: number,
  word: string,
): Strength {
  if (word === '') return unknownCallStrength(tokens, i, call);
  const isWrapped = call > i + 1;
  if (dialogs.has(word)) {
    const strength = dialogStrength(tokens, { name: i, call, last, word });
    return isWrapped && strength >= 2 ? 4 : strength;
  }
  if (evaluators.has(word)) {
    const strength = evaluatorStrength(tokens, call, isWrapped);
    return strength === 3 && isForeignMethod(tokens, call) ? 2 : strength;
  }
  if (timers.has(word)) return timerStrength(tokens, call);
  if (unpackers.has(word)) return 2;
  if (word === 'constructor') return constructorStrength(tokens, call);
  if (word === 'print') return printStrength(tokens, i, call);
  if (word === 'with') return withStrength(tokens, call);
  if (pageFunctions.has(word)) return pageCallStrength(tokens, i, call, last, word);
  return unknownCallStrength(tokens, i, call);
}

/** `with(document)write(1)`: no other language has it, and benign scripts no longer do. */
function withStrength(tokens: ScriptTokens, call: number): Strength {
  if (!isAdjacent(tokens, call) || kindAt(tokens, call + 2) !== mark.close) return 0;
  return withObjects.has(knownWordAt(tokens, call + 1)) ? 4 : 0;
}

const withObjects: ReadonlySet<string> = new Set(['document', 'location', 'window', 'globalthis']);

/** A function is made of a string. */
function constructorStrength(tokens: ScriptTokens, call: number): Strength {
  if (!isAdjacent(tokens, call)) return 1;
  return isStringAt(tokens, call + 1) ? 4 : 2;
}

/** A function that nothing is known about. */
function unknownCallStrength(tokens: ScriptTokens, i: number, call: number): Strength {
  // `` sort.call`${alert}1` ``: a method by its template, for what needs no brackets.
  if (call > i + 1 && holdsExpression(tokens, call)) return 4;
  return isAdjacent(tokens, call) ? 1 : 0;
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

/** A template with `${…}`. */
function holdsExpression(tokens: ScriptTokens, call: number): boolean {
  if (kindAt(tokens, call) !== mark.backtick) return false;
  const start = startOf(tokens, call);
  return tokens.text.slice(start, start + templateCharsMax).includes('${');
}

const templateCharsMax = 80;

/** A timer or `Function` is as bad as `eval` when it is given a string or a dialog. */
function timerStrength(tokens: ScriptTokens, call: number): Strength {
  if (holdsExpression(tokens, call)) return 4;
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
